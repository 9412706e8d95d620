//! Notes that stand within the paragraph that they belong to: sidenotes, and what LaTeXML makes of footnotes.

use gristmill_html::{Doc, LocalName, NodeId};

use super::label::label;
use super::note::NotePair;
use crate::attribute_words::{AttributeWords, is_named};
use crate::rows::Rows;

/// O(nodes + text).
pub(super) fn pairs(page: &Rows<'_>, named: &AttributeWords) -> Vec<NotePair> {
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
