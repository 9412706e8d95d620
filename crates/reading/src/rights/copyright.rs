//! The copyright notice of a page: the last row that is one, else what the page declares.

use std::sync::LazyLock;

use gristmill_page::Page;
use gristmill_text::{PhraseMatcher, collapse};

/// Rows from the end of the page that are looked at, and the longest notice in characters.
const ROWS: usize = 60;
const MAX_CHARS: usize = 300;

/// The notice as readers see it near the end of the page, else as JSON-LD, `meta` elements or a named holder give it.
pub(crate) fn notice(page: &Page<'_>) -> Option<String> {
    shown(page)
        .or_else(|| declared(page))
        .or_else(|| page.doc.meta("copyright").and_then(fitting))
        .or_else(|| holder(page))
}

fn shown(page: &Page<'_>) -> Option<String> {
    let rows = page.rows.iter().rev().take(ROWS);
    let mut texts = rows.map(|row| &page.text[row.start as usize..row.end as usize]);
    texts.find(|text| is_notice(text)).and_then(fitting)
}

/// A mark with a year, or a sign at the start with more behind it.
fn is_notice(text: &str) -> bool {
    const SIGNS: [&str; 4] = ["©", "(c)", "版权所有", "版權所有"];
    const WORDS: [&str; 3] = ["copyright", "all rights reserved", "alle rechte vorbehalten"];
    static ANY: LazyLock<PhraseMatcher> =
        LazyLock::new(|| PhraseMatcher::in_any_case(&SIGNS.into_iter().chain(WORDS).collect::<Vec<_>>()));
    if text.len() > 4 * MAX_CHARS || !ANY.is_in(text) {
        return false;
    }
    let lower = text.trim().to_lowercase();
    let rest = lower.strip_prefix("copyright").unwrap_or(&lower).trim_start();
    let begins = SIGNS.iter().filter_map(|sign| rest.strip_prefix(sign)).any(|behind| !behind.trim().is_empty());
    begins || SIGNS.iter().chain(&WORDS).any(|mark| lower.contains(mark)) && has_year(&lower)
}

fn has_year(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_digit())
        .any(|digits| digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20")))
}

fn declared(page: &Page<'_>) -> Option<String> {
    let items = page.json_ld().items.items.iter().filter(|item| !item.is("ImageObject"));
    items.into_iter().filter_map(|item| item.text("copyrightNotice")).find_map(fitting)
}

/// `© year holder`, of what an item declares.
fn holder(page: &Page<'_>) -> Option<String> {
    let items = &page.json_ld().items;
    for item in items.items.iter().filter(|item| !item.is("ImageObject")) {
        let held = item.all("copyrightHolder").find_map(|content| {
            content.as_text().or_else(|| items.get(content).and_then(|holder| holder.text("name")))
        });
        if let Some(name) = held {
            let year = item.text("copyrightYear").map(|year| format!("{} ", year.trim())).unwrap_or_default();
            return fitting(&format!("© {year}{name}"));
        }
    }
    None
}

fn fitting(text: &str) -> Option<String> {
    let text = collapse(text);
    (!text.is_empty() && text.chars().count() <= MAX_CHARS).then_some(text)
}
