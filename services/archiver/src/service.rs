//! The loop: take captures, write them, finish files, commit.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use gristmill_log::{ConsumerRecord, Log, Positions, ProducerRecord, StartOffset};
use gristmill_proto::{
    Capture, Reject, RejectCause, decode, encode,
    topics::{self, groups},
};
use gristmill_runtime::blob_gc::BlobGarbageCollector;
use gristmill_runtime::blobs::{Blobs, CAPTURES, S3Config};
use gristmill_runtime::clock::now_ms;
use gristmill_runtime::fetch_body::bytes_of;
use gristmill_runtime::partition_workers::{self, PartitionAssignment};
use prometheus::Registry;
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

use crate::archive_store::ArchiveStore;
use crate::config::ArchiverConfig;
use crate::file::{OpenArchive, WrittenType};
use crate::metrics::{CaptureResult, Metrics};
use crate::revisit_cache::RevisitCache;

/// The consumer group of all archivers.
pub const GROUP: &str = groups::ARCHIVER;

/// Longest wait for captures before the age of open files is looked at.
const WAIT: Duration = Duration::from_secs(1);

/// Captures that are taken at once.
const BATCH: usize = 256;

/// Writes archives. Clones share their counters.
#[derive(Clone)]
pub struct Archiver {
    config: Arc<ArchiverConfig>,
    place: ArchiveStore,
    blobs: Blobs,
    log: Arc<dyn Log>,
    metrics: Metrics,
}

/// A partition and its open file.
struct Shelf {
    partition: u32,
    /// Position behind the last capture that was taken.
    next: u64,
    committed: u64,
    seen: RevisitCache,
    open: Option<OpenArchive>,
}

impl Archiver {
    /// Builds the service.
    ///
    /// * `s3`: how the bucket of `archiver.bucket` is reached.
    /// * `data`: the data directory.
    ///
    /// # Errors
    /// As [`ArchiverConfig::check`], a folder that cannot be made, or metrics that are registered already.
    pub fn build(
        config: &ArchiverConfig,
        s3: &S3Config,
        data: &Path,
        blobs: &Blobs,
        log: Arc<dyn Log>,
        registry: &Registry,
    ) -> anyhow::Result<Self> {
        config.check()?;
        let place = ArchiveStore::open(config, s3, data)?;
        let metrics = Metrics::register(registry)?;
        Ok(Self { config: Arc::new(config.clone()), place, blobs: blobs.clone(), log, metrics })
    }

    /// Works until `stop`, then takes what is in the log, finishes the open files and returns.
    ///
    /// # Errors
    /// The log or the folder failed: what is not in a finished file comes again.
    pub async fn run(self, stop: CancellationToken) -> anyhow::Result<()> {
        let log = self.log.clone();
        partition_workers::run(&log, GROUP, topics::CAPTURES, stop, move |part| self.clone().work_on(part)).await
    }

    /// Works on a part until it goes elsewhere; who has the first partition clears up beside that.
    async fn work_on(self, part: PartitionAssignment) -> anyhow::Result<()> {
        if part.partition.is_some_and(|partition| partition != 0) {
            return self.archive(part).await;
        }
        let (blobs, log) = (self.blobs.clone(), self.log.clone());
        let collector = BlobGarbageCollector { blobs, log, group: GROUP, topic: topics::CAPTURES, folder: CAPTURES };
        tokio::select! {
            ended = self.archive(part) => ended,
            never = collector.run(drop) => match never {},
        }
    }

    async fn archive(&self, part: PartitionAssignment) -> anyhow::Result<()> {
        let mut reader = part.log.reader(&[topics::CAPTURES], StartOffset::Group(GROUP)).await?;
        let mut shelves = BTreeMap::new();
        for ((_, partition), position) in reader.positions() {
            let seen = self.place.take_up(partition, position)?;
            let shelf = Shelf { partition, next: position, committed: position, seen, open: None };
            shelves.insert(partition, shelf);
        }
        info!(positions = ?reader.positions(), "archiver started");
        loop {
            let stopping = part.stop.is_cancelled();
            let batch = tokio::select! {
                batch = reader.poll(BATCH, if stopping { Duration::ZERO } else { WAIT }) => batch?,
                () = part.stop.cancelled(), if !stopping => continue,
            };
            // Whoever has a partition next is waiting for it; an undivided log is emptied first.
            let drained = stopping && (batch.is_empty() || part.partition.is_some());
            for stored in batch {
                let partition = stored.place.partition;
                let Some(shelf) = shelves.remove(&partition) else { continue };
                let mut shelf = self.take(shelf, stored, &part).await?;
                if shelf.open.as_ref().is_some_and(|open| open.len() >= self.config.rotate_bytes) {
                    self.finish(&mut shelf, &part).await?;
                }
                shelves.insert(partition, shelf);
            }
            for shelf in shelves.values_mut() {
                let is_old = |open: &OpenArchive| open.since.elapsed() >= self.config.rotate_after;
                if drained || shelf.open.as_ref().is_none_or(is_old) {
                    self.finish(shelf, &part).await?;
                }
            }
            if drained || part.lost.is_cancelled() {
                break;
            }
        }
        info!("archiver stopped");
        Ok(())
    }

    /// Writes one capture, off the async threads.
    async fn take(
        &self,
        mut shelf: Shelf,
        stored: ConsumerRecord,
        part: &PartitionAssignment,
    ) -> anyhow::Result<Shelf> {
        shelf.next = stored.place.position + 1;
        let capture = match decode::<Capture>(&stored.payload) {
            Ok(capture) => capture,
            Err(error) => {
                self.count(CaptureResult::Unreadable);
                self.reject(self.metrics.unreadable.note(&stored, &error)).await?;
                return Ok(shelf);
            }
        };
        let body = match bytes_of(&capture.body, &self.blobs, None, &part.stop).await {
            Ok(body) => body.into_owned(),
            Err(error) if error.is_final() => {
                warn!(url = capture.url, %error, "capture without its body rejected");
                self.count(CaptureResult::Missing);
                self.reject(missing(&stored, &capture, error.to_string())).await?;
                return Ok(shelf);
            }
            Err(error) => return Err(error.into()),
        };
        let (folder, config, position) = (self.place.folder.clone(), self.config.clone(), stored.place.position);
        let work = move || {
            let open = match shelf.open.take() {
                Some(open) => open,
                None => OpenArchive::create(&folder, &config, &capture, (shelf.partition, position))?,
            };
            let wrote = shelf.open.insert(open).add(&capture, &body, &mut shelf.seen)?;
            anyhow::Ok((shelf, wrote))
        };
        let (shelf, wrote) = tokio::task::spawn_blocking(work).await.context("writing a capture failed")??;
        self.count(match wrote {
            WrittenType::Response => CaptureResult::Response,
            WrittenType::Revisit => CaptureResult::Revisit,
            WrittenType::Conversion => CaptureResult::Conversion,
            WrittenType::Screenshot => CaptureResult::Screenshot,
        });
        Ok(shelf)
    }

    /// Finishes the open file of a partition, if there is one, and commits what was taken.
    async fn finish(&self, shelf: &mut Shelf, part: &PartitionAssignment) -> anyhow::Result<()> {
        if shelf.next == shelf.committed || !part.is_ours().await {
            return Ok(());
        }
        let mut done = None;
        if let Some(mut open) = shelf.open.take() {
            let (name, stored) = (open.name.clone(), std::mem::take(&mut open.stored));
            let bytes = self.place.finish(open, &part.stop).await?;
            self.metrics.files.inc();
            self.metrics.bytes.inc_by(bytes);
            done = Some((name, stored));
        }
        let positions = Positions::from([((topics::CAPTURES.to_owned(), shelf.partition), shelf.next)]);
        part.log.commit(GROUP, &positions).await?;
        shelf.committed = shelf.next;
        if let Some((name, stored)) = done {
            self.place.forget(&name)?;
            self.blobs.forget(&stored).await;
        }
        Ok(())
    }

    fn count(&self, result: CaptureResult) {
        self.metrics.captures.of(result).inc();
    }

    async fn reject(&self, reject: ProducerRecord) -> anyhow::Result<()> {
        self.log.append(vec![reject]).await.context("could not write rejects")?;
        Ok(())
    }
}

/// Tells of a capture whose body is not there.
fn missing(stored: &ConsumerRecord, capture: &Capture, reason: String) -> ProducerRecord {
    let reason = RejectCause::BodyMissing.with(reason);
    let message = Reject { url: capture.url.clone(), stage: GROUP.into(), reason, at: now_ms() };
    ProducerRecord { topic: topics::REJECTS, key: stored.key.clone(), payload: encode(&message) }
}
