//! `gristmill extract ARCHIVE… --out DIR`: web archives to a dataset.
//!
//! ```text
//! archives ─▶ pages ─▶ rows (on all cores) ─▶ shards `data/part-NNNNN` ─▶ manifest.json
//!                                                │ journal: where to go on
//! ```
//! A shard is named when it is complete, and the journal knows where it ends in which archive. A run that was killed reads on
//! there, so its dataset is that of a run that was not.

mod inputs;
mod journal;
mod pages;
mod pipeline;
mod progress;
mod rows;
mod shards;

use std::path::{Path, PathBuf};

use anyhow::Context;
use gristmill_dataset::{Column, Columns, Format};
use gristmill_warc::Reason;
use serde_json::json;

use crate::extract::page_reader;
use crate::extract_args::ExtractArgs;
use crate::settings::Settings;
use inputs::Input;
use journal::{Counts, Head, Journal, Shard, State};
use pages::{Pages, Position};
use pipeline::{Outcome, Step};
use progress::Progress;
use rows::Reader;
use shards::OpenShard;

/// Damages that are told one by one; the others are counted only.
const TOLD_DAMAGES: u64 = 50;

/// Reads all archives into the folder.
///
/// # Errors
/// Archives that cannot be read and a folder that cannot be written, with the name of the file. What was written stays, and the
/// same command goes on behind it.
pub fn run(args: &ExtractArgs, settings: &Settings) -> anyhow::Result<()> {
    let out = args.out.as_deref().context("`--out` names no folder")?;
    let (format, columns) = (args.dataset_format()?, args.columns()?);
    let inputs = inputs::expand(&args.inputs)?;
    std::fs::create_dir_all(out.join("data")).with_context(|| format!("could not create `{}`", out.display()))?;
    let reader = Reader {
        reader: page_reader(args, settings)?,
        structure: args.structure(),
        describe: args.describe,
        min_confidence: args.min_confidence,
        with_markdown: columns.iter().any(|column| column.name() == "markdown"),
    };
    let head = head(args, &reader, format, &columns, &inputs);
    let journal = match Journal::open(out, head)? {
        State::Open(journal) => journal,
        State::Complete(rows) => {
            eprintln!("gristmill: the dataset in `{}` is complete: {rows} rows", out.display());
            return Ok(());
        }
    };
    let may_begin = journal.shards.is_empty() || !inputs[0].is_stream();
    anyhow::ensure!(may_begin, "standard input cannot be read on where a run was stopped; empty `{}`", out.display());
    let threads = args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1);
    Run::new(out, args.shard_rows.max(1), format, columns, &inputs, journal).finish(&reader, threads)
}

fn head(args: &ExtractArgs, reader: &Reader, format: Format, columns: &Columns, inputs: &[Input]) -> Head {
    let settings = json!({
        "method": reader.reader.method.to_string(),
        "comments": reader.reader.comments,
        "drop": format!("{:?}", args.structure()),
        "describe": args.describe,
        "min_confidence": args.min_confidence,
        "format": format.extension(),
        "columns": columns.iter().map(Column::name).collect::<Vec<_>>(),
        "shard_rows": args.shard_rows,
        "shard_text_bytes": shards::MAX_TEXT_BYTES,
    });
    Head { software: format!("gristmill {}", env!("CARGO_PKG_VERSION")), settings, inputs: inputs.to_vec() }
}

/// A dataset under way.
struct Run<'r> {
    out: &'r Path,
    shard_rows: u64,
    format: Format,
    columns: Columns,
    inputs: &'r [Input],
    journal: Journal,
    shard: Option<OpenShard>,
    counts: Counts,
    /// Behind the last record that was taken.
    input: usize,
    position: Position,
    /// Damages behind it, which a run that goes on there meets again.
    read_again: u64,
    progress: Progress,
}

impl<'r> Run<'r> {
    fn new(
        out: &'r Path,
        shard_rows: u64,
        format: Format,
        columns: Columns,
        inputs: &'r [Input],
        journal: Journal,
    ) -> Run<'r> {
        let last = journal.shards.last();
        let (input, position) = last.map_or((0, Position::default()), |shard| (shard.input, shard.position));
        let counts = last.map(|shard| shard.counts.clone()).unwrap_or_default();
        let total = inputs.iter().map(|input| input.len).sum::<Option<u64>>();
        let before = inputs[..input].iter().filter_map(|input| input.len).sum::<u64>() + position.offset;
        let progress = Progress::new(total, before);
        Run {
            out,
            shard_rows,
            format,
            columns,
            inputs,
            journal,
            shard: None,
            counts,
            input,
            position,
            read_again: 0,
            progress,
        }
    }

    fn finish(mut self, reader: &Reader, threads: usize) -> anyhow::Result<()> {
        for at in self.input..self.inputs.len() {
            if at > self.input {
                (self.input, self.position, self.read_again) = (at, Position::default(), 0);
            }
            let input = &self.inputs[at];
            let pages = Pages::open(input, self.position)?;
            pipeline::run(pages, threads, |page| reader.make(page, &input.name), |step| self.take(step))
                .with_context(|| format!("`{}`: stopped; the same command goes on there", input.name))?;
        }
        (self.input, self.position) = (self.inputs.len(), Position::default());
        self.close_shard()?;
        self.progress.end();
        let counts = self.counts.clone();
        let rows = self.journal.finish(self.counts)?;
        summary(self.out, rows, &counts);
        let unread = counts.get("no archive").copied().unwrap_or(0);
        anyhow::ensure!(unread == 0, "{unread} of {} inputs are no web archives", self.inputs.len());
        Ok(())
    }

    fn take(&mut self, step: Step) -> anyhow::Result<()> {
        match &step.outcome {
            Outcome::Row(row) => {
                if self.shard.as_ref().is_some_and(OpenShard::is_full) {
                    self.close_shard()?;
                }
                let number = self.journal.shards.len();
                let shard = match &mut self.shard {
                    Some(shard) => shard,
                    none => {
                        none.insert(OpenShard::create(self.out, number, self.shard_rows, self.format, &self.columns)?)
                    }
                };
                shard.write(row)?;
                self.count("pages");
            }
            Outcome::Passed(reason) => self.count(reason),
            Outcome::Damaged(damage) => {
                self.count(if damage.reason == Reason::NotAnArchive { "no archive" } else { "damaged" });
                self.read_again += u64::from(damage.skipped_bytes > 0);
                if self.counts.get("damaged").is_none_or(|n| *n <= TOLD_DAMAGES) {
                    self.progress.tell(&format!("gristmill: `{}`: {damage}", self.inputs[self.input].name));
                }
            }
        }
        if step.is_cut {
            self.count("cut");
        }
        if let Some(next) = step.next {
            (self.position, self.read_again) = (next, 0);
            let before: u64 = self.inputs[..self.input].iter().filter_map(|input| input.len).sum();
            self.progress.at(before + next.offset, self.counts.get("pages").copied().unwrap_or(0));
        }
        Ok(())
    }

    fn count(&mut self, what: &str) {
        *self.counts.entry(what.to_owned()).or_default() += 1;
    }

    fn close_shard(&mut self) -> anyhow::Result<()> {
        let Some(shard) = self.shard.take() else { return Ok(()) };
        let done = shard.finish()?;
        let mut counts = self.counts.clone();
        counts.entry("damaged".to_owned()).and_modify(|n| *n = n.saturating_sub(self.read_again));
        self.journal.add(Shard {
            file: done.file,
            rows: done.rows,
            bytes: done.bytes,
            xxh3: done.xxh3,
            input: self.input,
            position: self.position,
            counts,
        })
    }
}

fn summary(out: &Path, rows: u64, counts: &Counts) {
    let counted: Vec<String> = counts.iter().map(|(what, n)| format!("{what} {n}")).collect();
    let shown = PathBuf::from(out).join("manifest.json");
    eprintln!("gristmill: {rows} rows in `{}` ({}); see `{}`", out.display(), counted.join(", "), shown.display());
}
