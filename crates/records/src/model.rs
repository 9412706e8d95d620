//! The accept model, compiled in: a first look at each candidate alone, a second one that knows what the first
//! thought of its neighbours.

#[rustfmt::skip]
mod accept;

/// The first look, and the second, whose features are those of the first and `second::SECOND`.
pub(crate) use accept::{FIRST, SECOND};
