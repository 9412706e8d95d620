//! Pairs built from any elements: two children side by side, or children that take turns.

use gristmill_html::LocalName;

use super::parts::{container_of, is_marking, pair};
use crate::candidate::{Candidate, CandidateList, MAX_NAME, MAX_VALUE, PairLayout};
use crate::dictionary::{Dictionary, NameKind};
use crate::view::RecordView;

/// Most children of one element that are looked at.
const MAX_ITEMS: usize = 400;

pub(super) fn read(view: &RecordView, dictionary: &Dictionary, element: usize, found: &mut CandidateList) {
    let items = view.items(element, MAX_ITEMS);
    let bytes = view.span_of(element).len();
    match items.len() {
        0 | 1 => {}
        2 if bytes <= MAX_NAME + MAX_VALUE => two(view, element, items[0], items[1], found),
        3 if is_separator(view, items[1]) => two(view, element, items[0], items[2], found),
        _ => {}
    }
    if items.len() >= 4 {
        alternating(view, element, &items, found);
    }
    if are_bare_pairs(view, dictionary, &items) {
        for two in items.chunks_exact(2) {
            let (name, value) = (view.span_of(two[0]), view.span_of(two[1]));
            let mut candidate = pair(PairLayout::Alternating, name, value, two[0], element);
            candidate.columns = items.len().min(999) as u16;
            found.push(view, candidate);
        }
    }
    if items.len() == 2 {
        columns(view, element, items[0], items[1], found);
    }
}

fn is_separator(view: &RecordView, item: usize) -> bool {
    let text = view.slice(view.span_of(item));
    let is_leader = || text.chars().all(|c| matches!(c, '.' | '…' | '_' | '-' | '·' | ' '));
    text.len() <= 4 && !text.chars().any(char::is_alphanumeric) || text.len() <= MAX_NAME && is_leader()
}

fn two(view: &RecordView, element: usize, name: usize, value: usize, found: &mut CandidateList) {
    if matches!(view.name(element), LocalName::BODY | LocalName::TABLE | LocalName::DL) || view.n_leaves(name) > 6 {
        return;
    }
    let mut candidate =
        pair(PairLayout::TwoCells, view.span_of(name), view.span_of(value), element, container_of(view, element));
    facts(view, name, value, &mut candidate);
    found.push(view, candidate);
}

fn facts(view: &RecordView, name: usize, value: usize, candidate: &mut Candidate) {
    if is_marking(view.name(name)) || super::is_marked(view, view.leaves_before(name), name) {
        candidate.facts |= Candidate::NAME_MARKED;
    }
    if signature(view, name) != signature(view, value) {
        candidate.facts |= Candidate::DISTINCT;
    }
}

/// Tag and class of a node as one number; 0 for text.
pub(crate) fn signature(view: &RecordView, node: usize) -> u64 {
    let id = view.doc.id(node);
    if view.doc.is_text(id) {
        return 0;
    }
    let class = view.doc.attr(id, LocalName::CLASS).unwrap_or("");
    let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ (view.doc.name(id).index() as u64 + 1);
    for byte in class.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

/// Children A B A B …: A names, B values. The first child may be a heading of its own.
fn alternating(view: &RecordView, element: usize, items: &[usize], found: &mut CandidateList) {
    let signatures: Vec<u64> = items.iter().map(|&item| signature(view, item)).collect();
    let first = if signatures.iter().filter(|&&s| s == signatures[0]).count() > 1 { 0 } else { 1 };
    let (a, b) = (signatures[first], signatures[first + 1]);
    if a == b || a == 0 {
        return;
    }
    let pairs: Vec<usize> =
        (first..items.len() - 1).filter(|&n| signatures[n] == a && signatures[n + 1] == b).collect();
    let n_names = signatures.iter().filter(|&&s| s == a).count();
    if pairs.len() < 2 || pairs.len() * 3 < n_names * 2 {
        return;
    }
    for n in pairs {
        let (name, value) = (items[n], items[n + 1]);
        // Several values may follow one name.
        let mut last = n + 1;
        while last + 1 < items.len() && signatures[last + 1] == b {
            last += 1;
        }
        let (from, to) = (view.leaf_range(value).0, view.leaf_range(items[last]).1);
        let mut candidate = pair(PairLayout::Alternating, view.span_of(name), view.span(from, to), name, element);
        facts(view, name, value, &mut candidate);
        candidate.columns = items.len().min(999) as u16;
        found.push(view, candidate);
    }
}

/// Whether children that are all alike take turns as names and values: many of those in the places of names are known ones, and none of
/// the others is. A style sheet sets them in two columns.
fn are_bare_pairs(view: &RecordView, dictionary: &Dictionary, items: &[usize]) -> bool {
    const LEAST: usize = 6;
    const KNOWN: usize = 4;
    let is_plain = |&item: &usize| matches!(view.name(item), LocalName::DIV | LocalName::SPAN | LocalName::P);
    if items.len() < LEAST || !items.len().is_multiple_of(2) || !items.iter().all(is_plain) {
        return false;
    }
    let own = signature(view, items[0]);
    let is_known = |item: usize| {
        let text = view.slice(view.span_of(item));
        text.len() <= MAX_NAME && dictionary.kind_loose(text) == Some(NameKind::Spec)
    };
    let pairs = || items.chunks_exact(2);
    let n_known = || pairs().filter(|pair| is_known(pair[0])).count();
    items.iter().all(|&item| signature(view, item) == own)
        && n_known() >= 2
        && n_known() * KNOWN >= items.len() / 2
        && !pairs().any(|pair| is_known(pair[1]))
}

/// Two children with the same number of text-bearing children each: a column of names beside one of values.
fn columns(view: &RecordView, element: usize, left: usize, right: usize, found: &mut CandidateList) {
    let (names, values) = (inner_items(view, left), inner_items(view, right));
    if names.len() < 2 || names.len() != values.len() || names.len() > 100 {
        return;
    }
    for (&name, &value) in names.iter().zip(&values) {
        let mut candidate = pair(PairLayout::Columns, view.span_of(name), view.span_of(value), element, element);
        facts(view, name, value, &mut candidate);
        candidate.columns = names.len() as u16;
        found.push(view, candidate);
    }
}

fn inner_items(view: &RecordView, node: usize) -> Vec<usize> {
    let mut node = node;
    for _ in 0..8 {
        let items = view.items(node, 120);
        match items.as_slice() {
            [only] if !view.doc.is_text(view.doc.id(*only)) => node = *only,
            _ => return items,
        }
    }
    Vec::new()
}
