//! Numbers in brackets that refer to a numbered list of notes, without links.
//!
//! ```text
//! older than the church [1], as others say [2, 4-6]. … References: 1. Smith, A book of mills. 2. …
//! ```
//! They are references where it is beyond doubt: each note has a mark before it, each mark has a note, and nothing of them is an index
//! such as `a[1]`.

use std::collections::HashSet;
use std::ops::Range;

use gristmill_html::{Doc, LocalName, NodeId};

use super::label::{is_raised, label};
use super::note::NotePair;
use super::raised::{Mark, listed, nodes_of, numbered};
use crate::blocks::is_block;
use crate::rows::Rows;

/// Higher numbers are years, longer marks are lists of numbers.
const MAX_NUMBER: usize = 500;
const MAX_BYTES: usize = 80;
/// Wider ranges are something else.
const MAX_RANGE: usize = 30;
/// A page with more marks is a list of numbers.
const MAX_MARKS: usize = 20_000;

/// O(nodes + text).
pub(super) fn pairs(page: &Rows<'_>) -> Vec<NotePair> {
    let Some(marks) = marks(page) else { return Vec::new() };
    let mut pairs = listed(page, &marks);
    if pairs.is_empty() {
        pairs = numbered(page, &marks, true);
    }
    let Some(first) = pairs.iter().map(|pair| pair.note.start).min() else { return pairs };
    let known: HashSet<&str> = pairs.iter().map(|pair| &*pair.label).collect();
    let is_known = |mark: &Mark| mark.nodes.start >= first || known.contains(&*mark.label);
    if marks.iter().all(is_known) { pairs } else { Vec::new() }
}

/// Notes that begin with raised figures of Unicode, from 1 on, and the same figures behind words of the rows before them. An exponent is
/// none: no row begins with it. O(text).
pub(super) fn raised_pairs(page: &Rows<'_>) -> Vec<NotePair> {
    if memchr::memmem::find_iter(page.text.as_bytes(), "¹".as_bytes()).nth(1).is_none() {
        return Vec::new();
    }
    let marks = raised_marks(page);
    let notes: Vec<&Mark> = marks.iter().filter(|mark| mark.begins_row).collect();
    let are_numbered = notes.iter().zip(1usize..).all(|(note, number)| note.label == number.to_string());
    let Some(first) = notes.first().filter(|_| are_numbered).map(|note| note.row) else { return Vec::new() };
    let pair = |mark: &Mark| {
        let note = mark.label.parse().ok().and_then(|number: usize| notes.get(number.checked_sub(1)?))?;
        Some(NotePair {
            label: mark.label.clone(),
            reference: mark.nodes.clone(),
            written: mark.written.clone(),
            note: nodes_of(page, note.row),
            ..NotePair::default()
        })
    };
    let refers = |mark: &&Mark| !mark.begins_row && mark.behind_word && mark.row < first;
    let pairs: Vec<NotePair> = marks.iter().filter(refers).filter_map(pair).collect();
    let said: HashSet<&str> = pairs.iter().map(|pair| &*pair.label).collect();
    if said.len() == notes.len() { pairs } else { Vec::new() }
}

/// All runs of raised figures, up to a number that a page may have of them.
fn raised_marks(page: &Rows<'_>) -> Vec<Mark> {
    let mut marks = Vec::new();
    for leaf in &page.leaves {
        let text = &page.text[leaf.start as usize..leaf.end as usize];
        if text.is_ascii() || !text.contains(is_raised) || is_code_or_link(page.doc, leaf.node) {
            continue;
        }
        let row = &page.rows[leaf.row as usize];
        let mut from = 0;
        while let Some(at) = text[from..].find(is_raised).map(|at| from + at) {
            let end = text[at..].find(|c| !is_raised(c)).map_or(text.len(), |end| at + end);
            let start = leaf.start + at as u32;
            let before = &page.text[row.start as usize..start as usize];
            if let Some(label) = label(&text[at..end])
                && marks.len() < MAX_MARKS
            {
                marks.push(Mark {
                    nodes: leaf.node.index()..leaf.node.index() + 1,
                    label,
                    row: leaf.row as usize,
                    begins_row: before.trim().is_empty(),
                    behind_word: before
                        .ends_with(|c: char| c.is_alphabetic() || c.is_ascii_punctuation() || "”’»…".contains(c)),
                    written: Some(start..start + (end - at) as u32),
                });
            }
            from = end;
        }
    }
    marks
}

/// All marks of the text that stand behind words of a row; `None` where there are none or one is an index.
fn marks(page: &Rows<'_>) -> Option<Vec<Mark>> {
    let mut marks = Vec::new();
    memchr::memchr(b'[', page.text.as_bytes())?;
    for leaf in &page.leaves {
        let text = &page.text[leaf.start as usize..leaf.end as usize];
        if !text.contains('[') || is_code_or_link(page.doc, leaf.node) {
            continue;
        }
        for (at, _) in text.match_indices('[') {
            let Some((len, numbers)) = mark(&text[at..]) else { continue };
            let start = leaf.start + at as u32;
            let before = &page.text[page.rows[leaf.row as usize].start as usize..start as usize];
            if is_index(before) || marks.len() > MAX_MARKS {
                return None;
            }
            if before.trim().is_empty() {
                continue;
            }
            let end = start + len as u32;
            marks.extend(numbers.into_iter().enumerate().map(|(n, number)| Mark {
                nodes: leaf.node.index()..leaf.node.index() + 1,
                label: number.to_string(),
                row: leaf.row as usize,
                begins_row: false,
                behind_word: true,
                // The first takes all of the text.
                written: Some(if n == 0 { start..end } else { end..end }),
            }));
        }
    }
    (!marks.is_empty()).then_some(marks)
}

/// The length of a mark that a text begins with, and its numbers.
fn mark(text: &str) -> Option<(usize, Vec<usize>)> {
    let inner = text.strip_prefix('[')?;
    let inner = &inner[..inner.bytes().take(MAX_BYTES).position(|byte| byte == b']')?];
    let mut numbers = Vec::new();
    for part in inner.split([',', ';']) {
        let mut ends = part.split(['-', '–', '‑']).map(|number| number.trim().parse().ok());
        let first: usize = ends.next()??;
        let last = ends.next().unwrap_or(Some(first))?;
        let is_range = (1..=MAX_NUMBER).contains(&first) && (first..=first + MAX_RANGE).contains(&last);
        if !is_range || ends.next().is_some() {
            return None;
        }
        numbers.extend(first..=last);
    }
    Some((inner.len() + 2, numbers))
}

/// Whether a bracket behind this text takes an element of something: behind a name of one letter, one with signs, or another bracket.
fn is_index(before: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let name = before.rsplit(|c| !is_name(c)).next().unwrap_or("");
    let is_short = name.len() == 1 && name.bytes().all(|byte| byte.is_ascii_alphabetic());
    is_short || name.contains(['_', '$'])
}

fn is_code_or_link(doc: &Doc, leaf: NodeId) -> bool {
    const NAMES: [LocalName; 6] =
        [LocalName::A, LocalName::CODE, LocalName::KBD, LocalName::SAMP, LocalName::TT, LocalName::VAR];
    let mut around = doc.ancestors(leaf).take_while(|&id| !is_block(doc.name(id)) || doc.name(id) == LocalName::PRE);
    doc.formula(leaf).is_some() || around.any(|id| NAMES.contains(&doc.name(id)) || doc.name(id) == LocalName::PRE)
}

/// A part of a text that refers to a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenReference {
    /// Position of the text node.
    pub node: usize,
    /// Where it stands in [`Rows::text`]; empty for the second number and the others of one mark.
    pub range: Range<u32>,
    /// Which of [`Notes::notes`](super::Notes::notes).
    pub note: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_numbers_and_ranges_in_brackets() {
        assert_eq!(mark("[1] and"), Some((3, vec![1])));
        assert_eq!(mark("[2, 4–6]"), Some(("[2, 4–6]".len(), vec![2, 4, 5, 6])));
        for text in ["[a]", "[]", "[1", "[2019]", "[6-4]", "[1-400]", "[1-2-3]", "[1] ".trim_start_matches('[')] {
            assert_eq!(mark(text), None, "{text}");
        }
    }

    #[test]
    fn what_stands_behind_a_name_is_an_index() {
        assert!(is_index("the array a") && is_index("my_list") && is_index("x"));
        assert!(!is_index("the church") && !is_index("the church ") && !is_index("") && !is_index("石头"));
    }
}
