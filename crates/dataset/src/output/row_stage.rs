//! The rows of a whole corpus on the disk, in parts, until all of them are known.
//!
//! `dedup/stage/journal.jsonl` has a head and a line for each part that is complete, as the journal of the dataset has for
//! its shards: a run that was killed goes on behind the last one.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::journal::SourceOffset;
use super::row_spool::{RowSpool, read_spool};
use super::shards::MAX_TEXT_BYTES;
use super::source_item::SourceItem;
use crate::journal::Journal;

/// A part that is complete.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct StagePart {
    rows: u64,
    /// Where the source goes on behind it.
    place: SourceOffset,
    /// Whether the source is at its end.
    is_last: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StageLine {
    Part(StagePart),
    Head { head: Value },
}

/// The rows.
pub struct RowStage {
    folder: PathBuf,
    journal: Journal<StageLine>,
    parts: Vec<StagePart>,
    spool: Option<RowSpool>,
    /// Rows with which a part is full, as a file of the dataset is: as many are read again after a kill.
    max_rows: u64,
    rows: u64,
    bytes: u64,
    place: SourceOffset,
    /// Steps that a run meets again which goes on at the last place.
    again: Vec<SourceItem>,
}

impl RowStage {
    /// Opens what an earlier run with this head has laid aside, or begins anew.
    pub fn open(folder: &Path, head: &Value, max_rows: u64) -> anyhow::Result<RowStage> {
        let path = folder.join("journal.jsonl");
        let mut lines = Journal::<StageLine>::read(&path)?;
        let is_same = matches!(lines.first(), Some(StageLine::Head { head: known }) if known == head);
        if !is_same {
            remove(folder)?;
            lines = vec![StageLine::Head { head: head.clone() }];
        }
        std::fs::create_dir_all(folder).with_context(|| format!("could not create `{}`", folder.display()))?;
        let journal = Journal::create(&path, &lines)?;
        let part = |line: StageLine| if let StageLine::Part(part) = line { Some(part) } else { None };
        let parts: Vec<StagePart> = lines.into_iter().filter_map(part).collect();
        let place = parts.last().map(|part| part.place).unwrap_or_default();
        let (folder, again) = (folder.to_owned(), Vec::new());
        Ok(RowStage { folder, journal, parts, spool: None, max_rows, rows: 0, bytes: 0, place, again })
    }

    /// Where the source goes on.
    pub fn place(&self) -> SourceOffset {
        self.place
    }

    /// Parts that are complete.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Whether all rows are there.
    pub fn is_complete(&self) -> bool {
        self.parts.last().is_some_and(|part| part.is_last)
    }

    /// Whether the part must be closed before another row.
    pub fn is_full(&self) -> bool {
        self.rows >= self.max_rows || self.bytes >= MAX_TEXT_BYTES
    }

    /// Lays a step aside.
    pub fn push(&mut self, step: SourceItem) -> anyhow::Result<()> {
        if step.is_met_again {
            self.again.push(step);
            return Ok(());
        }
        if let Some(row) = &step.row {
            self.rows += 1;
            self.bytes += row.text.len() as u64;
        }
        let again = if step.place.is_some() { std::mem::take(&mut self.again) } else { Vec::new() };
        self.place = step.place.unwrap_or(self.place);
        let path = self.path(self.parts.len());
        let spool = match &mut self.spool {
            Some(spool) => spool,
            none => none.insert(RowSpool::named(&path)?),
        };
        again.into_iter().chain([step]).try_for_each(|step| spool.push(&step))
    }

    /// Ends a part. What belongs to it must be on the disk.
    pub fn close_part(&mut self, is_last: bool) -> anyhow::Result<()> {
        let spool = match self.spool.take() {
            Some(spool) => spool,
            None => RowSpool::named(&self.path(self.parts.len()))?,
        };
        spool.finish()?;
        let part = StagePart { rows: self.rows, place: self.place, is_last };
        self.journal.append(&StageLine::Part(part.clone()))?;
        self.parts.push(part);
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }

    /// The steps of a part.
    pub fn read(&self, part: usize) -> anyhow::Result<impl Iterator<Item = anyhow::Result<SourceItem>> + use<>> {
        let path = self.path(part);
        let file = File::open(&path).with_context(|| format!("could not open `{}`", path.display()))?;
        read_spool(file, path)
    }

    fn path(&self, part: usize) -> PathBuf {
        self.folder.join(format!("rows-{part:05}"))
    }
}

/// Removes what was laid aside; it may be gone.
pub fn remove(folder: &Path) -> anyhow::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("could not remove `{}`", folder.display()))
        }
        _ => Ok(()),
    }
}
