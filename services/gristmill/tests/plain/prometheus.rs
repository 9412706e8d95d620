//! A real Prometheus looks at a running pipeline: targets are up, rules are evaluated, dashboards show something.

use crate::common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{Crawl, gristmill};
use gristmill_testweb::{TestSite, TestSiteConfig, TestWeb};
use serde_json::Value;

/// Longest time for the whole test.
const LIMIT: Duration = Duration::from_secs(55);

/// A process that ends with the test, however that ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The body of a GET; HTTP/1.0, so that it is not sent in chunks.
pub(crate) fn get(address: &str, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
    write!(stream, "GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n").ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    head.split(' ').nth(1).is_some_and(|status| status == "200").then(|| body.to_owned())
}

/// `data` of an answer of Prometheus' API.
fn ask(address: &str, path: &str) -> Option<Value> {
    let answer: Value = serde_json::from_str(&get(address, path)?).ok()?;
    (answer["status"] == "success").then(|| answer["data"].clone())
}

fn query(address: &str, query: &str) -> Option<Vec<Value>> {
    let encoded: String = url::form_urlencoded::byte_serialize(query.as_bytes()).collect();
    ask(address, &format!("/api/v1/query?query={encoded}"))?["result"].as_array().cloned()
}

/// Waits until `question` has an answer.
fn until<T>(begun: Instant, what: &str, mut question: impl FnMut() -> Option<T>) -> T {
    loop {
        if let Some(answer) = question() {
            return answer;
        }
        assert!(begun.elapsed() < LIMIT, "not within {LIMIT:?}: {what}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// A crawl that goes on until it is ended: its pages are visited again and again.
fn start_crawl(crawl: &Crawl) -> Running {
    let command = &mut crawl.command();
    Running(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
}

/// A searcher over the same directory; its addresses for searches and for metrics.
fn start_searcher(crawl: &Crawl) -> (Running, String, String) {
    let mut command = gristmill();
    command.arg("--data").arg(crawl.data()).args(["serve", "--listen", "127.0.0.1:0"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let running = Running(child);
    let address = |line: String| line.split_once("http://").unwrap().1.split('/').next().unwrap().to_owned();
    let first = |pipe: &mut dyn BufRead| {
        let mut line = String::new();
        pipe.read_line(&mut line).unwrap();
        line
    };
    let searches = address(first(&mut BufReader::new(out)));
    let metrics = address(first(&mut BufReader::new(err)));
    (running, searches, metrics)
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Prometheus with the rules that are deployed, asking each second.
fn start_prometheus(dir: &Path, targets: &[(&str, &str)]) -> (Running, String) {
    let targets = targets
        .iter()
        .map(|(service, address)| format!("      - {{targets: [\"{address}\"], labels: {{service: {service}}}}}\n"));
    let settings = format!(
        "global: {{scrape_interval: 1s, evaluation_interval: 1s}}\nrule_files: [{:?}]\n\
         scrape_configs:\n  - job_name: gristmill\n    static_configs:\n{}",
        root().join("deploy/prometheus/rules.yml").canonicalize().unwrap(),
        targets.collect::<String>()
    );
    let file = dir.join("prometheus.yml");
    std::fs::write(&file, settings).unwrap();
    let address = format!("127.0.0.1:{}", free_port());
    let mut command = Command::new("prometheus");
    command.arg(format!("--config.file={}", file.display()));
    command.arg(format!("--storage.tsdb.path={}", dir.join("series").display()));
    command.arg(format!("--web.listen-address={address}")).arg("--log.level=error");
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    (Running(child), address)
}

/// What the health check of the image says of an admin port.
fn is_ready(address: &str) -> bool {
    let mut command = Command::new("bash");
    command.arg(root().join("deploy/healthcheck")).arg(address.rsplit(':').next().unwrap());
    command.stderr(Stdio::null()).status().unwrap().success()
}

/// Queries of the dashboard by title of the panel.
fn dashboard() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(root().join("deploy/grafana/dashboards/gristmill.json")).unwrap();
    let dashboard: Value = serde_json::from_str(&text).unwrap();
    let panels = dashboard["panels"].as_array().unwrap().iter();
    let queries = panels.flat_map(|panel| {
        panel["targets"].as_array().into_iter().flatten().map(move |target| {
            let query = target["expr"].as_str().unwrap().replace("$__rate_interval", "10s");
            (panel["title"].as_str().unwrap().to_owned(), query)
        })
    });
    queries.collect()
}

#[test]
fn prometheus_scrapes_a_crawl_evaluates_the_rules_and_answers_every_panel() {
    if Command::new("prometheus").arg("--version").output().is_err() {
        eprintln!("SKIPPED: no Prometheus here; `scripts/setup test` installs it");
        return;
    }
    let begun = Instant::now();
    let web =
        TestWeb::start(TestSite::new(TestSiteConfig { n_hosts: 8, n_pages: 12, ..TestSiteConfig::default() })).unwrap();
    // All hosts are on one address. With its pause, what is visited again each second would leave no room for new pages.
    let again = "[frontier.politeness]\nip_delay = \"0s\"\n[frontier.recrawl]\nenabled = true\ninitial = \"1s\"\nmin = \"1s\"\nmax = \"2s\"\n\
                 [indexer]\ncommit_every = \"1s\"\n";
    let crawl = Crawl::of(&web, "100ms", again);
    let _crawling = start_crawl(&crawl);
    let status = crawl.data().join("status.json");
    let admin = until(begun, "the crawl says where its metrics are", || {
        let status: Value = serde_json::from_str(&std::fs::read_to_string(&status).ok()?).ok()?;
        Some(status["admin"].as_str()?.trim_start_matches("http://").to_owned())
    });
    let (_serving, searches, metrics) = start_searcher(&crawl);
    assert!(is_ready(&admin) && is_ready(&metrics), "the health check of the image says no");
    assert!(!is_ready(&format!("127.0.0.1:{}", free_port())), "the health check says yes to nobody");
    let (_watching, prometheus) =
        start_prometheus(crawl.dir.path(), &[("crawl", admin.as_str()), ("searcher", metrics.as_str())]);

    until(begun, "both targets are up", || {
        (query(&prometheus, "sum(up{job=\"gristmill\"})")?.first()?["value"][1] == "2").then_some(())
    });
    until(begun, "every rule is evaluated", || {
        let groups = ask(&prometheus, "/api/v1/rules")?["groups"].as_array()?.clone();
        let rules: Vec<Value> = groups.iter().flat_map(|group| group["rules"].as_array().unwrap().clone()).collect();
        for rule in &rules {
            assert_ne!(rule["health"], "err", "{rule}");
        }
        (rules.len() > 10 && rules.iter().all(|rule| rule["health"] == "ok")).then_some(())
    });
    let mut waiting = dashboard();
    assert!(waiting.len() > 20, "{waiting:?}");
    until(begun, "every panel shows something", || {
        get(&searches, "/api/v1/search?q=the").expect("the searcher answers");
        waiting.retain(|(title, text)| {
            let answer = query(&prometheus, text).unwrap_or_else(|| panic!("`{title}` cannot be asked: {text}"));
            // These sites publish nothing, so that there is a series without a number.
            let is_of_news = text.contains("publication_to_hit");
            let has_number = answer.iter().any(|series| is_of_news || series["value"][1] != "NaN");
            !has_number
        });
        if begun.elapsed() > LIMIT - Duration::from_secs(2) {
            panic!("panels without data: {waiting:#?}");
        }
        waiting.is_empty().then_some(())
    });
    let value = |text: &str| query(&prometheus, text).unwrap()[0]["value"][1].as_str().unwrap().parse::<f64>().unwrap();
    assert_eq!(value("sum(gristmill_politeness_error_seconds_total)"), 0.0);
    assert!(value("sum(gristmill_fetch_to_hit_seconds_count)") > 0.0);
    let firing = query(&prometheus, "ALERTS{alertstate=\"firing\"}").unwrap();
    assert!(firing.is_empty(), "{firing:#?}");
}
