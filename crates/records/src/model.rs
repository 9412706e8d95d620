//! The accept model, compiled in: a first look at each candidate alone, a second one that knows what the first
//! thought of its neighbours.

use crate::trees::ForestRef;

#[rustfmt::skip]
mod accept;

/// The first look.
pub(crate) static FIRST: ForestRef<'static> = accept::FIRST;
/// The second look: its features are those of the first and `features::SECOND`.
pub(crate) static SECOND: ForestRef<'static> = accept::SECOND;
