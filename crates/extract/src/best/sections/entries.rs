//! Short rows of entries that are built alike.

use std::ops::Range;

use gristmill_html::{LocalName, NodeId};
use gristmill_page::{Page, Row};

use super::is_of_text;
use crate::best::features::PageFeatures;
use crate::best::row_decision::RowDecision;

/// Rows of an entry, and characters of the sentence in it.
const ENTRY_ROWS: std::ops::RangeInclusive<usize> = 2..=8;
const ENTRY_CHARS: u32 = 25;

/// Keeps the short rows of entries that follow one another and are built alike, such as the parameters of a function, where the text of
/// each is kept. Entries with links are teasers. O(rows).
pub(super) fn keep_entries(page: &Page<'_>, facts: &PageFeatures, decision: &mut RowDecision) {
    const LEVELS: usize = 6;
    const NEAR: usize = 4;
    if !is_of_text(facts) {
        return;
    }
    let doc = page.doc;
    let mut done = 0;
    for (at, row) in page.rows.iter().enumerate() {
        let is_sentence = decision.keep[at] && row.chars >= ENTRY_CHARS && row.link_chars == 0;
        let near = at.saturating_sub(NEAR)..page.rows.len().min(at + NEAR + 1);
        if !is_sentence || row.block.index() < done || decision.keep[near].iter().all(|keep| *keep) {
            continue;
        }
        let mut around = std::iter::once(row.block).chain(doc.ancestors(row.block)).take(LEVELS);
        let is_entry = |id: &NodeId| ENTRY_ROWS.contains(&facts.context.rows(page, *id).len());
        let group = around.find_map(|id| {
            Some(id).filter(is_entry).map(|id| entries(page, facts, id, decision)).filter(|all| all.len() > 1)
        });
        if let Some(group) = group {
            done = group.last().map_or(done, |&last| doc.end(last));
            complete_entries(page, facts, &group, decision);
        }
    }
}

/// An element with its neighbours of the same name and class, up to a number of them. What is not kept may stand between two: an
/// advertisement.
fn entries(page: &Page<'_>, facts: &PageFeatures, entry: NodeId, decision: &RowDecision) -> Vec<NodeId> {
    const MOST_BEFORE: usize = 50;
    const MOST: usize = 200;
    let doc = page.doc;
    let Some(class) = doc.attr(entry, LocalName::CLASS) else { return Vec::new() };
    let is_alike = |id: &NodeId| doc.name(*id) == doc.name(entry) && doc.attr(*id, LocalName::CLASS) == Some(class);
    let is_between = |id: NodeId| match doc.is_text(id) {
        true => doc.text(id).trim().is_empty(),
        false => {
            let rows = facts.context.rows(page, id);
            rows.len() <= 1 && !rows.into_iter().any(|row| decision.keep[row])
        }
    };
    let counts = |id: &NodeId| is_alike(id) || !is_between(*id);
    let before = std::iter::successors(doc.prev_sibling(entry), |&id| doc.prev_sibling(id)).take(MOST).filter(counts);
    let first = before.take(MOST_BEFORE).take_while(is_alike).last().unwrap_or(entry);
    let behind = std::iter::successors(Some(first), |&id| doc.next_sibling(id)).take(2 * MOST).filter(counts);
    behind.take(MOST).take_while(is_alike).collect()
}

/// Keeps what lacks of entries, if all of them have their sentence.
fn complete_entries(page: &Page<'_>, facts: &PageFeatures, group: &[NodeId], decision: &mut RowDecision) {
    const LEAST: f32 = 0.15;
    let rows: Vec<Range<usize>> = group.iter().map(|&id| facts.context.rows(page, id)).collect();
    if !rows.iter().all(|rows| is_kept_entry(page, rows, decision)) {
        return;
    }
    let doc = page.doc;
    let within = |row: &Row, name| {
        let leaf = page.leaves[row.first_leaf as usize].node;
        doc.ancestors(leaf).take(3).any(|id| doc.name(id) == name)
    };
    let says = |row: &Row| page.row_text(row).contains(char::is_alphabetic) || within(row, LocalName::TIME);
    let lacks = |at: &usize| {
        let row = &page.rows[*at];
        !decision.keep[*at] && says(row) && !within(row, LocalName::BUTTON)
    };
    let missing: Vec<usize> = rows.into_iter().flatten().filter(lacks).collect();
    let sum: f32 = missing.iter().map(|&row| decision.probabilities[row]).sum();
    if sum >= LEAST * missing.len() as f32 {
        missing.into_iter().for_each(|row| decision.keep[row] = true);
    }
}

/// Whether an entry has a few rows without links, and the longest of them is a sentence and kept.
fn is_kept_entry(page: &Page<'_>, rows: &Range<usize>, decision: &RowDecision) -> bool {
    if !ENTRY_ROWS.contains(&rows.len()) {
        return false;
    }
    let own = &page.rows[rows.clone()];
    let longest = (0..own.len()).max_by_key(|&row| own[row].chars).unwrap_or(0);
    own.iter().all(|row| row.link_chars == 0)
        && own[longest].chars >= ENTRY_CHARS
        && decision.keep[rows.start + longest]
}
