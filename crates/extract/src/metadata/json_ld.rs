//! Facts from JSON-LD, tolerant of what pages get wrong in it.

use gristmill_html::Doc;
use serde_json::Value;

use super::clean;

/// What the JSON-LD of a page says about its article or product.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) product: bool,
    pub(super) published: Option<String>,
    pub(super) authors: Vec<String>,
    pub(super) publisher: Option<String>,
    pub(super) description: Option<String>,
    pub(super) image: Option<String>,
    pub(super) keywords: Vec<String>,
    pub(super) language: Option<String>,
}

const MAX_SCRIPT_BYTES: usize = 1 << 20;
const MAX_SCRIPTS: usize = 20;
const MAX_OBJECTS: usize = 2_000;

/// Reads all JSON-LD scripts. One that cannot be read is left out with a warning.
pub(super) fn read(doc: &Doc, warnings: &mut Vec<String>) -> Facts {
    let mut facts = Facts::default();
    let mut roots = Vec::new();
    for script in doc.json_ld().take(MAX_SCRIPTS) {
        match parse(script) {
            Some(value) => roots.push(value),
            None if script.trim().is_empty() => {}
            None => warnings.push("JSON-LD that could not be read left out".to_owned()),
        }
    }
    let objects = objects(&roots);
    facts.product = objects.iter().any(|object| has_type(object, &["Product", "ProductGroup", "IndividualProduct"]));
    // Articles first, then pages: a field of the article wins.
    for accept in [is_article, is_page] {
        for object in objects.iter().filter(|object| accept(object)) {
            take(object, &mut facts);
        }
    }
    facts
}

/// `None` for JSON that is broken beyond the usual: HTML comment or CDATA around it, a semicolon behind it, raw line
/// breaks in strings.
fn parse(script: &str) -> Option<Value> {
    if script.len() > MAX_SCRIPT_BYTES {
        return None;
    }
    let mut json = script.trim();
    for (open, close) in [("<!--", "-->"), ("/*<![CDATA[*/", "/*]]>*/"), ("//<![CDATA[", "//]]>"), ("<![CDATA[", "]]>")]
    {
        json = json.strip_prefix(open).unwrap_or(json).trim();
        json = json.strip_suffix(close).unwrap_or(json).trim();
    }
    let json = json.trim_end_matches(';');
    serde_json::from_str(json).ok().or_else(|| {
        let spaced: String = json.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        serde_json::from_str(&spaced).ok()
    })
}

/// All objects that describe the page: roots, arrays of them, `@graph`, and the main entity.
fn objects(roots: &[Value]) -> Vec<&Value> {
    let mut objects = Vec::new();
    let mut todo: Vec<&Value> = roots.iter().rev().collect();
    while let Some(value) = todo.pop() {
        match value {
            Value::Array(values) => todo.extend(values.iter().rev().take(MAX_OBJECTS)),
            Value::Object(map) => {
                objects.push(value);
                todo.extend(["mainEntity", "mainEntityOfPage", "@graph"].iter().filter_map(|key| map.get(*key)));
            }
            _ => {}
        }
        if objects.len() >= MAX_OBJECTS {
            break;
        }
    }
    objects
}

fn types(object: &Value) -> impl Iterator<Item = &str> {
    let types = &object["@type"];
    let many = types.as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_str);
    types.as_str().into_iter().chain(many).map(|name| name.rsplit(['/', ':']).next().unwrap_or(name))
}

fn has_type(object: &Value, names: &[&str]) -> bool {
    types(object).any(|name| names.contains(&name))
}

fn is_article(object: &Value) -> bool {
    types(object).any(|name| {
        name.ends_with("Article")
            || name.ends_with("Posting")
            || matches!(name, "Report" | "Review" | "Recipe" | "Question")
    })
}

fn is_page(object: &Value) -> bool {
    types(object).any(|name| name.ends_with("Page") || matches!(name, "Product" | "CreativeWork" | "VideoObject"))
}

fn take(object: &Value, facts: &mut Facts) {
    let text = |key: &str| object[key].as_str().and_then(clean);
    facts.published = facts.published.take().or_else(|| text("datePublished")).or_else(|| text("dateCreated"));
    facts.description = facts.description.take().or_else(|| text("description"));
    facts.language = facts.language.take().or_else(|| text("inLanguage"));
    facts.publisher = facts.publisher.take().or_else(|| names(&object["publisher"]).into_iter().next());
    facts.image = facts.image.take().or_else(|| image(&object["image"]));
    if facts.authors.is_empty() {
        facts.authors = names(&object["author"]);
    }
    if facts.authors.is_empty() {
        facts.authors = names(&object["creator"]);
    }
    if facts.keywords.is_empty() {
        facts.keywords = list(&object["keywords"]);
    }
}

/// The names of a person or organisation, or of several, given as text or as objects.
fn names(value: &Value) -> Vec<String> {
    let one = |value: &Value| value.as_str().or_else(|| value["name"].as_str()).and_then(clean);
    match value {
        Value::Array(values) => values.iter().take(20).filter_map(one).collect(),
        value => one(value).into_iter().collect(),
    }
}

fn image(value: &Value) -> Option<String> {
    let value = value.as_array().and_then(|values| values.first()).unwrap_or(value);
    value.as_str().or_else(|| value["url"].as_str()).or_else(|| value["contentUrl"].as_str()).and_then(clean)
}

fn list(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => text.split([',', '，', ';']).take(100).filter_map(clean).collect(),
        Value::Array(values) => values.iter().filter_map(Value::as_str).take(100).filter_map(clean).collect(),
        _ => Vec::new(),
    }
}
