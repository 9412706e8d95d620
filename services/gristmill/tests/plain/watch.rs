//! Watching news sites: how soon a story is found, measured by the program itself and from outside.

use crate::common;

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use common::{Crawl, LIMIT, finish, text};
use gristmill_testweb::{NewsConfig, TestSite, TestSiteConfig, TestWeb};
use serde_json::Value;

use crate::prometheus::get;

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as u64
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// A process that is killed in the end.
struct Running(Child);

impl Running {
    fn new(command: &mut Command) -> Self {
        Self(command.stderr(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn news_web(n_hosts: usize, news: NewsConfig) -> TestWeb {
    TestWeb::start(TestSite::new(TestSiteConfig { n_hosts, news: Some(news), ..TestSiteConfig::default() })).unwrap()
}

/// A watch of all hosts of `web`.
fn watch(web: &TestWeb, flags: &[&str]) -> (Crawl, Command) {
    let settings = "[indexer]\ncommit_every = \"500ms\"\n";
    let crawl = Crawl::seeded(&web.site().seeds(), &web.resolve_map(), &[&["--watch"], flags].concat(), settings);
    let mut command = crawl.command();
    command.stdout(Stdio::null());
    (crawl, command)
}

fn program(crawl: &Crawl, arguments: &[&str]) -> Command {
    let mut command = common::gristmill();
    command.arg("--data").arg(crawl.data()).args(arguments);
    command
}

fn stdout(crawl: &Crawl, arguments: &[&str]) -> String {
    let output = finish(program(crawl, arguments));
    assert!(output.status.success(), "{}", text(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// The samples of a metric of the running crawl, by what stands between its name and the value.
fn samples(crawl: &Crawl, metric: &str) -> HashMap<String, f64> {
    let status: Value = serde_json::from_str(&stdout(crawl, &["status", "--json"])).unwrap();
    let told = get(status["admin"].as_str().unwrap(), "/metrics").unwrap();
    let lines = told.lines().filter_map(|line| line.strip_prefix(metric)?.rsplit_once(' '));
    lines.map(|(labels, value)| (labels.to_owned(), value.parse().unwrap())).collect()
}

/// Follows the changes of a crawl: each new URL with the times, in milliseconds, when it was told.
fn follow(crawl: &Crawl) -> (Running, Arc<Mutex<HashMap<String, Vec<u64>>>>) {
    let told: Arc<Mutex<HashMap<String, Vec<u64>>>> = Arc::default();
    let mut following = Running::new(program(crawl, &["changes", "--follow"]).stdout(Stdio::piped()));
    let lines = BufReader::new(following.0.stdout.take().unwrap()).lines();
    let heard = told.clone();
    std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            let change: Value = serde_json::from_str(&line).unwrap();
            if change["kind"] == "new" {
                let url = change["url"].as_str().unwrap().to_owned();
                heard.lock().unwrap().entry(url).or_default().push(now());
            }
        }
    });
    (following, told)
}

fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < LIMIT, "{what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_watch_tells_how_soon_its_news_are_found_and_counts_no_old_story() {
    const N_HOSTS: usize = 10;
    let begun = now();
    let begins_at = begun + 12_000;
    let news = NewsConfig { begins_at, lasts: seconds(3600), shortest: seconds(2), longest: seconds(6), n_old: 15 };
    let web = news_web(N_HOSTS, news);
    let (crawl, mut command) = watch(&web, &["--every", "1s", "--delay", "20ms"]);
    let _watching = Running::new(&mut command);
    let n_found = || {
        let site = web.site();
        let found = crawl_urls(&crawl);
        let news = (0..N_HOSTS).flat_map(|host| site.stories(host)).filter(|(_, at)| *at >= begins_at);
        news.filter(|(url, _)| found.contains(url)).count()
    };
    until("no news", || n_found() >= 60);
    let counted = samples(&crawl, "gristmill_publication_to_hit_seconds");
    let n_published = (0..N_HOSTS).flat_map(|host| web.site().stories(host));
    let n_published = n_published.filter(|(_, at)| (begun..now()).contains(at)).count();
    let count = counted["_count"] as usize;
    // The host that is hours behind says that its news are older than the watch, and those before the watch are.
    assert!(count >= 40 && count <= n_published, "{count} of {n_published} published: {counted:?}");
    let within = |le: &str| counted[&format!("_bucket{{le=\"{le}\"}}")] as usize;
    assert_eq!(within("60"), count, "{counted:?}");
    let told = stdout(&crawl, &["status"]);
    assert!(told.contains("found after publication: median "), "{told}");
    let told: Value = serde_json::from_str(&stdout(&crawl, &["status", "--json"])).unwrap();
    let freshness = |field: &str| told["freshness"][field].as_u64().unwrap();
    assert!(freshness("pages") >= count as u64 && freshness("p95_seconds") < 60, "{told}");
    assert!(freshness("median_seconds") <= freshness("p95_seconds"));
}

fn crawl_urls(crawl: &Crawl) -> std::collections::HashSet<String> {
    let Ok(reader) = gristmill_index::IndexReader::open(&crawl.data().join("index")) else { return Default::default() };
    reader.documents().filter_map(Result::ok).map(|document| document.url).collect()
}

/// Half an hour of fifty news sites at one request a site and minute. `GRISTMILL_WATCH_MINUTES` sets another time.
#[test]
#[ignore = "half an hour; `scripts/soak watch` runs it"]
fn news_of_fifty_sites_are_found_within_minutes_at_a_request_a_minute() {
    const N_HOSTS: usize = 50;
    let minutes = std::env::var("GRISTMILL_WATCH_MINUTES").map_or(30, |minutes| minutes.parse().unwrap());
    let minute = |minutes| seconds(60 * minutes);
    let begun = now();
    // Each site is known before its news are counted: robots.txt, home page, sections, feed and some old stories.
    let begins_at = begun + 10 * 60_000;
    let news = NewsConfig { begins_at, lasts: minute(minutes), shortest: minute(4), longest: minute(45), n_old: 30 };
    let web = news_web(N_HOSTS, news);
    let (crawl, mut command) = watch(&web, &["--budget", "60"]);
    let _watching = Running::new(&mut command);
    until("no index", || crawl.data().join("index/meta.json").exists());
    let (_following, told) = follow(&crawl);
    let ends = begins_at + minutes * 60_000;
    while now() < ends {
        std::thread::sleep(seconds(5));
    }
    let stories = (0..N_HOSTS).flat_map(|host| web.site().stories(host));
    // What is published in the last ten minutes may still be found.
    let counted: Vec<_> = stories.filter(|(_, at)| (begins_at..ends - 10 * 60_000).contains(at)).collect();
    let told = told.lock().unwrap();
    let mut delays: Vec<u64> =
        counted.iter().filter_map(|(url, at)| Some((told.get(url)?[0].saturating_sub(*at)) / 1000)).collect();
    delays.sort_unstable();
    let within = |percent: usize| delays[(delays.len() - 1) * percent / 100];
    let n_requests = web.log().iter().filter(|entry| entry.started_ms >= begins_at).count();
    let missed = counted.len() - delays.len();
    println!(
        "{} stories of {N_HOSTS} sites in {minutes} min: median {} s, 95 % {} s, longest {} s, {missed} missed; \
         {:.1} requests a site and hour\nby its own account: {}",
        counted.len(),
        within(50),
        within(95),
        within(100),
        n_requests as f64 / N_HOSTS as f64 / minutes as f64 * 60.0,
        stdout(&crawl, &["status"]).lines().find(|line| line.starts_with("news")).unwrap_or("nothing"),
    );
    assert!(within(50) <= 180 && within(95) <= 600 && missed == 0, "later than it should be");
}
