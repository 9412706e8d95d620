//! The index built anew beside the old one, which it replaces when it is whole.
//!
//! ```text
//! an export, or what can be read of the old index ─┐
//! the documents that the log still holds ──────────┴▶ index.new ─▶ index     (the old one: index.old, or gone)
//! ```
//! The log comes last, because it holds the newer versions. The new index remembers how far the log was read, so that the next
//! crawl goes on from there.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use gristmill_index::{IndexConfig, IndexDocument, IndexError, IndexWriter, Positions, SalvageReport, read_exported};
use gristmill_log::{ConsumerRecord, Log, StartOffset, partition_of};
use gristmill_proto::{decode, topics};

use crate::service::apply;

/// Bytes of text after which the new index commits.
const COMMIT_BYTES: u64 = 256 << 20;

/// What came from where.
#[derive(Default)]
pub struct RebuildSources {
    /// Documents of the export.
    pub exported: u64,
    /// What the old index gave.
    pub salvaged: Option<SalvageReport>,
    /// Documents of the log, and how many records were appended there in all.
    pub log: u64,
    pub appended: u64,
    /// Records that could not be read.
    pub unreadable: u64,
}

/// The partitions that have an index of their own; none where one index holds all.
pub fn index_parts(old: &Path, partitions: u32) -> Vec<Option<u32>> {
    let divided = !old.join("meta.json").is_file()
        && (0..partitions).any(|number| old.join(format!("p{number:04}")).join("meta.json").is_file());
    if divided { (0..partitions).map(Some).collect() } else { vec![None] }
}

/// The new index, or all parts of it.
pub struct IndexRebuild {
    writers: BTreeMap<Option<u32>, IndexWriter>,
    partitions: u32,
    positions: Positions,
    uncommitted: u64,
    /// `indexer.keep_versions`.
    keep_versions: usize,
}

impl IndexRebuild {
    /// Begins an index of these parts in a folder, for a log of so many partitions.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn begin(
        dir: &Path,
        parts: Vec<Option<u32>>,
        partitions: u32,
        keep_versions: usize,
        index: &IndexConfig,
    ) -> Result<Self, IndexError> {
        let mut writers = BTreeMap::new();
        for part in parts {
            let dir = part.map_or_else(|| dir.to_owned(), |number| dir.join(format!("p{number:04}")));
            writers.insert(part, IndexWriter::open(&dir, index)?);
        }
        Ok(Self { writers, partitions, positions: Positions::new(), uncommitted: 0, keep_versions })
    }

    fn writer(&mut self, key: &str) -> &mut IndexWriter {
        let number = partition_of(key.as_bytes(), self.partitions);
        let part = if self.writers.contains_key(&None) { None } else { Some(number) };
        self.writers.get_mut(&part).expect("every partition has a writer, or one has all")
    }

    /// What was taken out of the old index does not come back into the new one.
    ///
    /// # Errors
    /// The old one cannot be read.
    pub fn inherit_takedowns(&mut self, old: &Path) -> Result<(), IndexError> {
        for (part, writer) in &mut self.writers {
            let dir = part.map_or_else(|| old.to_owned(), |number| old.join(format!("p{number:04}")));
            writer.inherit_takedowns(&dir)?;
        }
        Ok(())
    }

    /// Takes a document, unless it was taken out of the corpus.
    ///
    /// # Errors
    /// The disk.
    pub fn upsert(&mut self, document: &IndexDocument) -> Result<(), IndexError> {
        if self.writer(&document.key).is_taken_down(&document.key, &document.host) {
            return Ok(());
        }
        self.writer(&document.key).upsert(document)?;
        self.grew(document.title.len() + document.text.len())
    }

    fn grew(&mut self, bytes: usize) -> Result<(), IndexError> {
        self.uncommitted += bytes as u64;
        if self.uncommitted >= COMMIT_BYTES { self.commit() } else { Ok(()) }
    }

    /// Without positions: until all is in, the new index is nothing to go on from.
    fn commit(&mut self) -> Result<(), IndexError> {
        self.uncommitted = 0;
        self.writers.values_mut().try_for_each(|writer| writer.commit(&Positions::new()))
    }

    /// Takes the documents of an export, and tells how many they are.
    ///
    /// # Errors
    /// The file, a line that is no document, or the disk.
    pub fn take_export(&mut self, file: &Path) -> anyhow::Result<u64> {
        let lines = BufReader::new(File::open(file).with_context(|| format!("cannot read `{}`", file.display()))?);
        let mut count = 0;
        for (number, line) in (1u64..).zip(lines.split(b'\n')) {
            let line = line.with_context(|| format!("cannot read `{}`", file.display()))?;
            if line.trim_ascii().is_empty() {
                continue;
            }
            let document = read_exported(&line).map_err(|reason| {
                anyhow::anyhow!("line {number} of `{}` is no document of an export: {reason}", file.display())
            })?;
            self.upsert(&document)?;
            count += 1;
        }
        Ok(count)
    }

    /// Takes the documents that the log still holds.
    ///
    /// # Errors
    /// The log, or the disk.
    pub async fn take_log(&mut self, log: &dyn Log, sources: &mut RebuildSources) -> anyhow::Result<()> {
        // A group that never commits reads from the oldest record on.
        let mut reader = log.reader(&[topics::DOCUMENTS], StartOffset::Group("reindex")).await?;
        let ends = log.ends(topics::DOCUMENTS).await?;
        sources.appended = ends.iter().sum();
        let behind = |positions: &Positions| {
            positions.iter().any(|((_, partition), position)| *position < ends[*partition as usize])
        };
        while behind(&reader.positions()) {
            for stored in reader.poll(256, Duration::from_secs(1)).await? {
                self.take_record(&stored, sources)?;
            }
        }
        self.positions = reader.positions();
        Ok(())
    }

    fn take_record(&mut self, stored: &ConsumerRecord, sources: &mut RebuildSources) -> Result<(), IndexError> {
        let Ok(message) = decode::<gristmill_proto::Document>(&stored.payload) else {
            sources.unreadable += 1;
            return Ok(());
        };
        sources.log += 1;
        let bytes = message.title.len() + message.text.len();
        let keep_versions = self.keep_versions;
        apply(self.writer(&message.key.clone()), message, keep_versions)?;
        self.grew(bytes)
    }

    /// Commits with the positions up to which the log is in; returns how many documents there are.
    ///
    /// # Errors
    /// The disk.
    pub fn finish(self) -> anyhow::Result<u64> {
        let mut documents = 0;
        for (part, mut writer) in self.writers {
            let ours = |partition: &u32| part.is_none_or(|number| number == *partition);
            let positions = self.positions.iter().filter(|((_, partition), _)| ours(partition));
            writer.commit(&positions.map(|(key, position)| (key.clone(), *position)).collect())?;
            documents += writer.count()?;
            writer.close()?;
        }
        Ok(documents)
    }
}

/// Swaps the folders. The old index goes if nothing of it is lost; else its new name is returned.
///
/// # Errors
/// A folder that cannot be renamed or removed.
pub fn put_in_place(old: &Path, new: &Path, whole: bool) -> anyhow::Result<Option<PathBuf>> {
    let moved = |from: &Path, to: &Path| {
        std::fs::rename(from, to).with_context(|| format!("cannot rename `{}` to `{}`", from.display(), to.display()))
    };
    if !old.exists() {
        moved(new, old)?;
        return Ok(None);
    }
    let names = (1..).map(|n| if n == 1 { "index.old".to_owned() } else { format!("index.old-{n}") });
    let aside = names.map(|name| old.with_file_name(name)).find(|path| !path.exists()).expect("names do not end");
    moved(old, &aside)?;
    moved(new, old)?;
    if whole {
        std::fs::remove_dir_all(&aside).with_context(|| format!("cannot remove `{}`", aside.display()))?;
        return Ok(None);
    }
    Ok(Some(aside))
}

impl RebuildSources {
    /// Whether the new index has all that the old one had.
    pub fn is_whole(&self) -> bool {
        let whole = |old: &SalvageReport| old.lost == 0 && old.doubtful == 0 && old.unreadable.is_empty();
        self.log_is_whole() || self.unreadable == 0 && self.salvaged.as_ref().is_some_and(whole)
    }

    /// Whether the log still holds every document that was ever appended: then nothing else is needed.
    fn log_is_whole(&self) -> bool {
        self.appended > 0 && self.log == self.appended
    }

    /// What is lost, for people.
    pub fn losses(&self) -> Vec<String> {
        let mut losses = Vec::new();
        if self.log_is_whole() {
            return losses;
        }
        if let Some(old) = &self.salvaged {
            if old.lost > 0 {
                losses.push(format!(
                    "{} documents of the index that was there cannot be read: those that the log does not hold are lost, until \
                     their pages are due again (`frontier.recrawl.enabled`) or crawled into a new directory",
                    old.lost
                ));
            }
            for folder in &old.unreadable {
                losses.push(format!(
                    "nothing can be read of `{}`: what the log does not hold of it is lost; an export has it (`--from FILE`)",
                    folder.display()
                ));
            }
            if old.doubtful > 0 {
                losses.push(format!(
                    "{} documents come from files whose checksum does not fit, so a few of their words may be wrong",
                    old.doubtful
                ));
            }
        }
        if self.unreadable > 0 {
            losses.push(format!("{} records of the log cannot be read", self.unreadable));
        }
        if self.salvaged.is_none() && self.exported == 0 && self.log + self.unreadable < self.appended {
            losses.push(format!(
                "{} documents are no longer in the log and were in no index: they are lost, unless an export has them \
                 (`--from FILE`)",
                self.appended - self.log - self.unreadable
            ));
        }
        losses
    }
}
