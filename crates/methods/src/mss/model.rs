//! The learned scores of MSS, and the file that holds them: log-odds in sixteenths of a natural logarithm.

use std::collections::HashMap;
use std::sync::LazyLock;

use gristmill_models::{MSS, ModelError, ModelFile};
use gristmill_page::Page;

use crate::mss::features::TokenFeatures;

/// Log-odds that a token is main text: of its trigram, of the tag that it stands in, and before either is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MssModel {
    pub(super) prior: i8,
    /// By name, ascending.
    pub(super) tags: Vec<(Box<str>, i8)>,
    /// Ascending.
    pub(super) hashes: Vec<u32>,
    pub(super) odds: Vec<i8>,
    /// For each value of the upper 16 bits the index of the first hash that has it or more; one more at the end.
    buckets: Vec<u32>,
}

/// Steps of the log-odds in one unit.
pub(super) const STEPS: f64 = 16.0;

static SHIPPED: LazyLock<MssModel> = LazyLock::new(|| MSS.load(MssModel::read));

impl MssModel {
    /// The model that is compiled in; read at the first call.
    pub fn shipped() -> &'static MssModel {
        &SHIPPED
    }

    pub(super) fn new(prior: i8, tags: Vec<(Box<str>, i8)>, trigrams: &[(u32, i8)]) -> MssModel {
        let hashes: Vec<u32> = trigrams.iter().map(|&(hash, _)| hash).collect();
        let odds = trigrams.iter().map(|&(_, odds)| odds).collect();
        let buckets = (0..=1u32 << 16).map(|upper| hashes.partition_point(|&hash| hash >> 16 < upper) as u32).collect();
        MssModel { prior, tags, hashes, odds, buckets }
    }

    /// How many trigrams it knows.
    pub fn n_trigrams(&self) -> usize {
        self.hashes.len()
    }

    /// P(main text) − 0.5 for each token: naive Bayes over its trigram and its tag, of which an unknown one says
    /// nothing. O(tokens).
    pub(super) fn scores(&self, page: &Page<'_>, features: &[TokenFeatures], bias: f64) -> Vec<f64> {
        let mut known: HashMap<_, i8> = HashMap::new();
        let mut score = |features: &TokenFeatures| {
            let tag =
                features.tag.map_or(0, |name| *known.entry(name).or_insert_with(|| self.tag(page.doc.name_str(name))));
            let sum = i32::from(self.prior) + i32::from(self.trigram(features.trigram)) + i32::from(tag);
            probability(f64::from(sum) / STEPS + bias) - 0.5
        };
        features.iter().map(&mut score).collect()
    }

    fn trigram(&self, hash: u32) -> i8 {
        let bucket = (hash >> 16) as usize;
        let range = self.buckets[bucket] as usize..self.buckets[bucket + 1] as usize;
        self.hashes[range.clone()].binary_search(&hash).map_or(0, |at| self.odds[range.start + at])
    }

    fn tag(&self, name: &str) -> i8 {
        self.tags.binary_search_by(|(known, _)| known.as_ref().cmp(name)).map_or(0, |at| self.tags[at].1)
    }

    /// The model as a file with this card.
    pub fn to_file(&self, card: &str) -> ModelFile {
        let (tags, odds) = self.tags.iter().map(|(tag, odds)| (tag.to_string(), *odds)).unzip();
        ModelFile::new(card)
            .with("prior", vec![self.prior])
            .with("tags", tags)
            .with("tag_odds", odds)
            .with("trigrams", self.hashes.clone())
            .with("trigram_odds", self.odds.clone())
    }

    /// The model in a file.
    ///
    /// # Errors
    /// If the file holds the model of something else, or entries are out of order.
    pub fn read(file: &ModelFile) -> Result<MssModel, ModelError> {
        let (tags, tag_odds) = (file.table::<String>("tags")?, file.table::<i8>("tag_odds")?);
        let (trigrams, odds) = (file.table::<u32>("trigrams")?, file.table::<i8>("trigram_odds")?);
        if tags.len() != tag_odds.len() || trigrams.len() != odds.len() {
            return Err(ModelError::Shape("each tag and each trigram has its log-odds"));
        }
        if !tags.is_sorted_by(|a, b| a < b) || !trigrams.is_sorted_by(|a, b| a < b) {
            return Err(ModelError::Shape("tags and trigrams ascend"));
        }
        let tags = tags.iter().map(|tag| tag.as_str().into()).zip(tag_odds.iter().copied()).collect();
        let trigrams: Vec<(u32, i8)> = trigrams.iter().copied().zip(odds.iter().copied()).collect();
        Ok(MssModel::new(file.number("prior")?, tags, &trigrams))
    }
}

/// The logistic function.
fn probability(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> MssModel {
        let tags = vec![("a".into(), -20), ("p".into(), 12)];
        MssModel::new(-4, tags, &[(7, 3), (0x0001_0000, -128), (u32::MAX, 127)])
    }

    #[test]
    fn a_model_is_read_as_it_was_written() {
        assert_eq!(MssModel::read(&model().to_file("card")), Ok(model()));
    }

    #[test]
    fn what_is_not_known_says_nothing() {
        let model = model();
        assert_eq!([7, 8, 0x0001_0000, u32::MAX].map(|hash| model.trigram(hash)), [3, 0, -128, 127]);
        assert_eq!(["a", "b", "p"].map(|name| model.tag(name)), [-20, 0, 12]);
    }

    #[test]
    fn entries_out_of_order_and_files_of_something_else_are_refused() {
        let swapped = MssModel::new(0, Vec::new(), &[(8, 0), (7, 0)]);
        assert!(matches!(MssModel::read(&swapped.to_file("")), Err(ModelError::Shape(_))));
        assert!(matches!(MssModel::read(&ModelFile::new("")), Err(ModelError::Table { .. })));
    }

    #[test]
    fn the_shipped_model_is_small_and_prefers_paragraphs() {
        let model = MssModel::shipped();
        assert!(MSS.bytes.len() <= 400_000);
        assert!(model.n_trigrams() > 10_000 && model.tag("p") > 0 && model.tag("p") > model.tag("li"));
    }
}
