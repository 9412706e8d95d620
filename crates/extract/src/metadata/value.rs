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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_encoded_twice_is_decoded_twice_but_not_where_it_is_meant() {
        assert_eq!(unescape_again("L&#8217;inflazione &amp; il pane: perch&eacute;"), "L’inflazione & il pane: perché");
        for text in ["Research & Development; a history", "AT&T; and others", "What &nbsp; means in HTML", "R&D"] {
            assert_eq!(unescape_again(text), text);
        }
    }
}
