//! `gristmill import ARCHIVE…`: the pages of web archives into the log, as if they had just been fetched.
//!
//! ```text
//! archives ─▶ pages ─▶ topic `pages` ─▶ extractor ─▶ indexer    (these two in this process, with the embedded log)
//!               └─▶ import.jsonl: where to go on in each archive
//! ```
//! A place is noted when the pages before it are in the log. So a run that was killed repeats a few pages, which the index knows by
//! their URLs.

mod journal;
mod message;

use std::sync::Arc;

use anyhow::Context;
use gristmill_archiver::source::{ArchiveChanged, ArchiveInput, ArchiveOpener, expand};
use gristmill_dataset::archives::{ArchiveItem, ArchivePages, LocatedItem, PageFieldsWanted};
use gristmill_index::IndexReader;
use gristmill_log::{Log, LogEngine, PartitionView, ProducerRecord};
use gristmill_proto::topics::{self, groups};
use gristmill_runtime::admin::ProcessHealth;
use gristmill_runtime::backlog::Backlog;
use gristmill_runtime::blobs::{Blobs, persist};
use gristmill_runtime::process::open_log;
use gristmill_runtime::shutdown;
use gristmill_warc::DamageReason;
use prometheus::Registry;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::archives::TOLD_DAMAGES;
use crate::archives::progress::{ArchiveProgressBar, ArchiveSizes};
use crate::cli::ImportArgs;
use crate::crawl::lock;
use crate::settings::Settings;
use crate::wiring::{Stages, Wiring};
use journal::{Counts, ImportJournal, ImportProgress};
use message::MessageBuilder;

/// Pages that are appended at once: few enough that a run that was killed repeats little.
const MAX_PAGES: usize = 64;
/// Bytes of their messages.
const MAX_BYTES: usize = 4 << 20;

/// Imports all archives, and with the embedded log waits until their pages are in the index.
///
/// # Errors
/// An archive that cannot be read, with its name; the data directory or the log. The same command goes on there.
pub async fn run(args: ImportArgs, settings: Settings) -> anyhow::Result<()> {
    let stop = shutdown::on_signal("pages in flight are finished first")?;
    let _lock = lock(&settings.data)?;
    let log = open_log(&settings.data, &settings.log).await?;
    let registry = Registry::new();
    let wiring = Wiring::new(&settings, PartitionView::of(log.clone(), log.owned()), &registry);
    let (log, blobs) = (wiring.log.clone(), wiring.blobs()?.clone());
    let import = Import {
        sources: ArchiveOpener::new(settings.fetch.clone(), settings.blobs.s3.clone(), Handle::current()),
        maker: MessageBuilder::new(blobs.clone(), settings.extractor.pdf),
        backlog: Backlog::of(log.clone(), groups::EXTRACTOR, topics::PAGES),
        max_waiting: settings.fetcher.max_waiting_pages,
        log,
        blobs,
        runtime: Handle::current(),
        stop: stop.clone(),
    };
    let on_kafka = settings.log.engine == LogEngine::Kafka;
    let imports = settings.imports_file();
    let importing = async move {
        let work = move || import.run(&args, ImportJournal::open(&imports)?);
        tokio::task::spawn_blocking(work).await.context("the import panicked")?
    };
    let totals = if on_kafka {
        importing.await?
    } else {
        // No scheduler runs that could be asked for a browser.
        let (extractor, indexer) = (wiring.extractor()?.without_browser(), wiring.indexer()?);
        let mut stages = Stages::default();
        stages.add("indexer", |stop| indexer.run(stop));
        stages.add("extractor", |stop| extractor.run(stop));
        stages.run_while(importing, &ProcessHealth::default(), &stop).await?
    };
    totals.tell(&settings, on_kafka)
}

/// What became of all archives.
#[derive(Default)]
struct Totals {
    n_archives: usize,
    /// Of these, complete before this run.
    n_known: usize,
    counts: Counts,
    is_stopped: bool,
}

impl Totals {
    fn tell(&self, settings: &Settings, on_kafka: bool) -> anyhow::Result<()> {
        let pages = self.counts.get("pages").copied().unwrap_or(0);
        let others = self.counts.iter().filter(|(what, _)| *what != "pages");
        let others: Vec<String> = others.map(|(what, n)| format!("{what} {n}")).collect();
        let others = if others.is_empty() { String::new() } else { format!(" ({})", others.join(", ")) };
        let archives = if self.n_archives == 1 { "archive" } else { "archives" };
        say!("imported {pages} pages of {} {archives}{others}", self.n_archives);
        if !on_kafka && let Ok(reader) = IndexReader::open(&settings.index_dir()) {
            say!("{} documents in the index of `{}`", reader.count(), settings.data.display());
        }
        if self.n_known > 0 {
            tell!("gristmill: {} of them imported already; `--again` reads them once more", self.n_known);
        }
        if self.is_stopped {
            tell!("stopped; the same command goes on from here");
        }
        let unread = self.counts.get("no archive").copied().unwrap_or(0);
        anyhow::ensure!(unread == 0, "{unread} of {} inputs are no web archives", self.n_archives);
        Ok(())
    }
}

/// What an import works with.
struct Import {
    sources: ArchiveOpener,
    maker: MessageBuilder,
    backlog: Backlog,
    max_waiting: u64,
    log: Arc<dyn Log>,
    blobs: Blobs,
    runtime: Handle,
    stop: CancellationToken,
}

impl Import {
    /// Reads all archives, one after the other. Blocks.
    fn run(self, args: &ImportArgs, mut journal: ImportJournal) -> anyhow::Result<Totals> {
        let inputs = expand(&args.archives, args.base.as_deref(), &self.sources)?;
        let mut sizes = ArchiveSizes::of(&inputs);
        let progress = ArchiveProgressBar::new(sizes.total(), 0);
        let mut totals = Totals { n_archives: inputs.len(), ..Totals::default() };
        for (at, input) in inputs.iter().enumerate() {
            let known = if args.again || input.is_stream() { None } else { journal.of(input) };
            let place = match known {
                Some(place) if place.is_done => {
                    totals.n_known += 1;
                    place
                }
                known => {
                    let (pages, place) =
                        self.open(input, known.unwrap_or_else(|| ImportProgress::of(input)), &progress)?;
                    sizes.learn(at, pages.len);
                    progress.of(sizes.total());
                    let before = sizes.before(at);
                    let archive = Archive { import: &self, pages, place, records: Vec::new(), n_bytes: 0 };
                    let so_far = totals.counts.get("pages").copied().unwrap_or(0);
                    let done = archive.read(
                        &mut journal,
                        |place| {
                            progress.at(before + place.position.offset, so_far + place.pages());
                        },
                        |line| progress.tell(&line),
                    );
                    done.with_context(|| format!("`{}`: stopped; the same command goes on there", input.name))?
                }
            };
            place.counts.iter().for_each(|(what, n)| *totals.counts.entry(what.clone()).or_default() += n);
            if self.stop.is_cancelled() {
                totals.is_stopped = !place.is_done || at + 1 < inputs.len();
                break;
            }
        }
        progress.end();
        Ok(totals)
    }

    /// Opens an archive where the last run stopped, or at its beginning when it has changed since.
    fn open(
        &self,
        input: &ArchiveInput,
        place: ImportProgress,
        progress: &ArchiveProgressBar,
    ) -> anyhow::Result<(ArchivePages, ImportProgress)> {
        let open = |position| {
            let open = |offset, version| self.sources.open(input, offset, version);
            ArchivePages::open(&input.name, position, PageFieldsWanted::default(), open)
        };
        match open(place.position) {
            Err(error) if error.is::<ArchiveChanged>() => {
                progress
                    .tell(&format!("gristmill: `{}` has changed since, and is read from its beginning", input.name));
                let place = ImportProgress::of(input);
                Ok((open(place.position)?, place))
            }
            opened => Ok((opened?, place)),
        }
    }

    /// Appends pages when not too many wait for the extractor; `false` when told to stop meanwhile.
    fn append(&self, records: Vec<ProducerRecord>) -> anyhow::Result<bool> {
        self.runtime.block_on(async {
            tokio::select! {
                waited = self.backlog.at_most(self.max_waiting) => waited?,
                () = self.stop.cancelled() => return Ok(false),
            }
            self.log.append(records).await.context("could not write pages")?;
            Ok(true)
        })
    }

    /// Puts a large body into the blob store; `false` when told to stop meanwhile.
    fn put(&self, large: &gristmill_fetcher::OversizedBody) -> anyhow::Result<bool> {
        let store = self.blobs.store().context("a body is too large for the log, and there is no blob store")?;
        let put = persist(&self.stop, || store.put(&large.key, large.body.clone()));
        Ok(self.runtime.block_on(put)?.is_some())
    }
}

/// An archive under way.
struct Archive<'i> {
    import: &'i Import,
    pages: ArchivePages,
    place: ImportProgress,
    /// Not yet in the log.
    records: Vec<ProducerRecord>,
    n_bytes: usize,
}

impl Archive<'_> {
    /// Reads to the end, or until told to stop; returns how far the journal is.
    fn read(
        mut self,
        journal: &mut ImportJournal,
        show: impl Fn(&ImportProgress),
        tell: impl Fn(String),
    ) -> anyhow::Result<ImportProgress> {
        let mut noted = self.place.clone();
        let mut n_damages = 0;
        loop {
            if self.import.stop.is_cancelled() {
                return Ok(noted);
            }
            let Some(LocatedItem { piece, next, .. }) = self.pages.next_item()? else { break };
            if let ArchiveItem::Damaged(damage) = &piece {
                n_damages += 1;
                if n_damages <= TOLD_DAMAGES {
                    tell(format!("gristmill: `{}`: {damage}", self.place.archive));
                }
            }
            if !self.take(piece)? {
                return Ok(noted);
            }
            let Some(next) = next else { continue };
            self.place.position = next;
            show(&self.place);
            if self.records.len() >= MAX_PAGES || self.n_bytes >= MAX_BYTES {
                if !self.flush(journal)? {
                    return Ok(noted);
                }
                noted = self.place.clone();
            }
        }
        self.place.is_done = true;
        if self.flush(journal)? { Ok(self.place) } else { Ok(noted) }
    }

    /// Counts a piece, and makes a record of a page; `false` when told to stop meanwhile.
    fn take(&mut self, piece: ArchiveItem) -> anyhow::Result<bool> {
        let page = match piece {
            ArchiveItem::Page(found) => found.page,
            ArchiveItem::Passed(reason) => {
                self.place.count(reason);
                return Ok(true);
            }
            ArchiveItem::Damaged(damage) => {
                self.place.count(if damage.reason == DamageReason::NotAnArchive { "no archive" } else { "damaged" });
                return Ok(true);
            }
        };
        let (is_cut, is_rendered) = (page.is_cut, page.drawn.is_some());
        match self.import.maker.make(page) {
            Err(reason) => self.place.count(reason),
            Ok((record, large)) => {
                for large in &large {
                    if !self.import.put(large)? {
                        return Ok(false);
                    }
                }
                self.n_bytes += record.payload.len();
                self.records.push(record);
                self.place.count(if is_rendered { "rendered" } else { "pages" });
            }
        }
        if is_cut {
            self.place.count("cut");
        }
        Ok(true)
    }

    /// Appends what is there and notes the place behind it; `false` when told to stop meanwhile.
    fn flush(&mut self, journal: &mut ImportJournal) -> anyhow::Result<bool> {
        self.n_bytes = 0;
        let records = std::mem::take(&mut self.records);
        if !records.is_empty() && !self.import.append(records)? {
            return Ok(false);
        }
        journal.note(&self.place)?;
        Ok(true)
    }
}
