//! Runs the real program against a real web server on loopback.
#![allow(dead_code, reason = "each test file uses its part")]

pub mod archive;
pub mod archives;
pub mod processes;
pub mod program;
pub mod server;
pub mod shops;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use gristmill_index::{IndexDocument, IndexReader};
use gristmill_testweb::TestWeb;

use program::without_settings;
pub use program::{LIMIT, finish, text};

/// A data directory with its settings file.
pub struct Crawl {
    pub dir: tempfile::TempDir,
    seeds: Vec<String>,
    flags: Vec<String>,
}

impl Crawl {
    /// A crawl of all hosts of `web`, into a new directory, with more settings in TOML.
    pub fn of(web: &TestWeb, delay: &str, more: &str) -> Self {
        Self::seeded(&web.site().seeds(), &web.resolve_map(), &["--scope", "host", "--delay", delay], more)
    }

    /// A crawl from `seeds`; `hosts` have these addresses.
    pub fn seeded(seeds: &[String], hosts: &BTreeMap<String, String>, flags: &[&str], more: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let mut settings = "[fetch.resolve]\n".to_owned();
        for (host, address) in hosts {
            writeln!(settings, "\"{host}\" = \"{address}\"").unwrap();
        }
        settings.push_str(more);
        std::fs::write(dir.path().join("gristmill.toml"), settings).unwrap();
        let flags = flags.iter().chain(&["--allow-private"]).map(|&flag| flag.to_owned()).collect();
        Self { dir, seeds: seeds.to_vec(), flags }
    }

    pub fn data(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    /// The crawl as a command, not yet started.
    pub fn command(&self) -> Command {
        let mut command = gristmill();
        command.arg("--config").arg(self.dir.path().join("gristmill.toml")).arg("--data").arg(self.data());
        command.arg("crawl").args(&self.flags).args(&self.seeds);
        command
    }

    /// Crawls to the end.
    pub fn run(&self) -> Output {
        let output = finish(self.command());
        assert!(output.status.success(), "{}", text(&output));
        output
    }

    pub fn reader(&self) -> IndexReader {
        IndexReader::open(&self.data().join("index")).unwrap()
    }

    /// The documents of the index by URL, and how many there are with each URL.
    pub fn documents(&self) -> (BTreeMap<String, IndexDocument>, BTreeMap<String, u32>) {
        let (mut documents, mut counts) = (BTreeMap::new(), BTreeMap::new());
        for document in self.reader().documents() {
            let document = document.unwrap();
            *counts.entry(document.url.clone()).or_insert(0) += 1;
            documents.insert(document.url.clone(), document);
        }
        (documents, counts)
    }

    /// `gristmill search` on this crawl: the URLs of the hits.
    pub fn search(&self, query: &str) -> Vec<String> {
        let mut command = gristmill();
        command.args(["search", query, "--json", "--data"]).arg(self.data());
        let output = finish(command);
        assert!(output.status.success(), "{}", text(&output));
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        answer["hits"].as_array().unwrap().iter().map(|hit| hit["url"].as_str().unwrap().to_owned()).collect()
    }
}

/// How often each URL was asked for.
pub fn fetches(web: &TestWeb) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    for entry in web.log() {
        *counts.entry(entry.url()).or_insert(0) += 1;
    }
    counts
}

/// Whether the long form of a test is asked for, as `scripts/soak` does.
pub fn soak() -> bool {
    std::env::var_os("GRISTMILL_SOAK").is_some()
}

/// Nothing random that a failure could not be repeated with.
fn pseudo_random(n: u64) -> u64 {
    let mut x = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Starts a crawl of `web` and kills it after some requests, `kills` times; all its requests are `n_requests`.
pub fn kill_again_and_again(web: &TestWeb, kills: u64, n_requests: usize, command: impl Fn() -> Command) {
    let longest = n_requests / (kills as usize + 2);
    for kill in 0..kills {
        let until = web.log().len() + pseudo_random(kill) as usize % longest;
        let mut child = command().stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        while web.log().len() <= until {
            let ended = child.try_wait().unwrap();
            assert!(ended.is_none() && begun.elapsed() < LIMIT, "{ended:?} after {kill} kills: make the web larger");
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(pseudo_random(kill + kills) % 60));
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// Starts a run that keeps a journal and kills it once some more lines are there, after `kill` others. Tells whether it was at work.
pub fn kill_after_some_lines(journal: &Path, kill: u64, mut command: Command) -> bool {
    let n_lines = || std::fs::read(journal).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count());
    let until = n_lines() + pseudo_random(kill) as usize % 6;
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let begun = Instant::now();
    while n_lines() < until && child.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < LIMIT, "no progress after {kill} kills");
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(pseudo_random(kill + 1_000) % 30));
    let was_at_work = child.try_wait().unwrap().is_none();
    let _ = child.kill();
    child.wait().unwrap();
    was_at_work
}

/// The program, without settings of the caller's environment.
pub fn gristmill() -> Command {
    without_settings(Command::new(env!("CARGO_BIN_EXE_gristmill")))
}

/// The commands of a page of the repository: the lines of its `sh` blocks without their comments.
pub fn commands(page: &str) -> Vec<String> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page)).unwrap();
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let plain = blocks.flat_map(str::lines).filter_map(|line| line.split(" #").next()).map(str::trim);
    plain.filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

/// Commands for a shell in which `gristmill` is this program.
pub fn shell(commands: &str) -> Command {
    let folder = Path::new(env!("CARGO_BIN_EXE_gristmill")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("bash");
    command.args(["-ec", commands]).env("PATH", path).stdin(Stdio::null());
    command
}
