//! What the layout readers share: containers, labels that are marked as such, and the candidate they make.

use gristmill_html::Name;

use crate::candidate::{Candidate, Layout};
use crate::view::{Span, View};

/// The parent of the widest element around `node`: what holds it and its siblings.
pub(crate) fn container_of(view: &View, node: usize) -> usize {
    view.parent(view.widest(node))
}

/// Whether the element marks its text as a label.
pub(crate) fn is_marking(name: Name) -> bool {
    matches!(
        name,
        Name::B
            | Name::STRONG
            | Name::LABEL
            | Name::TH
            | Name::DT
            | Name::EM
            | Name::H2
            | Name::H3
            | Name::H4
            | Name::H5
            | Name::H6
    )
}

/// Whether the first leaf of `a..` stands in a marking element that ends at or before `b`.
pub(crate) fn is_marked(view: &View, leaf: usize, within: usize) -> bool {
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
pub(crate) fn pair(layout: Layout, name: Span, value: Span, element: usize, container: usize) -> Candidate {
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
