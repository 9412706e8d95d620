//! Two of each service as processes over a real Kafka broker, harmed while they crawl: the corpus is that of a calm crawl.
//!
//! Run by `scripts/soak`.

use crate::common;

use std::time::{Duration, Instant};

use common::Crawl;
use common::processes::{DELAY, Processes, SESSION, assert_same};
use gristmill_log::conformance::broker::{self, Broker};
use gristmill_testweb::{LogEntry, TestSite, TestSiteConfig, TestWeb, shortest_pauses};

const SERVICES: [&str; 4] = ["scheduler", "fetcher", "extractor", "indexer"];
/// The data directory that all share.
const DATA: &str = "data";

/// As many kills as `GRISTMILL_KILLS` says, else so many.
fn kills(usual: usize) -> usize {
    std::env::var("GRISTMILL_KILLS").map_or(usual, |kills| kills.parse().unwrap())
}

/// More hosts, pages and kills, which `scripts/soak --long` asks for.
fn long() -> bool {
    std::env::var("GRISTMILL_SOAK").is_ok_and(|which| which == "long")
}

/// Longest wait for the whole web to be in the index.
const LIMIT: Duration = Duration::from_secs(1800);

/// Two of each service over one data directory.
struct Cluster(Processes);

impl Cluster {
    fn start(web: &TestWeb, address: &str) -> Self {
        let mut cluster = Self(Processes::of(web, address, ""));
        for service in SERVICES {
            for number in 0..2 {
                cluster.spawn(service, number);
            }
        }
        cluster
    }

    /// Starts a process, whose name in its group is kept over restarts.
    fn spawn(&mut self, service: &str, number: u32) {
        let name = name(service, number);
        self.0.start(&name, service, DATA, Some(&name));
    }

    fn signal(&self, service: &str, number: u32, signal: &str) {
        self.0.signal(&name(service, number), signal);
    }

    /// kill -9, then the same again.
    fn crash(&mut self, service: &str, number: u32) {
        self.0.kill(&name(service, number));
        self.spawn(service, number);
    }

    fn end(&mut self, service: &str, number: u32) {
        self.0.end(&name(service, number));
    }
}

fn name(service: &str, number: u32) -> String {
    format!("{service}-{number}")
}

fn web(n_pages: usize) -> TestWeb {
    let n_pages = if long() { n_pages.max(100) } else { n_pages };
    let n_hosts = if long() { 50 } else { 8 };
    TestWeb::start(TestSite::new(TestSiteConfig { n_hosts, n_pages, ..TestSiteConfig::default() })).unwrap()
}

/// How long after the last harm the crawl asked for pages at full speed again: four fifths of the most in any two seconds.
fn full_speed(log: &[LogEntry], last_harm: Instant) -> String {
    const WINDOW: Duration = Duration::from_secs(2);
    let mut asked: Vec<Instant> = log.iter().map(|entry| entry.started).collect();
    asked.sort();
    let within = |(index, from): (usize, &Instant)| asked[index..].partition_point(|at| *at < *from + WINDOW);
    let counts: Vec<usize> = asked.iter().enumerate().map(within).collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    let again = asked.iter().zip(&counts).find(|(at, count)| **at >= last_harm && **count * 5 >= most * 4);
    let again = again.map_or("never".to_owned(), |(at, _)| format!("{:.1} s", (*at - last_harm).as_secs_f64()));
    format!(
        "at most {:.0} requests/s; four fifths of it {again} after the last harm",
        most as f64 / WINDOW.as_secs_f64()
    )
}

/// Crawls `web` with two of each service, harmed by `harm`, and compares with a calm crawl in one process.
fn harmed(web: &TestWeb, address: &str, harm: impl FnOnce(&mut Cluster)) {
    let calm = Crawl::of(web, "0s", "[frontier.politeness]\nip_delay = \"0s\"\n");
    calm.run();
    let (calm, _) = calm.documents();
    web.clear_log();

    let begun = Instant::now();
    let mut cluster = Cluster::start(web, address);
    harm(&mut cluster);
    let (last_harm, harmed) = (Instant::now(), begun.elapsed());
    let before = cluster.0.count(DATA);
    assert!(before < calm.len() as u64, "the crawl was over before the last harm: make the web larger");
    let all = calm.len() as u64;
    cluster.0.until(&format!("{all} documents"), LIMIT, |processes| processes.count(DATA) >= all);
    println!(
        "{} documents, {before} of them after {:.1} s of harm, all after {:.1} s",
        calm.len(),
        harmed.as_secs_f64(),
        begun.elapsed().as_secs_f64()
    );
    println!("{}", full_speed(&web.log(), last_harm));
    // What should not be there would come now.
    std::thread::sleep(Duration::from_secs(2));
    cluster.0.check_alive();
    for name in cluster.0.names() {
        cluster.0.end(&name);
    }

    assert_same(&calm, &cluster.0.documents(DATA));
    cluster.0.check_books();
    let rude: Vec<_> = shortest_pauses(&web.log()).into_iter().filter(|(_, pause)| *pause < Some(DELAY)).collect();
    assert!(rude.is_empty(), "closer than {DELAY:?}: {rude:?}");
}

#[test]
#[ignore = "minutes long: run by scripts/soak"]
fn killed_at_any_moment_nothing_is_lost_twice_or_rude() {
    let Some(address) = broker::shared() else { return };
    let kills = kills(if long() { 30 } else { 10 });
    let usual = if long() { 400 } else { 160 };
    // Enough pages to be at work until the last kill.
    harmed(&web(usual.max(kills * 10)), &address, |cluster| {
        let mut order = 0u64;
        for kill in 0..kills as u64 {
            std::thread::sleep(Duration::from_millis(if long() { 1500 } else { 700 }));
            order = order.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407 + kill);
            cluster.crash(SERVICES[(order >> 33) as usize % 4], (order >> 40) as u32 % 2);
        }
    });
}

#[test]
#[ignore = "minutes long: run by scripts/soak"]
fn a_broker_that_crashes_and_comes_back_is_waited_out() {
    let Some(broker) = Broker::start() else { return };
    let address = broker.address.clone();
    harmed(&web(120), &address, |cluster| {
        std::thread::sleep(Duration::from_secs(4));
        broker.stop(true);
        std::thread::sleep(Duration::from_secs(2));
        cluster.0.check_alive();
        broker.start_again();
    });
}

#[test]
#[ignore = "minutes long: run by scripts/soak"]
fn a_process_that_was_frozen_past_its_session_does_no_harm_when_it_wakes() {
    let Some(address) = broker::shared() else { return };
    harmed(&web(200), &address, |cluster| {
        std::thread::sleep(Duration::from_secs(3));
        for service in ["fetcher", "scheduler"] {
            cluster.signal(service, 0, "-STOP");
        }
        std::thread::sleep(SESSION * 2);
        for service in ["fetcher", "scheduler"] {
            cluster.signal(service, 0, "-CONT");
        }
    });
}

#[test]
#[ignore = "minutes long: run by scripts/soak"]
fn fetchers_come_and_go_and_every_service_restarts_in_turn() {
    let Some(address) = broker::shared() else { return };
    harmed(&web(200), &address, |cluster| {
        std::thread::sleep(Duration::from_secs(2));
        cluster.end("fetcher", 1);
        cluster.spawn("fetcher", 1);
        cluster.spawn("fetcher", 2);
        std::thread::sleep(Duration::from_secs(1));
        for service in ["scheduler", "extractor", "indexer"] {
            cluster.end(service, 0);
            cluster.spawn(service, 0);
        }
        cluster.end("fetcher", 2);
    });
}
