//! A scheduler whose state is lost goes on from its copy in the blob store, with a log that forgets what was committed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use gristmill_blobs::BlobStore;
use gristmill_frontier::FrontierConfig;
use gristmill_log::{Log, LogConfig, MemoryLog, ProducerRecord, StartOffset};
use gristmill_proto::{
    FetchKind, FetchOrder, FetchOutcome, Instruction, LinkSource, Outlink, OutlinkBatch, Verdict, encode, topics,
};
use gristmill_runtime::blobs::{Blobs, BlobsConfig};
use gristmill_runtime::process::topic_specs;
use gristmill_scheduler::{Scheduler, SchedulerConfig, SchedulerExit, Snapshots};
use gristmill_urls::{CanonicalUrl, ScopeConfig, ScopeRule};
use prometheus::Registry;
use tokio_util::sync::CancellationToken;

const PAGES: usize = 400;

fn links() -> Vec<ProducerRecord> {
    let link = |n: usize| Outlink {
        url: format!("http://site{}.test/{n}", n % 20),
        kind: FetchKind::Page,
        source: LinkSource::Anchor,
        depth: 1,
        hops: 0,
        anchor: None,
        modified_at: None,
    };
    let record = |link: Outlink| {
        let key = CanonicalUrl::parse(&link.url, None).unwrap().registrable_domain().to_owned();
        let message = OutlinkBatch { from: String::new(), found_at: 1, links: vec![link] };
        ProducerRecord { topic: topics::LINKS, key, payload: encode(&message) }
    };
    (0..PAGES).map(link).map(record).collect()
}

fn outcome(order: &FetchOrder) -> FetchOutcome {
    FetchOutcome {
        order_id: order.id,
        url: order.url.clone(),
        kind: order.kind,
        verdict: Verdict::Ok,
        status: 200,
        ip: None,
        retry_after_ms: None,
        redirect: None,
        etag: None,
        last_modified: None,
        content_hash: Some(order.id),
        robots: None,
        started_at: 1,
        finished_at: 1,
        bytes: 1,
        links: 0,
        error: None,
        brings_nothing: None,
        canonical: None,
        words_hash: None,
    }
}

type Asked = Arc<Mutex<BTreeMap<String, u32>>>;

/// Answers every order, and counts how often each URL was asked for.
async fn fetch(log: Arc<dyn Log>, asked: Asked) {
    let mut orders = log.reader(&[topics::ORDERS], StartOffset::Group("fetcher")).await.unwrap();
    loop {
        for stored in orders.poll(8, Duration::from_millis(20)).await.unwrap() {
            let Instruction::Order(order) = Instruction::read(&stored.payload).unwrap() else { continue };
            *asked.lock().unwrap().entry(order.url.clone()).or_insert(0) += 1;
            let record = ProducerRecord { topic: topics::OUTCOMES, key: stored.key, payload: encode(&outcome(&order)) };
            log.append(vec![record]).await.unwrap();
        }
        log.commit("fetcher", &orders.positions()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(4)).await;
    }
}

async fn scheduler(log: &Arc<dyn Log>, blobs: &Blobs, dir: PathBuf) -> Scheduler {
    let config = SchedulerConfig { batch: 16, snapshot_every: Duration::from_millis(30), ..SchedulerConfig::default() };
    let scope = Some(ScopeConfig { rule: ScopeRule::Any, ..ScopeConfig::default() });
    let mut frontier = FrontierConfig { scope, ..FrontierConfig::default() };
    frontier.robots.enabled = false;
    frontier.robots.guess_sitemap = false;
    frontier.politeness.min_delay = Duration::ZERO;
    frontier.politeness.ip_delay = Duration::ZERO;
    Scheduler::build(&config, &frontier, dir, blobs, log.clone(), &Registry::new()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nothing_is_ordered_twice_and_nothing_is_lost_when_the_disk_is_lost_again_and_again() {
    let dir = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(dir.path(), &BlobsConfig::default(), &LogConfig::default()).unwrap();
    let log: Arc<dyn Log> = Arc::new(MemoryLog::new(&topic_specs(), 2, 1 << 20));
    log.append(links()).await.unwrap();
    let asked = Asked::default();
    let fetcher = tokio::spawn(fetch(log.clone(), asked.clone()));
    let snapshots = Snapshots::of(BlobStore::local(&dir.path().join("blobs")).unwrap(), None);
    for life in 1..=4 {
        let running = scheduler(&log, &blobs, dir.path().join(format!("frontier-{life}"))).await;
        let running = tokio::spawn(running.run(CancellationToken::new()));
        let begun = Instant::now();
        while asked.lock().unwrap().len() < life * PAGES / 6 || snapshots.list().await.unwrap().is_empty() {
            assert!(!running.is_finished(), "life {life} ended by itself");
            assert!(begun.elapsed() < Duration::from_secs(60), "{} pages", asked.lock().unwrap().len());
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        running.abort();
        let _ = running.await;
    }
    let before = asked.lock().unwrap().len();
    assert!(before < PAGES, "it was over before the last loss: take more pages");
    let last = scheduler(&log, &blobs, dir.path().join("frontier-last")).await;
    assert_eq!(last.run(CancellationToken::new()).await.unwrap(), SchedulerExit::Drained);
    fetcher.abort();
    let asked = asked.lock().unwrap();
    assert_eq!(asked.len(), PAGES);
    let again: Vec<_> = asked.iter().filter(|(_, times)| **times > 1).collect();
    assert!(again.is_empty(), "ordered again: {again:?}");
}
