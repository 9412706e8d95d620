//! Pairs inside of rows: `name: value`, the value in the next row, a marked label, a known name.

use gristmill_html::LocalName;
use gristmill_page::Row;

use super::parts::{container_of, is_marked, pair};
use crate::candidate::{Candidate, CandidateList, MAX_VALUE, PairLayout, delimiter};
use crate::dictionary::Dictionary;
use crate::view::{ByteRange, RecordView};

pub(super) fn read(view: &RecordView, dictionary: &Dictionary, found: &mut CandidateList) {
    for n in 0..view.rows.len() {
        if found.full() {
            found.hit_limit = true;
            return;
        }
        read_row(view, dictionary, n, found);
    }
}

fn read_row(view: &RecordView, dictionary: &Dictionary, n: usize, found: &mut CandidateList) {
    let row = &view.rows[n];
    let span = view.row_span(row);
    let text = view.slice(span);
    if text.len() > MAX_VALUE {
        return;
    }
    if let Some((name, value)) = bracketed(view, n) {
        colon(view, n, name, value, found);
        return;
    }
    match delimiter(text) {
        Some((at, len)) => {
            let name = ByteRange { start: span.start, end: span.start + at as u32 };
            let value = ByteRange { start: name.end + len as u32, end: span.end };
            if view.slice(value).trim().is_empty() {
                next_line(view, n, span, true, found);
                block(view, row, span, found);
            } else {
                colon(view, n, name, value, found);
                parts(view, row, found);
                divided(view, row, span, found);
                block(view, row, name, found);
            }
        }
        None => {
            label(view, n, span, found);
            known(view, dictionary, n, span, found);
            dash(view, n, span, found);
            if row_is_marked(view, row) || dictionary.kind(text).is_some() {
                next_line(view, n, span, false, found);
            }
        }
    }
}

/// `【素材】鋳鉄` in one of several such rows, as Japanese shops list what a thing is like. One alone is a call.
fn bracketed(view: &RecordView, n: usize) -> Option<(ByteRange, ByteRange)> {
    const MAX_NAME: usize = 40;
    /// What is longer is prose.
    const MAX_BYTES: usize = 120;
    const OPEN: char = '【';
    const CLOSE: char = '】';
    let begins = |row: Option<&Row>| row.is_some_and(|row| view.slice(view.row_span(row)).starts_with(OPEN));
    let span = view.row_span(&view.rows[n]);
    let (name, value) = view.slice(span).strip_prefix(OPEN)?.split_once(CLOSE)?;
    let is_one_of_several = begins(n.checked_sub(1).map(|above| &view.rows[above])) || begins(view.rows.get(n + 1));
    let is_short = name.len() <= MAX_NAME && value.len() <= MAX_BYTES;
    let is_pair = is_short && !name.is_empty() && !value.trim().is_empty() && !value.contains(OPEN);
    let start = span.start + OPEN.len_utf8() as u32;
    let end = start + name.len() as u32;
    let value = ByteRange { start: end + CLOSE.len_utf8() as u32, end: span.end };
    (is_one_of_several && is_pair).then_some((ByteRange { start, end }, value))
}

fn row_is_marked(view: &RecordView, row: &Row) -> bool {
    (row.first_leaf..row.end_leaf).all(|leaf| is_marked(view, leaf as usize, row.block.index()))
}

/// The element of a row and the container of it and its siblings: the row's block, or the block's parent when the
/// row is all of it.
fn place(view: &RecordView, row: &Row) -> (usize, usize) {
    let block = row.block.index();
    if view.leaf_range(block) == (row.first_leaf as usize, row.end_leaf as usize) {
        (block, container_of(view, block))
    } else {
        (block, block)
    }
}

fn push(
    view: &RecordView,
    layout: PairLayout,
    row: &Row,
    name: ByteRange,
    value: ByteRange,
    facts: u16,
    found: &mut CandidateList,
) {
    let (element, container) = place(view, row);
    let mut candidate = pair(layout, name, value, element, container);
    candidate.facts = facts;
    let leaf = view.leaf_at(name.start);
    if is_marked(view, leaf, row.block.index()) {
        candidate.facts |= Candidate::NAME_MARKED;
    }
    if view.leaf_at(value.start) != leaf {
        candidate.facts |= Candidate::DISTINCT;
    }
    found.push(view, candidate);
}

fn colon(view: &RecordView, n: usize, name: ByteRange, value: ByteRange, found: &mut CandidateList) {
    push(view, PairLayout::Colon, &view.rows[n], name, value, Candidate::DELIMITED, found);
}

/// Several `name: value` in one row, divided at the leaves that hold a delimiter.
fn parts(view: &RecordView, row: &Row, found: &mut CandidateList) {
    let starts = part_starts(view, row);
    if starts.len() < 2 {
        return;
    }
    for (n, &start) in starts.iter().enumerate() {
        let end = starts.get(n + 1).copied().unwrap_or(row.end_leaf as usize);
        let span = view.span(start, end);
        if let Some((at, len)) = delimiter(view.slice(span)) {
            let name = ByteRange { start: span.start, end: span.start + at as u32 };
            let value = ByteRange { start: name.end + len as u32, end: span.end };
            push(view, PairLayout::ColonPart, row, name, value, Candidate::DELIMITED, found);
        }
    }
}

/// Marks between several `name: value` of one row.
const BETWEEN: [&str; 6] = [" | ", " · ", " • ", "; ", "；", "\n"];

/// Several `name: value` in one row with marks between them: `Width: 3 m | Weight: 2 kg`.
fn divided(view: &RecordView, row: &Row, span: ByteRange, found: &mut CandidateList) {
    const MOST: usize = 40;
    let text = view.slice(span);
    let are_pairs = |mark: &&&str| {
        let mut parts = text.split(**mark).take(MOST);
        text.contains(**mark)
            && parts.all(|part| delimiter(part).is_some_and(|(at, len)| at > 0 && at + len < part.len()))
    };
    let Some(mark) = BETWEEN.iter().find(are_pairs) else { return };
    let mut start = span.start;
    for part in text.split(mark).take(MOST) {
        let end = start + part.len() as u32;
        if let Some((at, len)) = delimiter(part) {
            let name = ByteRange { start, end: start + at as u32 };
            let value = ByteRange { start: name.end + len as u32, end };
            push(view, PairLayout::ColonPart, row, name, value, Candidate::DELIMITED, found);
        }
        start = end + mark.len() as u32;
    }
}

/// The leaves at which a pair begins: those with a delimiter, or the one before a leaf that starts with it.
fn part_starts(view: &RecordView, row: &Row) -> Vec<usize> {
    let mut starts: Vec<usize> = Vec::new();
    for leaf in row.first_leaf as usize..row.end_leaf as usize {
        let text = view.slice(view.span(leaf, leaf + 1));
        match delimiter(text) {
            Some((0, _)) if leaf > row.first_leaf as usize && starts.last() != Some(&(leaf - 1)) => {
                starts.push(leaf - 1)
            }
            Some((at, _)) if at > 0 => starts.push(leaf),
            _ => {}
        }
    }
    starts
}

/// `name:` at the start of an element of several rows: the value is the rest of the element.
fn block(view: &RecordView, row: &Row, name: ByteRange, found: &mut CandidateList) {
    let mut element = row.block.index();
    // Climb while the row stays the first of the element.
    for _ in 0..6 {
        let (a, b) = view.leaf_range(element);
        if a != row.first_leaf as usize
            || matches!(view.name(element), LocalName::BODY | LocalName::TABLE | LocalName::TBODY | LocalName::TR)
        {
            return;
        }
        if b > row.end_leaf as usize {
            if view.n_rows(a, b) <= 40 {
                let value = ByteRange { start: name.end, end: view.span(a, b).end };
                let mut candidate = pair(PairLayout::ColonBlock, name, value, element, container_of(view, element));
                candidate.facts = Candidate::DELIMITED;
                if is_marked(view, row.first_leaf as usize, element) {
                    candidate.facts |= Candidate::NAME_MARKED;
                }
                found.push(view, candidate);
            }
            return;
        }
        element = view.parent(element);
    }
}

/// The name fills the row, the value is the next row, in the same container or one beside it.
fn next_line(view: &RecordView, n: usize, name: ByteRange, delimited: bool, found: &mut CandidateList) {
    let Some(next) = view.rows.get(n + 1) else { return };
    let row = &view.rows[n];
    let value = view.row_span(next);
    let text = view.slice(value);
    if delimiter(text).is_some_and(|(at, len)| at + len == text.len()) || !are_near(view, row, next) {
        return;
    }
    if !delimited && row_is_marked(view, next) {
        return;
    }
    let facts = if delimited { Candidate::DELIMITED } else { 0 };
    push(view, PairLayout::NextLine, row, name, value, facts, found);
}

/// Whether the blocks of two rows are the same, siblings, or cousins.
fn are_near(view: &RecordView, row: &Row, next: &Row) -> bool {
    let up = |node: usize, n: usize| (0..n).fold(node, |node, _| view.parent(node));
    let (a, b) = (view.widest(row.block.index()), view.widest(next.block.index()));
    (0..=2).any(|n| (0..=2).any(|m| up(a, n) == up(b, m)))
}

/// A row whose first leaf is set apart from the rest by an element of its own.
fn label(view: &RecordView, n: usize, span: ByteRange, found: &mut CandidateList) {
    let row = &view.rows[n];
    if row.end_leaf - row.first_leaf == 1 {
        return;
    }
    let first = &view.leaves[row.first_leaf as usize];
    let parent = view.parent(first.node.index());
    let second = &view.leaves[row.first_leaf as usize + 1];
    let own = parent != row.block.index() && view.end(parent) <= second.node.index();
    if own {
        let name = view.span(row.first_leaf as usize, row.first_leaf as usize + 1);
        let value = ByteRange { start: name.end, end: span.end };
        push(view, PairLayout::Label, row, name, value, 0, found);
    }
}

/// A row that begins with a known name, one to four words long, and a space.
fn known(view: &RecordView, dictionary: &Dictionary, n: usize, span: ByteRange, found: &mut CandidateList) {
    let text = view.slice(span);
    if text.len() > 90 {
        return;
    }
    let spaces = text.char_indices().filter(|(_, c)| c.is_whitespace()).map(|(at, _)| at).take(4);
    let best = spaces.filter(|&at| dictionary.kind(&text[..at]).is_some()).last();
    if let Some(at) = best {
        let name = ByteRange { start: span.start, end: span.start + at as u32 };
        push(view, PairLayout::Known, &view.rows[n], name, ByteRange { start: name.end, end: span.end }, 0, found);
    }
}

/// `name - value`, `name – value`, `name = value`, `name | value`.
fn dash(view: &RecordView, n: usize, span: ByteRange, found: &mut CandidateList) {
    let text = view.slice(span);
    if text.len() > 300 {
        return;
    }
    if !text.bytes().any(|byte| matches!(byte, b'-' | b'=' | b'|' | 0xE2)) {
        return;
    }
    let marks = [" - ", " – ", " — ", " = ", " | "];
    let Some((at, mark)) = marks.iter().filter_map(|mark| Some((text.find(mark)?, mark))).min() else { return };
    let name = ByteRange { start: span.start, end: span.start + at as u32 };
    let value = ByteRange { start: name.end + mark.len() as u32, end: span.end };
    push(view, PairLayout::Dash, &view.rows[n], name, value, 0, found);
}
