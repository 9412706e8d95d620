//! A note, what refers to it, and the rows and leaves that are its own.

use std::ops::Range;

use gristmill_html::NodeId;

use crate::rows::{Row, Rows};

/// A place in the text that refers to a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Positions of the nodes that are nothing but the reference.
    pub nodes: Range<usize>,
    /// Which of [`Notes::notes`](super::Notes::notes).
    pub note: usize,
    /// Its words are of the sentence, as in `Smith (1990)`.
    pub worded: bool,
}

/// A note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Positions of its nodes.
    pub nodes: Range<usize>,
    /// Number or sign as the page has it where that is one word and of no other note, else another number.
    pub label: String,
    /// Where the label stands at its begin, as ranges of [`Rows::text`].
    pub own_label: Vec<Range<u32>>,
    /// What leads back to the text, as such ranges.
    pub signs: Vec<Range<u32>>,
}

/// A reference and its note, before it is known which of them share a note.
#[derive(Default)]
pub(super) struct NotePair {
    pub(super) label: String,
    /// The reference is words of its sentence.
    pub(super) worded: bool,
    pub(super) reference: Range<usize>,
    /// The part of a text that is the reference, where that is no node of its own.
    pub(super) written: Option<Range<u32>>,
    pub(super) note: Range<usize>,
    /// The places that the note leads back to: the references' own.
    pub(super) back: Vec<NodeId>,
}

/// The rows that begin within these nodes.
pub(super) fn rows<'p>(page: &'p Rows<'_>, nodes: &Range<usize>) -> &'p [Row] {
    let first = |row: &Row| page.leaves[row.first_leaf as usize].node.index();
    let start = page.rows.partition_point(|row| first(row) < nodes.start);
    let end = page.rows.partition_point(|row| first(row) < nodes.end);
    &page.rows[start..end]
}
