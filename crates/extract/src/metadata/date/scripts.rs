//! Dates that a page carries for its scripts: in attributes of components and in its state.

use std::sync::LazyLock;

use gristmill_html::{Doc, LocalName};
use gristmill_text::collapse;
use memchr::memmem::{self, Finder};

use super::stamp::{PartialDateTime, parse};
use super::style::DateStyle;

/// Keys of a page's state.
#[rustfmt::skip]
const STATE_KEYS: &[&str] = &[
    "\"datePublished\":\"", "\"datePublished\": \"", "\"publishDate\":\"", "\"publishedAt\":\"", "\"published_at\":\"",
    "\"publishedDate\":\"", "\"pubDate\":\"", "\"date_published\":\"", "&quot;datePublished&quot;:&quot;",
];
/// One of these is in each of them: most scripts have neither.
const IN_STATE_KEYS: [&str; 2] = ["ublish", "\"pubDate"];

/// `datetime`, `data-date`, `…timestamp` and `ts` of any element, as components of pages have them.
pub(super) fn in_attributes(doc: &Doc, style: &DateStyle) -> Option<PartialDateTime> {
    let is_time = |name: &str| {
        name.ends_with("timestamp") || matches!(name, "ts" | "datetime" | "data-date" | "data-time" | "data-published")
    };
    // The name decides for nearly all, and most names are known ones.
    let mut known = [None; LocalName::TABLE_LEN];
    let mut is_time = |at: usize| {
        let name = doc.attribute_name(at);
        match known.get_mut(name.index()) {
            Some(known) => *known.get_or_insert_with(|| is_time(doc.name_str(name))),
            None => is_time(doc.name_str(name)),
        }
    };
    // Most pages have none, which takes no walk through the elements to see.
    if !(0..doc.n_attributes()).any(&mut is_time) {
        return None;
    }
    let elements = doc.ids().filter(|&id| doc.is_element(id) && doc.name(id) != LocalName::META);
    elements
        .flat_map(|id| doc.attribute_range(id))
        .filter(|&at| is_time(at))
        .map(|at| doc.attribute_value(at))
        .filter(|value| value.len() >= 8 && value.len() <= 40)
        .find_map(|value| parse(value, style))
}

/// The first date under a key of publication in the scripts, or in attributes that hold state.
pub(super) fn in_state(doc: &Doc, style: &DateStyle) -> Option<PartialDateTime> {
    static FINDERS: LazyLock<[Finder<'static>; 2]> = LazyLock::new(|| IN_STATE_KEYS.map(Finder::new));
    let scripts = doc.ids().filter(|&id| doc.name(id) == LocalName::SCRIPT).filter_map(|id| doc.first_child(id));
    let attributes = (0..doc.n_attributes()).map(|at| doc.attribute_value(at)).filter(|value| value.len() >= 200);
    for script in scripts.map(|text| doc.text(text)).chain(attributes) {
        if !FINDERS.iter().any(|part| part.find(script.as_bytes()).is_some()) {
            continue;
        }
        for key in STATE_KEYS {
            let Some(at) = memmem::find(script.as_bytes(), key.as_bytes()) else { continue };
            let value = &script[at + key.len()..];
            let value = &value[..value.floor_char_boundary(40)];
            let end = value.find(['"', '&', '\\']).unwrap_or(value.len());
            if let Some(stamp) = parse(&collapse(&value[..end]), style) {
                return Some(stamp);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_a_state_has_a_part_that_scripts_are_looked_through_for() {
        assert!(STATE_KEYS.iter().all(|key| IN_STATE_KEYS.iter().any(|part| key.contains(part))));
    }
}
