//! The loop: take documents, upsert, tell what changes, commit by time and size.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use gristmill_index::{IndexConfig, IndexDocument, IndexError, IndexWriter};
use gristmill_log::{ConsumerRecord, Log, Positions, ProducerRecord, StartOffset};
use gristmill_proto::{
    Change, ChangeKind, Document, DocumentChange, News, Notice, decode, encode,
    topics::{self, groups},
};
use gristmill_runtime::clock::now_ms;
use gristmill_runtime::partition_workers::{self, PartitionAssignment};
use gristmill_urls::Takedown;
use prometheus::Registry;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use tracing::{debug, info};

use crate::change;
use crate::convert::{document, unix_minute};
use crate::metrics::Metrics;

/// The consumer group of all indexers.
pub const GROUP: &str = groups::INDEXER;

/// Longest wait for another process on the same machine to let go of an index.
const UNTIL_FREE: Duration = Duration::from_secs(60);

/// When the indexer commits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct IndexerConfig {
    /// Longest time that a document waits for its commit. Shorter makes fresh pages visible sooner and costs more
    /// merging. Default: `5s`.
    #[serde(with = "humantime_serde")]
    pub commit_every: Duration,
    /// Bytes of title and text after which it commits at once. Default: `134217728` (128 MiB).
    pub commit_bytes: u64,
    /// Of each article the text before so many of its newest edits stays in its history. Default: `0`.
    pub keep_versions: usize,
}

impl IndexerConfig {
    /// Checks the settings, each by itself.
    ///
    /// # Errors
    /// The first that cannot work, by its key.
    pub fn check(&self) -> anyhow::Result<()> {
        anyhow::ensure!(!self.commit_every.is_zero(), "`indexer.commit_every` must be longer than 0s");
        Ok(())
    }
}

impl Default for IndexerConfig {
    fn default() -> Self {
        Self { commit_every: Duration::from_secs(5), commit_bytes: 128 << 20, keep_versions: 0 }
    }
}

/// Writes what the extractor made into the index. Clones share their counters.
#[derive(Clone)]
pub struct Indexer {
    config: IndexerConfig,
    index: IndexConfig,
    dir: PathBuf,
    log: Arc<dyn Log>,
    metrics: Metrics,
    /// Whether schedulers are told which pages the index has for the first time.
    tells_of_new: bool,
}

impl Indexer {
    /// Builds the service for the index in `dir`.
    ///
    /// # Errors
    /// Metrics that are registered already.
    pub fn build(
        config: &IndexerConfig,
        index: &IndexConfig,
        dir: &Path,
        log: Arc<dyn Log>,
        registry: &Registry,
    ) -> anyhow::Result<Self> {
        config.check()?;
        let metrics = Metrics::register(registry)?;
        let (config, index, dir) = (config.clone(), index.clone(), dir.to_owned());
        Ok(Self { config, index, dir, log, metrics, tells_of_new: false })
    }

    /// Tells the schedulers of every page that the index has for the first time, when a search finds it: they know since when the
    /// crawl knew of it.
    pub fn telling_of_new(self, tells: bool) -> Self {
        Self { tells_of_new: tells, ..self }
    }

    /// Works until `stop`, then takes in what is in the log, commits and returns.
    ///
    /// # Errors
    /// The index or the log failed: the last commit is intact, and the next start goes on from it.
    pub async fn run(self, stop: CancellationToken) -> anyhow::Result<()> {
        let log = self.log.clone();
        partition_workers::run(&log, GROUP, topics::DOCUMENTS, stop, move |part| self.clone().work_on(part)).await
    }

    /// Works on a part, which has an index of its own, until it goes elsewhere.
    async fn work_on(self, part: PartitionAssignment) -> anyhow::Result<()> {
        let (dir, stop) = (part.dir(&self.dir), part.stop.clone());
        let Some(mut writer) = self.open(&dir, &part).await? else { return Ok(()) };
        let mut start = writer.positions().clone();
        // An index without positions needs the log from its first record on; if that is gone, the log says so.
        for partition in part.log.owned() {
            start.entry((topics::DOCUMENTS.to_owned(), partition)).or_insert(0);
        }
        let mut reader = part
            .log
            .reader(&[topics::DOCUMENTS], StartOffset::At(start))
            .await
            .with_context(|| format!("the index in `{}` does not fit the log beside it", dir.display()))?;
        info!(positions = ?writer.positions(), "indexer started");
        let mut last_commit = Instant::now();
        let mut new = Vec::new();
        loop {
            let stopping = stop.is_cancelled();
            let wait = if stopping { partition_workers::DRAIN_WAIT } else { self.wait(&writer, last_commit) };
            let batch = tokio::select! {
                batch = reader.poll(256, wait) => batch?,
                () = stop.cancelled(), if !stopping => continue,
            };
            // Whoever has a partition next is waiting for it.
            let drained = stopping
                && (part.partition.is_some()
                    || batch.is_empty() && part.is_drained(&[topics::DOCUMENTS], &reader.positions()).await?);
            if !batch.is_empty() {
                writer = self.take_in(writer, batch, &mut new).await?;
            }
            let due =
                last_commit.elapsed() >= self.config.commit_every || writer.pending_bytes() >= self.config.commit_bytes;
            if writer.pending() > 0 && (due || drained) {
                writer = self.commit(writer, reader.positions(), std::mem::take(&mut new)).await?;
                last_commit = Instant::now();
            } else if writer.pending() == 0 {
                last_commit = Instant::now();
            }
            if drained {
                break;
            }
        }
        tokio::task::spawn_blocking(move || writer.close()).await??;
        info!("indexer stopped");
        Ok(())
    }

    /// Opens the index of `part`, waiting for whoever had it before to let go; `None` when told to stop meanwhile.
    async fn open(&self, dir: &Path, part: &PartitionAssignment) -> anyhow::Result<Option<IndexWriter>> {
        let begun = Instant::now();
        loop {
            let (path, index) = (dir.to_owned(), self.index.clone());
            match tokio::task::spawn_blocking(move || IndexWriter::open(&path, &index)).await? {
                Err(IndexError::Locked { .. }) if part.partition.is_some() && begun.elapsed() < UNTIL_FREE => {
                    if part.stop.is_cancelled() {
                        return Ok(None);
                    }
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                opened => return Ok(Some(opened?)),
            }
        }
    }

    fn wait(&self, writer: &IndexWriter, last_commit: Instant) -> Duration {
        let left = self.config.commit_every.saturating_sub(last_commit.elapsed());
        if writer.pending() > 0 { left } else { self.config.commit_every }
    }

    /// Upserts a batch, off the async threads: the writer blocks when tantivy falls behind.
    ///
    /// * `new`: takes the pages that the index has for the first time.
    async fn take_in(
        &self,
        mut writer: IndexWriter,
        batch: Vec<ConsumerRecord>,
        new: &mut Vec<NewPage>,
    ) -> anyhow::Result<IndexWriter> {
        let (metrics, keep_versions) = (self.metrics.clone(), self.config.keep_versions);
        let work = move || -> Result<_, IndexError> {
            let (mut told, mut first) = (Vec::new(), Vec::new());
            for stored in batch {
                let message = decode::<Document>(&stored.payload);
                let published = message.as_ref().ok().and_then(|message| unix_minute(message.published.as_deref()?));
                let change = match message {
                    Ok(message) => match apply(&mut writer, message, keep_versions) {
                        Err(error @ IndexError::Key { .. }) => {
                            told.push(metrics.unreadable.note(&stored, &error));
                            "unreadable"
                        }
                        applied => {
                            let IndexUpdate { outcome, change } = applied?;
                            first.extend(change.as_ref().and_then(|change| NewPage::of(change, published)));
                            told.extend(change.map(|change| record(change, &stored)));
                            outcome
                        }
                    },
                    Err(error) => {
                        told.push(metrics.unreadable.note(&stored, &error));
                        "unreadable"
                    }
                };
                metrics.documents.of(change).inc();
            }
            Ok((writer, told, first))
        };
        let (writer, told, first) = tokio::task::spawn_blocking(work).await??;
        if self.tells_of_new {
            new.extend(first);
        }
        if !told.is_empty() {
            // Before the commit: who dies in between tells it again, under the same ids.
            self.log.append(told).await.context("could not write changes and rejects")?;
        }
        Ok(writer)
    }

    async fn commit(
        &self,
        mut writer: IndexWriter,
        positions: Positions,
        new: Vec<NewPage>,
    ) -> anyhow::Result<IndexWriter> {
        let (begun, payload) = (Instant::now(), positions.clone());
        let fetches = writer.pending_fetches().to_vec();
        let work = move || writer.commit(&payload).map(|()| writer);
        let writer = tokio::task::spawn_blocking(work).await??;
        self.metrics.commits.inc();
        self.metrics.commit_duration.observe(begun.elapsed().as_secs_f64());
        self.metrics.found_now(&fetches);
        if !new.is_empty() {
            let at = now_ms();
            let notices = new.into_iter().map(|page| page.notice(at)).collect();
            self.log.append(notices).await.context("could not write notices")?;
        }
        self.log.commit(GROUP, &positions).await?;
        info!(seconds = begun.elapsed().as_secs_f64(), ?positions, "index committed");
        Ok(writer)
    }
}

/// A page that the index has for the first time.
struct NewPage {
    url: String,
    site: String,
    /// In Unix milliseconds, where the page says it to the minute.
    published: Option<u64>,
}

impl NewPage {
    fn of(change: &Change, published: Option<u64>) -> Option<Self> {
        let is_new = change.kind == ChangeKind::New;
        is_new.then(|| Self { url: change.url.clone(), site: change.site.clone(), published })
    }

    /// What the scheduler of its site is told once a search finds it.
    fn notice(self, at: u64) -> ProducerRecord {
        let notice = Notice { url: self.url, at, news: News::Indexed { published: self.published } };
        ProducerRecord { topic: topics::LINKS, key: self.site, payload: encode(&notice) }
    }
}

/// The record of a change that a document message makes.
fn record(change: Change, document: &ConsumerRecord) -> ProducerRecord {
    let message = Change { position: document.place.position, ..change };
    ProducerRecord { topic: topics::CHANGES, key: document.key.clone(), payload: encode(&message) }
}

/// What a message came to.
#[derive(Debug)]
pub struct IndexUpdate {
    /// `upsert`, `remove`, `older` (the index has a later capture of the page), `emptied` (it says nothing, and an earlier capture stays
    /// that says something), or `taken_down`, where it is a takedown or belongs to what one covers.
    pub outcome: &'static str,
    /// What followers of the corpus are told, but for the position of the document.
    pub change: Option<Change>,
}

/// Whether a document has nothing of its page but perhaps a title: the page of a server that has lost its texts, or one that scripts write.
fn says_nothing(document: &IndexDocument) -> bool {
    document.text.trim().is_empty() && document.attributes.is_empty()
}

/// Writes what a message says, unless the index has a later capture of the page, or one that says something where this one says
/// nothing: a fault of the server costs no document. The document goes on with the history of its
/// page, which keeps the texts before the newest `keep_versions` edits.
///
/// # Errors
/// Those of the index.
pub fn apply(writer: &mut IndexWriter, message: Document, keep_versions: usize) -> Result<IndexUpdate, IndexError> {
    debug!(url = message.url, change = ?message.change, "document taken in");
    let nothing = |outcome| Ok(IndexUpdate { outcome, change: None });
    if message.change == DocumentChange::TakeDown {
        // Takedowns are written by ourselves, so that one that is none is damage, and has no page.
        if let Ok(takedown) = Takedown::parse(&message.url) {
            writer.take_down(&takedown)?;
        }
        return nothing("taken_down");
    }
    if writer.is_taken_down(&message.key, &message.host) {
        return nothing("taken_down");
    }
    let at = message.fetched_at;
    if writer.has_later(&message.key, (at / 1000) as i64)? {
        return nothing("older");
    }
    match message.change {
        DocumentChange::Upsert => {
            let mut document = document(message);
            if says_nothing(&document) && writer.stored(&document.key)?.is_some_and(|before| !says_nothing(&before)) {
                return nothing("emptied");
            }
            let (before, change) = writer.carry_history(&mut document, at, keep_versions)?;
            writer.upsert(&document)?;
            let change = change::of_capture(before.as_ref(), &document, at, &change);
            Ok(IndexUpdate { outcome: "upsert", change })
        }
        DocumentChange::Remove | DocumentChange::TakeDown => {
            let change = writer.stored(&message.key)?.map(|before| change::of_removal(&before, at));
            writer.remove(&message.key)?;
            Ok(IndexUpdate { outcome: "remove", change })
        }
    }
}
