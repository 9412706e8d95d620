//! Summaries of folded text that say nothing but that it can be unfolded: `Click to expand`.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use gristmill_html::LocalName;

use crate::attribute_words::is_named;
use crate::rows::{Row, Rows};

static WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("toggles.txt").lines().filter(|line| !line.starts_with('#')).collect());

/// The whole row, when it is one of those, and its end where an element is called that.
pub(super) fn find(page: &Rows<'_>, row: &Row, found: &mut Vec<Range<u32>>) {
    const CALLED: [&str; 3] = ["advice", "toggle", "toggler"];
    const MAX_CHARS: u32 = 40;
    const LEVELS: usize = 3;
    let doc = page.doc;
    if let [_, .., last] = page.row_leaves(row)
        && doc.parent(last.node).is_some_and(|id| is_named(doc, id, &CALLED))
        && is_one(page.leaf_text(last))
    {
        found.push(last.start..last.end);
    }
    let is_summary = |id| doc.name(id) == LocalName::SUMMARY;
    if row.chars > MAX_CHARS || !std::iter::once(row.block).chain(doc.ancestors(row.block)).take(LEVELS).any(is_summary)
    {
        return;
    }
    if is_one(page.row_text(row)) {
        found.push(row.start..row.end);
    }
}

/// Whether a text is one of the words that unfold, with or without signs around it.
pub(super) fn is_one(text: &str) -> bool {
    WORDS.contains(&*text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
}
