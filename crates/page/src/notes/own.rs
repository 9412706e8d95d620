//! What of a note is no text of it: its label, and what leads back.

use std::collections::HashSet;
use std::ops::Range;

use gristmill_html::{Doc, LocalName, NodeId};

use super::label::{is_raised, label};
use super::note::Note;
use crate::attribute_words::{has, is_named};
use crate::blocks::is_block;
use crate::rows::{Rows, TextNode};

/// Finds both. `back` are the links that lead to its references. O(leaves of the note · depth).
pub(super) fn find(page: &Rows<'_>, note: &mut Note, back: &HashSet<NodeId>) {
    let doc = page.doc;
    let within = page.leaves_in(note.nodes.clone());
    let leaves = &page.leaves[within];
    // Of several references the page may not have all: their links say it by name.
    let leads_back = |leaf: &TextNode| {
        let mut around = doc.ancestors(leaf.node).take_while(|&id| !is_block(doc.name(id)));
        around.any(|id| {
            back.contains(&id) || doc.name(id) == LocalName::A && (is_named(doc, id, &BACK) || names_place(doc, id))
        })
    };
    let is_sign = |leaf: &TextNode| leads_back(leaf) || is_sign(page.leaf_text(leaf));
    let begins = |leaf: &&TextNode| is_sign(leaf) || page.leaf_text(leaf).chars().all(|c| c.is_ascii_punctuation());
    let begin = leaves.iter().take_while(begins).count();
    let end = leaves.len() - leaves[begin..].iter().rev().take_while(|leaf| is_sign(leaf)).count();
    let has_back = |part: &[TextNode]| part.iter().any(leads_back);
    for (at, leaf) in leaves.iter().enumerate() {
        let at_edge = at < begin && has_back(&leaves[..begin]) || at >= end && has_back(&leaves[end..]);
        if !at_edge && !leads_back(leaf) {
            continue;
        }
        // A number that leads back is the label.
        let is_label =
            at < begin && label(page.leaf_text(leaf)).is_some_and(|label| !label.starts_with(char::is_alphabetic));
        let own = if is_label { &mut note.own_label } else { &mut note.signs };
        own.push(leaf.start..leaf.end);
    }
    if let Some(last) = leaves[..end].last().filter(|_| end > begin && has_back(&leaves[end..])) {
        note.signs.extend(bracket_at_end(page, last));
    }
    if begin >= end {
        return;
    }
    let tag = leaves[begin..end].iter().take_while(|leaf| is_tag(doc, leaf)).count();
    if tag > 0 && begin + tag < end {
        note.own_label.extend(leaves[..begin + tag].iter().map(|leaf| leaf.start..leaf.end));
        return;
    }
    let mut at = begin;
    while at < end {
        let own = match note.own_label.last() {
            None => label_at_begin(page, &leaves[at]),
            Some(known) => {
                // Once made unique, the label of the note may be another than the page has.
                let known = label(&page.text[known.start as usize..known.end as usize]).unwrap_or_default();
                sign_behind_label(page, &leaves[at]).or_else(|| same_label(page, &leaves[at], &known))
            }
        };
        let Some(own) = own else { break };
        if note.own_label.is_empty() {
            // The bracket that a link to its place stands in.
            note.own_label.extend(leaves[..at].iter().map(|leaf| leaf.start..leaf.end));
        }
        let is_whole = own == (leaves[at].start..leaves[at].end);
        note.own_label.push(own);
        at += 1;
        if !is_whole {
            break;
        }
    }
}

/// Words of the classes of links that lead back.
const BACK: [&str; 5] = ["backref", "backlink", "reversefootnote", "fnback", "back"];

/// Whether a link leads to a place of its page that is named as one which refers to a note, there or not.
fn names_place(doc: &Doc, link: NodeId) -> bool {
    const PLACES: [&str; 6] = ["ref", "fnref", "ftnref", "ednref", "footnoteref", "noteref"];
    const MAX_BYTES: usize = 60;
    let place = doc.attr(link, LocalName::HREF).and_then(|href| href.strip_prefix('#'));
    let is_note = |place: &str| has(place, &["footnote", "endnote", "fn", "note", "cite"]) || !has(place, &["ref"]);
    place.is_some_and(|place| place.len() <= MAX_BYTES && has(place, &PLACES) && is_note(place))
}

/// Whether a leaf stands in what a class says is the label of its note.
fn is_tag(doc: &Doc, leaf: &TextNode) -> bool {
    const MAX_BYTES: u32 = 60;
    const NAMES: [&str; 3] = ["label", "tag", "fnum"];
    let is_inline = |id: &NodeId| !is_block(doc.name(*id)) || doc.name(*id) == LocalName::DIV;
    leaf.end - leaf.start <= MAX_BYTES
        && doc.ancestors(leaf.node).take(3).take_while(is_inline).any(|id| is_named(doc, id, &NAMES))
}

/// A second time the same, as for screen readers.
fn same_label(page: &Rows<'_>, leaf: &TextNode, known: &str) -> Option<Range<u32>> {
    (!known.is_empty() && label(page.leaf_text(leaf)).as_deref() == Some(known)).then_some(leaf.start..leaf.end)
}

/// Signs that lead back, and what stands around them.
fn is_sign(text: &str) -> bool {
    const SIGNS: &str = "↩↑↵⏎⤴⬆^[](){}|\u{fe0e}\u{fe0f}";
    text.chars().all(|c| SIGNS.contains(c) || c.is_whitespace())
}

/// The bracket around what leads back, where it ends the text.
fn bracket_at_end(page: &Rows<'_>, leaf: &TextNode) -> Option<Range<u32>> {
    let text = &page.text[leaf.start as usize..leaf.end as usize];
    let rest = text.trim_end_matches(['[', '(', ' ']);
    (text[rest.len()..].contains(['[', '('])).then(|| leaf.start + rest.len() as u32..leaf.end)
}

/// The full stop or bracket behind a label, where it begins the text.
fn sign_behind_label(page: &Rows<'_>, leaf: &TextNode) -> Option<Range<u32>> {
    let text = &page.text[leaf.start as usize..leaf.end as usize];
    let rest = text.trim_start_matches(['.', ')', ']', ':']);
    (rest.len() < text.len() && rest.starts_with(' ')).then(|| leaf.start..leaf.end - rest.len() as u32)
}

/// The number that a leaf is or begins with.
fn label_at_begin(page: &Rows<'_>, leaf: &TextNode) -> Option<Range<u32>> {
    let text = &page.text[leaf.start as usize..leaf.end as usize];
    if label(text).is_some() {
        return Some(leaf.start..leaf.end);
    }
    let blank = text.len() - text.trim_start().len();
    let word = text.trim_start().split(' ').next().filter(|word| !word.is_empty())?;
    // A bare number is one only with a sign behind it: a note may begin with a year.
    let is_marked = word.ends_with(['.', ')', ']', ':'])
        || word.starts_with(['[', '(', '^', '*', '†'])
        || word.chars().all(is_raised);
    let label = label(word).filter(|label| is_marked && !label.starts_with(char::is_alphabetic))?;
    (!label.is_empty()).then(|| leaf.start..leaf.start + (blank + word.len()) as u32)
}
