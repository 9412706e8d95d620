//! `gristmill dataset ARCHIVE… --out DIR`: web archives to a dataset.
//!
//! ```text
//! archives ─▶ pages ─▶ rows (on all cores) ─▶ dataset
//! ```

use std::path::Path;

use anyhow::Context;
use gristmill_archiver::source::{ArchiveInput, ArchiveOpener, expand};
use gristmill_dataset::archives::{ArchivePages, EntryResult, PageFieldsWanted, PipelineItem, RowBuilder};
use gristmill_dataset::output::{
    AnswerFacts, ArchiveOffset, DatasetBuilder, DatasetHeader, DatasetOptions, DatasetState, SourceItem, SourceOffset,
};
use gristmill_dataset::pages::NoRow;
use gristmill_dataset::{Columns, DatasetRow, FileFormat, archives};
use gristmill_warc::DamageReason;
use serde_json::json;

use crate::dataset::{DocumentFilter, FilterFields, tell};
use crate::failure::wrong_use;
use crate::settings::Settings;
use tokio::runtime::Runtime;

use super::TOLD_DAMAGES;
use super::args::ArchiveDatasetArgs;
use super::progress::{ArchiveProgressBar, ArchiveSizes};

/// Reads all archives into the folder.
///
/// # Errors
/// Archives that cannot be read and a folder that cannot be written, with the name of the file. What was written stays, and the
/// same command goes on behind it.
pub fn run(args: &ArchiveDatasetArgs, settings: &Settings) -> anyhow::Result<()> {
    let network = network()?;
    let sources = ArchiveOpener::new(settings.fetch.clone(), settings.blobs.s3.clone(), network.handle().clone());
    let (out, format) = (args.out.as_path(), args.format.unwrap_or_default());
    let mut columns = args.dataset.choose(args.layout.as_deref()).map_err(wrong_use)?;
    if !args.variants.is_empty() {
        columns = columns.with_variants(&args.variants());
    }
    let inputs = expand(&args.archives, args.base.as_deref(), &sources)?;
    let needs =
        PageFieldsWanted { fields: columns.has("metadata"), warcinfo: columns.has("warcinfo") || columns.has("dump") };
    let takedowns = gristmill_index::takedowns(&settings.index_dir())?;
    let page_reader = args.reading.page_reader(&settings.extractor, &settings.records)?;
    let filter = args.filter.filter().map_err(wrong_use)?;
    let refuses = |row: &DatasetRow| filter.refuses(&FilterFields::of_row(row));
    let reader = RowBuilder {
        takedowns,
        reader: page_reader,
        structure: args.reading.structure(),
        describe: args.reading.describe,
        refuses: &refuses,
        cleaner: args.dataset.cleaning.cleaner()?,
        dump: args.dataset.dump.clone(),
        with_markdown: columns.has("markdown"),
        with_variants: !args.variants.is_empty(),
    };
    let threads = args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1);
    let plan = DatasetOptions {
        out: out.to_owned(),
        head: head(args, &reader, &filter, format, &columns, &inputs)?,
        format,
        columns,
        shard_rows: args.dataset.shard_rows,
        tokens: reader.cleaner.tokens.clone(),
        dedup: args.dataset.dedup.plan().map_err(wrong_use)?,
        threads,
        with_hosts: true,
        may_change: false,
    };
    let output = match DatasetBuilder::start(plan)? {
        DatasetState::Open(output) => *output,
        DatasetState::Complete(rows) => {
            tell!("gristmill: the dataset in `{}` is complete: {rows} rows", out.display());
            return Ok(());
        }
    };
    let may_begin = !output.goes_on() || !inputs[0].is_stream();
    anyhow::ensure!(may_begin, "standard input cannot be read on where a run was stopped; empty `{}`", out.display());
    let mut sizes = ArchiveSizes::of(&inputs);
    let place = output.place();
    let progress = ArchiveProgressBar::new(sizes.total(), sizes.before(place.input as usize) + place.position.offset);
    Run { inputs: &inputs, sizes, progress, output, told: 0, n_pages: 0, at: 0 }
        .finish(&sources, &reader, needs, threads, out)
}

/// The thread on which traffic of the network runs.
fn network() -> std::io::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()
}

fn head(
    args: &ArchiveDatasetArgs,
    reader: &RowBuilder<'_>,
    filter: &DocumentFilter,
    format: FileFormat,
    columns: &Columns,
    inputs: &[ArchiveInput],
) -> anyhow::Result<DatasetHeader> {
    let own = json!({
        "method": reader.reader.method.to_string(),
        "comments": reader.reader.comments,
        "drop": format!("{:?}", args.reading.structure()),
        "describe": args.reading.describe,
        "hosts": true,
    });
    Ok(DatasetHeader {
        software: format!("gristmill {}", env!("CARGO_PKG_VERSION")),
        settings: args.dataset.settings(format, columns, filter, own)?,
        inputs: serde_json::to_value(inputs)?,
        since: None,
    })
}

/// Archives on their way into a dataset.
struct Run<'r> {
    inputs: &'r [ArchiveInput],
    sizes: ArchiveSizes,
    output: DatasetBuilder,
    progress: ArchiveProgressBar,
    /// Damages that were told.
    told: u64,
    n_pages: u64,
    /// The archive that is read.
    at: usize,
}

impl Run<'_> {
    fn finish(
        mut self,
        sources: &ArchiveOpener,
        reader: &RowBuilder<'_>,
        needs: PageFieldsWanted,
        threads: usize,
        out: &Path,
    ) -> anyhow::Result<()> {
        let start = self.output.place();
        for at in start.input as usize..self.inputs.len() {
            self.at = at;
            let input = &self.inputs[at];
            let from = if at == start.input as usize { start.position } else { ArchiveOffset::default() };
            let pages =
                ArchivePages::open(&input.name, from, needs, |offset, version| sources.open(input, offset, version))?;
            self.sizes.learn(at, pages.len);
            self.progress.of(self.sizes.total());
            archives::run(pages, threads, |page| reader.make(page, &input.name), |step| self.take(step))
                .with_context(|| format!("`{}`: stopped; the same command goes on there", input.name))?;
        }
        self.progress.end();
        let end = SourceOffset { input: self.inputs.len() as u64, position: ArchiveOffset::default() };
        let manifest = self.output.finish(end, serde_json::Value::Null)?;
        tell(&manifest, out);
        let unread = manifest.counts.get("no archive").copied().unwrap_or(0);
        anyhow::ensure!(unread == 0, "{unread} of {} inputs are no web archives", self.inputs.len());
        Ok(())
    }

    fn take(&mut self, found: PipelineItem) -> anyhow::Result<()> {
        let place = found.next.map(|position| SourceOffset { input: self.at as u64, position });
        let mut step = match found.outcome {
            EntryResult::Row(row) => {
                self.n_pages += 1;
                SourceItem { place, answer: found.answer, ..*row }
            }
            EntryResult::Passed(NoRow { reason, wall }) => {
                let answer =
                    found.answer.map(|answer| Box::new(AnswerFacts { wall: wall.map(str::to_owned), ..*answer }));
                SourceItem { answer, ..SourceItem::passed(reason, place) }
            }
            EntryResult::Damaged(damage) => {
                self.told += 1;
                if self.told <= TOLD_DAMAGES {
                    self.progress.tell(&format!("gristmill: `{}`: {damage}", self.inputs[self.at].name));
                }
                let what = if damage.reason == DamageReason::NotAnArchive { "no archive" } else { "damaged" };
                SourceItem { is_met_again: damage.skipped_bytes > 0, ..SourceItem::passed(what, place) }
            }
        };
        if found.is_cut {
            step.counted.push("cut".to_owned());
        }
        if let Some(next) = found.next {
            self.progress.at(self.sizes.before(self.at) + next.offset, self.n_pages);
        }
        self.output.take(step)
    }
}
