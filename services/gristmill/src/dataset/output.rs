//! The one way from the steps of a source to the files of a dataset.

use std::path::PathBuf;

use anyhow::Context;
use gristmill_dataset::{Columns, FileFormat};
use serde_json::{Value, json};

use super::args::DatasetArgs;
use super::card;
use super::dedup::{Dedup, Deduplicator};
use super::filter::DocumentFilter;
use super::journal::{Counts, DatasetHeader, DatasetJournal, JournalState, MANIFEST, Manifest, Shard, SourceOffset};
use super::shards::{MAX_TEXT_BYTES, OpenShard, ShardOptions};
use super::source_item::SourceItem;

/// What a dataset is to be.
pub struct DatasetOptions {
    pub out: PathBuf,
    pub format: FileFormat,
    pub columns: Columns,
    pub shard_rows: u64,
    pub dedup: Option<Dedup>,
    pub threads: usize,
    pub head: DatasetHeader,
    /// Whether the source may be another one when a stopped run goes on; it then begins anew.
    pub may_change: bool,
}

impl DatasetOptions {
    /// For the head: what all datasets are made by, and then what only this source has.
    pub fn settings(
        args: &DatasetArgs,
        format: FileFormat,
        columns: &Columns,
        filter: &DocumentFilter,
        own: Value,
    ) -> Value {
        let mut settings = json!({
            "format": format.extension(),
            "columns": columns.names(),
            "shard_rows": args.shard_rows,
            "shard_text_bytes": MAX_TEXT_BYTES,
            "dump": args.dump,
            "dedup": args.dedup.map(Dedup::name),
            "filter": filter.settings(),
        });
        if let (Some(all), Value::Object(own)) = (settings.as_object_mut(), own) {
            all.extend(own);
        }
        settings
    }
}

/// A dataset under way.
pub struct DatasetBuilder {
    plan: DatasetOptions,
    shape: ShardOptions,
    journal: DatasetJournal,
    shard: Option<OpenShard>,
    sieve: Option<Deduplicator>,
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
            JournalState::Complete(rows) => return Ok(DatasetState::Complete(rows)),
        };
        let sieve =
            plan.dedup.map(|dedup| Deduplicator::open(&plan.out, dedup, journal.mark(), plan.threads)).transpose()?;
        let last = journal.shards.last();
        let place = last.map(|shard| shard.place).unwrap_or_default();
        let counts = last.map(|shard| shard.counts.clone()).unwrap_or_default();
        let shape = ShardOptions { format: plan.format, columns: plan.columns.clone(), max_rows: plan.shard_rows };
        let output = DatasetBuilder { plan, shape, journal, shard: None, sieve, counts, again: Counts::new(), place };
        Ok(DatasetState::Open(Box::new(output)))
    }

    /// Where the source goes on.
    pub fn place(&self) -> SourceOffset {
        self.place
    }

    /// Whether an earlier run has written something.
    pub fn goes_on(&self) -> bool {
        !self.journal.shards.is_empty()
    }

    /// How many runs were complete before this one.
    pub fn number_of_run(&self) -> usize {
        self.journal.number_of_run()
    }

    /// Takes what the source says next.
    pub fn take(&mut self, step: SourceItem) -> anyhow::Result<()> {
        match &mut self.sieve {
            None => self.settle(step),
            Some(sieve) => {
                if sieve.push(&step)? {
                    self.judge()?;
                }
                Ok(())
            }
        }
    }

    /// Settles the steps that wait to be judged.
    fn judge(&mut self) -> anyhow::Result<()> {
        let Some(sieve) = &mut self.sieve else { return Ok(()) };
        for judged in sieve.judge()? {
            let judged = judged?;
            let mut step = judged.step;
            let url = step.row.as_ref().map(|row| row.url.clone());
            if judged.original.is_some() {
                step.row = None;
                step.counted = vec!["--dedup".to_owned()];
            }
            self.settle(step)?;
            if let (Some(sieve), Some(url)) = (&mut self.sieve, url) {
                sieve.note(&url, judged.print, judged.original)?;
            }
        }
        Ok(())
    }

    fn settle(&mut self, step: SourceItem) -> anyhow::Result<()> {
        if let Some(row) = &step.row {
            if self.shard.as_ref().is_some_and(OpenShard::is_full) {
                self.close_shard()?;
            }
            let number = self.journal.next_shard();
            let shard = match &mut self.shard {
                Some(shard) => shard,
                none => none.insert(OpenShard::create(&self.plan.out, number, &self.shape)?),
            };
            shard.write(row)?;
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

    fn close_shard(&mut self) -> anyhow::Result<()> {
        let Some(shard) = self.shard.take() else { return Ok(()) };
        let done = shard.finish()?;
        let dedup = self.sieve.as_mut().map(Deduplicator::mark).transpose()?;
        self.journal.add(Shard {
            file: done.file,
            rows: done.rows,
            bytes: done.bytes,
            xxh3: done.xxh3,
            place: self.place,
            counts: self.counts.clone(),
            stats: done.stats,
            dedup,
        })
    }

    /// Ends the dataset, whose source is at its end. The manifest has `more` of this run.
    pub fn finish(mut self, end: SourceOffset, more: Value) -> anyhow::Result<Manifest> {
        self.judge()?;
        self.settle(SourceItem { place: Some(end), ..SourceItem::default() })?;
        self.close_shard()?;
        let dedup = self.sieve.as_mut().map(Deduplicator::mark).transpose()?;
        let manifest = self.journal.manifest(self.counts, dedup, more);
        card::write(&self.plan.out, &manifest, &self.shape)?;
        self.journal.finish(&manifest)?;
        Ok(manifest)
    }
}

impl Manifest {
    /// Tells on stderr what the last run wrote.
    pub fn tell(&self, out: &std::path::Path) {
        let Some(part) = self.history.last() else { return };
        let counted: Vec<String> = part.counts.iter().map(|(what, n)| format!("{what} {n}")).collect();
        let (rows, shown, all) = (part.rows, out.display(), out.join(MANIFEST));
        let more = if self.history.len() > 1 { " more" } else { "" };
        tell!("gristmill: {rows}{more} rows in `{shown}` ({}); see `{}`", counted.join(", "), all.display());
    }
}
