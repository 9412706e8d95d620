//! The model: scores of class words, trees for the first and the second look.

use gristmill_trees::ForestRef;

/// What class words were learnt to mean: hashes ascending, and the log odds that text below them is main text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tokens<'m> {
    /// Upper halves of the words' hashes, ascending.
    pub words: &'m [u32],
    /// A score for each.
    pub scores: &'m [f32],
}

impl Tokens<'_> {
    /// The score of a word; 0 for one that says nothing.
    pub(super) fn score(self, word: u64) -> f32 {
        self.words.binary_search(&((word >> 32) as u32)).map_or(0.0, |at| self.scores[at])
    }
}

/// Everything that was learnt.
#[derive(Debug, Clone, Copy)]
pub struct Model<'m> {
    /// Class words.
    pub tokens: Tokens<'m>,
    /// Rows by themselves and what stands around them.
    pub first: ForestRef<'m>,
    /// The same with what the first look thinks of the neighbours.
    pub second: ForestRef<'m>,
    /// Expected F1 (in steps of a tenth from 0) as it turns out to be.
    pub calibration: &'m [f32],
}

impl Model<'_> {
    /// The F1 that pages with this expectation had, on sites that the model had not seen. Straight lines between the
    /// table's points.
    pub(super) fn calibrated(&self, expected: f32) -> f32 {
        let Some(last) = self.calibration.len().checked_sub(1) else { return expected };
        let at = expected.clamp(0.0, 1.0) * last as f32;
        let low = (at as usize).min(last);
        let high = (low + 1).min(last);
        self.calibration[low] + (self.calibration[high] - self.calibration[low]) * (at - low as f32)
    }
}
