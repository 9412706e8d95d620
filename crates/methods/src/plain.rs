//! The identity method: every leaf is main text.

use gristmill_page::{About, Extractor, Page, Query, Selection, Trace, parameters};

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
