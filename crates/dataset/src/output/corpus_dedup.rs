//! Duplicates left out of a corpus as a whole: documents that share a MinHash key, lines and paragraphs that several have.
//!
//! ```text
//! steps ─▶ stage (rows aside) and `dedup/`: sorted runs of keys, addresses ─▶ clusters ─▶ steps without duplicates
//! ```
//! The runs stay with the dataset, for what is added to it, and for other datasets that are made `--against` it.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use gristmill_text::{fingerprint, hash};
use serde_json::{Value, json};

use super::builder::DatasetOptions;
use super::dedup_plan::CorpusDedupOptions;
use super::dedup_store::DedupCheckpoint;
use super::files::{open_cut, replace, text_between};
use super::journal::{ArchiveOffset, Manifest, SourceOffset};
use super::row_stage::{self, RowStage};
use super::source_item::SourceItem;
use super::tokens::TokenCounter;
use crate::DatasetRow;
use crate::duplicates::{DuplicateClusters, KeyRun, KeyRunBuilder, MinHasher, ReadAt, rank};

/// Keys of lines to take out of the documents of one part.
type RepeatedKeys = HashSet<(u32, u64)>;

/// The folder of a run and its number there.
type RunPlace = (PathBuf, u64);
type StageSteps = Box<dyn Iterator<Item = anyhow::Result<SourceItem>>>;

/// The rows laid aside, as they are read again.
struct StageReading {
    runs: Vec<RunPlace>,
    clusters: DuplicateClusters,
    part: usize,
    /// Steps of the part that an earlier run has settled.
    behind: usize,
    steps: StageSteps,
    /// Steps of the part that were read, and rows among them.
    at: usize,
    number: u32,
    repeated: RepeatedKeys,
}

/// A deduplication under way.
pub struct CorpusDedup {
    options: CorpusDedupOptions,
    threads: usize,
    tokens: Arc<TokenCounter>,
    folder: PathBuf,
    /// Runs that earlier datasets have, by the folder and the number in it.
    earlier: Vec<RunPlace>,
    /// Runs of this folder before this run of the program.
    first: u64,
    stage: RowStage,
    hasher: Option<MinHasher>,
    documents: KeyRunBuilder,
    units: KeyRunBuilder,
    urls: Vec<String>,
    report: BufWriter<File>,
    report_bytes: u64,
    reading: Option<StageReading>,
}

impl CorpusDedup {
    /// Goes on with what an earlier run with this head has begun, or begins.
    pub fn open(
        out: &Path,
        options: CorpusDedupOptions,
        head: &Value,
        mark: DedupCheckpoint,
        plan: &DatasetOptions,
    ) -> anyhow::Result<CorpusDedup> {
        let folder = out.join("dedup");
        let mut earlier = Vec::new();
        for dataset in &options.against {
            earlier.extend((0..runs_of(dataset, head)?).map(|run| (dataset.join("dedup"), run)));
        }
        earlier.extend((0..mark.runs).map(|run| (folder.clone(), run)));
        let stage = RowStage::open(&folder.join("stage"), head, plan.shard_rows)?;
        Ok(CorpusDedup {
            hasher: options.minhash.map(MinHasher::new),
            documents: options.document_keys(),
            units: KeyRunBuilder::plain(),
            urls: Vec::new(),
            report: open_cut(&out.join("duplicates.jsonl"), mark.report_bytes)?,
            report_bytes: mark.report_bytes,
            first: mark.runs,
            reading: None,
            options,
            threads: plan.threads,
            tokens: plan.tokens.clone(),
            folder,
            earlier,
            stage,
        })
    }

    /// Where the source goes on.
    pub fn place(&self) -> SourceOffset {
        self.stage.place()
    }

    pub fn goes_on(&self) -> bool {
        self.stage.parts() > 0
    }

    /// Lays a step aside.
    pub fn push(&mut self, step: SourceItem) -> anyhow::Result<()> {
        if let Some(row) = &step.row {
            if self.stage.is_full() {
                self.close_part(false)?;
            }
            let keys = self.hasher.as_mut().and_then(|hasher| hasher.keys(&row.text)).unwrap_or_default();
            // Products of one shop share a description: they are alike only where title, number and price are, too.
            let own = if row.records.is_some() { row.simhash.unwrap_or_default() ^ fingerprint(&row.text) } else { 0 };
            let keys: Vec<u64> = keys.iter().map(|key| key ^ own).collect();
            let rank = rank(row.text.chars().count() as u64, identity(row));
            self.documents.push(rank, &keys);
            let units = self.options.unit.map(|unit| unit.keys(&row.text));
            self.units.push(rank, &units.unwrap_or_default());
            self.urls.push(row.url.clone());
        }
        self.stage.push(step)
    }

    /// Ends a part: first what is known of its rows, then the rows.
    fn close_part(&mut self, is_last: bool) -> anyhow::Result<()> {
        let number = self.first + self.stage.parts() as u64;
        let documents = std::mem::replace(&mut self.documents, self.options.document_keys());
        replace(&file(&self.folder, "keys", number), |out| Ok(documents.write(out)?))?;
        let units = std::mem::replace(&mut self.units, KeyRunBuilder::plain());
        if self.options.unit.is_some() {
            replace(&file(&self.folder, "units", number), |out| Ok(units.write(out)?))?;
        }
        let urls = std::mem::take(&mut self.urls);
        replace(&file(&self.folder, "addresses", number), |out| Ok(write_addresses(&urls, out)?))?;
        self.stage.close_part(is_last)
    }

    /// Finds out which steps are duplicates, after the last of them; `end` is that of the source. [`next`](Self::next) then
    /// gives those behind `from`.
    pub fn decide(&mut self, end: SourceOffset, from: SourceOffset) -> anyhow::Result<()> {
        if !self.stage.is_complete() {
            self.stage.push(SourceItem { place: Some(end), ..SourceItem::default() })?;
            self.close_part(true)?;
        }
        let mut runs = self.earlier.clone();
        runs.extend((0..self.stage.parts() as u64).map(|part| (self.folder.clone(), self.first + part)));
        let mut clusters = self.clusters(&runs)?;
        self.find_repeated(&runs, &mut clusters)?;
        let (part, behind) = (from.input as usize, from.position.offset as usize);
        let steps: StageSteps = Box::new(std::iter::empty());
        self.reading =
            Some(StageReading { runs, clusters, part, behind, steps, at: 0, number: 0, repeated: RepeatedKeys::new() });
        if part < self.stage.parts() {
            self.open_part(part)?;
        }
        Ok(())
    }

    fn open_part(&mut self, part: usize) -> anyhow::Result<()> {
        let steps: StageSteps = Box::new(self.stage.read(part)?);
        let repeated = self.repeated(part)?;
        if let Some(reading) = &mut self.reading {
            (reading.steps, reading.repeated, reading.part) = (steps, repeated, part);
            (reading.at, reading.number) = (0, 0);
        }
        Ok(())
    }

    /// The next step in the order in which they came, without what is a duplicate, with its place among those laid aside;
    /// none at the end.
    pub fn next(&mut self) -> anyhow::Result<Option<SourceItem>> {
        let parts = self.stage.parts();
        loop {
            let Some(reading) = &mut self.reading else { return Ok(None) };
            let Some(step) = reading.steps.next() else {
                let next = reading.part + 1;
                if next >= parts {
                    return Ok(None);
                }
                reading.behind = 0;
                self.open_part(next)?;
                continue;
            };
            let mut step = step?;
            reading.at += 1;
            let number = reading.number;
            reading.number += u32::from(step.row.is_some());
            if reading.at <= reading.behind {
                continue;
            }
            let at = place(reading.part, reading.at);
            let run = self.earlier.len() + reading.part;
            let original = step.row.as_ref().and_then(|_| reading.clusters.original(run, number));
            let original = original.map(|(run, at)| (reading.runs[run].clone(), at));
            self.judge(&mut step, number, original)?;
            step.place = Some(at);
            return Ok(Some(step));
        }
    }

    /// Where the last step stands.
    pub fn end(&self) -> SourceOffset {
        place(self.stage.parts(), 0)
    }

    fn clusters(&self, runs: &[RunPlace]) -> anyhow::Result<DuplicateClusters> {
        let open = |(folder, number): &RunPlace| open_run(file(folder, "keys", *number));
        let opened = runs.iter().map(open).collect::<anyhow::Result<Vec<_>>>()?;
        Ok(DuplicateClusters::find(&opened, self.earlier.len(), self.threads)?)
    }

    /// Lays aside, for each part, what of its documents stands in another one, too.
    fn find_repeated(&self, runs: &[RunPlace], clusters: &mut DuplicateClusters) -> anyhow::Result<()> {
        if self.options.unit.is_none() {
            return Ok(());
        }
        let open = |(folder, number): &RunPlace| open_run(file(folder, "units", *number));
        let opened = runs.iter().map(open).collect::<anyhow::Result<Vec<_>>>()?;
        let first = self.earlier.len();
        let mut parts = (0..self.stage.parts())
            .map(|part| Ok(BufWriter::new(File::create(self.repeated_path(part))?)))
            .collect::<std::io::Result<Vec<_>>>()?;
        clusters.for_each_repeated(&opened, self.threads, |run, number, key| {
            let Some(out) = run.checked_sub(first).and_then(|part| parts.get_mut(part)) else { return Ok(()) };
            out.write_all(&key.to_le_bytes())?;
            out.write_all(&number.to_le_bytes())
        })?;
        Ok(parts.iter_mut().try_for_each(Write::flush)?)
    }

    fn repeated_path(&self, part: usize) -> PathBuf {
        self.folder.join("stage").join(format!("repeated-{part:05}"))
    }

    fn repeated(&self, part: usize) -> anyhow::Result<RepeatedKeys> {
        if self.options.unit.is_none() {
            return Ok(RepeatedKeys::new());
        }
        let bytes = std::fs::read(self.repeated_path(part))?;
        let entry = |bytes: &[u8]| {
            let number = u32::from_le_bytes(bytes[8..].try_into().unwrap_or_default());
            (number, u64::from_le_bytes(bytes[..8].try_into().unwrap_or_default()))
        };
        Ok(bytes.chunks_exact(12).map(entry).collect())
    }

    /// Takes the row out of a step, or some of its lines.
    fn judge(&mut self, step: &mut SourceItem, number: u32, original: Option<(RunPlace, u32)>) -> anyhow::Result<()> {
        let Some(row) = &mut step.row else { return Ok(()) };
        if let Some(((folder, run), at)) = original {
            let kept = address(&file(&folder, "addresses", run), at)?;
            let line = format!("{}\n", json!({ "url": row.url, "duplicate_of": kept }));
            self.report_bytes += line.len() as u64;
            self.report.write_all(line.as_bytes()).context("could not write `duplicates.jsonl`")?;
            (step.row, step.counted) = (None, vec!["--dedup".to_owned()]);
            return Ok(());
        }
        let repeated = self.reading.as_ref().map(|reading| &reading.repeated);
        let is_extra = |key| repeated.is_some_and(|repeated| repeated.contains(&(number, key)));
        if let Some(text) = self.options.unit.and_then(|unit| unit.without(&row.text, is_extra)) {
            step.counted.push("shortened".to_owned());
            row.token_count = self.tokens.count(&text);
            (row.text, row.markdown) = (text, None);
            (row.text_precision, row.text_recall, row.variant_agreement) = (None, None, None);
            if row.text.is_empty() && row.records.is_none() {
                (step.row, step.counted) = (None, vec!["--dedup".to_owned()]);
            }
        }
        Ok(())
    }

    /// How much belongs to the dataset, once it is on the disk. The runs of this run do when it has come to its `end`.
    pub fn mark(&mut self, is_end: bool) -> anyhow::Result<DedupCheckpoint> {
        let synced = self.report.flush().and_then(|()| self.report.get_ref().sync_data());
        synced.context("could not write `duplicates.jsonl`")?;
        let more = if is_end { self.stage.parts() as u64 } else { 0 };
        Ok(DedupCheckpoint { report_bytes: self.report_bytes, runs: self.first + more, ..DedupCheckpoint::default() })
    }

    /// Removes what was laid aside in a folder of a dataset.
    pub fn clean(out: &Path) -> anyhow::Result<()> {
        row_stage::remove(&out.join("dedup/stage"))
    }
}

/// Where a step stands among those laid aside.
fn place(part: usize, at: usize) -> SourceOffset {
    SourceOffset { input: part as u64, position: ArchiveOffset { offset: at as u64, ..ArchiveOffset::default() } }
}

/// What tells documents of one length apart, whatever their order.
fn identity(row: &DatasetRow) -> u64 {
    let parts = [&row.url, &row.id, &row.fetched_at, &row.file_path, &row.text];
    parts.into_iter().fold(0u64, |all, part| all.rotate_left(17).wrapping_mul(3) ^ hash(part.as_bytes()))
}

/// How many runs another dataset has, if it was made in the same way.
fn runs_of(dataset: &Path, head: &Value) -> anyhow::Result<u64> {
    let manifest = Manifest::read(dataset)?;
    let manifest =
        manifest.with_context(|| format!("`--against {}`: no dataset is complete there", dataset.display()))?;
    let way = |settings: &Value| [settings["dedup"]["kinds"].clone(), settings["dedup"]["minhash"].clone()];
    anyhow::ensure!(
        way(&manifest.settings) == way(&head["settings"]),
        "`--against {}`: it was not made with the same `--dedup`",
        dataset.display()
    );
    Ok(manifest.dedup.unwrap_or_default().runs)
}

fn file(folder: &Path, name: &str, number: u64) -> PathBuf {
    folder.join(format!("{name}-{number:05}"))
}

/// Where each address ends, and then all of them.
fn write_addresses(urls: &[String], out: &mut impl Write) -> std::io::Result<()> {
    out.write_all(&(urls.len() as u64).to_le_bytes())?;
    let mut end = 0u64;
    for url in urls {
        end += url.len() as u64;
        out.write_all(&end.to_le_bytes())?;
    }
    urls.iter().try_for_each(|url| out.write_all(url.as_bytes()))
}

fn address(path: &Path, number: u32) -> anyhow::Result<String> {
    let read = || -> std::io::Result<String> {
        let file = File::open(path)?;
        let at = |n: u64| -> std::io::Result<u64> {
            let mut bytes = [0; 8];
            file.read_exact_at(&mut bytes, 8 * n)?;
            Ok(u64::from_le_bytes(bytes))
        };
        let (n, number) = (at(0)?, u64::from(number));
        let (start, end) = (if number == 0 { 0 } else { at(number)? }, at(number + 1)?);
        text_between(&file, 8 * (n + 1) + start, 8 * (n + 1) + end)
    };
    read().with_context(|| format!("could not read `{}`", path.display()))
}

/// A run's file, which is open only while it is read: there may be more than a process may open.
struct RunFile(PathBuf);

impl ReadAt for RunFile {
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> std::io::Result<()> {
        FileExt::read_exact_at(&File::open(&self.0)?, bytes, offset)
    }
}

fn open_run(path: PathBuf) -> anyhow::Result<KeyRun<RunFile>> {
    let shown = path.display().to_string();
    KeyRun::open(RunFile(path)).with_context(|| format!("could not read `{shown}`"))
}
