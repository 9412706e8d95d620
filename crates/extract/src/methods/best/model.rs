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
