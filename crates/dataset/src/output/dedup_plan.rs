//! Which duplicates are left out.

use std::path::PathBuf;

use super::dedup::PrintLikeness;
use crate::duplicates::{KeyRunBuilder, MinHashOptions, TextUnit};

/// Which duplicates are left out.
#[derive(Clone)]
pub enum DedupPlan {
    /// None.
    Nothing,
    /// By fingerprints, row by row.
    Prints(PrintLikeness),
    /// By sorted keys, in the corpus as a whole.
    Corpus(CorpusDedupOptions),
}

/// What is compared in a corpus as a whole.
#[derive(Clone)]
pub struct CorpusDedupOptions {
    /// Documents, by MinHash.
    pub minhash: Option<MinHashOptions>,
    /// What of documents is left out of all but one.
    pub unit: Option<TextUnit>,
    /// Folders of earlier datasets.
    pub against: Vec<PathBuf>,
}

impl CorpusDedupOptions {
    /// An empty run of the keys of documents.
    pub fn document_keys(&self) -> KeyRunBuilder {
        KeyRunBuilder::linked(self.minhash.map_or(0, |options| options.buckets))
    }
}
