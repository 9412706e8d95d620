//! Lines between paragraphs that lead to other articles: `READ MORE: What the storm cost`.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use crate::rows::{Row, Rows};

/// How lines begin, in lower case, by their first character.
type Begins = HashMap<char, Vec<&'static str>>;

/// Those of lines that lead to other articles: data, not code.
static BEGINS: LazyLock<Begins> = LazyLock::new(|| begins(include_str!("teasers.txt")));

/// Those of lines that interrupt an article.
static INTERRUPTIONS: LazyLock<Begins> = LazyLock::new(|| begins(include_str!("interruptions.txt")));

fn begins(lines: &'static str) -> Begins {
    let mut begins = Begins::new();
    for line in lines.lines().filter(|line| !line.starts_with('#')) {
        line.chars().next().into_iter().for_each(|first| begins.entry(first).or_default().push(line));
    }
    begins
}

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
    let Some(first) = begin.chars().next().and_then(|first| first.to_lowercase().next()) else { return };
    let in_table = |table: &'static Begins| {
        let begins = table.get(&first)?;
        let begin = begin.to_lowercase();
        begins.iter().find(|known| begin.starts_with(**known)).copied()
    };
    if row.chars <= MAX_INTERRUPTION && in_table(&INTERRUPTIONS).is_some() {
        return found.push(row.start..row.end);
    }
    let Some(known) = in_table(&BEGINS).filter(|_| row.link_chars > 0) else { return };
    let begin = begin.to_lowercase();
    // `Read more about it in the library` is a sentence.
    let ends = known.ends_with(':')
        || begin[known.len()..].trim_start().starts_with([':', '|', '–', '—', '-', '»', '>', '：', '→', '▶']);
    let words: u32 = known.chars().filter(|c| !c.is_whitespace()).count() as u32;
    if (ends || row.link_chars == row.chars) && row.link_chars + words + 3 >= row.chars {
        found.push(row.start..row.end);
    }
}
