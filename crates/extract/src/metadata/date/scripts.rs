//! Dates that a page carries for its scripts: in attributes of components and in its state.

use std::sync::LazyLock;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_text::collapse;
use memchr::memmem::{self, Finder};

use super::stamp::{PartialDateTime, parse};
use super::style::DateStyle;

/// Keys of a page's state, in quotation marks.
#[rustfmt::skip]
const STATE_KEYS: &[&str] = &[
    "\"datePublished\"", "\"publishDate\"", "\"publishedAt\"", "\"published_at\"", "\"publishedDate\"", "\"pubDate\"",
    "\"date_published\"", "&quot;datePublished&quot;",
];
/// Before the second at which an article of WeChat was written, which its page shows by script alone, in the time of China.
const WECHAT_KEY: &str = "var ct =";
const CHINA: i16 = 8 * 60;
/// One of these is in each of them: most scripts have none.
const IN_STATE_KEYS: [&str; 3] = ["ublish", "\"pubDate", WECHAT_KEY];

/// `datetime`, `data-date`, `…timestamp` and `ts` of any element, as components of pages have them. `is_own` tells those of
/// comments, teasers and boxes beside the text apart.
pub(super) fn in_attributes(doc: &Doc, style: &DateStyle, is_own: impl Fn(NodeId) -> bool) -> Option<PartialDateTime> {
    /// What is around so many is looked at.
    const MOST: usize = 100;
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
    let attributes = elements.flat_map(|id| doc.attribute_range(id).map(move |at| (id, at)));
    let times = attributes.filter(|&(_, at)| is_time(at)).take(MOST);
    let read = |at: usize| {
        let value = doc.attribute_value(at);
        (8..=40).contains(&value.len()).then(|| parse(value, style)).flatten()
    };
    let mut first = None;
    for (id, at) in times {
        let says = ["creat", "publi"].iter().any(|word| doc.name_str(doc.attribute_name(at)).contains(word));
        // Components are given the time of the answer, too.
        if let Some(stamp) = (says || first.is_none()).then(|| read(at)).flatten().filter(|_| is_own(id)) {
            if says {
                return Some(stamp);
            }
            first = Some(stamp);
        }
    }
    first
}

/// The first date under a key of publication in the scripts, or in attributes that hold state.
pub(super) fn in_state(doc: &Doc, style: &DateStyle) -> Option<PartialDateTime> {
    static FINDERS: LazyLock<[Finder<'static>; 3]> = LazyLock::new(|| IN_STATE_KEYS.map(Finder::new));
    let scripts = doc.ids().filter(|&id| doc.name(id) == LocalName::SCRIPT).filter_map(|id| doc.first_child(id));
    let attributes = (0..doc.n_attributes()).map(|at| doc.attribute_value(at)).filter(|value| value.len() >= 200);
    for script in scripts.map(|text| doc.text(text)).chain(attributes) {
        if !FINDERS.iter().any(|part| part.find(script.as_bytes()).is_some()) {
            continue;
        }
        let found = STATE_KEYS.iter().find_map(|key| value_of(script, key, style));
        let of_wechat = || value_of(script, WECHAT_KEY, style).filter(|stamp| stamp.zone() == Some(0))?.east(CHINA);
        if let Some(stamp) = found.or_else(of_wechat) {
            return Some(stamp);
        }
    }
    None
}

/// The date right behind the first place of a key.
fn value_of(script: &str, key: &str, style: &DateStyle) -> Option<PartialDateTime> {
    let at = memmem::find(script.as_bytes(), key.as_bytes())?;
    let value = &script[at + key.len()..];
    let value = value.trim_start_matches([':', ' ', '\n']);
    let value = value.strip_prefix('"').or_else(|| value.strip_prefix("&quot;"))?;
    let value = &value[..value.floor_char_boundary(40)];
    let end = value.find(['"', '&', '\\']).unwrap_or(value.len());
    parse(&collapse(&value[..end]), style)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_a_state_has_a_part_that_scripts_are_looked_through_for() {
        assert!(STATE_KEYS.iter().chain([&WECHAT_KEY]).all(|key| IN_STATE_KEYS.iter().any(|part| key.contains(part))));
    }
}
