//! Items with properties, the common form of JSON-LD, microdata and RDFa, and the reader of JSON-LD.

use serde_json::Value;

/// What a property holds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Content {
    /// A value of JSON or of an attribute.
    Text(String),
    /// What readers see, as microdata and RDFa have it: a number there is written as the page's language does.
    Seen(String),
    /// Index of another item of the arena.
    Item(usize),
}

/// An item: its types and properties, names without their vocabulary (`https://schema.org/name` is `name`).
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Item {
    pub(crate) types: Vec<String>,
    pub(crate) properties: Vec<(String, Content)>,
    /// `@id`, if any.
    pub(crate) id: Option<String>,
    /// Whether no other item holds it.
    pub(crate) top: bool,
    /// The element it came from, for microdata and RDFa.
    pub(crate) node: Option<usize>,
}

/// All items of a page from one source.
#[derive(Debug, Clone, Default)]
pub(crate) struct Items {
    pub(crate) items: Vec<Item>,
}

/// Most items and most properties of one page; longest text of one property in bytes.
pub(crate) const MAX_ITEMS: usize = 5_000;
const MAX_PROPERTIES: usize = 2_000;
const MAX_TEXT: usize = 10_000;
/// Longest JSON-LD script in bytes; a longer one is passed over.
pub(crate) const MAX_SCRIPT: usize = 4 << 20;

impl Content {
    /// The text, unless it is blank.
    pub(crate) fn as_text(&self) -> Option<&str> {
        match self {
            Content::Text(text) | Content::Seen(text) => Some(text.as_str()).filter(|text| !text.trim().is_empty()),
            Content::Item(_) => None,
        }
    }
}

impl Item {
    pub(crate) fn is(&self, kind: &str) -> bool {
        self.types.iter().any(|own| own == kind)
    }

    /// The values of a property.
    pub(crate) fn all<'i>(&'i self, name: &'i str) -> impl Iterator<Item = &'i Content> + 'i {
        self.properties.iter().filter(move |(own, _)| own == name).map(|(_, content)| content)
    }

    pub(crate) fn push(&mut self, name: &str, content: Content) {
        if self.properties.len() < MAX_PROPERTIES {
            self.properties.push((local(name).to_owned(), content));
        }
    }
}

impl Items {
    pub(crate) fn add(&mut self, item: Item) -> Option<usize> {
        (self.items.len() < MAX_ITEMS).then(|| {
            self.items.push(item);
            self.items.len() - 1
        })
    }
}

/// The last part of a name or address: `schema:Product`, `http://schema.org/Product` → `Product`.
pub(crate) fn local(name: &str) -> &str {
    let name = name.trim();
    name.rsplit(['/', '#', ':']).next().unwrap_or(name)
}

/// Text as it is kept: collapsed and cut at a bound.
pub(crate) fn tidy(text: &str) -> String {
    gristmill_text::collapse(&text[..text.floor_char_boundary(MAX_TEXT)])
}

/// Reads one script. Comments around it, raw line breaks in strings, commas before a closing bracket and text after
/// the value are forgiven; what stands before the first error is kept. Returns whether it was read to its end.
pub(crate) fn read_json_ld(script: &str, items: &mut Items) -> bool {
    if script.len() > MAX_SCRIPT {
        return false;
    }
    if let Ok(value) = serde_json::from_str::<Value>(script) {
        convert(&value, items);
        return true;
    }
    let repaired = repair(script);
    let mut whole = true;
    for value in serde_json::Deserializer::from_str(&repaired).into_iter::<Value>().take(100) {
        match value {
            Ok(value) => convert(&value, items),
            Err(_) => {
                whole = false;
                break;
            }
        }
    }
    whole
}

fn repair(script: &str) -> String {
    let mut out = String::with_capacity(script.len());
    let start = script.find(['{', '[']).unwrap_or(0);
    let end = script.rfind(['}', ']']).map_or(script.len(), |end| end + 1).max(start);
    let (mut inside, mut escaped) = (false, false);
    for c in script[start..end].chars() {
        if inside {
            match c {
                '"' if !escaped => inside = false,
                c if (c as u32) < 0x20 => {
                    out.push(' ');
                    escaped = false;
                    continue;
                }
                _ => {}
            }
            escaped = c == '\\' && !escaped;
            out.push(c);
            continue;
        }
        match c {
            '"' => {
                inside = true;
                escaped = false;
            }
            '}' | ']' => {
                let kept = out.trim_end().len();
                if out[..kept].ends_with(',') {
                    out.truncate(kept - 1);
                }
            }
            ';' => continue,
            _ => {}
        }
        out.push(c);
    }
    out
}

/// Turns a JSON value into items without recursion; `serde_json` has bounded the depth already.
fn convert(value: &Value, items: &mut Items) {
    // (value, the item and property that it belongs to)
    let mut open: Vec<(&Value, Option<(usize, String)>)> = vec![(value, None)];
    while let Some((value, holder)) = open.pop() {
        match value {
            Value::Array(list) => open.extend(list.iter().rev().take(MAX_ITEMS).map(|value| (value, holder.clone()))),
            Value::Object(map) => {
                if let Some(text) = map.get("@value") {
                    open.push((text, holder));
                    continue;
                }
                let mut item = Item { top: holder.is_none(), ..Item::default() };
                item.types = types(map.get("@type"));
                item.id = map.get("@id").and_then(Value::as_str).map(str::to_owned);
                let Some(at) = items.add(item) else { return };
                if let Some((holder, name)) = holder {
                    items.items[holder].push(&name, Content::Item(at));
                }
                for (name, value) in map.iter().rev() {
                    let holder = (name != "@graph").then(|| (at, name.clone()));
                    if name == "@graph" || !name.starts_with('@') {
                        open.push((value, holder));
                    }
                }
            }
            scalar => {
                let text = match scalar {
                    Value::String(text) => tidy(text),
                    Value::Null => continue,
                    other => other.to_string(),
                };
                if let Some((holder, name)) = holder
                    && !text.is_empty()
                {
                    items.items[holder].push(&name, Content::Text(text));
                }
            }
        }
    }
}

fn types(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(one)) => vec![local(one).to_owned()],
        Some(Value::Array(list)) => {
            list.iter().take(20).filter_map(Value::as_str).map(|kind| local(kind).to_owned()).collect()
        }
        _ => Vec::new(),
    }
}

/// Replaces properties that only name another item by `@id` with that item.
pub(crate) fn link(items: &mut Items) {
    let by_id: std::collections::HashMap<String, usize> = items
        .items
        .iter()
        .enumerate()
        .filter(|(_, item)| !item.properties.is_empty())
        .filter_map(|(n, item)| Some((item.id.clone()?, n)))
        .collect();
    for n in 0..items.items.len() {
        for p in 0..items.items[n].properties.len() {
            let Content::Item(child) = items.items[n].properties[p].1 else { continue };
            let child = &items.items[child];
            let target = child.id.as_ref().filter(|_| child.properties.is_empty()).and_then(|id| by_id.get(id));
            if let Some(&target) = target {
                items.items[n].properties[p].1 = Content::Item(target);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_json_is_read_as_far_as_it_goes() {
        let mut items = Items::default();
        assert!(read_json_ld("<!-- {\"@type\":\"Product\",\"name\":\"a\nb\",} -->;", &mut items));
        assert_eq!(items.items[0].properties, [("name".into(), Content::Text("a b".into()))]);
        assert!(!read_json_ld("{\"@type\":\"X\"} {\"name\": }", &mut items));
        assert_eq!(items.items.len(), 2);
    }

    #[test]
    fn deep_and_long_scripts_end_quickly() {
        let mut items = Items::default();
        assert!(!read_json_ld(&"[".repeat(100_000), &mut items));
        assert!(!read_json_ld(&"{\"a\":".repeat(100_000), &mut items));
        assert!(!read_json_ld(&format!("\"{}\"", "x".repeat(10 << 20)), &mut items));
        let many = format!("[{}{{}}]", "{\"@type\":\"Product\"},".repeat(100_000));
        assert!(read_json_ld(&many, &mut items));
        assert!(items.items.len() <= MAX_ITEMS);
    }
}
