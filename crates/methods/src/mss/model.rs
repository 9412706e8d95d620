//! The learned scores of MSS, and the file that holds them.
//!
//! ```text
//! "GMSS"  version u8
//! notes   u32 length, UTF-8 text: packages, licences, scores
//! prior   i8
//! tags    u16 count, each: u8 length, name, i8 log-odds
//! trigrams u32 count, all hashes u32 ascending, all log-odds i8
//! ```
//! Little-endian; log-odds in sixteenths of a natural logarithm.

use std::collections::HashMap;
use std::sync::LazyLock;

use gristmill_page::Page;

use crate::mss::features::Features;

/// Log-odds that a token is main text: of its trigram, of the tag that it stands in, and before either is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MssModel {
    /// What it was trained on and how well it did, as `name: value` lines.
    pub notes: String,
    pub(super) prior: i8,
    /// By name, ascending.
    pub(super) tags: Vec<(Box<str>, i8)>,
    /// Ascending.
    pub(super) hashes: Vec<u32>,
    pub(super) odds: Vec<i8>,
    /// For each value of the upper 16 bits the index of the first hash that has it or more; one more at the end.
    buckets: Vec<u32>,
}

/// Why bytes are no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// Another kind of file.
    #[error("not a model of MSS: the first bytes are not `GMSS`")]
    Magic,
    /// Written by another version.
    #[error("model of version {found}, but this program reads version {}", MssModel::VERSION)]
    Version {
        /// Its version.
        found: u8,
    },
    /// The bytes end too early, or go on after the end.
    #[error("model of {len} bytes is cut off or has something behind it")]
    Length {
        /// Length of the file.
        len: usize,
    },
    /// Text that is no UTF-8, or entries out of order.
    #[error("model is damaged: {0}")]
    Damaged(&'static str),
}

/// Steps of the log-odds in one unit.
pub(super) const STEPS: f64 = 16.0;

static SHIPPED: LazyLock<MssModel> = LazyLock::new(|| {
    MssModel::parse(include_bytes!("../../models/mss.bin")).expect("a test reads the model that is compiled in")
});

impl MssModel {
    /// The version of the format.
    pub const VERSION: u8 = 1;

    /// The model that is compiled in; read at the first call.
    pub fn shipped() -> &'static MssModel {
        &SHIPPED
    }

    pub(super) fn new(notes: String, prior: i8, tags: Vec<(Box<str>, i8)>, trigrams: &[(u32, i8)]) -> MssModel {
        let hashes: Vec<u32> = trigrams.iter().map(|&(hash, _)| hash).collect();
        let odds = trigrams.iter().map(|&(_, odds)| odds).collect();
        let buckets = (0..=1u32 << 16).map(|upper| hashes.partition_point(|&hash| hash >> 16 < upper) as u32).collect();
        MssModel { notes, prior, tags, hashes, odds, buckets }
    }

    /// How many trigrams it knows.
    pub fn n_trigrams(&self) -> usize {
        self.hashes.len()
    }

    /// P(main text) − 0.5 for each token: naive Bayes over its trigram and its tag, of which an unknown one says
    /// nothing. O(tokens).
    pub(super) fn scores(&self, page: &Page<'_>, features: &[Features], bias: f64) -> Vec<f64> {
        let mut known: HashMap<_, i8> = HashMap::new();
        let mut score = |features: &Features| {
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

    /// The file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = b"GMSS".to_vec();
        bytes.push(Self::VERSION);
        bytes.extend((self.notes.len() as u32).to_le_bytes());
        bytes.extend(self.notes.as_bytes());
        bytes.push(self.prior as u8);
        bytes.extend((self.tags.len() as u16).to_le_bytes());
        for (name, odds) in &self.tags {
            bytes.push(name.len() as u8);
            bytes.extend(name.as_bytes());
            bytes.push(*odds as u8);
        }
        bytes.extend((self.hashes.len() as u32).to_le_bytes());
        bytes.extend(self.hashes.iter().flat_map(|hash| hash.to_le_bytes()));
        bytes.extend(self.odds.iter().map(|&odds| odds as u8));
        bytes
    }

    /// Reads the file. Every length is checked.
    pub fn parse(bytes: &[u8]) -> Result<MssModel, ModelError> {
        let mut reader = Reader { rest: bytes, len: bytes.len() };
        if reader.take(4)? != b"GMSS" {
            return Err(ModelError::Magic);
        }
        let found = reader.array::<1>()?[0];
        if found != Self::VERSION {
            return Err(ModelError::Version { found });
        }
        let n = u32::from_le_bytes(reader.array()?) as usize;
        let notes = reader.text(n)?.to_owned();
        let prior = i8::from_le_bytes(reader.array()?);
        let n = u16::from_le_bytes(reader.array()?);
        let mut tags: Vec<(Box<str>, i8)> = Vec::new();
        for _ in 0..n {
            let len = usize::from(reader.array::<1>()?[0]);
            let name = reader.text(len)?.into();
            tags.push((name, i8::from_le_bytes(reader.array()?)));
        }
        let n = u32::from_le_bytes(reader.array()?) as usize;
        let hashes = reader.take(n.checked_mul(4).ok_or(ModelError::Length { len: bytes.len() })?)?;
        let hashes = hashes.as_chunks::<4>().0.iter().map(|chunk| u32::from_le_bytes(*chunk));
        let trigrams: Vec<(u32, i8)> = hashes.zip(reader.take(n)?.iter().map(|&odds| odds as i8)).collect();
        if !reader.rest.is_empty() {
            return Err(ModelError::Length { len: bytes.len() });
        }
        if !tags.is_sorted_by(|a, b| a.0 < b.0) || !trigrams.is_sorted_by(|a, b| a.0 < b.0) {
            return Err(ModelError::Damaged("entries are out of order"));
        }
        Ok(MssModel::new(notes, prior, tags, &trigrams))
    }
}

/// The logistic function.
fn probability(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

struct Reader<'b> {
    rest: &'b [u8],
    len: usize,
}

impl<'b> Reader<'b> {
    fn take(&mut self, n: usize) -> Result<&'b [u8], ModelError> {
        let (taken, rest) = self.rest.split_at_checked(n).ok_or(ModelError::Length { len: self.len })?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ModelError> {
        Ok(self.take(N)?.try_into().expect("take gives as many as asked for"))
    }

    fn text(&mut self, n: usize) -> Result<&'b str, ModelError> {
        std::str::from_utf8(self.take(n)?).map_err(|_| ModelError::Damaged("text is no UTF-8"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> MssModel {
        let tags = vec![("a".into(), -20), ("p".into(), 12)];
        MssModel::new("pages: 3".to_owned(), -4, tags, &[(7, 3), (0x0001_0000, -128), (u32::MAX, 127)])
    }

    #[test]
    fn a_model_is_read_as_it_was_written() {
        assert_eq!(MssModel::parse(&model().to_bytes()), Ok(model()));
    }

    #[test]
    fn what_is_not_known_says_nothing() {
        let model = model();
        assert_eq!([7, 8, 0x0001_0000, u32::MAX].map(|hash| model.trigram(hash)), [3, 0, -128, 127]);
        assert_eq!(["a", "b", "p"].map(|name| model.tag(name)), [-20, 0, 12]);
    }

    #[test]
    fn a_file_that_is_cut_off_anywhere_is_refused() {
        let bytes = model().to_bytes();
        for end in 0..bytes.len() {
            assert_eq!(MssModel::parse(&bytes[..end]), Err(ModelError::Length { len: end }), "{end}");
        }
        assert_eq!(MssModel::parse(&[&bytes[..], b"x"].concat()), Err(ModelError::Length { len: bytes.len() + 1 }));
    }

    #[test]
    fn another_file_another_version_and_a_wrong_order_are_told() {
        assert_eq!(MssModel::parse(b"PNG\r\n"), Err(ModelError::Magic));
        let mut bytes = model().to_bytes();
        bytes[4] = 9;
        assert_eq!(
            MssModel::parse(&bytes).unwrap_err().to_string(),
            "model of version 9, but this program reads version 1"
        );
        let swapped = MssModel::new(String::new(), 0, Vec::new(), &[(8, 0), (7, 0)]);
        assert!(matches!(MssModel::parse(&swapped.to_bytes()), Err(ModelError::Damaged(_))));
    }

    #[test]
    fn the_shipped_model_is_small_knows_where_it_comes_from_and_prefers_paragraphs() {
        let model = MssModel::shipped();
        assert!(model.to_bytes().len() <= 400_000);
        for name in ["packages: ", "licences: ", "training set: ", "cross-validated word F1: "] {
            assert!(model.notes.contains(name), "{}", model.notes);
        }
        assert!(model.n_trigrams() > 10_000 && model.tag("p") > 0 && model.tag("p") > model.tag("li"));
    }
}
