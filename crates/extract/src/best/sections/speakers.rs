//! Who speaks, in plays and interviews: bold rows that stand one by one before what is said.

use std::collections::HashMap;

use gristmill_html::{LocalName, NodeId};
use gristmill_page::Row;

use super::section::Sections;

/// What a row needs to be one, its longest form, and how many of them there are.
const LEAST: f32 = 0.03;
const MAX_CHARS: u32 = 40;
const LEAST_SPEAKERS: usize = 3;

impl Sections<'_> {
    /// Short bold rows right above kept ones that are not, several of which stand in one element with these. Posts have an element each.
    /// O(rows · leaves).
    pub(super) fn speakers(&self) -> Vec<usize> {
        let mut by_element: HashMap<NodeId, Vec<usize>> = HashMap::new();
        for row in 0..self.page.rows.len().saturating_sub(1) {
            if let Some(element) = self.element_of_speaker(row) {
                by_element.entry(element).or_default().push(row);
            }
        }
        by_element.into_values().filter(|rows| rows.len() >= LEAST_SPEAKERS).flatten().collect()
    }

    /// The element in which a row and the kept one below it stand side by side, if the row may be who speaks.
    fn element_of_speaker(&self, at: usize) -> Option<NodeId> {
        let (keep, doc) = (&self.decision.keep, self.page.doc);
        let (row, next) = (&self.page.rows[at], &self.page.rows[at + 1]);
        let may_be = !keep[at]
            && keep[at + 1]
            && row.chars <= MAX_CHARS
            && !row.in_heading
            && self.decision.probabilities[at] >= LEAST
            && self.is_bold(row)
            && !self.is_bold(next)
            && !self.is_control(row);
        let element = may_be.then(|| std::iter::once(row.block).chain(doc.ancestors(row.block)).take(2))?;
        let is_beside = |id: NodeId| next.block == id || doc.parent(next.block) == Some(id);
        element.into_iter().find(|&id| is_beside(id))
    }

    fn is_bold(&self, row: &Row) -> bool {
        let doc = self.page.doc;
        let is_bold = |leaf: NodeId| {
            doc.ancestors(leaf).take(4).any(|id| matches!(doc.name(id), LocalName::B | LocalName::STRONG))
        };
        self.page.row_leaves(row).iter().all(|leaf| is_bold(leaf.node))
    }
}
