//! What of a note is no text of it: its label, and what leads back.

use std::collections::HashSet;
use std::ops::Range;

use gristmill_html::NodeId;

use super::label::label;
use super::note::Note;
use crate::blocks::is_block;
use crate::rows::{Rows, TextNode};

/// Finds both. `back` are the links that lead to its references. O(leaves of the note · depth).
pub(super) fn find(page: &Rows<'_>, note: &mut Note, back: &HashSet<NodeId>) {
    let doc = page.doc;
    let within = page.leaves_in(note.nodes.clone());
    let leaves = &page.leaves[within];
    let leads_back = |leaf: &TextNode| {
        let mut around = doc.ancestors(leaf.node).take_while(|&id| !is_block(doc.name(id)));
        around.any(|id| back.contains(&id))
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
    let first = if begin < end { leaves.get(begin) } else { None };
    let own = match note.own_label.last() {
        None => first.and_then(|first| label_at_begin(page, first)),
        Some(_) => first.and_then(|first| sign_behind_label(page, first)),
    };
    note.own_label.extend(own);
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
    let is_marked = word.ends_with(['.', ')', ']', ':']) || word.starts_with(['[', '(', '^', '*', '†']);
    let label = label(word).filter(|label| is_marked && !label.starts_with(char::is_alphabetic))?;
    (!label.is_empty()).then(|| leaf.start..leaf.start + (blank + word.len()) as u32)
}
