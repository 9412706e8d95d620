//! What is done of a dataset, so that a run that was killed goes on where it stopped.
//!
//! `journal.jsonl` has a head and then a line for each shard that is complete. At the end `manifest.json` takes its place. An
//! export that adds to a complete dataset has a journal of its own beside the manifest.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::dedup_store::{DedupCheckpoint, is_zero};
use super::files::replace;
use super::stats::DatasetStats;
use crate::journal::Journal;

const JOURNAL: &str = "journal.jsonl";
pub const MANIFEST: &str = "manifest.json";

/// How many records ended how.
pub type Counts = BTreeMap<String, u64>;

/// Where to read on in a file: an offset, and how many records behind it were read already.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    rkyv::Archive,
    rkyv::Serialize,
    rkyv::Deserialize,
)]
pub struct ArchiveOffset {
    pub offset: u64,
    pub skip: u64,
    /// Of which version of an archive on the network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

/// Where a source goes on: the number of an input, and where in it.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    rkyv::Archive,
    rkyv::Serialize,
    rkyv::Deserialize,
)]
pub struct SourceOffset {
    pub input: u64,
    pub position: ArchiveOffset,
}

/// What a dataset is made of; a run goes on only with the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DatasetHeader {
    pub software: String,
    pub settings: Value,
    pub inputs: Value,
    /// What `--since` said, of a run that adds to a dataset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

/// A shard that is complete.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shard {
    pub file: String,
    pub rows: u64,
    pub bytes: u64,
    /// XXH3 of the file, 128 bits, hexadecimal.
    pub xxh3: String,
    /// Where the source goes on behind it.
    #[serde(flatten)]
    pub place: SourceOffset,
    /// Of all records of its run up to there.
    pub counts: Counts,
    /// Of its rows.
    pub stats: DatasetStats,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dedup: Option<DedupCheckpoint>,
    /// Bytes of `dropped.jsonl` that belong to the dataset up to there.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dropped_bytes: u64,
    /// Runs of the host table up to there.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub host_runs: u64,
}

/// One run that came to its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    pub software: String,
    pub inputs: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    pub rows: u64,
    pub shards: usize,
    pub counts: Counts,
    /// What else the run wrote, and says of itself.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub more: Value,
}

/// What `manifest.json` holds.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Manifest {
    pub settings: Value,
    pub rows: u64,
    pub counts: Counts,
    /// The runs, one but for a dataset that was added to.
    pub history: Vec<RunRecord>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dedup: Option<DedupCheckpoint>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dropped_bytes: u64,
    pub shards: Vec<Shard>,
}

impl Manifest {
    /// The manifest of a folder; none if no dataset is complete there.
    ///
    /// # Errors
    /// A file that cannot be read, or is something else.
    pub fn read(folder: &Path) -> anyhow::Result<Option<Manifest>> {
        let path = folder.join(MANIFEST);
        let text = match std::fs::read(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            read => read.with_context(|| format!("could not read `{}`", path.display()))?,
        };
        let manifest = serde_json::from_slice(&text);
        manifest.map(Some).with_context(|| format!("`{}` is no manifest of a dataset", path.display()))
    }

    /// Whether a run with this head has nothing to add.
    ///
    /// # Errors
    /// It would be another dataset.
    fn is_closed_to(&self, head: &DatasetHeader, folder: &Path, may_change: bool) -> anyhow::Result<bool> {
        let last = self.history.last().context("the manifest has no `history`")?;
        let (settings, hint) =
            (self.settings.clone(), if may_change { ", or add to it with `--since last`" } else { "" });
        if head.since.is_some() {
            let known = DatasetHeader { settings, ..head.clone() };
            return same(&known, head, folder, "").map(|()| false);
        }
        let known =
            DatasetHeader { software: last.software.clone(), settings, inputs: last.inputs.clone(), since: None };
        same(&known, head, folder, hint).map(|()| true)
    }

    /// What all rows are like.
    pub fn stats(&self) -> DatasetStats {
        let mut stats = DatasetStats::default();
        self.shards.iter().for_each(|shard| stats.add(&shard.stats));
        stats
    }
}

/// A line of a journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum JournalLine {
    Header(DatasetHeader),
    Shard(Box<Shard>),
}

/// The journal of one folder.
pub struct DatasetJournal {
    folder: PathBuf,
    journal: Journal<JournalLine>,
    head: DatasetHeader,
    /// What was complete before this run.
    before: Option<Manifest>,
    /// Of this run.
    pub shards: Vec<Shard>,
}

/// What a folder says of the dataset in it.
pub enum JournalState {
    /// It is complete: so many rows.
    Complete(u64),
    Open(Box<DatasetJournal>),
}

impl DatasetJournal {
    /// Begins a dataset, goes on with it, or adds to it if the head has a `since`.
    ///
    /// If the source may change between runs, a run that was stopped begins anew when it has.
    ///
    /// # Errors
    /// A folder that cannot be written, or that holds a dataset of other inputs or settings.
    pub fn open(folder: &Path, head: DatasetHeader, may_change: bool) -> anyhow::Result<JournalState> {
        let before = Manifest::read(folder)?;
        let path = folder.join(JOURNAL);
        let (mut known, mut shards) = header_and_shards(Journal::read(&path)?)
            .with_context(|| format!("`{}` is no journal of a dataset", path.display()))?;
        if let Some(before) = &before {
            if before.is_closed_to(&head, folder, may_change)? {
                return Ok(JournalState::Complete(before.rows));
            }
            if shards.iter().any(|shard| before.shards.contains(shard)) {
                // The manifest was written, and the kill came before the journal was removed.
                (known, shards) = (None, Vec::new());
            }
        }
        if let Some(begun) = &known {
            let is_renewed = may_change
                && *begun != head
                && *begun == DatasetHeader { inputs: begun.inputs.clone(), ..head.clone() };
            if is_renewed {
                remove(folder, &shards)?;
                (known, shards) = (None, Vec::new());
            } else {
                same(begun, &head, folder, "")?;
            }
        }
        let mut lines = vec![JournalLine::Header(known.unwrap_or_else(|| head.clone()))];
        lines.extend(shards.iter().map(|shard| JournalLine::Shard(Box::new(shard.clone()))));
        let journal = Journal::create(&path, &lines)?;
        Ok(JournalState::Open(Box::new(DatasetJournal { folder: folder.to_owned(), journal, head, before, shards })))
    }

    /// Notes a shard that lies in its place on the disk.
    pub fn add(&mut self, shard: Shard) -> anyhow::Result<()> {
        self.journal.append(&JournalLine::Shard(Box::new(shard.clone())))?;
        self.shards.push(shard);
        Ok(())
    }

    /// The number of the next shard.
    pub fn next_shard(&self) -> usize {
        self.before.as_ref().map_or(0, |before| before.shards.len()) + self.shards.len()
    }

    /// How many runs were complete before this one.
    pub fn number_of_run(&self) -> usize {
        self.before.as_ref().map_or(0, |before| before.history.len())
    }

    /// What was known for duplicates behind the last shard.
    pub fn mark(&self) -> DedupCheckpoint {
        let before = self.before.as_ref().and_then(|before| before.dedup);
        self.shards.last().and_then(|shard| shard.dedup).or(before).unwrap_or_default()
    }

    /// How much of `dropped.jsonl` was there behind the last shard.
    pub fn dropped_bytes(&self) -> u64 {
        let before = self.before.as_ref().map(|before| before.dropped_bytes);
        self.shards.last().map(|shard| shard.dropped_bytes).or(before).unwrap_or_default()
    }

    /// The manifest of the dataset with this run in it.
    pub fn manifest(
        &self,
        counts: Counts,
        dedup: Option<DedupCheckpoint>,
        dropped_bytes: u64,
        more: Value,
    ) -> Manifest {
        let rows = self.shards.iter().map(|shard| shard.rows).sum();
        let part = RunRecord {
            software: self.head.software.clone(),
            inputs: self.head.inputs.clone(),
            since: self.head.since.clone(),
            rows,
            shards: self.shards.len(),
            counts: counts.clone(),
            more,
        };
        let empty = Manifest {
            settings: self.head.settings.clone(),
            rows: 0,
            counts: Counts::new(),
            history: Vec::new(),
            dedup: None,
            dropped_bytes: 0,
            shards: Vec::new(),
        };
        let mut manifest = self.before.clone().unwrap_or(empty);
        manifest.rows += rows;
        counts.into_iter().for_each(|(what, n)| *manifest.counts.entry(what).or_default() += n);
        manifest.history.push(part);
        manifest.dedup = dedup;
        manifest.dropped_bytes = dropped_bytes;
        manifest.shards.extend(self.shards.iter().cloned());
        manifest
    }

    /// Ends the run: the manifest in the place of the journal.
    pub fn finish(self, manifest: &Manifest) -> anyhow::Result<()> {
        let text = format!("{:#}\n", serde_json::to_value(manifest)?);
        replace(&self.folder.join(MANIFEST), |out| Ok(out.write_all(text.as_bytes())?))?;
        let journal = self.folder.join(JOURNAL);
        std::fs::remove_file(&journal).with_context(|| format!("could not remove `{}`", journal.display()))
    }
}

/// The header and the shards of a journal; none of either where it has no line.
fn header_and_shards(lines: Vec<JournalLine>) -> anyhow::Result<(Option<DatasetHeader>, Vec<Shard>)> {
    let (mut header, mut shards) = (None, Vec::new());
    for (number, line) in lines.into_iter().enumerate() {
        match line {
            JournalLine::Header(found) if number == 0 => header = Some(found),
            JournalLine::Shard(shard) if number > 0 => shards.push(*shard),
            _ => anyhow::bail!("it is no header with its shards"),
        }
    }
    Ok((header, shards))
}

/// Removes the files of a run that begins anew. Some may be gone: a kill can come at any moment.
fn remove(folder: &Path, shards: &[Shard]) -> anyhow::Result<()> {
    for path in shards.iter().map(|shard| folder.join(&shard.file)) {
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            removed => removed.with_context(|| format!("could not remove `{}`", path.display()))?,
        }
    }
    Ok(())
}

/// Refuses another dataset; `hint` says what else could be done.
fn same(known: &DatasetHeader, head: &DatasetHeader, folder: &Path, hint: &str) -> anyhow::Result<()> {
    let (what, hint) = match () {
        () if known.since != head.since => ("a run with another `--since`, which is not complete", ""),
        () if known.settings != head.settings => ("other settings", ""),
        () if known.inputs != head.inputs => ("other inputs (or they have changed)", hint),
        () if known.software != head.software => ("another version of the program", hint),
        () => return Ok(()),
    };
    let folder = folder.display();
    anyhow::bail!("`{folder}` holds a dataset of {what}; name another folder with `--out`, or delete it{hint}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_is_one_header_and_then_shards() {
        let header = || {
            let (settings, inputs) = (Value::from("s"), Value::from("i"));
            JournalLine::Header(DatasetHeader { software: "g".to_owned(), settings, inputs, since: None })
        };
        let shard = || {
            JournalLine::Shard(Box::new(Shard {
                file: "data/part-00000".to_owned(),
                rows: 1,
                bytes: 2,
                xxh3: "0".to_owned(),
                place: SourceOffset::default(),
                counts: Counts::from([("rows".to_owned(), 1)]),
                stats: DatasetStats::default(),
                dedup: None,
                dropped_bytes: 0,
                host_runs: 0,
            }))
        };
        let lines = vec![header(), shard(), shard()];
        let read = |line: &JournalLine| serde_json::from_str(&serde_json::to_string(line).unwrap()).unwrap();
        assert_eq!(lines.iter().map(read).collect::<Vec<JournalLine>>(), lines);
        assert_eq!(header_and_shards(lines).unwrap().1.len(), 2);
        assert!(header_and_shards(vec![shard()]).is_err() && header_and_shards(vec![header(), header()]).is_err());
        assert!(header_and_shards(Vec::new()).unwrap().0.is_none());
    }
}
