//! `gristmill dataset ARCHIVE… --out DIR`: web archives to a dataset.
//!
//! ```text
//! archives ─▶ pages ─▶ rows (on all cores) ─▶ dataset
//! ```

use std::path::Path;

use anyhow::Context;
use gristmill_dataset::{Columns, Format};
use gristmill_warc::Reason;
use serde_json::json;

use crate::dataset::{Head, Output, Place, Plan, Position, Started, Step};
use crate::failure::wrong_use;
use crate::settings::Settings;
use tokio::runtime::Runtime;

use super::TOLD_DAMAGES;
use super::args::ArchiveDatasetArgs;
use super::inputs::{self, Input};
use super::pages::{Needs, Pages};
use super::pipeline::{self, Outcome};
use super::progress::{Progress, Sizes};
use super::rows::Reader;
use super::sources::Sources;

/// Reads all archives into the folder.
///
/// # Errors
/// Archives that cannot be read and a folder that cannot be written, with the name of the file. What was written stays, and the
/// same command goes on behind it.
pub fn run(args: &ArchiveDatasetArgs, settings: &Settings) -> anyhow::Result<()> {
    let network = network()?;
    let sources = Sources::new(settings, network.handle().clone());
    let (out, format) = (args.out.as_path(), args.format.unwrap_or_default());
    let columns = args.dataset.choose(args.layout.as_deref()).map_err(wrong_use)?;
    let inputs = inputs::expand(&args.archives, args.base.as_deref(), &sources)?;
    let needs = Needs { fields: columns.has("metadata"), warcinfo: columns.has("warcinfo") || columns.has("dump") };
    let reader = Reader {
        reader: args.reading.page_reader(settings)?,
        structure: args.reading.structure(),
        describe: args.reading.describe,
        filter: args.filter.filter().map_err(wrong_use)?,
        dump: args.dataset.dump.clone(),
        with_markdown: columns.has("markdown"),
    };
    let threads = args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).max(1);
    let plan = Plan {
        out: out.to_owned(),
        head: head(args, &reader, format, &columns, &inputs)?,
        format,
        columns,
        shard_rows: args.dataset.shard_rows,
        dedup: args.dataset.dedup,
        threads,
        may_change: false,
    };
    let output = match Output::start(plan)? {
        Started::Open(output) => *output,
        Started::Complete(rows) => {
            tell!("gristmill: the dataset in `{}` is complete: {rows} rows", out.display());
            return Ok(());
        }
    };
    let may_begin = !output.goes_on() || !inputs[0].is_stream();
    anyhow::ensure!(may_begin, "standard input cannot be read on where a run was stopped; empty `{}`", out.display());
    let mut sizes = Sizes::of(&inputs);
    let place = output.place();
    let progress = Progress::new(sizes.total(), sizes.before(place.input as usize) + place.position.offset);
    Run { inputs: &inputs, sizes, progress, output, told: 0, n_pages: 0, at: 0 }
        .finish(&sources, &reader, needs, threads, out)
}

/// The thread on which traffic of the network runs.
fn network() -> std::io::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()
}

fn head(
    args: &ArchiveDatasetArgs,
    reader: &Reader,
    format: Format,
    columns: &Columns,
    inputs: &[Input],
) -> anyhow::Result<Head> {
    let own = json!({
        "method": reader.reader.method.to_string(),
        "comments": reader.reader.comments,
        "drop": format!("{:?}", args.reading.structure()),
        "describe": args.reading.describe,
    });
    Ok(Head {
        software: format!("gristmill {}", env!("CARGO_PKG_VERSION")),
        settings: Plan::settings(&args.dataset, format, columns, &reader.filter, own),
        inputs: serde_json::to_value(inputs)?,
        since: None,
    })
}

/// Archives on their way into a dataset.
struct Run<'r> {
    inputs: &'r [Input],
    sizes: Sizes,
    output: Output,
    progress: Progress,
    /// Damages that were told.
    told: u64,
    n_pages: u64,
    /// The archive that is read.
    at: usize,
}

impl Run<'_> {
    fn finish(
        mut self,
        sources: &Sources,
        reader: &Reader,
        needs: Needs,
        threads: usize,
        out: &Path,
    ) -> anyhow::Result<()> {
        let start = self.output.place();
        for at in start.input as usize..self.inputs.len() {
            self.at = at;
            let input = &self.inputs[at];
            let from = if at == start.input as usize { start.position } else { Position::default() };
            let pages = Pages::open(sources, input, from, needs)?;
            self.sizes.learn(at, pages.len);
            self.progress.of(self.sizes.total());
            pipeline::run(pages, threads, |page| reader.make(page, &input.name), |step| self.take(step))
                .with_context(|| format!("`{}`: stopped; the same command goes on there", input.name))?;
        }
        self.progress.end();
        let end = Place { input: self.inputs.len() as u64, position: Position::default() };
        let manifest = self.output.finish(end, serde_json::Value::Null)?;
        manifest.tell(out);
        let unread = manifest.counts.get("no archive").copied().unwrap_or(0);
        anyhow::ensure!(unread == 0, "{unread} of {} inputs are no web archives", self.inputs.len());
        Ok(())
    }

    fn take(&mut self, found: pipeline::Step) -> anyhow::Result<()> {
        let place = found.next.map(|position| Place { input: self.at as u64, position });
        let mut step = match found.outcome {
            Outcome::Row(row) => {
                self.n_pages += 1;
                Step { row: Some(row), counted: vec!["pages".to_owned()], place, is_met_again: false }
            }
            Outcome::Passed(reason) => Step::passed(reason, place),
            Outcome::Damaged(damage) => {
                self.told += 1;
                if self.told <= TOLD_DAMAGES {
                    self.progress.tell(&format!("gristmill: `{}`: {damage}", self.inputs[self.at].name));
                }
                let what = if damage.reason == Reason::NotAnArchive { "no archive" } else { "damaged" };
                Step { is_met_again: damage.skipped_bytes > 0, ..Step::passed(what, place) }
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
