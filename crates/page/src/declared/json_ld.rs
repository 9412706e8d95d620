//! The reader of JSON-LD, tolerant of what pages get wrong in it.

use serde_json::Value;

use super::items::{Item, Items, MAX_ITEMS, PropertyValue, local};
use super::repair::repair;

/// Longest script in bytes; a longer one is passed over.
pub const MAX_SCRIPT: usize = 4 << 20;
/// Values one after another in a script that was written for one.
const MAX_VALUES: usize = 100;
/// Classes of one item.
const MAX_TYPES: usize = 20;

/// Reads one script into `items`. Comments, raw line breaks and quotes in strings, commas too many or too few, quotes written as
/// character references and text after the value are forgiven; what stands before the first error is kept. Returns whether it was read to its
/// end. [`Items::link`] joins what the scripts of a page say of each other's items. O(script).
pub fn read(script: &str, items: &mut Items) -> bool {
    if script.len() > MAX_SCRIPT {
        return false;
    }
    match serde_json::from_str::<Value>(script) {
        // JSON within a string of JSON.
        Ok(Value::String(inner)) => return mended(&inner, items),
        Ok(value) => {
            convert(value, items);
            return true;
        }
        Err(_) => {}
    }
    mended(script, items)
}

/// As [`read`], of what may be no JSON.
fn mended(script: &str, items: &mut Items) -> bool {
    let repaired = repair(script);
    for value in serde_json::Deserializer::from_str(&repaired).into_iter::<Value>().take(MAX_VALUES) {
        match value {
            Ok(value) => convert(value, items),
            Err(_) => return false,
        }
    }
    true
}

/// The item and property that a value belongs to.
type Holder = Option<(usize, String)>;

/// Turns a JSON value into items without recursion; `serde_json` has bounded the depth already.
fn convert(value: Value, items: &mut Items) {
    let mut open: Vec<(Value, Holder)> = vec![(value, None)];
    while let Some((value, holder)) = open.pop() {
        match value {
            Value::Array(list) => {
                open.extend(list.into_iter().take(MAX_ITEMS).rev().map(|value| (value, holder.clone())));
            }
            Value::Object(mut map) => {
                if let Some(text) = map.remove("@value") {
                    open.push((text, holder));
                    continue;
                }
                let id = map.get("@id").and_then(Value::as_str).map(str::to_owned);
                let item = Item { top: holder.is_none(), types: types(map.get("@type")), id, ..Item::default() };
                let Some(at) = items.add(item) else { return };
                if let Some((holder, name)) = holder {
                    items.items[holder].push(&name, PropertyValue::Item(at));
                }
                for (name, value) in map.into_iter().rev() {
                    match name.as_str() {
                        "@graph" => open.push((value, None)),
                        keyword if keyword.starts_with('@') => {}
                        _ => open.push((value, Some((at, name)))),
                    }
                }
            }
            Value::Null => {}
            scalar => {
                let Some((holder, name)) = holder else { continue };
                let text = match scalar {
                    Value::String(text) => text,
                    other => other.to_string(),
                };
                if !text.trim().is_empty() {
                    items.items[holder].push(&name, PropertyValue::Text(text));
                }
            }
        }
    }
}

fn types(value: Option<&Value>) -> Vec<String> {
    let many = value.and_then(Value::as_array).map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_str);
    let one = value.and_then(Value::as_str).into_iter();
    one.chain(many).take(MAX_TYPES).map(|kind| local(kind).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> PropertyValue {
        PropertyValue::Text(text.to_owned())
    }

    #[test]
    fn broken_json_is_read_as_far_as_it_goes() {
        for around in ["<!-- {} -->;", "//<![CDATA[\n{}\n//]]>", "<![CDATA[{}]]>", "{}"] {
            let mut items = Items::default();
            let script = around.replace("{}", "{\"@type\":\"Product\",\"name\":\"a\nb\",\"x\":[1,],}");
            assert!(read(&script, &mut items), "{script}");
            assert_eq!(items.items[0].properties, [("name".into(), text("a b")), ("x".into(), text("1"))]);
        }
        for script in [
            "{\"name\": \"a\" // the first\n, /* \" */ \"x\": 1}",
            "{\"name\": \"a\"\n\"x\": [1]}",
            "{\"y\": {} \"name\": \"a\", \"x\": 1}",
        ] {
            let mut items = Items::default();
            assert!(read(script, &mut items), "{script}");
            assert_eq!((items.items[0].text("name"), items.items[0].text("x")), (Some("a"), Some("1")), "{script}");
        }
        let mut items = Items::default();
        assert!(read(r#"{"text": "see <a href="http://x/">this</a>, or that", "x": "1"}"#, &mut items));
        assert_eq!(items.items[0].text("text"), Some(r#"see <a href="http://x/">this</a>, or that"#));
        let mut items = Items::default();
        assert!(read("{&quot;name&quot;:&quot;a &amp;amp; b&quot;, &quot;x&quot;: 1}", &mut items));
        assert_eq!((items.items[0].text("name"), items.items[0].text("x")), (Some("a &amp; b"), Some("1")));
        let mut items = Items::default();
        assert!(!read("{\"@type\":\"X\"} {\"name\": }", &mut items));
        assert_eq!(items.items.len(), 1);
    }

    #[test]
    fn json_that_is_encoded_as_html_is_read() {
        for script in [
            r#"{&quot;name&quot;:&quot;A &amp;amp; B 5\&quot; wide&quot;,&quot;x&quot;:{&quot;y&quot;:1}}"#,
            r#"{"z":"6&quot;","w":{&quot;name&quot;:&quot;A &amp;amp; B 5\&quot; wide&quot;,&quot;x&quot;:{&quot;y&quot;:1}}}"#,
            r#"{&#34;name&#34;:&#34;A &amp;amp; B 5\&#34; wide&#34;}"#,
            r#"{&amp;quot;name&amp;quot;:&amp;quot;A &amp;amp; B 5\&amp;quot; wide&amp;quot;}"#,
            r#""{\"name\":\"A &amp; B 5\\\" wide\"}""#,
        ] {
            let mut items = Items::default();
            assert!(read(script, &mut items), "{script}");
            let named = items.items.iter().find_map(|item| item.text("name"));
            assert_eq!(named.map(|name| name.replace("&amp;", "&")).as_deref(), Some("A & B 5\" wide"), "{script}");
        }
        let mut items = Items::default();
        assert!(read("{\"name\": \"6&quot; wide\",}", &mut items));
        assert_eq!(items.items[0].text("name"), Some("6&quot; wide"), "what stands in a string stays as it is");
        assert!(!read(&format!("{{{}", "&quot;a&quot; ".repeat(100_000)), &mut items));
    }

    #[test]
    fn an_item_that_is_only_named_is_the_one_of_that_name() {
        let mut items = Items::default();
        assert!(read(r##"{"@type":"Article","author":{"@id":"#a"},"editor":{"@id":"#b"}}"##, &mut items));
        assert!(read(r##"{"@graph":[{"@id":"#a","@type":"Person","name":"Ann","knows":{"@id":"#a"}}]}"##, &mut items));
        items.link();
        let of = |name: &str| items.get(items.items[0].all(name).next().unwrap()).unwrap();
        assert_eq!(of("author").text("name"), Some("Ann"));
        assert_eq!(of("editor").text("name"), None);
    }

    #[test]
    fn deep_and_long_scripts_end_quickly() {
        let mut items = Items::default();
        assert!(!read(&"[".repeat(100_000), &mut items));
        assert!(!read(&"{\"a\":".repeat(100_000), &mut items));
        assert!(!read(&format!("\"{}\"", "x".repeat(10 << 20)), &mut items));
        let many = format!("[{}{{}}]", "{\"@type\":\"Product\"},".repeat(100_000));
        assert!(read(&many, &mut items));
        assert!(items.items.len() <= MAX_ITEMS);
    }
}
