//! The fingerprints and URLs of the rows that a dataset has, on disk, and the report of those that it has not.
//!
//! `dedup/prints` has 16 bytes for each row: its fingerprint, and where its URL begins in `dedup/urls`. Both grow only, and so does
//! `duplicates.jsonl`; a run that goes on cuts them to what the last shard had.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::files::{open_cut, text_between};
use crate::duplicates::DuplicateOf;

/// Bytes of an entry of `prints`.
const ENTRY: u64 = 16;
/// Entries that are read at once.
const PIECE: usize = 1 << 18;

/// How much of the files belongs to the dataset.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DedupCheckpoint {
    /// Rows.
    pub kept: u64,
    pub url_bytes: u64,
    pub report_bytes: u64,
    /// Sorted runs of keys, where duplicates are found in the corpus as a whole.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub runs: u64,
}

/// Whether a count says nothing.
pub fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// The files.
pub struct DedupStore {
    folder: PathBuf,
    prints: BufWriter<File>,
    urls: BufWriter<File>,
    report: BufWriter<File>,
    mark: DedupCheckpoint,
    /// How much has left the buffers.
    flushed: DedupCheckpoint,
}

impl DedupStore {
    /// Opens the files of a dataset, or makes them.
    ///
    /// # Errors
    /// Files that cannot be written, or that are shorter than they were.
    pub fn open(out: &Path, mark: DedupCheckpoint) -> anyhow::Result<DedupStore> {
        let folder = out.join("dedup");
        std::fs::create_dir_all(&folder).with_context(|| format!("could not create `{}`", folder.display()))?;
        Ok(DedupStore {
            prints: open_cut(&folder.join("prints"), mark.kept * ENTRY)?,
            urls: open_cut(&folder.join("urls"), mark.url_bytes)?,
            report: open_cut(&out.join("duplicates.jsonl"), mark.report_bytes)?,
            folder,
            mark,
            flushed: mark,
        })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Rows that were kept.
    pub fn len(&self) -> u64 {
        self.mark.kept
    }

    /// Notes a row that goes into the dataset.
    pub fn keep(&mut self, print: u64, url: &str) -> anyhow::Result<()> {
        let mut entry = [0; ENTRY as usize];
        entry[..8].copy_from_slice(&print.to_le_bytes());
        entry[8..].copy_from_slice(&self.mark.url_bytes.to_le_bytes());
        let written = self.prints.write_all(&entry).and_then(|()| self.urls.write_all(url.as_bytes()));
        self.mark.kept += 1;
        self.mark.url_bytes += url.len() as u64;
        written.with_context(|| format!("could not write into `{}`", self.folder.display()))
    }

    /// Reports a row that does not.
    pub fn report(&mut self, url: &str, original: DuplicateOf) -> anyhow::Result<()> {
        let because_of = self.url(original.number)?;
        let line = json!({"url": url, "duplicate_of": because_of, "distance": original.distance});
        let line = format!("{line}\n");
        self.mark.report_bytes += line.len() as u64;
        self.report.write_all(line.as_bytes()).context("could not write `duplicates.jsonl`")
    }

    fn url(&mut self, number: u64) -> anyhow::Result<String> {
        if number >= self.flushed.kept {
            self.flush()?;
        }
        let start_of = |row: u64| -> std::io::Result<u64> {
            let mut start = [0; 8];
            self.prints.get_ref().read_exact_at(&mut start, row * ENTRY + 8)?;
            Ok(u64::from_le_bytes(start))
        };
        let is_last = number + 1 == self.flushed.kept;
        let read = || -> std::io::Result<String> {
            let start = start_of(number)?;
            let end = if is_last { self.flushed.url_bytes } else { start_of(number + 1)? };
            text_between(self.urls.get_ref(), start, end)
        };
        read().with_context(|| format!("could not read `{}`", self.folder.display()))
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        let flushed = self.prints.flush().and_then(|()| self.urls.flush());
        self.flushed = self.mark;
        flushed.with_context(|| format!("could not write into `{}`", self.folder.display()))
    }

    /// Gives the fingerprints of the last `newest` rows in their order, some at a time, each time with the number of the first.
    pub fn for_each(&mut self, newest: u64, mut take: impl FnMut(u64, &[u64])) -> anyhow::Result<()> {
        self.flush()?;
        let mut read = || -> std::io::Result<()> {
            let start = self.mark.kept.saturating_sub(newest);
            let mut file = File::open(self.folder.join("prints"))?;
            file.seek(SeekFrom::Start(start * ENTRY))?;
            for first in (start..self.mark.kept).step_by(PIECE) {
                let n = (self.mark.kept - first).min(PIECE as u64);
                let mut bytes = vec![0; (n * ENTRY) as usize];
                file.read_exact(&mut bytes)?;
                let print = |entry: &[u8]| u64::from_le_bytes(entry[..8].try_into().unwrap_or_default());
                let prints: Vec<u64> = bytes.chunks_exact(ENTRY as usize).map(print).collect();
                take(first, &prints);
            }
            Ok(())
        };
        read().with_context(|| format!("could not read `{}`", self.folder.join("prints").display()))
    }

    /// How much there is, once it is on the disk.
    pub fn mark(&mut self) -> anyhow::Result<DedupCheckpoint> {
        self.flush()?;
        let mut synced = || -> std::io::Result<()> {
            self.report.flush()?;
            [&self.prints, &self.urls, &self.report].into_iter().try_for_each(|file| file.get_ref().sync_data())
        };
        synced().with_context(|| format!("could not write into `{}`", self.folder.display()))?;
        Ok(self.mark)
    }
}
