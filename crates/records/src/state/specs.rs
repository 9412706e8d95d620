//! The attributes of a product in the state: lists of names with values, and objects of them.

use std::collections::HashSet;

use serde_json::Value;

use super::StatePair;
use super::find::{JsonTree, Key, field, plain_key, scalar};

/// Most pairs of one product.
const MAX_PAIRS: usize = 300;
/// Longest name in characters.
const MAX_NAME: usize = 60;

const NAMES: [&str; 9] =
    ["name", "label", "title", "key", "displayname", "attributename", "attribute", "property", "propertyname"];
const VALUES: [&str; 8] =
    ["value", "values", "displayvalue", "attributevalue", "propertyvalue", "valuename", "text", "content"];
/// Keys under which an object holds attributes by their names.
const SPECS: [&str; 12] = [
    "specs",
    "specifications",
    "specification",
    "attributes",
    "properties",
    "characteristics",
    "params",
    "parameters",
    "technicaldetails",
    "techspecs",
    "productdetails",
    "additionalinformation",
];
/// Keys under which the same shapes mean something else.
const OTHER: [&str; 22] = [
    "reviews",
    "options",
    "variants",
    "images",
    "media",
    "breadcrumb",
    "breadcrumbs",
    "meta",
    "metatags",
    "related",
    "recommendations",
    "filters",
    "facets",
    "categories",
    "navigation",
    "menu",
    "shipping",
    "delivery",
    "analytics",
    "tracking",
    "translations",
    "seo",
];

/// The lists of attributes inside of a value. An object of texts is one under a key that says so.
pub(super) fn lists<'t>(tree: &'t JsonTree, at: usize) -> impl Iterator<Item = usize> + 't {
    let mut beyond = at;
    (at..tree.nodes[at].end).filter(move |&n| {
        if n < beyond {
            return false;
        }
        let key = match tree.nodes[n].key {
            Key::Name(name) if name.len() < 40 => plain_key(name),
            _ => String::new(),
        };
        if n > at && OTHER.contains(&key.as_str()) {
            beyond = tree.nodes[n].end;
            return false;
        }
        match tree.nodes[n].value {
            Value::Array(items) => items.len() >= 2 && items.iter().all(|item| pair(item).is_some()),
            Value::Object(map) => {
                SPECS.contains(&key.as_str()) && map.iter().filter(|(k, v)| is_member(k, v)).count() >= 2
            }
            _ => false,
        }
    })
}

/// The pairs of all lists inside of a value, each once.
pub(super) fn pairs(tree: &JsonTree, at: usize) -> Vec<StatePair> {
    let mut seen = HashSet::new();
    let mut out = Vec::new();
    for list in lists(tree, at) {
        let path = tree.path(list);
        let own: Vec<(String, String)> = match tree.nodes[list].value {
            Value::Array(items) => items.iter().filter_map(pair).collect(),
            Value::Object(map) => {
                let members = map.iter().filter(|(key, value)| is_member(key, value));
                members.filter_map(|(key, value)| Some((key.clone(), joined(value)?))).collect()
            }
            _ => Vec::new(),
        };
        for (name, value) in own {
            if out.len() < MAX_PAIRS && seen.insert((name.clone(), value.clone())) {
                out.push(StatePair { name, value, path: path.clone() });
            }
        }
    }
    out
}

/// `{"name": "Weight", "value": "1 kg"}`: one of the keys of names with a short text, one of those of values.
fn pair(item: &Value) -> Option<(String, String)> {
    let name = NAMES.iter().find_map(|key| scalar(field(item, key)?)).filter(|name| is_name(name))?;
    let value = VALUES.iter().find_map(|key| joined(field(item, key)?)).filter(|value| *value != name)?;
    Some((name, value))
}

fn is_name(name: &str) -> bool {
    name.chars().count() <= MAX_NAME && name.chars().any(char::is_alphabetic)
}

/// A name and its value: not an identifier of programs such as `productType`.
fn is_member(key: &str, value: &Value) -> bool {
    let is_identifier =
        key.contains('_') || key.chars().zip(key.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    is_name(key) && !is_identifier && joined(value).is_some()
}

/// A value, or several with commas between.
fn joined(value: &Value) -> Option<String> {
    let one = |value: &Value| {
        scalar(value).or_else(|| VALUES.iter().chain(&NAMES).find_map(|key| scalar(field(value, key)?)))
    };
    match value {
        Value::Array(all) => {
            let all: Vec<String> = all.iter().take(20).map(one).collect::<Option<_>>()?;
            (!all.is_empty()).then(|| all.join(", "))
        }
        value => one(value),
    }
}
