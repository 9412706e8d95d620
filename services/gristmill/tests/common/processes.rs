//! Services as processes of their own over a Kafka broker.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use gristmill_index::{IndexDocument, IndexReader};
use gristmill_log::conformance::broker;
use gristmill_log::{KafkaConfig, KafkaLog, Log, StartOffset};
use gristmill_proto::{Epochs, FetchOutcome, Instruction, decode, topics};
use gristmill_runtime::process::topic_specs;
use gristmill_testweb::TestWeb;

use super::{finish, gristmill, text};

pub const PARTITIONS: u32 = 4;

/// What every site is owed between two requests.
pub const DELAY: Duration = Duration::from_millis(40);

/// After how long a silent process loses its partitions.
pub const SESSION: Duration = Duration::from_secs(3);

/// Longest wait for a process to end that was asked to.
const END_LIMIT: Duration = Duration::from_secs(60);

/// The processes of one crawl, by names that a test gives them. Those that are left are killed in the end.
pub struct Processes {
    pub dir: tempfile::TempDir,
    pub kafka: KafkaConfig,
    partitions: u32,
    running: BTreeMap<String, Child>,
}

impl Processes {
    /// Seeds a crawl of `web`, with more settings in TOML; no process runs yet.
    pub fn of(web: &TestWeb, address: &str, more: &str) -> Self {
        Self::seeded(&web.site().seeds(), &web.resolve_map(), address, more)
    }

    /// Seeds a crawl; `hosts` have these addresses.
    pub fn seeded(seeds: &[String], hosts: &BTreeMap<String, String>, address: &str, more: &str) -> Self {
        Self::over(PARTITIONS, seeds, hosts, address, more)
    }

    /// As [`Processes::seeded`], over so many partitions.
    pub fn over(
        partitions: u32,
        seeds: &[String],
        hosts: &BTreeMap<String, String>,
        address: &str,
        more: &str,
    ) -> Self {
        let (kafka, dir) = (broker::settings(address), tempfile::tempdir().unwrap());
        let mut settings = format!(
            "[log]\nengine = \"kafka\"\npartitions = {partitions}\n[log.kafka]\nbrokers = \"{address}\"\n\
             topic_prefix = \"{}\"\nreplication = 1\nsession_timeout = \"{}ms\"\n\
             [telemetry]\nfilter = \"info\"\n[indexer]\ncommit_every = \"300ms\"\n[frontier.retry]\ndelay = \"50ms\"\n\
             [frontier.politeness]\nmin_delay = \"{}ms\"\nip_delay = \"0s\"\n[fetch]\nallow_private = true\n{more}[fetch.resolve]\n",
            kafka.topic_prefix,
            SESSION.as_millis(),
            DELAY.as_millis(),
        );
        for (host, address) in hosts {
            writeln!(settings, "\"{host}\" = \"{address}\"").unwrap();
        }
        std::fs::write(dir.path().join("gristmill.toml"), settings).unwrap();
        let processes = Self { dir, kafka, partitions, running: BTreeMap::new() };
        let mut seed = processes.command("data");
        seed.arg("seed").args(seeds);
        let output = finish(seed);
        assert!(output.status.success(), "{}", text(&output));
        processes
    }

    /// The data directory of that name.
    pub fn data(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn command(&self, data: &str) -> Command {
        let mut command = gristmill();
        command.arg("--config").arg(self.dir.path().join("gristmill.toml")).arg("--data").arg(self.data(data));
        command
    }

    /// Runs a command over the same settings, which must succeed.
    pub fn tell(&self, args: &[&str]) {
        let mut command = self.command("data");
        command.args(args);
        let output = finish(command);
        assert!(output.status.success(), "{}", text(&output));
    }

    /// Starts a service; `instance` is its name in its group, kept over restarts.
    pub fn start(&mut self, name: &str, service: &str, data: &str, instance: Option<&str>) {
        let told = std::fs::File::options().create(true).append(true).open(self.log_file(name)).unwrap();
        let mut command = self.command(data);
        command.args(["run", service]).stdout(Stdio::null()).stderr(told);
        command.envs(instance.map(|instance| ("GRISTMILL__LOG__KAFKA__INSTANCE", instance)));
        self.running.insert(name.to_owned(), command.spawn().unwrap());
    }

    pub fn names(&self) -> Vec<String> {
        self.running.keys().cloned().collect()
    }

    pub fn signal(&self, name: &str, signal: &str) {
        let process = self.running[name].id().to_string();
        assert!(Command::new("kill").args([signal, &process]).status().unwrap().success());
    }

    /// kill -9.
    pub fn kill(&mut self, name: &str) {
        let mut child = self.running.remove(name).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Asks a process to end, and waits until it has.
    pub fn end(&mut self, name: &str) {
        self.signal(name, "-TERM");
        let mut child = self.running.remove(name).unwrap();
        let begun = Instant::now();
        while child.try_wait().unwrap().is_none() && begun.elapsed() < END_LIMIT {
            std::thread::sleep(Duration::from_millis(20));
        }
        // Fails on a process that is gone already, which is what is wanted.
        let _ = child.kill();
        let status = child.wait().unwrap();
        assert!(status.success(), "{name}: {status}\n{}", self.last_words(name));
    }

    pub fn log_file(&self, name: &str) -> PathBuf {
        self.dir.path().join(format!("{name}.log"))
    }

    /// All that a process has said.
    pub fn told(&self, name: &str) -> String {
        std::fs::read_to_string(self.log_file(name)).unwrap_or_default()
    }

    fn last_words(&self, name: &str) -> String {
        let told = self.told(name);
        // What is told again and again would leave no room for the rest.
        let is_rare = |line: &&str| !line.contains("index committed") && !line.contains("frontier copied");
        let lines: Vec<&str> = told.lines().filter(is_rare).collect();
        lines[lines.len().saturating_sub(40)..].join("\n")
    }

    /// Every order that counts has its outcome, and no outcome has no order.
    pub fn check_books(&self) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let (orders, outcomes, stale) = runtime.block_on(async {
            let log = KafkaLog::open(&topic_specs(), self.partitions, 16 << 20, self.kafka.clone()).await.unwrap();
            let (mut orders, mut outcomes, mut stale) = (BTreeSet::new(), BTreeSet::new(), 0);
            let mut epochs = vec![Epochs::default(); self.partitions as usize];
            for topic in [topics::ORDERS, topics::OUTCOMES] {
                let mut reader = log.reader(&[topic], StartOffset::At([].into())).await.unwrap();
                let ends = log.ends(topic).await.unwrap();
                while reader.positions().iter().any(|((_, partition), at)| *at < ends[*partition as usize]) {
                    for stored in reader.poll(1000, Duration::from_secs(1)).await.unwrap() {
                        let partition = stored.place.partition;
                        if topic == topics::OUTCOMES {
                            let outcome = decode::<FetchOutcome>(&stored.payload).unwrap();
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

    pub fn check_alive(&mut self) {
        let mut dead = Vec::new();
        for (name, child) in &mut self.running {
            if let Some(status) = child.try_wait().unwrap() {
                dead.push((name.clone(), status));
            }
        }
        for (name, status) in &dead {
            println!("{name} ended: {status}\n{}", self.last_words(name));
        }
        assert!(dead.is_empty(), "processes ended by themselves");
    }

    /// Waits until `done`, which is `what`, for at most `limit`.
    pub fn until(&mut self, what: &str, limit: Duration, mut done: impl FnMut(&Self) -> bool) {
        let begun = Instant::now();
        while !done(self) {
            self.check_alive();
            if begun.elapsed() > limit {
                for name in self.running.keys() {
                    println!("--- {name}\n{}", self.last_words(name));
                }
                panic!("{what}: not after {limit:?}");
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn shards(&self, data: &str) -> impl Iterator<Item = IndexReader> {
        let index = self.data(data).join("index");
        // A shard that is not there yet is one without documents.
        (0..self.partitions)
            .filter_map(move |partition| IndexReader::open(&index.join(format!("p{partition:04}"))).ok())
    }

    /// How many documents are in all shards below a data directory.
    pub fn count(&self, data: &str) -> u64 {
        self.shards(data).map(|shard| shard.count()).sum()
    }

    /// The documents of all shards by URL, each of which stands there once.
    pub fn documents(&self, data: &str) -> BTreeMap<String, IndexDocument> {
        let mut documents = BTreeMap::new();
        for shard in self.shards(data) {
            for document in shard.documents() {
                let document = document.unwrap();
                let before = documents.insert(document.url.clone(), document);
                assert!(before.is_none(), "a document stands twice: {:?}", before.map(|document| document.url));
            }
        }
        documents
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        for child in self.running.values_mut() {
            // It may have ended.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Checks that a crawl has the documents of a calm one, equal but for the time of the fetch.
pub fn assert_same(calm: &BTreeMap<String, IndexDocument>, documents: &BTreeMap<String, IndexDocument>) {
    let missing: Vec<_> = calm.keys().filter(|url| !documents.contains_key(*url)).collect();
    let extra: Vec<_> = documents.keys().filter(|url| !calm.contains_key(*url)).collect();
    assert!(missing.is_empty() && extra.is_empty(), "missing {missing:?}, extra {extra:?}");
    for (url, document) in documents {
        let (fetched_at, history) = (document.fetched_at, document.history.clone());
        let calm = IndexDocument { fetched_at, history, ..calm[url].clone() };
        assert_eq!(&calm, document, "{url}");
    }
}
