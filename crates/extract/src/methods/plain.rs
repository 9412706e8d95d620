//! The identity method: every leaf is main text.

use crate::method::{About, Extractor, Query};
use crate::page::Page;
use crate::parameter::parameters;
use crate::selection::Selection;
use crate::trace::Trace;

/// Keeps everything; recall is 1 by construction.
///
/// Source: Gottron, *Evaluating Content Extraction*, §5 (the plain baseline).
#[derive(Debug, Clone, Copy)]
pub struct Plain;

impl Extractor for Plain {
    fn about(&self) -> About {
        About { name: "plain", paper: "Gottron, Evaluating Content Extraction, §5", cost: "O(n)" }
    }

    parameters! {}

    fn select(&self, page: &Page<'_>, _: &Query<'_>, _: &mut Trace) -> Selection {
        Selection::all(page)
    }
}
