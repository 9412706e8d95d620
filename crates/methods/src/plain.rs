//! The identity method: every leaf is main text.

use gristmill_page::{MainTextExtractor, MethodDescription, MethodInput, Page, Selection, Trace, parameters};

/// Keeps everything; recall is 1 by construction.
///
/// Source: Gottron, *Evaluating Content Extraction*, §5 (the plain baseline).
#[derive(Debug, Clone, Copy)]
pub struct KeepAll;

impl MainTextExtractor for KeepAll {
    fn about(&self) -> MethodDescription {
        MethodDescription { name: "plain", paper: "Gottron, Evaluating Content Extraction, §5", cost: "O(n)" }
    }

    parameters! {}

    fn select(&self, page: &Page<'_>, _: &MethodInput<'_>, _: &mut Trace) -> Selection {
        Selection::all(page)
    }
}
