//! Records that nobody can read, on every topic, before, during and after a run: the crawl goes on and tells where they stood.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use gristmill_extractor::{Extractor, ExtractorConfig, RecordsConfig};
use gristmill_fetch::FetchConfig;
use gristmill_fetcher::{Fetcher, FetcherConfig};
use gristmill_frontier::{FrontierConfig, PolitenessConfig, RetryConfig};
use gristmill_index::{IndexConfig, IndexReader};
use gristmill_indexer::{Indexer, IndexerConfig};
use gristmill_log::conformance::broker;
use gristmill_log::{
    EmbeddedConfig, EmbeddedLog, KafkaLog, Log, LogConfig, LogError, PartitionView, Positions, ProducerRecord,
    RecordOffset, StartOffset,
};
use gristmill_proto::{FetchKind, LinkSource, Outlink, OutlinkBatch, Reject, decode, encode, topics};
use gristmill_runtime::blobs::{Blobs, BlobsConfig};
use gristmill_runtime::process::topic_specs;
use gristmill_scheduler::{Scheduler, SchedulerConfig, SchedulerExit};
use gristmill_testweb::{TestSite, TestSiteConfig, TestWeb};
use gristmill_urls::{CanonicalUrl, ScopeConfig, ScopeRule};
use prometheus::Registry;
use tokio_util::sync::CancellationToken;

const PARTITIONS: u32 = 3;

/// Longest time of one run.
const LIMIT: Duration = Duration::from_secs(150);

/// What is put on each topic: nothing, noise, a message with a flipped bit, one of a version that there is not yet.
fn junk() -> Vec<Vec<u8>> {
    let whole = encode(&OutlinkBatch { from: "x".into(), found_at: 1, links: Vec::new() });
    let (mut damaged, mut later) = (whole.clone(), whole);
    *damaged.last_mut().unwrap() ^= 1;
    later[5] = 99;
    let crc = crc32c::crc32c_append(crc32c::crc32c(&later[..12]), &later[16..]);
    later[12..16].copy_from_slice(&crc.to_le_bytes());
    vec![Vec::new(), b"rubbish".to_vec(), damaged, later]
}

const JUNK_TOPICS: [&str; 6] =
    [topics::ORDERS, topics::OUTCOMES, topics::LINKS, topics::PAGES, topics::DOCUMENTS, topics::REJECTS];

/// Puts junk on every topic; returns where it stands, but for `rejects`, which no stage reads.
async fn spoil(log: &dyn Log, places: &mut BTreeSet<String>) {
    let records = JUNK_TOPICS.into_iter().flat_map(|topic| {
        let record = move |(n, payload)| ProducerRecord { topic, key: format!("junk{n}.test"), payload };
        junk().into_iter().enumerate().map(record)
    });
    let appended = log.append(records.collect()).await.unwrap();
    let read = appended.iter().filter(|place| place.topic != topics::REJECTS);
    places.extend(read.map(|place| format!("{}/{}/{}", place.topic, place.partition, place.position)));
}

/// All services over one log, in this process.
struct Crawl<'a> {
    web: &'a TestWeb,
    dir: &'a Path,
    log: Arc<dyn Log>,
    registry: Registry,
}

impl<'a> Crawl<'a> {
    fn of(web: &'a TestWeb, dir: &'a Path, log: Arc<dyn Log>) -> Self {
        Self { web, dir, log: PartitionView::of(log.clone(), log.owned()), registry: Registry::new() }
    }

    async fn seed(&self) {
        let record = |seed: &String| {
            let url = CanonicalUrl::parse(seed, None).unwrap();
            let link = Outlink {
                url: seed.clone(),
                kind: FetchKind::Page,
                source: LinkSource::Seed,
                depth: 0,
                hops: 0,
                anchor: None,
                modified_at: None,
            };
            let payload = encode(&OutlinkBatch { from: String::new(), found_at: 1, links: vec![link] });
            ProducerRecord { topic: topics::LINKS, key: url.registrable_domain().to_owned(), payload }
        };
        self.log.append(self.web.site().seeds().iter().map(record).collect()).await.unwrap();
    }

    /// Crawls until the frontier is drained or `stop`, with `beside` at the same time.
    async fn run(&self, stop: CancellationToken, beside: impl Future<Output = ()>) -> SchedulerExit {
        let (log, registry) = (&self.log, &self.registry);
        let blobs = Blobs::open(self.dir, &BlobsConfig::default(), &LogConfig::default()).unwrap();
        let fetch = FetchConfig { allow_private: true, resolve: self.web.resolve_map(), ..FetchConfig::default() };
        let politeness =
            PolitenessConfig { min_delay: Duration::ZERO, ip_delay: Duration::ZERO, ..PolitenessConfig::default() };
        let retry = RetryConfig { delay: Duration::from_millis(50), ..RetryConfig::default() };
        let scope = Some(ScopeConfig { rule: ScopeRule::Host, ..ScopeConfig::default() });
        let frontier = FrontierConfig { scope, politeness, retry, ..FrontierConfig::default() };
        let dir = self.dir.join("frontier");
        let scheduling = SchedulerConfig::default();
        let mut scheduler = Scheduler::build(&scheduling, &frontier, dir, &blobs, log.clone(), registry).await.unwrap();
        scheduler.awaits_readings(true);
        let fetcher = Fetcher::build(&FetcherConfig::default(), &fetch, &blobs, log.clone(), registry).unwrap();
        let (extraction, records) =
            (ExtractorConfig { threads: 1, ..ExtractorConfig::default() }, RecordsConfig::default());
        let extractor = Extractor::build(&extraction, &records, &blobs, log.clone(), registry).unwrap();
        let indexing = IndexerConfig { commit_every: Duration::from_millis(300), ..IndexerConfig::default() };
        let index = IndexConfig { heap_bytes: 15_000_000, ..IndexConfig::default() };
        let indexer = Indexer::build(&indexing, &index, &self.dir.join("index"), log.clone(), registry).unwrap();
        let [fetching, extracting, indexing] = [(); 3].map(|()| CancellationToken::new());
        let fetcher = tokio::spawn(fetcher.run(fetching.clone()));
        let extractor = tokio::spawn(extractor.run(extracting.clone()));
        let indexer = tokio::spawn(indexer.run(indexing.clone()));
        let scheduler = tokio::spawn(scheduler.run(stop));
        let all = async {
            beside.await;
            let ended = scheduler.await.unwrap().unwrap();
            for (token, stage) in [(fetching, fetcher), (extracting, extractor), (indexing, indexer)] {
                token.cancel();
                stage.await.unwrap().unwrap();
            }
            ended
        };
        tokio::time::timeout(LIMIT, all).await.expect("the crawl ends")
    }

    /// Records that a stage could not read, by stage and topic.
    fn unreadable(&self) -> BTreeMap<(String, String), u64> {
        let families = self.registry.gather();
        let metrics = families.iter().filter(|family| family.name() == "gristmill_unreadable_records_total");
        let value = |metric: &prometheus::proto::Metric| {
            let label = |n: usize| metric.get_label()[n].value().to_owned();
            ((label(0), label(1)), metric.get_counter().get_value() as u64)
        };
        metrics.flat_map(|family| family.get_metric()).map(value).collect()
    }

    /// All reasons on `rejects`.
    async fn reasons(&self) -> Vec<String> {
        let mut reader = self.log.reader(&[topics::REJECTS], StartOffset::Group("test")).await.unwrap();
        let (mut reasons, ends) = (Vec::new(), self.log.ends(topics::REJECTS).await.unwrap());
        while reader.positions().iter().any(|((_, partition), at)| *at < ends[*partition as usize]) {
            let records = reader.poll(1024, Duration::from_secs(1)).await.unwrap();
            let rejects = records.iter().filter_map(|record| decode::<Reject>(&record.payload).ok());
            reasons.extend(rejects.map(|reject| reject.reason.to_string()));
        }
        reasons
    }

    fn digest(&self) -> (u64, String) {
        let reader = IndexReader::open(&self.dir.join("index")).unwrap();
        (reader.count(), reader.digest().unwrap())
    }
}

fn web() -> TestWeb {
    TestWeb::start(TestSite::new(TestSiteConfig { n_hosts: 5, n_pages: 30, ..TestSiteConfig::default() })).unwrap()
}

fn embedded(dir: &Path) -> Arc<dyn Log> {
    let config = EmbeddedConfig { partitions: PARTITIONS, sync: false, ..EmbeddedConfig::default() };
    for _ in 0..500 {
        match EmbeddedLog::open(&dir.join("log"), &topic_specs(), config.clone()) {
            Ok(log) => return Arc::new(log),
            // The writer thread of the run before lets go in a moment.
            Err(LogError::Locked { .. }) => std::thread::sleep(Duration::from_millis(10)),
            Err(other) => panic!("{other}"),
        }
    }
    panic!("the log stays locked")
}

/// What an undisturbed crawl of `web` has.
async fn calm(web: &TestWeb) -> (u64, String) {
    let dir = tempfile::tempdir().unwrap();
    let crawl = Crawl::of(web, dir.path(), embedded(dir.path()));
    crawl.seed().await;
    assert_eq!(crawl.run(CancellationToken::new(), async {}).await, SchedulerExit::Drained);
    web.clear_log();
    crawl.digest()
}

async fn until(condition: impl Fn() -> bool) {
    let begun = std::time::Instant::now();
    while !condition() {
        assert!(begun.elapsed() < LIMIT, "it never came true");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Junk before the first run, in the middle of it, between the runs, and in the middle of the second.
async fn goes_on(web: &TestWeb, dir: &Path, open: impl AsyncFn() -> Arc<dyn Log>) {
    let calm = calm(web).await;
    let mut places = BTreeSet::new();
    let log = open().await;
    spoil(log.as_ref(), &mut places).await;
    let first = Crawl::of(web, dir, log.clone());
    first.seed().await;
    let stop = CancellationToken::new();
    let ended = first.run(stop.clone(), async {
        until(|| web.log().len() > 20).await;
        spoil(log.as_ref(), &mut places).await;
        until(|| web.log().len() > 40).await;
        stop.cancel();
    });
    assert_eq!(ended.await, SchedulerExit::Stopped);
    spoil(log.as_ref(), &mut places).await;
    let counted_first = first.unreadable();
    drop((first, log));

    let log = open().await;
    let second = Crawl::of(web, dir, log.clone());
    let fetched = web.log().len();
    let ended = second.run(CancellationToken::new(), async {
        until(|| web.log().len() > fetched + 10).await;
        spoil(log.as_ref(), &mut places).await;
    });
    assert_eq!(ended.await, SchedulerExit::Drained);
    assert_eq!(second.digest(), calm, "the corpus is that of a calm crawl");

    let reasons = second.reasons().await;
    let untold: Vec<_> =
        places.iter().filter(|place| !reasons.iter().any(|reason| reason.contains(&format!("at {place} ")))).collect();
    assert!(untold.is_empty(), "not on `rejects`: {untold:?}");
    assert!(reasons.iter().any(|reason| reason.contains("has version 99")), "{reasons:?}");
    let counted = second.unreadable();
    for (stage, topic) in [
        ("scheduler", topics::OUTCOMES),
        ("scheduler", topics::LINKS),
        ("scheduler", topics::ORDERS),
        ("fetcher", topics::ORDERS),
        ("extractor", topics::PAGES),
        ("indexer", topics::DOCUMENTS),
    ] {
        let key = (stage.to_owned(), topic.to_owned());
        let sum = counted_first[&key] + counted[&key];
        let least = if (stage, topic) == ("scheduler", topics::ORDERS) { junk().len() } else { 4 * junk().len() };
        assert!(sum >= least as u64, "{stage} counted {sum} of {topic}, which has {}", 4 * junk().len());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn junk_on_every_topic_stops_nothing_on_the_embedded_log() {
    let (web, dir) = (web(), tempfile::tempdir().unwrap());
    goes_on(&web, dir.path(), async || embedded(dir.path())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn junk_on_every_topic_stops_nothing_on_kafka() {
    let Some(address) = broker::shared() else { return };
    let (web, dir) = (web(), tempfile::tempdir().unwrap());
    let config = broker::settings(&address);
    let open = async || {
        let log = KafkaLog::open(&topic_specs(), PARTITIONS, 16 << 20, config.clone()).await.unwrap();
        Arc::new(log) as Arc<dyn Log>
    };
    goes_on(&web, dir.path(), open).await;
}

/// A log that damages the seventh order and the ninth outcome on their way.
struct Spoiling {
    log: Arc<dyn Log>,
    orders: AtomicU64,
    outcomes: AtomicU64,
}

impl Spoiling {
    fn spoil(&self, records: &mut [ProducerRecord]) {
        for record in records {
            let (count, chosen) = match record.topic {
                topics::ORDERS => (&self.orders, 7),
                topics::OUTCOMES => (&self.outcomes, 9),
                _ => continue,
            };
            if count.fetch_add(1, Ordering::Relaxed) + 1 == chosen {
                *record.payload.last_mut().unwrap() ^= 1;
            }
        }
    }
}

#[async_trait]
impl Log for Spoiling {
    async fn append(&self, mut records: Vec<ProducerRecord>) -> Result<Vec<RecordOffset>, LogError> {
        self.spoil(&mut records);
        self.log.append(records).await
    }

    async fn reader_of(
        &self,
        topics: &[&'static str],
        partitions: &[u32],
        start: StartOffset,
    ) -> Result<Box<dyn gristmill_log::LogReader>, LogError> {
        self.log.reader_of(topics, partitions, start).await
    }

    async fn commit(&self, group: &'static str, positions: &Positions) -> Result<(), LogError> {
        self.log.commit(group, positions).await
    }

    async fn committed(&self, group: &'static str, topic: &'static str) -> Result<Vec<Option<u64>>, LogError> {
        self.log.committed(group, topic).await
    }

    async fn ends(&self, topic: &'static str) -> Result<Vec<u64>, LogError> {
        self.log.ends(topic).await
    }

    async fn lag(&self, group: &'static str, topic: &'static str) -> Result<u64, LogError> {
        self.log.lag(group, topic).await
    }

    fn partitions(&self) -> u32 {
        self.log.partitions()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_or_outcome_that_cannot_be_read_is_given_again_and_holds_no_site_for_ever() {
    let (web, dir) = (web(), tempfile::tempdir().unwrap());
    let calm = calm(&web).await;
    let log = Spoiling { log: embedded(dir.path()), orders: 0.into(), outcomes: 0.into() };
    let crawl = Crawl::of(&web, dir.path(), Arc::new(log));
    crawl.seed().await;
    assert_eq!(crawl.run(CancellationToken::new(), async {}).await, SchedulerExit::Drained);
    assert_eq!(crawl.digest(), calm);
    let families = crawl.registry.gather();
    let outcomes = families.iter().find(|family| family.name() == "gristmill_outcomes_total").unwrap();
    let lost = outcomes.get_metric().iter().find(|metric| metric.get_label()[0].value() == "lost").unwrap();
    assert_eq!(lost.get_counter().get_value() as u64, 2);
}
