//! Notes whose numbers are raised, in the text and before the note, without links.

use std::collections::HashMap;
use std::ops::Range;

use gristmill_html::{LocalName, NodeId};

use super::label::label;
use super::note::{NotePair, rows};
use crate::attribute_words::is_named;
use crate::rows::Rows;

/// What stands above notes, in many languages: data, not code.
const HEADINGS: [&str; 22] = [
    "notes",
    "note",
    "footnotes",
    "endnotes",
    "end notes",
    "references",
    "sources",
    "citations",
    "fußnoten",
    "anmerkungen",
    "quellen",
    "références",
    "notas",
    "referencias",
    "noter",
    "noten",
    "przypisy",
    "примечания",
    "脚注",
    "注释",
    "参考文献",
    "각주",
];

/// A number or sign that may refer to a note.
pub(super) struct Mark {
    pub(super) nodes: Range<usize>,
    pub(super) label: String,
    pub(super) row: usize,
    pub(super) begins_row: bool,
    /// It stands behind a word or the end of a sentence: behind a figure it is an exponent.
    pub(super) behind_word: bool,
    /// Where it stands, if it is a part of a text.
    pub(super) written: Option<Range<u32>>,
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
            pairs.push(NotePair {
                label: mark.label.clone(),
                reference: mark.nodes.clone(),
                note,
                ..NotePair::default()
            });
        }
    }
    if pairs.is_empty() {
        pairs = listed(page, &marks);
    }
    if pairs.is_empty() { numbered(page, &marks, false) } else { pairs }
}

/// Rows below a heading of notes that begin with the numbers from 1 on, each of which a mark before them refers to; with `bare`
/// two rows and more that begin with numbers in brackets need no heading.
pub(super) fn numbered(page: &Rows<'_>, marks: &[Mark], bare: bool) -> Vec<NotePair> {
    const MAX_MARKS: usize = 50;
    const HEADINGS_TRIED: usize = 100;
    let mut by_label: HashMap<&str, Vec<&Mark>> = HashMap::new();
    for mark in marks.iter().filter(|mark| !mark.begins_row && mark.behind_word) {
        by_label.entry(&mark.label).or_default().push(mark);
    }
    if !by_label.contains_key("1") {
        return Vec::new();
    }
    let begins = |row: usize, number: usize| {
        let (word, rest) = page.row_text(page.rows.get(row)?).split_once([' ', '\u{a0}'])?;
        let is_marked = word.ends_with(['.', ')', ']', ':']) && !rest.trim().is_empty();
        (is_marked && label(word)? == number.to_string()).then_some(())
    };
    let is_before_bare = |row: usize| {
        let is_in_brackets = |row: usize| page.rows.get(row).is_some_and(|row| page.row_text(row).starts_with("[1] "));
        bare && is_in_brackets(row + 1) && begins(row + 2, 2).is_some()
    };
    let headings =
        (0..page.rows.len()).filter(|&row| is_heading_of_notes(page, row) || is_before_bare(row)).take(HEADINGS_TRIED);
    for heading in headings {
        let n = (1..).take_while(|&number| begins(heading + number, number).is_some()).count();
        let of = |number: usize| {
            let label = number.to_string();
            let marks = by_label.get(&*label)?.iter().take(MAX_MARKS).filter(|mark| mark.row <= heading);
            let note = nodes_of(page, heading + number);
            let pair = |mark: &&Mark| NotePair {
                label: label.clone(),
                reference: mark.nodes.clone(),
                written: mark.written.clone(),
                note: note.clone(),
                ..NotePair::default()
            };
            Some(marks.map(pair).collect::<Vec<_>>()).filter(|pairs| !pairs.is_empty())
        };
        let found: Option<Vec<Vec<NotePair>>> = (1..=n).map(of).collect();
        if let Some(found) = found.filter(|found| !found.is_empty()) {
            return found.into_iter().flatten().collect();
        }
    }
    Vec::new()
}

/// The nodes of a row: its block, where that holds nothing else.
pub(super) fn nodes_of(page: &Rows<'_>, row: usize) -> Range<usize> {
    let own = &page.rows[row];
    let block = own.block.index()..page.doc.end(own.block);
    if rows(page, &block).len() == 1 {
        return block;
    }
    let (first, last) = (&page.leaves[own.first_leaf as usize], &page.leaves[own.end_leaf as usize - 1]);
    first.node.index()..page.doc.end(last.node)
}

/// The items of lists of notes, each of which a mark before the list refers to by its number.
pub(super) fn listed(page: &Rows<'_>, marks: &[Mark]) -> Vec<NotePair> {
    const MAX_ITEMS: usize = 1_000;
    const MAX_MARKS: usize = 50;
    let doc = page.doc;
    let mut by_label: HashMap<&str, Vec<&Mark>> = HashMap::new();
    for mark in marks.iter().filter(|mark| !mark.begins_row && mark.behind_word) {
        by_label.entry(&mark.label).or_default().push(mark);
    }
    let mut pairs = Vec::new();
    if by_label.is_empty() {
        return pairs;
    }
    for list in doc.ids().filter(|&id| doc.name(id) == LocalName::OL) {
        let start = doc.attr(list, LocalName::START).and_then(|start| start.trim().parse().ok()).unwrap_or(1usize);
        let items = doc.children(list).filter(|&id| doc.name(id) == LocalName::LI).take(MAX_ITEMS);
        let of = |(item, number): (NodeId, usize)| {
            let label = number.to_string();
            let marks = by_label.get(&*label)?.iter().take(MAX_MARKS).filter(|mark| mark.nodes.end <= list.index());
            let pair = |mark: &&Mark| NotePair {
                label: label.clone(),
                reference: mark.nodes.clone(),
                written: mark.written.clone(),
                note: item.index()..doc.end(item),
                ..NotePair::default()
            };
            Some(marks.map(pair).collect::<Vec<_>>()).filter(|pairs| !pairs.is_empty())
        };
        let found: Option<Vec<Vec<NotePair>>> = items.zip(start..).map(of).collect();
        if let Some(found) = found.filter(|found| !found.is_empty() && is_of_notes(page, list)) {
            pairs.extend(found.into_iter().flatten());
        }
    }
    pairs
}

/// Whether a class, the element around it or the row above says that a list is one of notes.
fn is_of_notes(page: &Rows<'_>, list: NodeId) -> bool {
    const NAMES: [&str; 6] = ["footnote", "footnotes", "endnotes", "notes", "references", "fussnoten"];
    let doc = page.doc;
    if std::iter::once(list)
        .chain(doc.ancestors(list).take(2))
        .any(|id| doc.name(id) == LocalName::ASIDE || is_named(doc, id, &NAMES))
    {
        return true;
    }
    let first = page.leaves.partition_point(|leaf| leaf.node < list);
    first.checked_sub(1).is_some_and(|leaf| is_heading_of_notes(page, page.leaves[leaf].row as usize))
}

/// Whether a row says that notes follow, and nothing else.
pub fn is_heading_of_notes(page: &Rows<'_>, row: usize) -> bool {
    const MAX_CHARS: u32 = 24;
    let row = &page.rows[row];
    row.chars <= MAX_CHARS && HEADINGS.contains(&&*page.row_text(row).trim_end_matches(':').to_lowercase())
}

/// Whether a text is what numbers a note, `Footnote 1`, and nothing else.
pub fn is_number_of_note(text: &str) -> bool {
    const NOTES: [&str; 8] = ["footnote", "endnote", "note", "fußnote", "voetnoot", "nota", "сноска", "примечание"];
    let word = text.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, ' ' | '.' | ':' | '\u{a0}'));
    word.len() < text.len() && NOTES.contains(&word.to_lowercase().as_str())
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
    Some(Mark { nodes, label, row, begins_row, behind_word, written: None })
}
