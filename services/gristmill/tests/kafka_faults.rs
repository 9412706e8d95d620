//! Two of each service as processes over a real Kafka broker, harmed while they crawl: the corpus is that of a calm crawl.
//!
//! Run by `scripts/soak`; `GRISTMILL_SOAK=1` makes the web and the number of harms larger, which `scripts/soak --long` does.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{Crawl, finish, gristmill, text};
use gristmill_index::{Document, Reader};
use gristmill_log::conformance::broker::{self, Broker};
use gristmill_log::{KafkaConfig, KafkaLog, Log, Start};
use gristmill_proto::{Epochs, Instruction, Outcome, decode, topics};
use gristmill_runtime::process::topic_specs;
use gristmill_testweb::{LogEntry, Site, SiteConfig, TestWeb, shortest_pauses};

const SERVICES: [&str; 4] = ["scheduler", "fetcher", "extractor", "indexer"];
const PARTITIONS: u32 = 4;
const DELAY: Duration = Duration::from_millis(40);
const SESSION: Duration = Duration::from_secs(3);

fn soak() -> bool {
    std::env::var_os("GRISTMILL_SOAK").is_some()
}

/// Longest wait for the whole web to be in the index.
fn limit() -> Duration {
    Duration::from_secs(if soak() { 900 } else { 150 })
}

/// The processes of one crawl.
struct Cluster {
    dir: tempfile::TempDir,
    kafka: KafkaConfig,
    processes: BTreeMap<(&'static str, u32), Child>,
}

impl Cluster {
    fn start(web: &TestWeb, address: &str) -> Self {
        let kafka = broker::settings(address);
        let dir = tempfile::tempdir().unwrap();
        let mut settings = format!(
            "[log]\nengine = \"kafka\"\npartitions = {PARTITIONS}\n[log.kafka]\nbrokers = \"{address}\"\n\
             topic_prefix = \"{}\"\nreplication = 1\nsession_timeout = \"{}ms\"\n\
             [telemetry]\nfilter = \"info\"\n[indexer]\ncommit_every = \"300ms\"\n[frontier.retry]\ndelay = \"50ms\"\n\
             [frontier.politeness]\nmin_delay = \"{}ms\"\nip_delay = \"0s\"\n[fetch]\nallow_private = true\n[fetch.resolve]\n",
            kafka.topic_prefix,
            SESSION.as_millis(),
            DELAY.as_millis()
        );
        for (host, address) in web.resolve_map() {
            writeln!(settings, "\"{host}\" = \"{address}\"").unwrap();
        }
        std::fs::write(dir.path().join("gristmill.toml"), settings).unwrap();
        let mut cluster = Self { dir, kafka, processes: BTreeMap::new() };
        let output = finish({
            let mut command = cluster.command();
            command.arg("seed").args(web.site().seeds());
            command
        });
        assert!(output.status.success(), "{}", text(&output));
        for service in SERVICES {
            for number in 0..2 {
                cluster.spawn(service, number);
            }
        }
        cluster
    }

    fn command(&self) -> Command {
        let mut command = gristmill();
        command.arg("--config").arg(self.dir.path().join("gristmill.toml")).arg("--data").arg(self.data());
        command
    }

    fn data(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    /// Starts a process, whose name in its group is kept over restarts.
    fn spawn(&mut self, service: &'static str, number: u32) {
        let told = self.dir.path().join(format!("{service}{number}.log"));
        let told = std::fs::File::options().create(true).append(true).open(told).unwrap();
        let mut command = self.command();
        command.args(["run", service]).env("GRISTMILL__LOG__KAFKA__INSTANCE", format!("{service}-{number}"));
        let child = command.stdout(Stdio::null()).stderr(told).spawn().unwrap();
        self.processes.insert((service, number), child);
    }

    fn signal(&self, service: &'static str, number: u32, signal: &str) {
        let process = self.processes[&(service, number)].id().to_string();
        assert!(Command::new("kill").args([signal, &process]).status().unwrap().success());
    }

    /// kill -9, then the same again.
    fn crash(&mut self, service: &'static str, number: u32) {
        let child = self.processes.get_mut(&(service, number)).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        self.spawn(service, number);
    }

    /// Asks a process to end, and waits until it has.
    fn end(&mut self, service: &'static str, number: u32) {
        self.signal(service, number, "-TERM");
        let mut child = self.processes.remove(&(service, number)).unwrap();
        let begun = Instant::now();
        while child.try_wait().unwrap().is_none() && begun.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(20));
        }
        // Fails on a process that is gone already, which is what is wanted.
        let _ = child.kill();
        let status = child.wait().unwrap();
        assert!(status.success(), "{service} {number}: {status}\n{}", self.told(service, number));
    }

    /// The last words of a process.
    fn told(&self, service: &str, number: u32) -> String {
        let told = std::fs::read_to_string(self.dir.path().join(format!("{service}{number}.log"))).unwrap_or_default();
        let lines: Vec<&str> = told.lines().collect();
        lines[lines.len().saturating_sub(15)..].join("\n")
    }

    fn check_alive(&mut self) {
        let mut dead = Vec::new();
        for ((service, number), child) in &mut self.processes {
            if let Some(status) = child.try_wait().unwrap() {
                dead.push((*service, *number, status));
            }
        }
        for (service, number, status) in &dead {
            println!("{service} {number} ended: {status}\n{}", self.told(service, *number));
        }
        assert!(dead.is_empty(), "processes ended by themselves");
    }

    /// The documents of all shards by URL, and how many there are with each URL.
    fn documents(&self) -> (BTreeMap<String, Document>, BTreeMap<String, u32>) {
        let (mut documents, mut counts) = (BTreeMap::new(), BTreeMap::new());
        for partition in 0..PARTITIONS {
            let Ok(reader) = Reader::open(&self.data().join(format!("index/p{partition:04}"))) else { continue };
            for document in reader.documents() {
                let document = document.unwrap();
                *counts.entry(document.url.clone()).or_insert(0) += 1;
                documents.insert(document.url.clone(), document);
            }
        }
        (documents, counts)
    }

    fn count(&self) -> u64 {
        let shard = |partition| Reader::open(&self.data().join(format!("index/p{partition:04}")));
        (0..PARTITIONS).filter_map(|partition| shard(partition).ok()).map(|reader| reader.count()).sum()
    }

    /// Waits until `count` documents are in the index.
    fn wait_for(&mut self, count: u64) {
        let begun = Instant::now();
        while self.count() < count {
            self.check_alive();
            if begun.elapsed() > limit() {
                for (service, number) in self.processes.keys() {
                    println!("--- {service} {number}\n{}", self.told(service, *number));
                }
                panic!("{} of {count} documents after {:?}", self.count(), limit());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn end_all(&mut self) {
        for (service, number) in self.processes.keys().copied().collect::<Vec<_>>() {
            self.end(service, number);
        }
    }

    /// Every order that counts has its outcome, and no outcome has no order.
    fn check_books(&self) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let (orders, outcomes, stale) = runtime.block_on(async {
            let log = KafkaLog::open(&topic_specs(), PARTITIONS, 16 << 20, self.kafka.clone()).await.unwrap();
            let (mut orders, mut outcomes, mut stale) = (BTreeSet::new(), BTreeSet::new(), 0);
            let mut epochs = [Epochs::default(); PARTITIONS as usize];
            for topic in [topics::ORDERS, topics::OUTCOMES] {
                let mut reader = log.reader(&[topic], Start::At([].into())).await.unwrap();
                let ends = log.ends(topic).await.unwrap();
                while reader.positions().iter().any(|((_, partition), at)| *at < ends[*partition as usize]) {
                    for stored in reader.poll(1000, Duration::from_secs(1)).await.unwrap() {
                        let partition = stored.place.partition;
                        if topic == topics::OUTCOMES {
                            let outcome = decode::<Outcome>(&stored.payload).unwrap();
                            outcomes.insert((partition, outcome.order_id, outcome.url));
                            continue;
                        }
                        let instruction = Instruction::read(&stored.payload).unwrap();
                        match (epochs[partition as usize].take(&instruction), instruction) {
                            (true, Instruction::Order(order)) => drop(orders.insert((partition, order.id, order.url))),
                            (false, Instruction::Order(_)) => stale += 1,
                            _ => {}
                        }
                    }
                }
            }
            (orders, outcomes, stale)
        });
        println!("{} orders, {} outcomes, {stale} orders too late", orders.len(), outcomes.len());
        let missing: Vec<_> = orders.difference(&outcomes).collect();
        let extra: Vec<_> = outcomes.difference(&orders).collect();
        assert!(missing.is_empty() && extra.is_empty(), "no outcome: {missing:?}; no order: {extra:?}");
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for child in self.processes.values_mut() {
            // It may have ended.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn web(n_pages: usize) -> TestWeb {
    let n_pages = if soak() { n_pages.max(100) } else { n_pages };
    let n_hosts = if soak() { 50 } else { 8 };
    TestWeb::start(Site::new(SiteConfig { n_hosts, n_pages, ..SiteConfig::default() })).unwrap()
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
    let before = cluster.count();
    assert!(before < calm.len() as u64, "the crawl was over before the last harm: make the web larger");
    cluster.wait_for(calm.len() as u64);
    println!(
        "{} documents, {before} of them after {:.1} s of harm, all after {:.1} s",
        calm.len(),
        harmed.as_secs_f64(),
        begun.elapsed().as_secs_f64()
    );
    println!("{}", full_speed(&web.log(), last_harm));
    // What should not be there would come now.
    std::thread::sleep(Duration::from_secs(2));
    cluster.check_alive();
    cluster.end_all();

    let (documents, counts) = cluster.documents();
    let missing: Vec<_> = calm.keys().filter(|url| !documents.contains_key(*url)).collect();
    let extra: Vec<_> = documents.keys().filter(|url| !calm.contains_key(*url)).collect();
    assert!(missing.is_empty() && extra.is_empty(), "missing {missing:?}, extra {extra:?}");
    assert!(counts.values().all(|count| *count == 1), "a document stands twice: {counts:?}");
    for (url, document) in &documents {
        let calm = Document { fetched_at: document.fetched_at, ..calm[url].clone() };
        assert_eq!(&calm, document, "{url}");
    }
    cluster.check_books();
    let rude: Vec<_> = shortest_pauses(&web.log()).into_iter().filter(|(_, pause)| *pause < Some(DELAY)).collect();
    assert!(rude.is_empty(), "closer than {DELAY:?}: {rude:?}");
}

#[test]
#[ignore = "minutes long: run by scripts/soak"]
fn killed_at_any_moment_nothing_is_lost_twice_or_rude() {
    let Some(address) = broker::shared() else { return };
    let kills = if soak() { 30 } else { 10 };
    harmed(&web(if soak() { 400 } else { 160 }), &address, |cluster| {
        let mut order = 0u64;
        for kill in 0..kills {
            std::thread::sleep(Duration::from_millis(if soak() { 1500 } else { 700 }));
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
        cluster.check_alive();
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
