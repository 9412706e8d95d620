//! The loop: take pages, work on them on their own threads, append what they became, commit.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::Context;
use cpu_time::ThreadTime;
use gristmill_log::{ConsumerRecord, Log, ProducerRecord, StartOffset};
use gristmill_proto::{
    BodyRef, FetchedPage, ProtoError, Reject, RejectCause, RejectReason, encode,
    topics::{self, groups},
};
use gristmill_reading::PageReader;
use gristmill_runtime::blob_gc::BlobGarbageCollector;
use gristmill_runtime::blobs::{BODIES, Blobs};
use gristmill_runtime::fetch_body::{BodyError, bytes_of};
use gristmill_runtime::partition_workers::{self, PartitionAssignment};
use gristmill_urls::CanonicalUrl;
use prometheus::Registry;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use tracing::{debug, info, warn};

use crate::chunks::{PageRecord, runs};
use crate::commit::{PendingCommit, ProcessedPage};
use crate::convert::{PageBodies, PageResult, convert};
use crate::metrics::{BrowserRequest, ExtractResult, Metrics};
use crate::notice::notice;
use crate::render::{RenderEvaluation, RenderGain, RenderNeed, wish};
use crate::render_history::{RenderHistory, RenderReason};
use crate::settings::{ExtractorConfig, RecordsConfig, page_reader};

/// The consumer group of all extractors.
pub const GROUP: &str = groups::EXTRACTOR;

/// Pages of one batch for each thread: enough to keep it busy, few enough that a crash repeats little.
const PAGES_PER_THREAD: usize = 16;

/// How often a page may fail before it is rejected.
const TRIES: u32 = 2;

/// Turns pages into documents. Clones share their counters.
#[derive(Clone)]
pub struct Extractor {
    config: Arc<ExtractorConfig>,
    reader: Arc<PageReader>,
    threads: usize,
    blobs: Blobs,
    log: Arc<dyn Log>,
    metrics: Metrics,
    /// Whether there are browsers that pages can be given to.
    has_browser: bool,
    /// What browsers added so far.
    memory: Arc<Mutex<RenderHistory>>,
}

impl Extractor {
    /// Builds the service.
    ///
    /// # Errors
    /// As [`page_reader`], or metrics that are registered already.
    pub fn build(
        config: &ExtractorConfig,
        records: &RecordsConfig,
        blobs: &Blobs,
        log: Arc<dyn Log>,
        registry: &Registry,
    ) -> anyhow::Result<Self> {
        let reader = Arc::new(page_reader(config, records)?);
        let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get());
        let threads = if config.threads == 0 { cores() } else { config.threads };
        let metrics = Metrics::register(registry)?;
        Ok(Self {
            config: Arc::new(config.clone()),
            reader,
            threads,
            blobs: blobs.clone(),
            log,
            metrics,
            has_browser: true,
            memory: Arc::default(),
        })
    }

    /// Only counts the pages that need a browser.
    pub fn without_browser(self) -> Self {
        Self { has_browser: false, ..self }
    }

    /// Works until `stop`, then takes what is in the log and returns.
    ///
    /// # Errors
    /// The log failed, or a body is in a blob store that this extractor does not have: pages that are not committed come
    /// again at the next start.
    pub async fn run(self, stop: CancellationToken) -> anyhow::Result<()> {
        let log = self.log.clone();
        partition_workers::run(&log, GROUP, topics::PAGES, stop, move |part| self.clone().work_on(part)).await
    }

    /// Works on a part until it goes elsewhere; who has the first partition clears up beside that.
    async fn work_on(self, part: PartitionAssignment) -> anyhow::Result<()> {
        if part.partition.is_some_and(|partition| partition != 0) {
            return self.extract(part).await;
        }
        let (blobs, log, metrics) = (self.blobs.clone(), self.log.clone(), self.metrics.clone());
        let collector = BlobGarbageCollector { blobs, log, group: GROUP, topic: topics::PAGES, folder: BODIES };
        let collecting = collector.run(|removed| {
            metrics.collected_bodies.inc_by(removed.blobs);
            metrics.collected_bytes.inc_by(removed.bytes);
        });
        tokio::select! {
            ended = self.extract(part) => ended,
            never = collecting => match never {},
        }
    }

    /// Extracts the pages of a part until it goes elsewhere, then takes what is in the log of it and returns.
    async fn extract(self, part: PartitionAssignment) -> anyhow::Result<()> {
        let (log, stop) = (&part.log, &part.stop);
        let mut reader = log.reader(&[topics::PAGES], StartOffset::Group(GROUP)).await?;
        let mut made = PendingCommit::new(log.as_ref());
        info!(threads = self.threads, method = %self.reader.method, "extractor started");
        loop {
            let stopping = stop.is_cancelled();
            let wait = made.patience(if stopping { partition_workers::DRAIN_WAIT } else { Duration::from_secs(1) });
            let batch = tokio::select! {
                batch = reader.poll(self.threads * PAGES_PER_THREAD, wait) => batch?,
                () = stop.cancelled(), if !stopping => continue,
            };
            let idle = batch.is_empty();
            let (most, largest) = (self.config.max_bytes_at_once as u64, self.config.max_body_bytes as u64);
            for run in runs(batch, most, largest, |stored, error| self.unreadable(stored, error)) {
                // The disk takes in the documents of one run while the threads work on the next.
                let (done, appended) = tokio::join!(self.work(run, stop), made.append());
                appended?;
                made.take(done?);
            }
            if idle {
                made.append().await?;
            }
            // Whoever has this part next is waiting for it.
            let handed_on = part.partition.is_some() && stopping;
            let ends = handed_on || stopping && idle && part.is_drained(&[topics::PAGES], &reader.positions()).await?;
            if made.is_due(ends) {
                let stored = made.commit(&reader.positions()).await?;
                self.blobs.forget(&stored).await;
            }
            if ends {
                break;
            }
        }
        info!("extractor stopped");
        Ok(())
    }

    fn unreadable(&self, stored: &ConsumerRecord, error: &ProtoError) -> ProducerRecord {
        self.metrics.pages.of(ExtractResult::Reject).inc();
        self.metrics.unreadable.note(stored, error)
    }

    /// Spreads pages over the threads; what became of the pages comes back in their order.
    async fn work(&self, run: Vec<PageRecord>, stop: &CancellationToken) -> anyhow::Result<Vec<ProcessedPage>> {
        let share = run.len().div_ceil(self.threads);
        let mut run = run.into_iter().peekable();
        let mut working = Vec::new();
        let n_done = Arc::new(AtomicUsize::new(0));
        while run.peek().is_some() {
            let share: Vec<PageRecord> = run.by_ref().take(share).collect();
            let (this, stop, done) = (self.clone(), stop.clone(), n_done.clone());
            working.push(tokio::task::spawn_blocking(move || {
                let cpu = ThreadTime::now();
                let one = |taken| {
                    let page = this.one(taken, &stop);
                    done.fetch_add(1, Ordering::Relaxed);
                    page
                };
                let converted = share.into_iter().map(one).collect::<anyhow::Result<Vec<_>>>();
                this.metrics.cpu.inc_by(cpu.elapsed().as_secs_f64());
                converted
            }));
        }
        let mut pages = Vec::new();
        for done in working {
            let done = tokio::select! {
                done = done => done.context("an extraction thread failed")??,
                () = overdue(stop, &n_done) => anyhow::bail!("a page was still being read {PATIENCE:?} after the stop; it is read again at the next start"),
            };
            pages.extend(done);
        }
        Ok(pages)
    }

    /// One page, on a thread that may wait. Its body comes from the blob store only now, so that at most one for each
    /// thread is in memory.
    fn one(&self, taken: PageRecord, stop: &CancellationToken) -> anyhow::Result<ProcessedPage> {
        let begun = Instant::now();
        let (key, page) = match taken {
            PageRecord::Page { key, page } => (key, page),
            PageRecord::Unreadable(reject) => return Ok(ProcessedPage { records: vec![reject], stored: Vec::new() }),
        };
        let limit = ("extractor.max_body_bytes", self.config.max_body_bytes);
        let drawn = page.rendered.as_ref().map(|rendered| &rendered.body);
        let fetching = async {
            let sent = bytes_of(&page.body, &self.blobs, Some(limit), stop).await?;
            let drawn = match drawn {
                Some(body) => Some(bytes_of(body, &self.blobs, Some(limit), stop).await?),
                None => None,
            };
            Ok::<_, BodyError>((sent, drawn))
        };
        let (sent, drawn) = match Handle::current().block_on(fetching) {
            Ok(bodies) => bodies,
            Err(error) if error.is_final() => {
                warn!(url = page.url, %error, "page without its body rejected");
                let reason = RejectCause::BodyMissing.with(error);
                return Ok(self.rejected(ExtractResult::Missing, &key, &page, reason));
            }
            Err(error) => return Err(error.into()),
        };
        let bodies = PageBodies { sent: &sent, drawn: drawn.as_deref() };
        let converted = guarded(|| convert(&page, &bodies, &self.reader, &self.config));
        match converted.and_then(|converted| self.finished(&page, converted, begun)) {
            Ok(done) => Ok(done),
            Err(reason) => {
                warn!(url = page.url, %reason, "page rejected");
                Ok(self.rejected(ExtractResult::Reject, &key, &page, reason))
            }
        }
    }

    /// What the log gets of a page that was converted into something.
    ///
    /// # Errors
    /// The reason why it gets nothing: the document is larger than any record may be. Documents are kept for ever, so
    /// their texts do not go to the blob store, where things go by age.
    fn finished(
        &self,
        page: &FetchedPage,
        converted: PageResult,
        begun: Instant,
    ) -> Result<ProcessedPage, RejectReason> {
        let notice = notice(page, converted.document.as_ref(), converted.asks_password);
        let record = converted.document.map(|document| {
            let key = document.key.clone();
            ProducerRecord { topic: topics::DOCUMENTS, key, payload: encode(&document) }
        });
        if let Some(record) = &record {
            let checked = self.blobs.check_record(record);
            checked.map_err(|error| RejectCause::TooLarge.with(error))?;
        }
        let seconds = begun.elapsed().as_secs_f64();
        self.metrics.duration.observe(seconds);
        self.metrics.pages.of(converted.result).inc();
        debug!(url = page.url, result = converted.result.as_str(), seconds, "page extracted");
        let mut records: Vec<ProducerRecord> = record.into_iter().collect();
        if let Some(RenderEvaluation { gain, was_expected }) = converted.drawn {
            self.metrics.rendered.of(gain, was_expected).inc();
            self.with_memory(page, |memory, host, path| memory.learn(host, path, gain == RenderGain::Added));
            if let Some(reason) = page.rendered.as_ref().and_then(|rendered| gain.reason(rendered)) {
                records.push(reject(&page.url, page.url.clone(), reason, page.fetched_at));
            }
        }
        let asked = match converted.need {
            RenderNeed::No => None,
            RenderNeed::Yes => Some(RenderReason::Always),
            RenderNeed::Perhaps(needs) => {
                self.with_memory(page, |memory, host, path| memory.asks(host, path, needs, self.has_browser)).flatten()
            }
        };
        if let Some(asked) = asked {
            let result = if self.has_browser { BrowserRequest::Asked } else { BrowserRequest::NoBrowser };
            self.metrics.needs_browser.of(result, asked).inc();
            records.extend(wish(page).filter(|_| self.has_browser));
        }
        // Behind the document, so that whoever hears of it may take that back.
        records.extend(notice);
        Ok(ProcessedPage { records, stored: keys_of(page) })
    }

    /// Asks or tells the memory of browsers about the address of a page.
    fn with_memory<R>(&self, page: &FetchedPage, work: impl FnOnce(&mut RenderHistory, &str, &str) -> R) -> Option<R> {
        let url = CanonicalUrl::parse(&page.url, None).ok()?;
        let mut memory = self.memory.lock().expect("nothing under this lock panics");
        Some(work(&mut memory, url.authority(), url.path_and_query()))
    }

    fn rejected(&self, result: ExtractResult, key: &str, page: &FetchedPage, reason: RejectReason) -> ProcessedPage {
        self.metrics.pages.of(result).inc();
        let record = reject(key, page.url.clone(), reason, page.fetched_at);
        ProcessedPage { records: vec![record], stored: keys_of(page) }
    }
}

/// The keys of its bodies in the blob store.
fn keys_of(page: &FetchedPage) -> Vec<String> {
    let bodies = [Some(&page.body), page.rendered.as_ref().map(|rendered| &rendered.body)];
    let stored = bodies.into_iter().flatten().filter_map(|body| match body {
        BodyRef::Inline(_) => None,
        BodyRef::Stored { key, .. } => Some(key.clone()),
    });
    stored.collect()
}

/// Runs `work`, and once more if it panics: a page must not stop the stage.
fn guarded<T>(work: impl Fn() -> Result<T, RejectReason>) -> Result<T, RejectReason> {
    let mut reason = RejectReason::from(RejectCause::Panicked);
    for _ in 0..TRIES {
        match catch_unwind(AssertUnwindSafe(&work)) {
            Ok(done) => return done,
            Err(panic) => reason.detail = panic_text(panic.as_ref()).to_owned(),
        }
    }
    Err(reason)
}

fn reject(key: &str, url: String, reason: RejectReason, at: u64) -> ProducerRecord {
    let key = CanonicalUrl::parse(&url, None).map_or(key.to_owned(), |url| url.registrable_domain().to_owned());
    let message = Reject { url, stage: GROUP.into(), reason, at };
    ProducerRecord { topic: topics::REJECTS, key, payload: encode(&message) }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

/// Longest time that a page is waited for once the extractor is to stop.
const PATIENCE: Duration = Duration::from_secs(7);

/// Ends when no page was done for that long behind the stop.
async fn overdue(stop: &CancellationToken, n_done: &AtomicUsize) {
    stop.cancelled().await;
    loop {
        let before = n_done.load(Ordering::Relaxed);
        tokio::time::sleep(PATIENCE).await;
        if n_done.load(Ordering::Relaxed) == before {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_page_that_panics_twice_is_rejected_with_the_reason_and_one_that_recovers_is_not() {
        let tries = Cell::new(0);
        let always: Result<(), RejectReason> = guarded(|| {
            tries.set(tries.get() + 1);
            panic!("row {} is odd", 7)
        });
        assert_eq!(always.unwrap_err().to_string(), "the extractor panicked: row 7 is odd");
        assert_eq!(tries.get(), TRIES);
        let tries = Cell::new(0);
        let once = guarded(|| {
            tries.set(tries.get() + 1);
            if tries.get() == 1 {
                panic!("once")
            }
            Ok("converted")
        });
        assert_eq!(once, Ok("converted"));
    }

    #[test]
    fn a_body_that_does_not_unpack_is_rejected_at_the_first_try() {
        let tries = Cell::new(0);
        let broken = RejectCause::Undecodable.with("broken gzip");
        let refused: Result<(), RejectReason> = guarded(|| {
            tries.set(tries.get() + 1);
            Err(broken.clone())
        });
        assert_eq!((refused, tries.get()), (Err(broken), 1));
    }
}
