//! The identity method: every leaf is main text.

use crate::method::{Extractor, MethodInfo, Query};
use crate::page::Page;
use crate::selection::Selection;
use crate::trace::Trace;

/// Keeps everything; recall is 1 by construction.
///
/// Source: Gottron, *Evaluating Content Extraction*, §5 (the plain baseline).
#[derive(Debug, Clone, Copy)]
pub struct Plain;

impl Extractor for Plain {
    fn info(&self) -> MethodInfo {
        MethodInfo {
            name: "plain",
            paper: "Gottron, Evaluating Content Extraction, §5",
            parameters: String::new(),
            cost: "O(n)",
        }
    }

    fn select(&self, page: &Page<'_>, _: &Query<'_>, _: &mut Trace) -> Selection {
        Selection::all(page)
    }
}
