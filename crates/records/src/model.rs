//! The accept model, compiled in: a first look at each candidate alone, a second one that knows what the first
//! thought of its neighbours.

#[rustfmt::skip]
mod accept;

use gristmill_trees::ForestRef;

/// The first look, and the second, whose features are those of the first and `second::SECOND`.
#[derive(Clone, Copy)]
pub(crate) struct Looks<'m> {
    pub first: ForestRef<'m>,
    pub second: ForestRef<'m>,
}

/// As `gristmill train records` made them.
pub(crate) const BUILT_IN: Looks<'static> = Looks { first: accept::FIRST, second: accept::SECOND };
