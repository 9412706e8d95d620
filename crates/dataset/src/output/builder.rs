//! The one way from the steps of a source to the files of a dataset.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use serde_json::Value;

use super::card;
use super::corpus_dedup::CorpusDedup;
use super::dedup::Deduplicator;
use super::dedup_plan::DedupPlan;
use super::dedup_store::DedupCheckpoint;
use super::files::open_cut;
use super::host_table::HostTable;
use super::journal::{Counts, DatasetHeader, DatasetJournal, JournalState, Manifest, Shard, SourceOffset};
use super::shards::{OpenShard, ShardOptions};
use super::source_item::{DroppedRow, SourceItem};
use super::tokens::TokenCounter;
use crate::{Columns, FileFormat};

/// What rules left out, and why.
const DROPPED: &str = "dropped.jsonl";

/// What a dataset is to be.
pub struct DatasetOptions {
    /// Its folder.
    pub out: PathBuf,
    pub format: FileFormat,
    pub columns: Columns,
    /// Rows of one file.
    pub shard_rows: u64,
    pub dedup: DedupPlan,
    /// Counts again what was shortened.
    pub tokens: Arc<TokenCounter>,
    /// On which duplicates are found.
    pub threads: usize,
    /// What it is made of.
    pub head: DatasetHeader,
    /// Whether there is a table of hosts beside the rows.
    pub with_hosts: bool,
    /// Whether the source may be another one when a stopped run goes on; it then begins anew.
    pub may_change: bool,
}

/// What leaves duplicates out.
enum DuplicateSieve {
    Open,
    Batches(Box<Deduplicator>),
    Corpus(Box<CorpusDedup>),
}

impl DuplicateSieve {
    fn new(plan: &DatasetOptions, journal: &DatasetJournal) -> anyhow::Result<DuplicateSieve> {
        let (out, mark) = (&plan.out, journal.mark());
        Ok(match &plan.dedup {
            DedupPlan::Nothing => Self::Open,
            DedupPlan::Prints(likeness) => {
                Self::Batches(Box::new(Deduplicator::open(out, *likeness, mark, plan.threads)?))
            }
            DedupPlan::Corpus(options) => {
                let mut head = serde_json::to_value(&plan.head)?;
                head["run"] = journal.number_of_run().into();
                Self::Corpus(Box::new(CorpusDedup::open(out, options.clone(), &head, mark, plan)?))
            }
        })
    }

    fn mark(&mut self, is_end: bool) -> anyhow::Result<Option<DedupCheckpoint>> {
        match self {
            Self::Open => Ok(None),
            Self::Batches(batches) => batches.mark().map(Some),
            Self::Corpus(corpus) => corpus.mark(is_end).map(Some),
        }
    }
}

/// A dataset under way.
pub struct DatasetBuilder {
    plan: DatasetOptions,
    shape: ShardOptions,
    journal: DatasetJournal,
    shard: Option<OpenShard>,
    sieve: DuplicateSieve,
    /// `dropped.jsonl`, where rows may be dropped.
    dropped: Option<BufWriter<File>>,
    dropped_bytes: u64,
    hosts: Option<HostTable>,
    counts: Counts,
    /// Counted behind the last place, and met again by a run that goes on there.
    again: Counts,
    place: SourceOffset,
}

/// What a folder says at the start.
pub enum DatasetState {
    /// The dataset is complete: so many rows.
    Complete(u64),
    Open(Box<DatasetBuilder>),
}

impl DatasetBuilder {
    /// Begins a dataset, or goes on with it.
    ///
    /// # Errors
    /// A folder that cannot be written, or that holds another dataset.
    pub fn start(plan: DatasetOptions) -> anyhow::Result<DatasetState> {
        let data = plan.out.join("data");
        std::fs::create_dir_all(&data).with_context(|| format!("could not create `{}`", data.display()))?;
        let journal = match DatasetJournal::open(&plan.out, plan.head.clone(), plan.may_change)? {
            JournalState::Open(journal) => *journal,
            JournalState::Complete(rows) => {
                // The kill may have come before this was done.
                CorpusDedup::clean(&plan.out)?;
                HostTable::clean(&plan.out)?;
                return Ok(DatasetState::Complete(rows));
            }
        };
        let sieve = DuplicateSieve::new(&plan, &journal)?;
        let last = journal.shards.last();
        let place = last.map(|shard| shard.place).unwrap_or_default();
        let counts = last.map(|shard| shard.counts.clone()).unwrap_or_default();
        let host_runs = last.map(|shard| shard.host_runs).unwrap_or_default();
        let hosts = plan.with_hosts.then(|| HostTable::open(&plan.out, host_runs)).transpose()?;
        let shape = ShardOptions { format: plan.format, columns: plan.columns.clone(), max_rows: plan.shard_rows };
        let dropped_bytes = journal.dropped_bytes();
        let output = DatasetBuilder {
            plan,
            shape,
            journal,
            shard: None,
            sieve,
            dropped: None,
            dropped_bytes,
            hosts,
            counts,
            again: Counts::new(),
            place,
        };
        Ok(DatasetState::Open(Box::new(output)))
    }

    /// Where the source goes on.
    pub fn place(&self) -> SourceOffset {
        if let DuplicateSieve::Corpus(corpus) = &self.sieve { corpus.place() } else { self.place }
    }

    /// Whether an earlier run has written something.
    pub fn goes_on(&self) -> bool {
        let has_laid_aside = matches!(&self.sieve, DuplicateSieve::Corpus(corpus) if corpus.goes_on());
        has_laid_aside || !self.journal.shards.is_empty()
    }

    /// How many runs were complete before this one.
    pub fn number_of_run(&self) -> usize {
        self.journal.number_of_run()
    }

    /// Takes what the source says next.
    pub fn take(&mut self, step: SourceItem) -> anyhow::Result<()> {
        match &mut self.sieve {
            DuplicateSieve::Open => self.settle(step),
            DuplicateSieve::Corpus(corpus) => corpus.push(step),
            DuplicateSieve::Batches(batches) => {
                if batches.push(&step)? {
                    self.judge()?;
                }
                Ok(())
            }
        }
    }

    /// Settles the steps that wait to be judged.
    fn judge(&mut self) -> anyhow::Result<()> {
        let DuplicateSieve::Batches(batches) = &mut self.sieve else { return Ok(()) };
        for judged in batches.judge()? {
            let judged = judged?;
            let mut step = judged.step;
            let url = step.row.as_ref().map(|row| row.url.clone());
            if judged.original.is_some() {
                step.row = None;
                step.counted = vec!["--dedup".to_owned()];
            }
            self.settle(step)?;
            if let (DuplicateSieve::Batches(batches), Some(url)) = (&mut self.sieve, url) {
                batches.note(&url, judged.print, judged.original)?;
            }
        }
        Ok(())
    }

    /// Settles all steps of a source that has come to its end, and gives the end.
    fn judge_all(&mut self, end: SourceOffset) -> anyhow::Result<SourceOffset> {
        self.judge()?;
        let place = self.place;
        let DuplicateSieve::Corpus(corpus) = &mut self.sieve else { return Ok(end) };
        corpus.decide(end, place)?;
        let end = corpus.end();
        while let DuplicateSieve::Corpus(corpus) = &mut self.sieve
            && let Some(step) = corpus.next()?
        {
            self.settle(step)?;
        }
        Ok(end)
    }

    fn settle(&mut self, step: SourceItem) -> anyhow::Result<()> {
        if let Some(row) = &step.row {
            if self.shard.as_ref().is_some_and(OpenShard::is_full) {
                self.close_shard()?;
            }
            self.shard()?.write(row)?;
        }
        if let Some(dropped) = &step.dropped {
            self.report(dropped)?;
        }
        if let (Some(hosts), Some(answer)) = (&mut self.hosts, &step.answer) {
            let outcome = step.counted.first().map(String::as_str).unwrap_or_default();
            hosts.count(answer, outcome, step.row.as_deref())?;
        }
        let counts = if step.is_met_again { &mut self.again } else { &mut self.counts };
        step.counted.into_iter().for_each(|what| *counts.entry(what).or_default() += 1);
        if let Some(place) = step.place {
            self.place = place;
            std::mem::take(&mut self.again).into_iter().for_each(|(what, n)| {
                *self.counts.entry(what).or_default() += n;
            });
        }
        Ok(())
    }

    /// The file that rows go into.
    fn shard(&mut self) -> anyhow::Result<&mut OpenShard> {
        let number = self.journal.next_shard();
        Ok(match &mut self.shard {
            Some(shard) => shard,
            none => none.insert(OpenShard::create(&self.plan.out, number, &self.shape)?),
        })
    }

    fn report(&mut self, dropped: &DroppedRow) -> anyhow::Result<()> {
        let file = match &mut self.dropped {
            Some(file) => file,
            none => none.insert(open_cut(&self.plan.out.join(DROPPED), self.dropped_bytes)?),
        };
        let mut line = serde_json::to_vec(dropped)?;
        line.push(b'\n');
        self.dropped_bytes += line.len() as u64;
        file.write_all(&line).with_context(|| format!("could not write `{DROPPED}`"))
    }

    /// How much of `dropped.jsonl` there is, once it is on the disk.
    fn dropped_mark(&mut self) -> anyhow::Result<u64> {
        if let Some(file) = &mut self.dropped {
            let synced = file.flush().and_then(|()| file.get_ref().sync_data());
            synced.with_context(|| format!("could not write `{DROPPED}`"))?;
        }
        Ok(self.dropped_bytes)
    }

    fn close_shard(&mut self) -> anyhow::Result<()> {
        let Some(shard) = self.shard.take() else { return Ok(()) };
        let done = shard.finish()?;
        let dedup = self.sieve.mark(false)?;
        let dropped_bytes = self.dropped_mark()?;
        let host_runs = self.hosts.as_mut().map(HostTable::mark).transpose()?.unwrap_or_default();
        self.journal.add(Shard {
            file: done.file,
            rows: done.rows,
            bytes: done.bytes,
            xxh3: done.xxh3,
            place: self.place,
            counts: self.counts.clone(),
            stats: done.stats,
            dedup,
            dropped_bytes,
            host_runs,
        })
    }

    /// Ends the dataset, whose source is at its end. The manifest has `more` of this run.
    pub fn finish(mut self, end: SourceOffset, more: Value) -> anyhow::Result<Manifest> {
        let end = self.judge_all(end)?;
        self.settle(SourceItem { place: Some(end), ..SourceItem::default() })?;
        if self.journal.next_shard() == 0 {
            // No rows at all: readers want a file that has the columns.
            self.shard()?;
        }
        self.close_shard()?;
        let dedup = self.sieve.mark(true)?;
        let dropped_bytes = self.dropped_mark()?;
        // What an earlier run wrote behind the last shard.
        if self.plan.out.join(DROPPED).exists() {
            open_cut(&self.plan.out.join(DROPPED), dropped_bytes)?;
        }
        self.hosts.map(HostTable::finish).transpose()?;
        let manifest = self.journal.manifest(self.counts, dedup, dropped_bytes, more);
        card::write(&self.plan.out, &manifest, &self.shape)?;
        self.journal.finish(&manifest)?;
        CorpusDedup::clean(&self.plan.out)?;
        HostTable::clean(&self.plan.out)?;
        Ok(manifest)
    }
}
