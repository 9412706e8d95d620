//! Notes that stand within the paragraph that they belong to: sidenotes, and what LaTeXML makes of footnotes.

use std::collections::HashMap;
use std::ops::Range;

use gristmill_html::{Doc, LocalName, NodeId};

use super::label::label;
use super::note::{NotePair, rows as rows_of};
use super::raised::nodes_of;
use crate::attribute_words::{AttributeWords, is_named};
use crate::rows::Rows;

/// Adds them to the pairs that links make; a tip says again what a note behind it says, and is then a part of the reference. O(nodes + text).
pub(super) fn add(page: &Rows<'_>, named: &AttributeWords, pairs: &mut Vec<NotePair>) {
    let mut copies = RepeatedTips { page, rows: None };
    let mut linked: HashMap<usize, usize> = pairs
        .iter()
        .enumerate()
        .flat_map(|(at, pair)| pair.reference.clone().take(8).map(move |node| (node, at)))
        .collect();
    for mut pair in own_pairs(page, named) {
        let tip = pair.note.clone();
        let around = pair.reference.clone().find_map(|node| linked.remove(&node));
        if let Some(known) = around.filter(|&at| pairs[at].note.start >= tip.end) {
            pairs[known].reference.end = pairs[known].reference.end.max(tip.end);
            continue;
        }
        if pair.reference.len() > 1
            && let Some(note) = copies.of(&tip)
        {
            (pair.reference.end, pair.note) = (tip.end, note);
        }
        pairs.push(pair);
    }
}

/// Rows that say what a tip says.
struct RepeatedTips<'p, 'd> {
    page: &'p Rows<'d>,
    /// By their words, put together when the first tip is looked for.
    rows: Option<HashMap<String, usize>>,
}

impl RepeatedTips<'_, '_> {
    /// The nodes of the only note behind a tip with its words: a row without its label, or the item or line of a table around it.
    fn of(&mut self, tip: &Range<usize>) -> Option<Range<usize>> {
        const MAX_BYTES: usize = 4_000;
        const MAX_ROWS: usize = 4;
        const MAX_LABEL: u32 = 8;
        let page = self.page;
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let unlabelled = |text: &str| match text.split_once(' ') {
            Some((first, rest)) if label(first).is_some() => words(rest),
            _ => words(text),
        };
        let rows = self.rows.get_or_insert_with(|| {
            let short = page.rows.iter().enumerate().filter(|(_, row)| (row.end - row.start) as usize <= MAX_BYTES);
            short.map(|(at, row)| (unlabelled(page.row_text(row)), at)).collect()
        });
        let within = page.leaves_in(tip.clone());
        let (first, last) = (page.leaves.get(within.start)?, page.leaves.get(within.end.checked_sub(1)?)?);
        let text = words(&page.text[first.start as usize..last.end as usize]);
        let row = *rows.get(&text)?;
        let block = page.rows[row].block;
        if block.index() < tip.end || text.is_empty() {
            return None;
        }
        let is_line = |id: &NodeId| matches!(page.doc.name(*id), LocalName::LI | LocalName::TR);
        let line = std::iter::once(block).chain(page.doc.ancestors(block)).take(3).find(is_line);
        let nodes = |id: NodeId| id.index()..page.doc.end(id);
        // A label may stand beside it.
        let line = line.map(nodes).filter(|line| {
            let rows = rows_of(page, line);
            rows.len() <= MAX_ROWS && rows.iter().map(|row| row.chars).sum::<u32>() <= page.rows[row].chars + MAX_LABEL
        });
        Some(line.unwrap_or_else(|| nodes_of(page, row)))
    }
}

fn own_pairs(page: &Rows<'_>, named: &AttributeWords) -> Vec<NotePair> {
    let doc = page.doc;
    let mut pairs = Vec::new();
    let may_be = named.of_values(doc, |value| u8::from(may_name_note(value)));
    let elements = ELEMENTS.map(|name| doc.find_name(name));
    if elements.iter().all(Option::is_none) && may_be.iter().all(|bit| *bit == 0) {
        return pairs;
    }
    let mut at = 1;
    while at < doc.len() {
        let id = doc.id(at);
        at += 1;
        if (named.bits_of(doc, id, &may_be) != 0 || elements.contains(&Some(doc.name(id))))
            && is_note(doc, id)
            && let Some(pair) = pair(page, id)
        {
            at = doc.end(id);
            pairs.push(pair);
        }
    }
    pairs
}

/// Elements that are notes by their names.
const ELEMENTS: [&str; 2] = ["d-footnote", "foot-note"];

/// Whether any name of a note may stand in a class or id: all of them but one have this word.
fn may_name_note(value: &str) -> bool {
    let value = value.as_bytes();
    value.windows(4).any(|part| part.eq_ignore_ascii_case(b"note"))
        || value.windows(10).any(|part| part.eq_ignore_ascii_case(b"marginalia"))
}

fn is_note(doc: &Doc, id: NodeId) -> bool {
    const WORDS: [&str; 4] = ["sidenote", "marginnote", "marginalia", "inlinenote"];
    match doc.name(id) {
        LocalName::SPAN | LocalName::SMALL | LocalName::ASIDE | LocalName::DIV => {}
        name => return ELEMENTS.contains(&doc.name_str(name)),
    }
    // What shows when the number before it is touched.
    const SHOWN: [&str; 5] = ["tooltip", "popover", "popup", "note", "content"];
    let class = doc.attr(id, LocalName::CLASS).unwrap_or("");
    let is_tip = || {
        doc.name(id) == LocalName::SPAN
            && class.contains("footnote")
            && (is_named(doc, id, &SHOWN) || doc.attr(id, LocalName::ROLE) == Some("tooltip"))
            && mark(doc, id).is_some()
    };
    class.contains("ltx_note_outer")
        || is_tip()
        || is_whole(doc, id, class)
        || is_named(doc, id, &WORDS) && !is_named(doc, id, &["number", "toggle", "ref"])
}

/// Whether an element within a sentence is all of a note, for style sheets of printed pages.
fn is_whole(doc: &Doc, id: NodeId, class: &str) -> bool {
    const MAX_NODES: usize = 60;
    const MIN_BYTES: usize = 24;
    let is_marked = |id: NodeId| {
        doc.name(id) == LocalName::SUP || doc.attr(id, LocalName::HREF).is_some_and(|href| href.starts_with('#'))
    };
    matches!(doc.name(id), LocalName::SPAN | LocalName::SMALL)
        && class.split_ascii_whitespace().any(|word| word == "footnote")
        && doc.end(id) - id.index() <= MAX_NODES
        && !doc.subtree(id).any(is_marked)
        && doc.text_content(id).trim().len() >= MIN_BYTES
}

/// `None` where the element begins a row of its own: then it is a note only when something refers to it.
fn pair(page: &Rows<'_>, id: NodeId) -> Option<NotePair> {
    let doc = page.doc;
    let note = id.index()..doc.end(id);
    let within = page.leaves_in(note.clone());
    let first = page.leaves.get(within.start).filter(|_| !within.is_empty())?;
    let row = &page.rows[first.row as usize];
    if row.first_leaf as usize >= within.start {
        return None;
    }
    let (reference, text) = match mark(doc, id) {
        Some(mark) => (mark.index()..doc.end(mark), doc.text_content(mark)),
        None => (note.start..note.start + 1, String::new()),
    };
    Some(NotePair { label: label(&text).unwrap_or_default(), reference, note, ..NotePair::default() })
}

/// The number right before the note.
fn mark(doc: &Doc, id: NodeId) -> Option<NodeId> {
    let before = std::iter::successors(doc.prev_sibling(id), |&id| doc.prev_sibling(id)).take(4);
    let mut before =
        before.skip_while(|&id| doc.text(id).trim().is_empty() && doc.is_text(id) || doc.name(id) == LocalName::INPUT);
    let mark = before.next().filter(|&id| doc.is_element(id))?;
    let text = doc.text_content(mark);
    let is_toggle = doc.name(mark) == LocalName::LABEL && !text.contains(char::is_alphanumeric);
    let is_mark = is_toggle || label(&text).is_some();
    (is_mark && text.len() < 20).then_some(mark)
}
