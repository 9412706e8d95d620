//! Lines between paragraphs that lead to other articles: `READ MORE: What the storm cost`.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use crate::rows::{Row, Rows};

/// How lines begin, in lower case, by their first character: data, not code. With each whether it interrupts an article, and does not lead
/// to another.
static BEGINS: LazyLock<HashMap<char, Vec<(&'static str, bool)>>> = LazyLock::new(|| {
    let mut begins: HashMap<char, Vec<(&'static str, bool)>> = HashMap::new();
    for (lines, interrupts) in [(include_str!("interruptions.txt"), true), (include_str!("teasers.txt"), false)] {
        for line in lines.lines().filter(|line| !line.starts_with('#')) {
            line.chars().next().into_iter().for_each(|first| begins.entry(first).or_default().push((line, interrupts)));
        }
    }
    begins
});

/// The whole row, when it begins so and all that follows is a link, or when it interrupts the text. O(text of the begin).
pub(super) fn find(page: &Rows<'_>, row: &Row, found: &mut Vec<Range<u32>>) {
    const MAX_CHARS: u32 = 200;
    const MAX_BEGIN: usize = 60;
    const MAX_INTERRUPTION: u32 = 90;
    if row.chars > MAX_CHARS || row.in_heading || row.link_chars == 0 && row.chars > MAX_INTERRUPTION {
        return;
    }
    let text = page.row_text(row);
    let begin = text[..text.floor_char_boundary(MAX_BEGIN)].trim_start_matches(|c: char| !c.is_alphanumeric());
    let first = begin.chars().next().and_then(|first| first.to_lowercase().next());
    let Some(begins) = first.and_then(|first| BEGINS.get(&first)) else { return };
    let begin = begin.to_lowercase();
    let may_be = |interrupts: bool| if interrupts { row.chars <= MAX_INTERRUPTION } else { row.link_chars > 0 };
    let known = begins.iter().find(|(known, interrupts)| may_be(*interrupts) && begin.starts_with(known));
    let Some(&(known, interrupts)) = known else { return };
    if interrupts {
        return found.push(row.start..row.end);
    }
    // `Read more about it in the library` is a sentence.
    let ends = known.ends_with(':')
        || begin[known.len()..].trim_start().starts_with([':', '|', '–', '—', '-', '»', '>', '：', '→', '▶']);
    let words: u32 = known.chars().filter(|c| !c.is_whitespace()).count() as u32;
    // A link right behind the words is the title of the other article.
    let is_all = row.link_chars == row.chars || row.link_chars + words == row.chars;
    if (ends || is_all) && row.link_chars + words + 3 >= row.chars {
        found.push(row.start..row.end);
    }
}
