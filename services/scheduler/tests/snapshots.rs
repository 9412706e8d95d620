//! A scheduler whose state is lost goes on from its copy in the blob store, with a log that forgets what was committed; and what such
//! copies put there and leave.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use gristmill_blobs::BlobStore;
use gristmill_frontier::{Frontier, FrontierConfig, Positions};
use gristmill_log::{Log, LogConfig, MemoryLog, ProducerRecord, StartOffset};
use gristmill_proto::{
    FetchKind, FetchOrder, FetchOutcome, Instruction, LinkSource, Outlink, OutlinkBatch, Verdict, encode, topics,
};
use gristmill_runtime::blobs::{Blobs, BlobsConfig};
use gristmill_runtime::process::topic_specs;
use gristmill_scheduler::{Scheduler, SchedulerConfig, SchedulerExit, SnapshotError, SnapshotId, Snapshots};
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

fn config() -> FrontierConfig {
    let scope = Some(ScopeConfig { rule: ScopeRule::Any, ..ScopeConfig::default() });
    // Ranges are written often.
    FrontierConfig { scope, merge_urls: 1_000, ..FrontierConfig::default() }
}

/// A frontier, its snapshots, and the folder of both.
struct Bed {
    dir: tempfile::TempDir,
    frontier: Frontier,
    snapshots: Snapshots,
    n_urls: u64,
}

impl Bed {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let frontier = Frontier::open(&dir.path().join("frontier"), config()).unwrap();
        let snapshots = Self::snapshots(dir.path());
        Self { dir, frontier, snapshots, n_urls: 0 }
    }

    fn snapshots(dir: &Path) -> Snapshots {
        Snapshots::of(BlobStore::local(&dir.join("blobs")).unwrap(), Some(3))
    }

    /// Another process, which knows nothing of what this one put.
    fn restart(&mut self) {
        self.snapshots = Self::snapshots(self.dir.path());
    }

    fn add(&mut self, n_urls: u64) {
        for n in self.n_urls..self.n_urls + n_urls {
            let url = format!("http://site{}.test/page/{n}", n % 50);
            let (kind, source) = (FetchKind::Page, LinkSource::Anchor);
            let link = gristmill_frontier::Outlink { url: &url, kind, source, depth: 1, hops: 0, anchor_title: None };
            self.frontier.offer(&link, 1).unwrap();
        }
        self.n_urls += n_urls;
        self.frontier.commit(&Positions::from([((topics::LINKS.to_owned(), 3), self.n_urls)])).unwrap();
    }

    async fn write(&mut self, epoch: u64, number: u32) -> u64 {
        let snapshot = self.frontier.snapshot();
        self.snapshots.write(SnapshotId { epoch, number }, snapshot).await.unwrap().bytes
    }

    /// How many URLs the frontier of a snapshot knows.
    async fn restored(&self, epoch: u64, number: u32) -> Result<u64, SnapshotError> {
        let dir = self.dir.path().join(format!("restored-{epoch}-{number}"));
        self.snapshots.restore(SnapshotId { epoch, number }, &dir, &config()).await?;
        Ok(Frontier::open(&dir, config()).unwrap().stats().pages.known)
    }

    /// The snapshots that put the parts that are there.
    fn put_by(&self) -> BTreeSet<String> {
        let parts = std::fs::read_dir(self.parts()).unwrap();
        parts.map(|part| part.unwrap().file_name().into_string().unwrap()).collect()
    }

    fn parts(&self) -> PathBuf {
        self.dir.path().join("blobs/frontier/p0003/parts")
    }
}

fn name(epoch: u64, number: u32) -> String {
    format!("{epoch:020}-{number:08}")
}

#[tokio::test]
async fn a_snapshot_puts_what_changed_and_what_no_snapshot_names_is_deleted() {
    let mut bed = Bed::new();
    bed.add(30_000);
    let whole = bed.write(1, 0).await;
    for number in 1..40 {
        bed.add(50);
        let changed = bed.write(1, number).await;
        assert!(changed < whole / 2 || number % 16 == 0, "{changed} of {whole} bytes at {number}");
        if number % 13 == 0 {
            assert_eq!(bed.restored(1, number).await.unwrap(), bed.n_urls);
            assert_eq!(bed.restored(1, number - 1).await.unwrap(), bed.n_urls - 50);
        }
    }
    assert_eq!(bed.snapshots.list().await.unwrap().len(), 2);
    assert!(bed.put_by().len() < 40, "{:?}", bed.put_by());
    // Another epoch names nothing of this one.
    bed.restart();
    for number in 0..2 {
        bed.add(50);
        bed.write(2, number).await;
    }
    assert!(bed.put_by().iter().all(|by| by.starts_with(&name(2, 0)[..20])), "{:?}", bed.put_by());
    assert_eq!(bed.restored(2, 1).await.unwrap(), bed.n_urls);
}

#[tokio::test]
async fn one_that_was_cut_off_takes_nothing_from_the_last_and_leaves_nothing_to_the_next() {
    let mut bed = Bed::new();
    bed.add(3_000);
    bed.write(1, 0).await;
    // Killed before its last blob.
    let cut_off = bed.parts().join(name(1, 1));
    std::fs::create_dir(&cut_off).unwrap();
    std::fs::write(cut_off.join("000000"), b"x").unwrap();
    std::fs::write(cut_off.join("000777"), b"x").unwrap();
    assert_eq!(bed.snapshots.list().await.unwrap(), [SnapshotId { epoch: 1, number: 0 }]);
    assert_eq!(bed.restored(1, 0).await.unwrap(), 3_000);
    bed.restart();
    bed.add(100);
    bed.write(1, 1).await;
    assert!(!cut_off.join("000777").exists());
    assert_eq!(bed.restored(1, 1).await.unwrap(), 3_100);
    assert_eq!(bed.restored(1, 0).await.unwrap(), 3_000);
    // Dropped in the middle, by who could go on from the one before.
    bed.add(100);
    let snapshot = bed.frontier.snapshot();
    let written = bed.snapshots.write(SnapshotId { epoch: 1, number: 2 }, snapshot);
    assert!(tokio::time::timeout(Duration::from_millis(1), written).await.is_err());
    bed.add(100);
    bed.write(1, 3).await;
    assert_eq!(bed.restored(1, 3).await.unwrap(), 3_300);
}

#[tokio::test]
async fn an_old_owner_deletes_nothing_of_the_new_one() {
    let mut old = Bed::new();
    old.add(2_000);
    old.write(4, 0).await;
    old.add(10);
    old.write(4, 1).await;
    let new_parts = old.parts().join(name(5, 0));
    std::fs::create_dir(&new_parts).unwrap();
    std::fs::write(new_parts.join("000000"), b"about to be named").unwrap();
    old.add(10);
    old.write(4, 2).await;
    assert!(new_parts.join("000000").exists());
    // The new one leaves what the old one may be about to name as long as it has no two of its own.
    old.restart();
    old.write(5, 0).await;
    assert_eq!(old.restored(4, 2).await.unwrap(), 2_020);
    assert_eq!(old.restored(5, 0).await.unwrap(), 2_020);
}

#[tokio::test]
async fn a_part_that_is_damaged_or_missing_is_damage_of_each_snapshot_that_names_it() {
    let mut bed = Bed::new();
    bed.add(2_000);
    bed.write(1, 0).await;
    let parts: Vec<PathBuf> =
        std::fs::read_dir(bed.parts().join(name(1, 0))).unwrap().map(|part| part.unwrap().path()).collect();
    assert!(parts.len() > 2, "{parts:?}");
    for part in parts {
        let whole = std::fs::read(&part).unwrap();
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 1;
        std::fs::write(&part, flipped).unwrap();
        let is_damage = |answer| matches!(answer, Err(SnapshotError::Damaged { .. }));
        assert!(is_damage(bed.restored(1, 0).await), "{}", part.display());
        std::fs::remove_file(&part).unwrap();
        assert!(is_damage(bed.restored(1, 0).await), "{}", part.display());
        std::fs::write(&part, whole).unwrap();
    }
    assert_eq!(bed.restored(1, 0).await.unwrap(), 2_000);
}

/// As the version before parts wrote them.
#[tokio::test]
async fn snapshots_of_format_1_are_read_and_go_when_there_are_newer_ones() {
    let mut bed = Bed::new();
    let golden = include_bytes!("../../../crates/frontier/tests/golden/snapshot-3");
    let header = r#"{"format":1,"epoch":1,"number":0,"taken_at":1,"positions":[["links",3,17],["orders",3,4]]}"#;
    let file = bed.dir.path().join("blobs/frontier/p0003").join(name(1, 0));
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let mut file = std::fs::File::create(file).unwrap();
    file.write_all(format!("{header}\n").as_bytes()).unwrap();
    file.write_all(&zstd::bulk::compress(golden, 3).unwrap()).unwrap();
    let positions = bed.snapshots.positions(SnapshotId { epoch: 1, number: 0 }).await.unwrap();
    assert_eq!(positions, Positions::from([(("links".to_owned(), 3), 17), (("orders".to_owned(), 3), 4)]));
    assert_eq!(bed.restored(1, 0).await.unwrap(), 41);
    for number in 0..2 {
        bed.add(100);
        bed.write(2, number).await;
    }
    let names = bed.snapshots.list().await.unwrap();
    assert_eq!(names, [SnapshotId { epoch: 2, number: 1 }, SnapshotId { epoch: 2, number: 0 }]);
}
