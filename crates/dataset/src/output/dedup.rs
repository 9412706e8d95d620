//! Duplicates left out: rows wait on the disk until there is a batch of them, which is then judged.

use std::path::Path;

use gristmill_text::{MAX_DISTANCE, has_min_words, hash};

use super::dedup_store::{DedupCheckpoint, DedupStore};
use super::row_spool::RowSpool;
use super::source_item::SourceItem;
use crate::DatasetRow;
use crate::duplicates::{DedupBatch, DuplicateOf};

/// Rows of a batch. More are judged faster, and more are read again after a kill.
const BATCH: usize = 1 << 18;

/// Rows that a text is compared with by its fingerprint, the newest: comparing with all would take the square of their number.
const NEWEST: u64 = 1 << 20;

/// How fingerprints tell duplicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrintLikeness {
    /// The same text.
    Equal,
    /// A text whose fingerprint differs in at most [`MAX_DISTANCE`] bits from one of the newest million; never one under 20
    /// words.
    Near,
}

impl PrintLikeness {
    /// What a row is compared by; 0 if it is like no other.
    fn print(self, row: &DatasetRow) -> u64 {
        match self {
            Self::Equal if row.text.is_empty() => 0,
            // 0 has a meaning of its own.
            Self::Equal => hash(row.text.as_bytes()).max(1),
            Self::Near if has_min_words(&row.text) => row.simhash.unwrap_or_default(),
            Self::Near => 0,
        }
    }

    fn max_distance(self) -> u32 {
        match self {
            Self::Equal => 0,
            Self::Near => MAX_DISTANCE,
        }
    }

    /// How many of the rows that were kept a row is compared with.
    fn newest(self) -> u64 {
        match self {
            Self::Equal => u64::MAX,
            Self::Near => NEWEST,
        }
    }
}

/// Takes steps, and gives them back with the originals of those rows that are duplicates.
pub struct Deduplicator {
    dedup: PrintLikeness,
    threads: usize,
    batch: usize,
    spool: RowSpool,
    prints: Vec<u64>,
    kept: DedupStore,
}

/// A step, and what is known of its row.
pub struct DedupDecision {
    pub step: SourceItem,
    pub print: u64,
    pub original: Option<DuplicateOf>,
}

impl Deduplicator {
    /// Goes on behind a mark.
    pub fn open(
        out: &Path,
        dedup: PrintLikeness,
        mark: DedupCheckpoint,
        threads: usize,
    ) -> anyhow::Result<Deduplicator> {
        let kept = DedupStore::open(out, mark)?;
        let spool = RowSpool::create(kept.folder())?;
        Ok(Deduplicator { dedup, threads, batch: BATCH, spool, prints: Vec::new(), kept })
    }

    /// Takes a step. Whether there is a batch now.
    pub fn push(&mut self, step: &SourceItem) -> anyhow::Result<bool> {
        self.spool.push(step)?;
        self.prints.extend(step.row.as_ref().map(|row| self.dedup.print(row)));
        Ok(self.prints.len() >= self.batch)
    }

    /// Judges the steps that were taken.
    pub fn judge(&mut self) -> anyhow::Result<impl Iterator<Item = anyhow::Result<DedupDecision>> + use<>> {
        let prints = std::mem::take(&mut self.prints);
        let mut batch = DedupBatch::new(prints.clone(), self.dedup.max_distance(), self.threads);
        self.kept.for_each(self.dedup.newest(), |first, kept| batch.compare(first, kept))?;
        let mut decided = prints.into_iter().zip(batch.decide(self.kept.len()));
        let steps = std::mem::replace(&mut self.spool, RowSpool::create(self.kept.folder())?).read()?;
        Ok(steps.map(move |step| {
            let step = step?;
            let judged = step.row.as_ref().and_then(|_| decided.next());
            let (print, original) = judged.unwrap_or_default();
            Ok(DedupDecision { step, print, original })
        }))
    }

    /// Notes what became of a row.
    pub fn note(&mut self, url: &str, print: u64, original: Option<DuplicateOf>) -> anyhow::Result<()> {
        match original {
            None => self.kept.keep(print, url),
            Some(original) => self.kept.report(url, original),
        }
    }

    /// How far the files belong to the dataset.
    pub fn mark(&mut self) -> anyhow::Result<DedupCheckpoint> {
        self.kept.mark()
    }
}
