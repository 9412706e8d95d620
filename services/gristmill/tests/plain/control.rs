//! What an operator tells a crawl while it runs and after: to pause, to go on, to forget.

use crate::common;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use common::server::{HTML, field, path, serve_heads};
use common::{LIMIT, finish, gristmill, text};
use gristmill_index::IndexReader;

/// Ends the crawl when the test ends.
struct Watching {
    child: Child,
    dir: PathBuf,
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Serves sites without end: each page links to the next one. Tells of each request.
fn endless(log: &Arc<Mutex<Vec<String>>>) -> SocketAddr {
    let (log, n) = (log.clone(), AtomicU64::new(0));
    serve_heads(move |head| {
        let (host, path) = (field(head, "host"), path(head).to_owned());
        log.lock().unwrap().push(format!("{host}{path}"));
        let Ok(page) = path.trim_start_matches('/').parse::<u64>() else {
            let start = "<title>Start</title><p>The mill stands here.<a href=/1>first</a>".to_owned();
            return if path == "/" { ("200 OK", HTML, start) } else { ("404 Not Found", "", String::new()) };
        };
        let words: String = (0..60).map(|_| format!("word{} ", n.fetch_add(1, Ordering::SeqCst))).collect();
        ("200 OK", HTML, format!("<title>{host} {page}</title><p>{words}<a href=/{}>next</a>", page + 1))
    })
}

const HOSTS: [&str; 3] = ["one.test", "news.two.test", "www.two.test"];

fn command(dir: &Path) -> Command {
    let mut command = gristmill();
    command.arg("--config").arg(dir.join("g.toml")).arg("--data").arg(dir.join("data"));
    command
}

fn ask(dir: &Path, args: &[&str]) -> Output {
    let mut command = command(dir);
    command.args(args);
    finish(command)
}

fn start(dir: &Path, address: SocketAddr, log: &str) -> Watching {
    let hosts = HOSTS.map(|host| format!("\"{host}\" = \"{address}\"\n")).concat();
    let settings = format!("[indexer]\ncommit_every = \"200ms\"\n{log}\n[fetch.resolve]\n{hosts}");
    std::fs::write(dir.join("g.toml"), settings).unwrap();
    let mut command = command(dir);
    command.args(["watch", "--allow-private", "--delay", "50ms", "--archive"]).arg(dir.join("archive"));
    command.args(HOSTS.map(|host| format!("http://{host}/")));
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    Watching { child, dir: dir.to_owned() }
}

fn until(what: &str, mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < LIMIT, "{what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn indexed(dir: &Path) -> Vec<String> {
    let Ok(reader) = IndexReader::open(&dir.join("data/index")) else { return Vec::new() };
    reader.documents().filter_map(Result::ok).map(|document| document.url).collect()
}

/// How often a host was asked.
fn asked(log: &Arc<Mutex<Vec<String>>>, host: &str) -> usize {
    log.lock().unwrap().iter().filter(|line| line.starts_with(host)).count()
}

impl Watching {
    fn ask(&self, args: &[&str]) -> String {
        let output = ask(&self.dir, args);
        assert!(output.status.success(), "{}", text(&output));
        text(&output)
    }

    /// Ends it as a person does.
    fn stop(mut self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn a_running_crawl_pauses_goes_on_and_forgets_and_what_is_forgotten_never_comes_back() {
    let (dir, log) = (tempfile::tempdir().unwrap(), Arc::default());
    let address = endless(&log);
    let crawl = start(dir.path(), address, "");
    let has = |host: &str| indexed(dir.path()).iter().any(|url| url.contains(host));
    until("all sites are in the index", || HOSTS.iter().all(|host| has(host)));

    crawl.ask(&["pause", "one.test"]);
    until("the pause shows", || crawl.ask(&["status"]).contains("one.test"));
    std::thread::sleep(Duration::from_millis(300));
    let (one, two) = (asked(&log, "one.test"), asked(&log, "www.two.test"));
    until("the other site goes on", || asked(&log, "www.two.test") > two + 5);
    assert_eq!(asked(&log, "one.test"), one, "no page is asked for in a pause");
    assert!(crawl.ask(&["explain", "http://one.test/1"]).contains("paused"));
    crawl.ask(&["resume", "one.test"]);
    until("it goes on", || asked(&log, "one.test") > one + 5);

    crawl.ask(&["forget", "news.two.test", "http://one.test/1"]);
    let is_gone = || {
        let urls = indexed(dir.path());
        !urls.iter().any(|url| url.contains("news.two.test") || url == "http://one.test/1")
    };
    until("what is forgotten leaves the index", is_gone);
    assert!(has("www.two.test") && has("one.test"));
    assert!(crawl.ask(&["explain", "http://news.two.test/1"]).contains("for good"));
    let status: serde_json::Value =
        serde_json::from_slice(&std::fs::read(dir.path().join("data/status.json")).unwrap()).unwrap();
    let admin = status["admin"].as_str().unwrap().to_owned();
    let mut curl = Command::new("curl");
    curl.args(["-s", "-o", "/dev/null", "-w", "%{http_code}", "-X", "POST", &format!("http://{admin}/control/pause")]);
    assert_eq!(String::from_utf8_lossy(&finish(curl).stdout), "401", "without its token the port does nothing");
    let before = asked(&log, "news.two.test");
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(asked(&log, "news.two.test"), before);
    crawl.stop();
    assert!(is_gone());

    // Neither an import of what was archived nor a new index brings it back, and datasets leave it out.
    let archive = dir.path().join("archive");
    assert!(text(&ask(dir.path(), &["import", "--again", archive.to_str().unwrap()])).contains("pages"));
    assert!(is_gone() && has("www.two.test"));
    assert!(ask(dir.path(), &["reindex"]).status.success());
    assert!(is_gone() && has("www.two.test"));
    assert!(ask(dir.path(), &["import", "--again", archive.to_str().unwrap()]).status.success());
    assert!(is_gone());
    let out = dir.path().join("dataset");
    let made =
        ask(dir.path(), &["dataset", archive.to_str().unwrap(), "--out", out.to_str().unwrap(), "--format", "jsonl"]);
    assert!(made.status.success(), "{}", text(&made));
    let manifest = std::fs::read_to_string(out.join("manifest.json")).unwrap_or_else(|_| text(&made));
    assert!(manifest.contains("taken down"), "{manifest}");
}

#[test]
fn a_crawl_that_does_not_run_forgets_too_and_a_pause_holds_for_its_next_start() {
    let (dir, log) = (tempfile::tempdir().unwrap(), Arc::default());
    let address = endless(&log);
    let crawl = start(dir.path(), address, "");
    until("all sites are in the index", || {
        HOSTS.iter().all(|host| indexed(dir.path()).iter().any(|url| url.contains(host)))
    });
    crawl.stop();
    for args in [&["forget", "two.test"][..], &["pause"]] {
        let output = ask(dir.path(), args);
        assert!(output.status.success(), "{}", text(&output));
    }
    let told = text(&ask(dir.path(), &["status"]));
    assert!(told.contains("the whole crawl"), "{told}");
    assert!(!indexed(dir.path()).iter().any(|url| url.contains("two.test")));
    let asked_before = log.lock().unwrap().len();
    let crawl = start(dir.path(), address, "");
    until("the pause shows", || crawl.ask(&["status"]).contains("the whole crawl"));
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(log.lock().unwrap().len(), asked_before);
    crawl.ask(&["resume"]);
    until("it goes on", || asked(&log, "one.test") > 0 && log.lock().unwrap().len() > asked_before + 3);
    assert!(!log.lock().unwrap()[asked_before..].iter().any(|line| line.contains("two.test")));
    crawl.stop();
    for (args, words) in [
        (&["forget", "*"][..], "is a pattern"),
        (&["forget", "http://mill.test/*"], "is a pattern"),
        (&["forget", "co.uk"], "everybody registers names below it"),
        (&["forget", "test"], "a word without a dot"),
        (&["forget", "a b"], "neither a URL nor the name of a site"),
        (&["pause", "http://"], "neither a URL nor the name of a site"),
    ] {
        let output = ask(dir.path(), args);
        assert!(!output.status.success() && text(&output).contains(words), "{}", text(&output));
    }
    assert!(text(&ask(dir.path(), &["forget", "other.test"])).contains("no document of other.test"));
    let page = indexed(dir.path()).into_iter().find(|url| url != "http://one.test/").unwrap();
    let told = text(&ask(dir.path(), &["forget", page.trim_start_matches("http://")]));
    assert!(
        told.contains("(http and https) leaves the corpus: 1 document;") && !indexed(dir.path()).contains(&page),
        "{told}"
    );
    // A start URL of what was forgotten is told as that.
    assert!(ask(dir.path(), &["forget", "one.test"]).status.success());
    let start = ask(dir.path(), &["crawl", "--allow-private", "http://www.two.test/new"]);
    assert!(start.status.code() == Some(1) && text(&start).contains("`gristmill forget`"), "{}", text(&start));
    let mut nowhere = gristmill();
    nowhere.arg("--data").arg(dir.path().join("nowhere")).args(["forget", "a.test"]);
    assert!(text(&finish(nowhere)).contains("holds no crawl"));
}
