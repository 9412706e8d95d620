//! A crawl in a process that is killed at any moment, again and again: no link that was acknowledged is lost, no page is fetched twice,
//! and no site is asked before its pause is over.
//!
//! The process is this test program, started with the name of its worker and a folder. Beside the store it has two logs, as the
//! scheduler has: an order is in the log before it counts, and a page is fetched when its outcome is in the log.

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use gristmill_frontier::{
    AdmissionResult, FetchKind, FetchOrder, FetchResult, Frontier, FrontierConfig, NextAction, Outlink, Positions,
};

use crate::common::{answer, link, plain};

/// Names the folder of a worker.
const FOLDER: &str = "GRISTMILL_FRONTIER_WORKER";

/// Pause between two requests to one site, milliseconds.
const PAUSE: u64 = 20;

/// Links between two commits.
const LINKS: u64 = 200;

/// Order id, number of the URL, time: one record of either log.
const RECORD: usize = 24;

type LogRecord = [u64; 3];

struct Size {
    urls_at_first: u64,
    kills: u64,
    hosts: u64,
    merge_urls: u64,
}

fn size() -> Size {
    if std::env::var_os("GRISTMILL_SOAK").is_some() {
        Size { urls_at_first: 1_000_000, kills: 1_000, hosts: 3_000, merge_urls: 20_000 }
    } else {
        Size { urls_at_first: 2_000, kills: 8, hosts: 60, merge_urls: 200 }
    }
}

fn config() -> FrontierConfig {
    let mut config = plain();
    config.politeness.min_delay = Duration::from_millis(PAUSE);
    (config.recent_urls, config.merge_urls) = (1_000, size().merge_urls);
    config
}

fn host_of(n: u64) -> u64 {
    let mixed = n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
    mixed % (1 + mixed % size().hosts)
}

fn url_of(n: u64) -> String {
    format!("http://h{}.com/page/{n}", host_of(n))
}

fn number_of(url: &str) -> u64 {
    url.rsplit('/').next().and_then(|number| number.parse().ok()).expect("a URL of ours")
}

fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock is right").as_millis() as u64
}

/// A log that a kill may cut off in the middle of a record.
struct Log(PathBuf);

impl Log {
    fn append(&self, records: &[LogRecord]) {
        let bytes: Vec<u8> = records.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        let mut file = OpenOptions::new().create(true).read(true).write(true).truncate(false).open(&self.0).unwrap();
        let end = file.seek(SeekFrom::End(0)).unwrap();
        file.seek(SeekFrom::Start(end - end % RECORD as u64)).unwrap();
        file.write_all(&bytes).unwrap();
    }

    fn read(&self, from: u64) -> Vec<LogRecord> {
        let mut bytes = Vec::new();
        let Ok(mut file) = File::open(&self.0) else { return Vec::new() };
        file.seek(SeekFrom::Start(from * RECORD as u64)).unwrap();
        file.read_to_end(&mut bytes).unwrap();
        let number = |record: &[u8], at: usize| u64::from_le_bytes(std::array::from_fn(|byte| record[at * 8 + byte]));
        bytes.chunks_exact(RECORD).map(|record| std::array::from_fn(|at| number(record, at))).collect()
    }
}

struct Crawl {
    frontier: Frontier,
    orders: Log,
    outcomes: Log,
    acknowledged: Log,
    /// Links offered; records read or written of the two logs.
    n_links: u64,
    n_orders: u64,
    n_outcomes: u64,
    /// Ordered by a process that was killed: they are known, though their links may not be.
    adopted: HashSet<u64>,
}

impl Crawl {
    /// Opens what a killed one left, and does what it began.
    fn open(dir: &Path) -> Self {
        let frontier = Frontier::open(&dir.join("frontier"), config()).unwrap();
        let at = |name: &str| frontier.positions().get(&(name.to_owned(), 0)).copied().unwrap_or(0);
        let (n_links, n_orders, n_outcomes) = (at("links"), at("orders"), at("outcomes"));
        let log = |name: &str| Log(dir.join(name));
        let (orders, outcomes, acknowledged) = (log("orders"), log("outcomes"), log("acknowledged"));
        let mut crawl =
            Self { frontier, orders, outcomes, acknowledged, n_links, n_orders, n_outcomes, adopted: HashSet::new() };
        let acknowledged = crawl.acknowledged.read(0).last().map_or(0, |record| record[0]);
        assert!(n_links >= acknowledged, "{acknowledged} links were acknowledged, the store has {n_links}");
        crawl.catch_up();
        crawl
    }

    fn catch_up(&mut self) {
        for [id, n, ordered_at] in self.orders.read(self.n_orders) {
            self.frontier.adopt_order(&order(id, n, ordered_at), ordered_at).unwrap();
            self.n_orders += 1;
            self.adopted.insert(n);
        }
        for [id, n, finished_at] in self.outcomes.read(self.n_outcomes) {
            let outcome = answer(&order(id, n, finished_at), FetchResult::Ok, 200, finished_at);
            self.frontier.outcome(&outcome, finished_at).unwrap();
            self.n_outcomes += 1;
        }
        let in_flight: Vec<(u64, u64)> = self.frontier.in_flight().map(|(id, url)| (id, number_of(url))).collect();
        in_flight.into_iter().for_each(|(id, n)| self.fetch(id, n, now_ms()));
    }

    fn fetch(&mut self, id: u64, n: u64, now: u64) {
        self.outcomes.append(&[[id, n, now]]);
        self.n_outcomes += 1;
        self.frontier.outcome(&answer(&order(id, n, now), FetchResult::Ok, 200, now), now).unwrap();
    }

    fn offer(&mut self, n: u64, now: u64) -> AdmissionResult {
        self.frontier.offer(&Outlink { depth: (n % 7) as u16, ..link(&url_of(n)) }, now).unwrap()
    }

    fn offer_new(&mut self, n_links: u64, now: u64) {
        for n in self.n_links..self.n_links + n_links {
            let is_new = self.offer(n, now) == AdmissionResult::New;
            assert_ne!(is_new, self.adopted.contains(&n), "{}", url_of(n));
        }
        self.n_links += n_links;
    }

    /// Fetches the next page, if there is one that may be fetched.
    fn fetch_next(&mut self, now: u64) -> NextAction {
        let action = self.frontier.next(now).unwrap();
        if let NextAction::Order(order) = &action {
            let n = number_of(&order.url);
            self.orders.append(&[[order.id, n, now]]);
            self.n_orders += 1;
            self.fetch(order.id, n, now);
        }
        action
    }

    fn commit(&mut self) {
        let at = |name: &str, position: u64| ((name.to_owned(), 0), position);
        let positions = [at("links", self.n_links), at("orders", self.n_orders), at("outcomes", self.n_outcomes)];
        self.frontier.commit(&Positions::from(positions)).unwrap();
        self.acknowledged.append(&[[self.n_links, 0, 0]]);
    }
}

fn order(id: u64, n: u64, ordered_at: u64) -> FetchOrder {
    FetchOrder {
        id,
        url: url_of(n),
        kind: FetchKind::Page,
        robots_for: None,
        depth: (n % 7) as u16,
        hops: 0,
        attempt: 0,
        anchor_title: None,
        etag: None,
        last_modified: None,
        known: false,
        ordered_at,
        pause: PAUSE,
        ip_pause: 0,
        tdm: None,
        usage: None,
        cookies: Vec::new(),
    }
}

/// Crawls until it is killed. Of itself it does nothing: see the test below.
#[test]
fn the_worker_that_is_killed() {
    let Some(dir) = std::env::var_os(FOLDER) else { return };
    let mut crawl = Crawl::open(Path::new(&dir));
    for turn in 0.. {
        let now = now_ms();
        crawl.offer_new(LINKS, now);
        for pick in 0..50 {
            let n = (turn * 50 + pick + now).wrapping_mul(0xD134_2543_DE82_EF95) % crawl.n_links;
            assert_eq!(crawl.offer(n, now), AdmissionResult::Known, "{}", url_of(n));
        }
        for _ in 0..40 {
            crawl.fetch_next(now_ms());
        }
        crawl.commit();
    }
}

/// One in four is killed wherever it is by then, mostly while it opens what the last one left; the others after a commit.
fn kill_one(dir: &Path, kill: u64) {
    let mut worker = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kills::the_worker_that_is_killed", "--nocapture"])
        .env(FOLDER, dir)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let (pick, started) = (kill.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40, Instant::now());
    let waits = !kill.is_multiple_of(4);
    let commits = || std::fs::metadata(dir.join("acknowledged")).map_or(0, |file| file.len());
    let before = commits();
    while waits && commits() == before && worker.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < Duration::from_secs(120), "it commits nothing");
        std::thread::sleep(Duration::from_millis(2));
    }
    std::thread::sleep(Duration::from_millis(pick % if waits { 150 } else { 600 }));
    assert_eq!(worker.try_wait().unwrap(), None, "the worker ended by itself");
    worker.kill().unwrap();
    worker.wait().unwrap();
}

#[test]
fn a_crawl_that_is_killed_again_and_again_loses_no_link_and_fetches_none_twice() {
    let (size, dir) = (size(), tempfile::tempdir().unwrap());
    let mut crawl = Crawl::open(dir.path());
    while crawl.n_links < size.urls_at_first {
        crawl.offer_new(1_000, now_ms());
        crawl.commit();
    }
    drop(crawl);
    for kill in 0..size.kills {
        kill_one(dir.path(), kill);
    }
    let mut crawl = Crawl::open(dir.path());
    // The links that the last process did not commit come again.
    crawl.offer_new(LINKS, now_ms());
    let (n_links, n_fetched, mut now) = (crawl.n_links, crawl.n_outcomes, now_ms());
    assert!((0..n_links).all(|n| crawl.offer(n, now) == AdmissionResult::Known));
    assert_eq!(crawl.frontier.stats().pages.known, n_links);
    loop {
        match crawl.fetch_next(now) {
            NextAction::Order(order) if order.id % 10_000 == 0 => crawl.commit(),
            NextAction::Order(_) => {}
            NextAction::WaitUntil(time) => now = time.max(now + 1),
            NextAction::Drained => break,
            other => panic!("{other:?}"),
        }
    }
    check_logs(&crawl, n_links);
    println!("{} kills, {n_links} links, {n_fetched} pages fetched between them", size.kills);
}

/// Every page was fetched once, and each site paused before its next order.
fn check_logs(crawl: &Crawl, n_links: u64) {
    let mut fetched: Vec<u64> = crawl.outcomes.read(0).iter().map(|record| record[1]).collect();
    fetched.sort_unstable();
    assert!(fetched.into_iter().eq(0..n_links), "each page is fetched once");
    let finished: HashMap<u64, u64> = crawl.outcomes.read(0).iter().map(|[id, _, at]| (*id, *at)).collect();
    let mut free_at: HashMap<u64, u64> = HashMap::new();
    for [id, n, ordered_at] in crawl.orders.read(0) {
        let free_at = free_at.entry(host_of(n)).or_default();
        assert!(ordered_at >= *free_at, "{} is asked {} ms too early", url_of(n), *free_at - ordered_at);
        *free_at = finished[&id] + PAUSE;
    }
}

#[test]
fn a_frontier_whose_making_was_cut_off_is_made_anew() {
    let dir = tempfile::tempdir().unwrap();
    let unfinished = dir.path().join("frontier.unfinished");
    std::fs::create_dir(&unfinished).unwrap();
    std::fs::write(unfinished.join("0.jnl"), "").unwrap();
    drop(Frontier::open(&dir.path().join("frontier"), FrontierConfig::default()).unwrap());
    assert!(!unfinished.exists());
}
