//! The layout readers: every way in which pages write a name beside its value, each giving candidates.
//!
//! They are generous on purpose, and several may read the same text: deciding is the job of `accept` (or of the
//! located area and a fixed order for the paper's method).

mod colon;
mod list;
mod siblings;
mod table;

pub(crate) use siblings::signature;

use gristmill_html::Name;

use crate::candidate::{Candidate, Found, Layout};
use crate::dictionary::Dictionary;
use crate::view::{Span, View};

/// Most candidates of one page.
pub(crate) const MAX_CANDIDATES: usize = 6_000;

/// All candidates of a page, grouped by layout. O(nodes + text), bounded by [`MAX_CANDIDATES`].
pub(crate) fn read(view: &View, dictionary: &Dictionary) -> Found {
    let mut found = Found::new(MAX_CANDIDATES);
    for index in 0..view.doc.len() {
        if found.full() {
            found.hit_limit = true;
            break;
        }
        match view.name(index) {
            Name::TEXT | Name::DOCUMENT | Name::HTML => {}
            Name::TABLE => table::read(view, index, &mut found),
            Name::DL => list::read(view, index, &mut found),
            Name::TR | Name::THEAD | Name::TBODY | Name::TFOOT => {}
            _ if view.n_leaves(index) >= 2 => siblings::read(view, index, &mut found),
            _ => {}
        }
    }
    colon::read(view, dictionary, &mut found);
    found
}

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
    let mut at = view.parent(view.leaves[leaf].node as usize);
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
