//! What the layout readers share: containers, labels that are marked as such, and the candidate they make.

use gristmill_html::LocalName;

use crate::candidate::{Candidate, PairLayout};
use crate::view::{ByteRange, RecordView};

/// The parent of the widest element around `node`: what holds it and its siblings.
pub(crate) fn container_of(view: &RecordView, node: usize) -> usize {
    view.parent(view.widest(node))
}

/// Whether the element marks its text as a label.
pub(crate) fn is_marking(name: LocalName) -> bool {
    matches!(
        name,
        LocalName::B
            | LocalName::STRONG
            | LocalName::LABEL
            | LocalName::TH
            | LocalName::DT
            | LocalName::EM
            | LocalName::H2
            | LocalName::H3
            | LocalName::H4
            | LocalName::H5
            | LocalName::H6
    )
}

/// Whether the first leaf of `a..` stands in a marking element that ends at or before `b`.
pub(crate) fn is_marked(view: &RecordView, leaf: usize, within: usize) -> bool {
    let mut at = view.parent(view.leaves[leaf].node.index());
    while at > within {
        if is_marking(view.name(at)) {
            return true;
        }
        at = view.parent(at);
    }
    is_marking(view.name(at))
}

/// A candidate of two spans, with the facts that every layout shares.
pub(crate) fn pair(
    layout: PairLayout,
    name: ByteRange,
    value: ByteRange,
    element: usize,
    container: usize,
) -> Candidate {
    Candidate {
        layout,
        name,
        value,
        element: element as u32,
        container: container as u32,
        record: 0,
        facts: 0,
        columns: 0,
    }
}
