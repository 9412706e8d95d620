//! The model: scores of class words, trees for the first and the second look.

use std::sync::LazyLock;

use gristmill_models::trees::{BatchForest, Forest};
use gristmill_models::{BEST, ModelError, ModelFile};

/// What class words were learnt to mean: the log odds that text below them is main text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TokenTable {
    /// Upper halves of the words' hashes, ascending.
    pub(super) words: Vec<u32>,
    /// A score for each.
    pub(super) scores: Vec<f32>,
}

impl TokenTable {
    /// The score of a word; 0 for one that says nothing.
    pub(super) fn score(&self, word: u64) -> f32 {
        self.words.binary_search(&((word >> 32) as u32)).map_or(0.0, |at| self.scores[at])
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// Everything that was learnt.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BestModel {
    /// Class words.
    pub tokens: TokenTable,
    /// Rows by themselves and what stands around them.
    pub first: Forest,
    /// The same with what the first look thinks of the neighbours.
    pub second: Forest,
    /// Expected F1 (in steps of a tenth from 0) as it turns out to be.
    pub calibration: Vec<f32>,
}

static SHIPPED: LazyLock<BestModel> = LazyLock::new(|| BEST.load(BestModel::read));

/// Both looks of the shipped model, laid out for many rows at once.
pub(super) static LOOKS: LazyLock<[BatchForest; 2]> =
    LazyLock::new(|| [&shipped().first, &shipped().second].map(|forest| BatchForest::from(forest.as_ref())));

/// The model that comes with the program; read at the first call.
pub fn shipped() -> &'static BestModel {
    &SHIPPED
}

impl BestModel {
    /// The model as a file with this card.
    pub fn to_file(&self, card: &str) -> ModelFile {
        let file = ModelFile::new(card)
            .with("tokens.words", self.tokens.words.clone())
            .with("tokens.scores", self.tokens.scores.clone())
            .with("calibration", self.calibration.clone());
        self.second.add_to(self.first.add_to(file, "first"), "second")
    }

    /// The model in a file.
    ///
    /// # Errors
    /// If the file holds the model of something else, or not as many scores as words.
    pub fn read(file: &ModelFile) -> Result<BestModel, ModelError> {
        let tokens =
            TokenTable { words: file.table("tokens.words")?.to_vec(), scores: file.table("tokens.scores")?.to_vec() };
        if tokens.words.len() != tokens.scores.len() || !tokens.words.is_sorted() {
            return Err(ModelError::Shape("each class word has one score, and words ascend"));
        }
        Ok(BestModel {
            tokens,
            first: Forest::read(file, "first")?,
            second: Forest::read(file, "second")?,
            calibration: file.table("calibration")?.to_vec(),
        })
    }

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
