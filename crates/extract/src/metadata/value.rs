//! One value of metadata on one line.

use gristmill_html::Doc;
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
    let value = collapse(value);
    (!value.is_empty() && value.chars().count() <= MAX_VALUE_CHARS).then_some(value)
}

/// The first of these `meta` elements that has a value.
pub(super) fn first_meta(doc: &Doc, keys: &[&str]) -> Option<String> {
    keys.iter().filter_map(|key| doc.meta(key)).find_map(clean)
}
