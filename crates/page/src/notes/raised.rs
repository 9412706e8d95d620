//! Notes whose numbers are raised, in the text and before the note, without links.

use std::collections::HashMap;
use std::ops::Range;

use gristmill_html::{LocalName, NodeId};

use super::label::label;
use super::note::{NotePair, rows};
use crate::rows::Rows;

/// A raised number or sign.
struct Mark {
    nodes: Range<usize>,
    label: String,
    row: usize,
    begins_row: bool,
    /// It stands behind a word or the end of a sentence: behind a figure it is an exponent.
    behind_word: bool,
}

/// O(nodes + text).
pub(super) fn pairs(page: &Rows<'_>) -> Vec<NotePair> {
    let marks = marks(page);
    let mut notes: HashMap<&str, Vec<&Mark>> = HashMap::new();
    for mark in marks.iter().filter(|mark| mark.begins_row) {
        notes.entry(&mark.label).or_default().push(mark);
    }
    let mut pairs = Vec::new();
    for mark in marks.iter().filter(|mark| !mark.begins_row && mark.behind_word) {
        // Of several rows that begin alike none is known to be the one.
        let Some([note]) = notes.get(&*mark.label).map(Vec::as_slice).filter(|notes| notes.len() == 1) else {
            continue;
        };
        if note.row > mark.row {
            let block = page.rows[note.row].block;
            let row = &page.rows[note.row];
            let end = page.doc.end(page.leaves[row.end_leaf as usize - 1].node);
            let own = block.index()..page.doc.end(block);
            let is_whole = rows(page, &own).len() == 1;
            let note = if is_whole { own } else { note.nodes.start..end };
            pairs.push(NotePair { label: mark.label.clone(), reference: mark.nodes.clone(), note, back: Vec::new() });
        }
    }
    pairs
}

fn marks(page: &Rows<'_>) -> Vec<Mark> {
    let doc = page.doc;
    let raised = doc.ids().filter(|&id| doc.name(id) == LocalName::SUP);
    raised.filter_map(|id| mark(page, id)).collect()
}

fn mark(page: &Rows<'_>, id: NodeId) -> Option<Mark> {
    let doc = page.doc;
    let nodes = id.index()..doc.end(id);
    let within = page.leaves_in(nodes.clone());
    let leaf = page.leaves.get(within.start).filter(|_| within.len() == 1)?;
    let label = label(page.leaf_text(leaf)).filter(|label| !label.starts_with(char::is_alphabetic))?;
    let row = leaf.row as usize;
    let before = page.text[page.rows[row].start as usize..leaf.start as usize].chars().next_back();
    let behind_word = before.is_some_and(|c| c.is_alphabetic() || c.is_ascii_punctuation() || "”’»。」…".contains(c));
    let begins_row = page.rows[row].first_leaf as usize == within.start;
    Some(Mark { nodes, label, row, begins_row, behind_word })
}
