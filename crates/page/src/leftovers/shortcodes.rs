//! Shortcodes of content systems, `[vc_row css="…"]`, that no plugin took out.

use std::collections::HashSet;
use std::ops::Range;

use super::known::is_in_code;
use crate::rows::{Row, Rows};

/// A tag in square brackets.
struct Tag<'p> {
    /// Without the bracket and the slash.
    name: &'p str,
    /// Bytes of [`Rows::text`].
    range: Range<u32>,
    closes: bool,
    /// It has an attribute with a quoted value.
    quoted: bool,
}

/// Longer ones are brackets that were never closed.
const MAX_BYTES: usize = 4_000;
const MAX_NAME: usize = 40;
/// More brackets are not looked at.
const MAX_TRIED: usize = 20_000;
/// How the names of page builders begin: these are never words.
const BUILDERS: [&str; 12] =
    ["vc_", "et_pb_", "fusion_", "av_", "mk_", "nectar_", "tatsu_", "us_", "ux_", "su_", "rev_slider", "cs_"];

/// The tags of a page so far.
#[derive(Default)]
pub(super) struct ShortcodeTags<'p> {
    found: Vec<Tag<'p>>,
    /// Brackets that were looked at.
    tried: usize,
}

impl<'p> ShortcodeTags<'p> {
    /// Reads those of a row. O(text): the search for an end is bounded, and so is the number of searches.
    pub(super) fn read(&mut self, page: &'p Rows<'_>, row: &Row) {
        let text = page.row_text(row);
        let mut from = 0;
        while let Some(at) = memchr::memchr(b'[', &text.as_bytes()[from..]) {
            let start = from + at;
            from = start + 1;
            self.tried += 1;
            if self.tried > MAX_TRIED {
                return;
            }
            if let Some((tag, end)) = tag(text, start) {
                let range = row.start + start as u32..row.start + end as u32;
                if !is_in_code(page, row, range.start) {
                    self.found.push(Tag { range, ..tag });
                }
                from = end;
            }
        }
    }

    /// Those that are no words in brackets: tags of builders, tags with quoted values, and pairs.
    pub(super) fn find(&self, found: &mut Vec<Range<u32>>) {
        let names = |closes: bool| -> HashSet<&str> {
            self.found.iter().filter(|tag| tag.closes == closes).map(|tag| tag.name).collect()
        };
        let (opened, closed) = (names(false), names(true));
        let is_code = |tag: &&Tag<'_>| {
            // Between these stands TeX.
            if matches!(tag.name, "tex" | "itex" | "latex" | "math") {
                return false;
            }
            let pair = if tag.closes { opened.contains(tag.name) } else { closed.contains(tag.name) };
            tag.quoted || pair || BUILDERS.iter().any(|builder| tag.name.starts_with(builder))
        };
        found.extend(self.found.iter().filter(is_code).map(|tag| tag.range.clone()));
    }
}

/// The tag at a bracket, and where it ends.
fn tag(text: &str, start: usize) -> Option<(Tag<'_>, usize)> {
    let end_of_search = text.floor_char_boundary((start + MAX_BYTES).min(text.len()));
    let inner = &text[start + 1..end_of_search];
    let closes = inner.starts_with('/');
    let rest = inner.strip_prefix('/').unwrap_or(inner);
    let n = rest.bytes().take_while(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(byte));
    let length = n.count();
    let name = &rest[..length];
    if length > MAX_NAME || !name.starts_with(|c: char| c.is_ascii_lowercase()) {
        return None;
    }
    let after = &rest[length..];
    let from = start + 1 + usize::from(closes) + length;
    let tag = |quoted| Tag { name, range: 0..0, closes, quoted };
    match after.chars().next()? {
        ']' => Some((tag(false), from + 1)),
        ' ' | '=' | '/' if !closes => {
            let (quoted, end) = attributes(after)?;
            Some((tag(quoted), from + end))
        }
        _ => None,
    }
}

/// Goes over attributes up to the closing bracket: whether a value is quoted, and where it ends.
fn attributes(text: &str) -> Option<(bool, usize)> {
    let (mut quote, mut quoted, mut before, mut depth) = (None, false, ' ', 0usize);
    for (at, c) in text.char_indices() {
        match quote {
            Some(kind) if kind_of(c) == Some(kind) => quote = None,
            Some(_) => continue,
            None if c == ']' && depth == 0 => return Some((quoted, at + 1)),
            // Editors let tags stand in the values of tags.
            None if c == ']' => depth -= 1,
            None if c == '[' => depth += 1,
            None if before == '=' && kind_of(c).is_some() => (quote, quoted) = (kind_of(c), true),
            None => {}
        }
        before = c;
    }
    None
}

/// Editors make other quotes of the ones that were typed.
fn kind_of(c: char) -> Option<u8> {
    match c {
        '"' | '“' | '”' | '„' | '″' | '«' | '»' => Some(2),
        '\'' | '‘' | '’' | '′' => Some(1),
        _ => None,
    }
}
