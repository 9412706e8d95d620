//! One value of metadata on one line.

use std::borrow::Cow;

use gristmill_html::{Doc, unescape};
use gristmill_text::collapse;

/// `meta` elements that name the site.
pub(super) const SITE_KEYS: &[&str] = &["og:site_name", "application-name", "apple-mobile-web-app-title"];

/// Longer values are no metadata.
pub(super) const MAX_VALUE_CHARS: usize = 2_000;

/// A value on one line, unless it is empty or absurdly long.
pub(super) fn clean(value: &str) -> Option<String> {
    if value.len() > 4 * MAX_VALUE_CHARS {
        return None;
    }
    let value = collapse(&unescape_again(value));
    (!value.is_empty() && value.chars().count() <= MAX_VALUE_CHARS).then_some(value)
}

/// A value with its references to characters decoded that were encoded twice: `Tom &amp;amp; Jerry`. What speaks of markup may mean them.
pub(crate) fn unescape_again(value: &str) -> Cow<'_, str> {
    const ABOUT_MARKUP: [&str; 6] = ["html", "xml", "entit", "escap", "encod", "<"];
    let is_reference = |(at, _): (usize, &str)| {
        let name = value[at + 1..].split_once(';').map_or("", |(name, _)| name);
        (2..=8).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'#')
    };
    if !value.match_indices('&').any(is_reference) {
        return Cow::Borrowed(value);
    }
    let lower = value.to_lowercase();
    if ABOUT_MARKUP.iter().any(|word| lower.contains(word)) { Cow::Borrowed(value) } else { unescape(value) }
}

/// The first of these `meta` elements that has a value.
pub(super) fn first_meta(doc: &Doc, keys: &[&str]) -> Option<String> {
    keys.iter().filter_map(|key| doc.meta(key)).find_map(clean)
}

/// A text that holds no more than text: without the tags that some programs leave in it, and nothing of what stands for no value. Tags
/// without an end are what the text is about.
pub(super) fn plain(value: String) -> Option<String> {
    const BLOCKS: [&str; 6] = ["p", "br", "div", "li", "h", "ul"];
    let mut plain = String::with_capacity(value.len());
    let mut rest = &*value;
    let has_tags = value.contains("</") || value.contains("<br");
    while let Some((before, tag)) = rest.split_once('<').filter(|_| has_tags) {
        plain.push_str(before);
        let name = tag.trim_start_matches('/');
        match tag.split_once('>').filter(|_| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '!')) {
            Some((_, behind)) => {
                let length = name.bytes().take_while(u8::is_ascii_alphabetic).count();
                plain.push_str(if BLOCKS.contains(&&name[..length]) { " " } else { "" });
                rest = behind;
            }
            None => {
                plain.push('<');
                rest = tag;
            }
        }
    }
    plain.push_str(rest);
    let plain = collapse(&plain);
    (!plain.is_empty() && !is_no_value(&plain)).then_some(plain)
}

/// Whether a program wrote that it had nothing to write, or left open what it was to write: `{{ page.description }}`.
pub(super) fn is_no_value(text: &str) -> bool {
    let is_open = || text.split_once("{{").is_some_and(|(_, rest)| rest.contains("}}"));
    ["undefined", "null", "none", "nan"].iter().any(|own| text.eq_ignore_ascii_case(own)) || is_open()
}

/// A text of the JSON in which pages tell Parse.ly of themselves.
pub(super) fn parsely(doc: &Doc, key: &str) -> Option<String> {
    let json = doc.meta("parsely-page").filter(|json| json.len() <= 4 * MAX_VALUE_CHARS)?;
    let fields: std::collections::HashMap<String, serde_json::Value> = serde_json::from_str(json).ok()?;
    clean(fields.get(key)?.as_str()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_words_for_nothing_are_no_text() {
        let of = |value: &str| plain(value.to_owned());
        assert_eq!(of("<p>An extra <b class=x>boat</b>.</p>").as_deref(), Some("An extra boat."));
        assert_eq!(of("<p>One.</p><p>Two.</p>").as_deref(), Some("One. Two."));
        assert_eq!(of("The <table> element").as_deref(), Some("The <table> element"));
        assert_eq!(of("Boats < 3 m and > 2 m").as_deref(), Some("Boats < 3 m and > 2 m"));
        assert_eq!((of("undefined"), of("<p></p>"), of("a<")), (None, None, Some("a<".to_owned())));
    }

    #[test]
    fn what_was_encoded_twice_is_decoded_twice_but_not_where_it_is_meant() {
        assert_eq!(unescape_again("L&#8217;inflazione &amp; il pane: perch&eacute;"), "L’inflazione & il pane: perché");
        for text in ["Research & Development; a history", "AT&T; and others", "What &nbsp; means in HTML", "R&D"] {
            assert_eq!(unescape_again(text), text);
        }
    }
}
