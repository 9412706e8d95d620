//! Schedulers that share nothing but brokers and a blob store: what one leaves the next one takes up.

mod common;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{Crawl, finish, gristmill, text};
use gristmill_index::{Document, Reader};
use gristmill_log::conformance::broker;
use gristmill_testweb::{Site, SiteConfig, TestWeb};

const PARTITIONS: u32 = 4;

/// Longest wait for the whole web to be in the index.
const LIMIT: Duration = Duration::from_secs(150);

/// Processes, each with a data directory of its own.
struct Machines {
    dir: tempfile::TempDir,
    processes: BTreeMap<&'static str, Child>,
}

impl Machines {
    fn of(web: &TestWeb, address: &str) -> Self {
        let (kafka, dir) = (broker::settings(address), tempfile::tempdir().unwrap());
        let mut settings = format!(
            "[log]\nengine = \"kafka\"\npartitions = {PARTITIONS}\n[log.kafka]\nbrokers = \"{address}\"\n\
             topic_prefix = \"{}\"\nreplication = 1\nsession_timeout = \"3s\"\n\
             [blobs]\nurl = \"file://{}/blobs\"\ninline_limit = 3000\n[scheduler]\nsnapshot_every = \"300ms\"\n\
             [telemetry]\nfilter = \"info\"\n[indexer]\ncommit_every = \"300ms\"\n[frontier.retry]\ndelay = \"50ms\"\n\
             [frontier.politeness]\nmin_delay = \"40ms\"\nip_delay = \"0s\"\n[fetch]\nallow_private = true\n[fetch.resolve]\n",
            kafka.topic_prefix,
            dir.path().display(),
        );
        for (host, address) in web.resolve_map() {
            writeln!(settings, "\"{host}\" = \"{address}\"").unwrap();
        }
        std::fs::write(dir.path().join("gristmill.toml"), settings).unwrap();
        let machines = Self { dir, processes: BTreeMap::new() };
        let mut seed = machines.command("nobody");
        seed.arg("seed").args(web.site().seeds());
        let output = finish(seed);
        assert!(output.status.success(), "{}", text(&output));
        machines
    }

    fn data(&self, machine: &str) -> PathBuf {
        self.dir.path().join(machine)
    }

    fn command(&self, machine: &str) -> Command {
        let mut command = gristmill();
        command.arg("--config").arg(self.dir.path().join("gristmill.toml")).arg("--data").arg(self.data(machine));
        command
    }

    fn spawn(&mut self, service: &str, machine: &'static str) {
        let told = std::fs::File::create(self.dir.path().join(format!("{machine}.log"))).unwrap();
        let mut command = self.command(machine);
        command.args(["run", service]).stdout(Stdio::null()).stderr(told);
        self.processes.insert(machine, command.spawn().unwrap());
    }

    fn kill(&mut self, machine: &str) {
        let mut child = self.processes.remove(machine).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        // The machine is gone with its disk.
        std::fs::remove_dir_all(self.data(machine)).unwrap();
    }

    fn told(&self, machine: &str) -> String {
        std::fs::read_to_string(self.dir.path().join(format!("{machine}.log"))).unwrap_or_default()
    }

    fn check_alive(&mut self) {
        for (machine, child) in &mut self.processes {
            if let Some(status) = child.try_wait().unwrap() {
                panic!(
                    "{machine} ended: {status}\n{}",
                    std::fs::read_to_string(self.dir.path().join(format!("{machine}.log"))).unwrap()
                );
            }
        }
    }

    fn until(&mut self, what: &str, mut done: impl FnMut(&mut Self) -> bool) {
        let begun = Instant::now();
        while !done(self) {
            self.check_alive();
            if begun.elapsed() > LIMIT {
                for machine in self.processes.keys() {
                    println!("--- {machine}\n{}", self.told(machine));
                }
                panic!("{what}: not after {LIMIT:?}");
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn documents(&self) -> BTreeMap<String, Document> {
        let mut documents = BTreeMap::new();
        for partition in 0..PARTITIONS {
            let Ok(reader) = Reader::open(&self.data("indexer").join(format!("index/p{partition:04}"))) else {
                continue;
            };
            for document in reader.documents() {
                let document = document.unwrap();
                assert!(documents.insert(document.url.clone(), document).is_none(), "a document stands twice");
            }
        }
        documents
    }

    fn count(&self) -> u64 {
        let shard = |partition| Reader::open(&self.data("indexer").join(format!("index/p{partition:04}")));
        (0..PARTITIONS).filter_map(|partition| shard(partition).ok()).map(|reader| reader.count()).sum()
    }
}

impl Drop for Machines {
    fn drop(&mut self) {
        for child in self.processes.values_mut() {
            // It may have ended.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn fetches(web: &TestWeb) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    for entry in web.log() {
        *counts.entry(entry.url()).or_insert(0) += 1;
    }
    counts
}

#[test]
fn a_scheduler_whose_machine_is_gone_is_followed_by_another_that_asks_for_nothing_again() {
    let Some(address) = broker::shared() else { return };
    let web = TestWeb::start(Site::new(SiteConfig { n_hosts: 8, n_pages: 60, ..SiteConfig::default() })).unwrap();
    let calm = Crawl::of(&web, "0s", "[frontier.politeness]\nip_delay = \"0s\"\n");
    calm.run();
    let ((calm, _), calm_fetches) = (calm.documents(), fetches(&web));
    web.clear_log();

    let mut machines = Machines::of(&web, &address);
    for (service, machine) in [("fetcher", "fetcher"), ("extractor", "extractor"), ("indexer", "indexer")] {
        machines.spawn(service, machine);
    }
    machines.spawn("scheduler", "first");
    machines.spawn("scheduler", "second");
    let all: u32 = calm_fetches.values().sum();
    machines.until("a quarter is fetched", |_| web.log().len() as u32 > all / 4);
    machines.kill("first");
    machines.until("the other has taken over", |machines| machines.told("second").contains("frontier restored"));
    let at_takeover = web.log().len();
    // Another machine joins: what goes there is handed over in peace.
    machines.spawn("scheduler", "third");
    machines.until("the third has its part", |machines| machines.told("third").contains("frontier restored"));
    let at_handover = web.log().len();
    machines.until("all is indexed", |machines| machines.count() >= calm.len() as u64);
    // What should not be there would come now.
    std::thread::sleep(Duration::from_secs(2));
    machines.check_alive();
    println!("{all} requests in all; {at_takeover} at the takeover, {at_handover} at the handover");
    assert!((at_handover as u32) < all, "the crawl was over before the handover: make the web larger");

    let documents = machines.documents();
    let missing: Vec<_> = calm.keys().filter(|url| !documents.contains_key(*url)).collect();
    let extra: Vec<_> = documents.keys().filter(|url| !calm.contains_key(*url)).collect();
    assert!(missing.is_empty() && extra.is_empty(), "missing {missing:?}, extra {extra:?}");
    for (url, document) in &documents {
        let calm = Document { fetched_at: document.fetched_at, ..calm[url].clone() };
        assert_eq!(&calm, document, "{url}");
    }
    let again: Vec<_> =
        fetches(&web).into_iter().filter(|(url, count)| *count > calm_fetches.get(url).copied().unwrap_or(0)).collect();
    assert!(again.is_empty(), "asked for again: {again:?}");
    for partition in 0..PARTITIONS {
        let prefix = std::fs::read_dir(machines.dir.path().join("blobs")).unwrap().next().unwrap().unwrap().path();
        let kept = std::fs::read_dir(prefix.join(format!("frontier/p{partition:04}"))).unwrap().count();
        assert!((1..=3).contains(&kept), "{kept} snapshots of partition {partition} are kept");
    }
}
