//! Lines between paragraphs that lead to other articles: `READ MORE: What the storm cost`.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use gristmill_html::{LocalName, NodeId};

use crate::rows::{Row, Rows};
use crate::tables::is_data_table;

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
    let begin = lowered(begin);
    if is_mark(page, row, begin.trim_end_matches(|c: char| !c.is_alphanumeric())) {
        return found.push(row.start..row.end);
    }
    let Some(begins) = first.and_then(|first| BEGINS.get(&first)) else { return };
    let may_be = |interrupts: bool| if interrupts { row.chars <= MAX_INTERRUPTION } else { row.link_chars > 0 };
    let known = begins.iter().find(|(known, interrupts)| may_be(*interrupts) && begin.starts_with(known));
    let Some(&(known, interrupts)) = known else { return };
    if interrupts {
        return found.push(row.start..row.end);
    }
    // `Read more about it in the library` is a sentence.
    let ends = known.ends_with(':')
        || begin[known.len()..]
            .trim_start()
            .starts_with([':', '|', '–', '—', '-', '»', '>', '：', '→', '▶', ']', '】', '」', '》', '›']);
    let words: u32 = known.chars().filter(|c| !c.is_whitespace()).count() as u32;
    // A link right behind the words is the title of the other article.
    let is_all = row.link_chars == row.chars || row.link_chars + words == row.chars;
    if (ends || is_all) && row.link_chars + words + 3 >= row.chars {
        found.push(row.start..row.end);
    }
}

/// Rows that are the mark of an advertisement and nothing else, in lower case: data, not code.
#[rustfmt::skip]
const MARKS: [&str; 20] = [
    "advertisement", "advertisements", "anzeige", "werbung", "publicité", "publicidad", "publicidade", "pubblicità", "advertentie", "annons",
    "annonse", "mainos", "reklama", "reklam", "реклама", "إعلان", "广告", "廣告", "広告", "광고",
];

/// Whether a row is such a mark, and no item or cell of a table of data.
fn is_mark(page: &Rows<'_>, row: &Row, said: &str) -> bool {
    MARKS.contains(&said) && row.link_chars == 0 && !is_part(page, row)
}

/// Whether a row is an item, or a cell of a table of data.
fn is_part(page: &Rows<'_>, row: &Row) -> bool {
    let doc = page.doc;
    let is_data = |id: NodeId| {
        let table = doc.ancestors(id).find(|&id| doc.name(id) == LocalName::TABLE);
        table.is_some_and(|table| is_data_table(doc, table))
    };
    let is_part = |id: NodeId| match doc.name(id) {
        LocalName::LI | LocalName::DT | LocalName::DD => true,
        LocalName::TD | LocalName::TH => is_data(id),
        _ => false,
    };
    std::iter::once(row.block).chain(doc.ancestors(row.block)).take(3).any(is_part)
}

/// In lower case, where Turkish has one more mark on a capital than on a small letter.
fn lowered(text: &str) -> String {
    text.to_lowercase().replace('\u{307}', "")
}

/// Rows that say that links follow and nothing else, with those right behind them, and such that stand alone. O(rows).
pub(super) fn find_titled(page: &Rows<'_>, found: &mut Vec<Range<u32>>) {
    const MAX_CHARS: u32 = 40;
    for (at, title) in page.rows.iter().enumerate() {
        if title.link_chars > 0 || title.chars > MAX_CHARS || title.in_heading || title.chars < 4 {
            continue;
        }
        let said = lowered(page.row_text(title));
        let said = said.trim_matches(|c: char| !c.is_alphanumeric());
        let Some(begins) = said.chars().next().and_then(|first| BEGINS.get(&first)) else { continue };
        let is = |(known, interrupts): &(&'static str, bool)| !interrupts && known.trim_end_matches(':') == said;
        if !begins.iter().any(is) || is_part(page, title) {
            continue;
        }
        let mut links = &page.rows[at + 1..at + 1 + n_links(page, at)];
        if SEE.contains(&said) {
            links = links.get(..1).filter(|link| link[0].block == title.block).unwrap_or_default();
        }
        if !links.is_empty() || ALONE.contains(&said) {
            found.push(title.start..title.end);
            found.extend(links.iter().map(|link| link.start..link.end));
        }
    }
}

/// Rows that lead to other articles and do not say to which, in lower case: data, not code.
#[rustfmt::skip]
const ALONE: [&str; 31] = [
    "read more", "read also", "also read", "read next", "related story", "related stories", "related article", "related articles",
    "lesen sie auch", "lesen sie mehr", "weiterlesen", "auch interessant", "lire aussi", "à lire aussi", "lee también", "leer más",
    "leia mais", "leia também", "leggi anche", "lees ook", "läs också", "läs mer", "les også", "lue myös", "lue lisää", "czytaj także",
    "przeczytaj także", "čtěte také", "читайте также", "baca juga", "関連記事",
];

/// How manuals and dictionaries begin a list of their own pages: such words lead to other articles only within a paragraph.
const SEE: [&str; 6] = ["see also", "see more", "voir aussi", "zobacz również", "viz též", "vezi și"];

/// How many rows right behind one are links and nothing else.
fn n_links(page: &Rows<'_>, title: usize) -> usize {
    const MAX_LINKS: usize = 8;
    const MAX_CHARS: u32 = 200;
    let is_link = |row: &Row| {
        let is_all = row.link_chars > 0 && row.link_chars + 2 >= row.chars && row.chars <= MAX_CHARS;
        is_all && !row.in_heading
    };
    page.rows[title + 1..].iter().take(MAX_LINKS).take_while(|row| is_link(row)).count()
}
