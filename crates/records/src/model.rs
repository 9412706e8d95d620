//! The accept model, compiled in.

use crate::trees::ForestRef;

#[rustfmt::skip]
mod accept;

/// Probability that a candidate is an attribute of the page's product.
pub(crate) static ACCEPT: ForestRef<'static> = accept::FOREST;
