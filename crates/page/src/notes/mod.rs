//! Footnotes: which links refer to a note, and where the notes stand.
//!
//! ```text
//! <p>older.<sup><a href="#fn1" id="ref1">1</a></sup>      Reference, note 0
//! <li id="fn1">Ibid., 12. <a href="#ref1">↩</a></li>      Note 0, label `1`, sign `↩`
//! ```
//! A link is a reference when its text is a number, a letter or a sign, it leads to a later place of the page, and one of these says
//! the same: the note leads back, a class, role or id is that of a note, or it is raised and the note begins with the same label.
//! A link to an entry of a bibliography may be words of its sentence.
//! Numbers that are raised without a link are references where a row begins with the same one, or is that item of a list of notes.
//! Sidenotes stand within the row that they belong to. Numbers in brackets are references where a numbered list of notes has each of
//! them.

mod inline;
mod label;
mod linked;
mod note;
mod own;
mod raised;
mod written;

use std::collections::HashSet;
use std::ops::Range;

use gristmill_html::NodeId;

use crate::attribute_words::AttributeWords;
use crate::rows::Rows;
use note::{NotePair, rows};

pub use note::{Note, Reference};
pub use raised::{is_heading_of_notes, is_number_of_note};
pub use written::WrittenReference;

/// The notes of a page, and what refers to them, both in document order.
#[derive(Debug, Clone, Default)]
pub struct Notes {
    /// Those that something refers to.
    pub notes: Vec<Note>,
    /// At least one for each note.
    pub references: Vec<Reference>,
    /// References that are parts of texts; a page has none of them or none of the others.
    pub written: Vec<WrittenReference>,
}

impl Notes {
    /// Finds them. O(nodes + text).
    pub(crate) fn new(page: &Rows<'_>, named: &AttributeWords) -> Notes {
        let mut pairs = linked::pairs(page);
        if pairs.is_empty() {
            pairs = raised::pairs(page);
        }
        inline::add(page, named, &mut pairs);
        if pairs.is_empty() {
            pairs = written::pairs(page);
        }
        if pairs.is_empty() {
            pairs = written::raised_pairs(page);
        }
        settle(page, pairs)
    }

    /// Whether the page has none.
    pub fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }

    /// The references within these bytes of [`Rows::text`]. O(log references).
    pub fn written_in(&self, range: Range<u32>) -> &[WrittenReference] {
        let from = self.written.partition_point(|reference| reference.range.start < range.start);
        let to = self.written.partition_point(|reference| reference.range.end <= range.end);
        self.written.get(from..to).unwrap_or_default()
    }

    /// The note that a node stands in. O(log notes).
    pub fn around(&self, node: NodeId) -> Option<usize> {
        let at = self.notes.partition_point(|note| note.nodes.end <= node.index());
        self.notes.get(at).filter(|note| note.nodes.contains(&node.index())).map(|_| at)
    }

    /// The reference that a node is a part of. O(log references).
    pub fn reference(&self, node: NodeId) -> Option<&Reference> {
        let at = self.references.partition_point(|reference| reference.nodes.end <= node.index());
        self.references.get(at).filter(|reference| reference.nodes.contains(&node.index()))
    }
}

/// Longer or more ones are no notes.
const MAX_CHARS: u32 = 8_000;
const MAX_ROWS: usize = 60;

fn settle(page: &Rows<'_>, mut pairs: Vec<NotePair>) -> Notes {
    pairs.retain(|pair| is_note(page, &pair.note));
    pairs.sort_by_key(|pair| (pair.note.start, pair.reference.start));
    let mut notes: Vec<Note> = Vec::new();
    let (mut references, mut written) = (Vec::new(), Vec::new());
    let mut back: Vec<HashSet<NodeId>> = Vec::new();
    for pair in pairs {
        let end = notes.last().map_or(0, |note| note.nodes.end);
        if pair.note.start >= end {
            notes.push(Note { nodes: pair.note, label: pair.label, own_label: Vec::new(), signs: Vec::new() });
            back.push(HashSet::new());
        } else if notes.last().is_some_and(|note| note.nodes != pair.note) {
            // Notes do not stand in notes.
            continue;
        }
        if let Some(back) = back.last_mut() {
            back.extend(pair.back);
        }
        let note = notes.len() - 1;
        match pair.written {
            Some(range) => written.push(WrittenReference { node: pair.reference.start, range, note }),
            None => references.push(Reference { nodes: pair.reference, note, worded: pair.worded }),
        }
    }
    references.sort_by_key(|reference| reference.nodes.start);
    references.dedup_by(|next, before| next.nodes.start < before.nodes.end);
    written.sort_by_key(|reference| (reference.range.start, reference.range.end));
    label::make_unique(&mut notes, &references);
    for (note, back) in notes.iter_mut().zip(back) {
        own::find(page, note, &back);
    }
    Notes { notes, references, written }
}

fn is_note(page: &Rows<'_>, nodes: &Range<usize>) -> bool {
    let rows = rows(page, nodes);
    let chars: u32 = rows.iter().map(|row| row.chars).sum();
    rows.len() <= MAX_ROWS && (1..=MAX_CHARS).contains(&chars)
        || rows.is_empty() && !page.leaves_in(nodes.clone()).is_empty()
}

#[cfg(test)]
mod tests;
