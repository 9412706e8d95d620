//! Words of classes and ids that name a byline or a date.

use super::shapes::Shapes;

/// Words of classes and ids that name a byline.
pub(super) const BYLINES: [&str; 11] = [
    "byline",
    "author",
    "authors",
    "writer",
    "zuozhe",
    "autor",
    "auteur",
    "autore",
    "reporter",
    "journalist",
    "contributor",
];

/// Words of classes and ids that make of it a part of a form, a label, or what belongs to a comment.
const NO_BYLINE: [&str; 10] =
    ["comment", "comments", "commenter", "commentform", "form", "input", "label", "reply", "respond", "replies"];

/// Whether a class or id names a byline, on token boundaries: `post-author` does, `authority` and `author-label` do not.
pub(super) fn is_byline_name(value: &str) -> bool {
    if value.len() > 200 {
        return false;
    }
    const SHAPES: Shapes = Shapes::of(&BYLINES);
    let tokens = || value.as_bytes().split(|byte| !byte.is_ascii_alphanumeric());
    let is_one_of = |token: &[u8], words: &[&str]| words.iter().any(|word| token.eq_ignore_ascii_case(word.as_bytes()));
    tokens().filter(|token| SHAPES.fits(token)).any(|token| is_one_of(token, &BYLINES))
        && !tokens().any(|token| is_one_of(token, &NO_BYLINE))
}

/// Words of classes and ids that name a date.
pub(super) const DATES: [&str; 14] = [
    "date",
    "time",
    "dateline",
    "published",
    "pubdate",
    "pubtime",
    "publishtime",
    "timestamp",
    "datetime",
    "posted",
    "datum",
    "fecha",
    "riqi",
    "shijian",
];

/// Whether a class or id names a date, on token boundaries: `post-date` and `pubTime` do, `update-button` does not.
pub(super) fn is_date_name(value: &str) -> bool {
    if value.len() > 200 {
        return false;
    }
    const SHAPES: Shapes = Shapes::of(&DATES);
    let is_name =
        |word: &[u8]| SHAPES.fits(word) && DATES.iter().any(|name| word.eq_ignore_ascii_case(name.as_bytes()));
    let bytes = value.as_bytes();
    // A word ends before a capital; it begins after what is no letter or digit, and at a capital after a small letter.
    let mut start: Option<usize> = None;
    let mut before = b' ';
    for (at, &byte) in bytes.iter().enumerate() {
        let ends = !byte.is_ascii_alphanumeric() || byte.is_ascii_uppercase();
        if ends && start.take().is_some_and(|start| is_name(&bytes[start..at])) {
            return true;
        }
        let follows_small = before.is_ascii_lowercase() && byte.is_ascii_uppercase();
        if byte.is_ascii_alphanumeric() && (!before.is_ascii_alphanumeric() || follows_small) {
            start = Some(at);
        }
        before = byte;
    }
    start.is_some_and(|start| is_name(&bytes[start..]))
}
