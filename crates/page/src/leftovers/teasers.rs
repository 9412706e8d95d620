//! Lines between paragraphs that lead to other articles: `READ MORE: What the storm cost`.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use crate::rows::{Row, Rows};

/// How such lines begin, in lower case, by their first character: data, not code.
static BEGINS: LazyLock<HashMap<char, Vec<&'static str>>> = LazyLock::new(|| {
    let mut begins: HashMap<char, Vec<&'static str>> = HashMap::new();
    for line in include_str!("teasers.txt").lines().filter(|line| !line.starts_with('#')) {
        line.chars().next().into_iter().for_each(|first| begins.entry(first).or_default().push(line));
    }
    begins
});

/// The whole row, when it begins so and all that follows is a link. O(text of the begin).
pub(super) fn find(page: &Rows<'_>, row: &Row, found: &mut Vec<Range<u32>>) {
    const MAX_CHARS: u32 = 200;
    const MAX_BEGIN: usize = 60;
    if row.link_chars == 0 || row.chars > MAX_CHARS || row.in_heading {
        return;
    }
    let text = page.row_text(row);
    let begin = text[..text.floor_char_boundary(MAX_BEGIN)].trim_start_matches(|c: char| !c.is_alphanumeric());
    let first = begin.chars().next().and_then(|first| first.to_lowercase().next());
    let Some(begins) = first.and_then(|first| BEGINS.get(&first)) else { return };
    let begin = begin.to_lowercase();
    let Some(known) = begins.iter().find(|known| begin.starts_with(**known)) else { return };
    // `Read more about it in the library` is a sentence.
    let ends = known.ends_with(':')
        || begin[known.len()..].trim_start().starts_with([':', '|', '–', '—', '-', '»', '>', '：', '→', '▶']);
    let words: u32 = known.chars().filter(|c| !c.is_whitespace()).count() as u32;
    if (ends || row.link_chars == row.chars) && row.link_chars + words + 3 >= row.chars {
        found.push(row.start..row.end);
    }
}
