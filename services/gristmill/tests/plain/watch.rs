//! Watching news sites: how soon a story is found, measured by the program itself and from outside.

use crate::common;

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use common::server::{field, serve_heads};
use common::{Crawl, LIMIT, finish, kill_again_and_again, soak, text};
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
    watch_with(web, flags, "")
}

/// The same, with more settings in TOML.
fn watch_with(web: &TestWeb, flags: &[&str], more: &str) -> (Crawl, Command) {
    let settings = format!("{more}[indexer]\ncommit_every = \"500ms\"\n");
    let crawl = Crawl::seeded(&web.site().seeds(), &web.resolve_map(), &[&["--watch"], flags].concat(), &settings);
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

/// When each URL was told as new for the first time, in milliseconds.
type FirstTold = Arc<Mutex<HashMap<String, u64>>>;

/// Follows the changes of a crawl.
fn follow(crawl: &Crawl) -> (Running, FirstTold) {
    let told = FirstTold::default();
    let mut following = Running::new(program(crawl, &["changes", "--follow"]).stdout(Stdio::piped()));
    let lines = BufReader::new(following.0.stdout.take().unwrap()).lines();
    let heard = told.clone();
    std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            let change: Value = serde_json::from_str(&line).unwrap();
            if change["kind"] == "new" {
                let url = change["url"].as_str().unwrap().to_owned();
                heard.lock().unwrap().entry(url).or_insert_with(now);
            }
        }
    });
    (following, told)
}

fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < LIMIT, "{what}");
        // Some of what is asked reads the whole index.
        std::thread::sleep(Duration::from_millis(500));
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
    let status = || -> Value { serde_json::from_str(&stdout(&crawl, &["status", "--json"])).unwrap() };
    // The file that it reads is written once in a while.
    until("the status tells of fewer news", || status()["freshness"]["pages"].as_u64().unwrap() >= count as u64);
    let told = status();
    let freshness = |field: &str| told["freshness"][field].as_u64().unwrap();
    assert!(freshness("p95_seconds") < 60, "{told}");
    assert!(freshness("median_seconds") <= freshness("p95_seconds"));
}

fn crawl_urls(crawl: &Crawl) -> HashSet<String> {
    let Ok(reader) = gristmill_index::IndexReader::open(&crawl.data().join("index")) else { return Default::default() };
    reader.documents().filter_map(Result::ok).map(|document| document.url).collect()
}

/// The soak kills 300 times, or as often as `GRISTMILL_KILLS` says.
#[test]
fn a_watch_that_is_killed_again_and_again_loses_no_story_and_tells_each_under_one_id() {
    const N_HOSTS: usize = 6;
    let kills = match std::env::var("GRISTMILL_KILLS") {
        Ok(kills) => kills.parse().unwrap(),
        Err(_) if soak() => 300,
        Err(_) => 6,
    };
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let told = heard.clone();
    let hook = serve_heads(move |head| {
        told.lock().unwrap().push(field(head, "gristmill-id"));
        ("200 OK", "", String::new())
    });
    let (shortest, longest) = (seconds(2), seconds(8));
    let news = NewsConfig { begins_at: now(), lasts: seconds(4 * 3600), shortest, longest, n_old: 5 };
    let web = news_web(N_HOSTS, news);
    let alert = format!(
        "[[alerts]]\nname = \"all\"\nurl = \"http://{hook}/\"\nsecret = \"s\"\nkinds = [\"new\"]\nallow_private = true\n"
    );
    let (crawl, _) = watch_with(&web, &["--every", "1s", "--delay", "20ms"], &alert);
    kill_again_and_again(&web, kills, (kills as usize + 2) * 25, || crawl.command());
    let ended = now();
    let mut watching = Running::new(crawl.command().stdout(Stdio::null()));
    let stories = || (0..N_HOSTS).flat_map(|host| web.site().stories(host)).filter(|(_, at)| *at <= ended);
    until("a story is lost", || {
        let found = crawl_urls(&crawl);
        stories().all(|(url, _)| found.contains(&url))
    });
    assert!(Command::new("kill").arg(watching.0.id().to_string()).status().unwrap().success());
    watching.0.wait().unwrap();
    let (_, counts) = crawl.documents();
    assert!(counts.values().all(|count| *count == 1), "a story stands twice: {counts:?}");
    let mut ids: HashMap<String, HashSet<String>> = HashMap::new();
    for line in stdout(&crawl, &["changes"]).lines() {
        let change: Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| change[name].as_str().unwrap().to_owned();
        if field("kind") == "new" {
            ids.entry(field("url")).or_default().insert(field("id"));
        }
    }
    let heard: HashSet<String> = heard.lock().unwrap().iter().cloned().collect();
    let n_stories = stories().count();
    for (url, _) in stories() {
        let ids = &ids[&url];
        assert!(ids.len() == 1 && ids.is_subset(&heard), "{url}: {ids:?}");
    }
    println!("{kills} kills, {n_stories} stories, each found once and told under one id");
}

/// Half an hour of fifty news sites at one request a site and minute. `GRISTMILL_WATCH_MINUTES` sets another time.
#[test]
#[ignore = "half an hour; `scripts/soak watch` runs it"]
fn news_of_fifty_sites_are_found_within_minutes_at_a_request_a_minute() {
    const N_HOSTS: usize = 50;
    let minutes = std::env::var("GRISTMILL_WATCH_MINUTES").map_or(30, |minutes| minutes.parse().unwrap());
    let minute = |minutes| seconds(60 * minutes);
    let begun = now();
    // The sources of each site are known before its news are counted; most of its old stories wait still.
    let begins_at = begun + 5 * 60_000;
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
    // What is published in the last minutes may still be found.
    let last = 60_000 * (minutes / 2).min(10);
    let counted: Vec<_> = stories.filter(|(_, at)| (begins_at..ends - last).contains(at)).collect();
    let told = told.lock().unwrap();
    let mut delays: Vec<u64> =
        counted.iter().filter_map(|(url, at)| Some(told.get(url)?.saturating_sub(*at) / 1000)).collect();
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
    let log = web.log();
    for (url, at) in counted.iter().filter(|(url, _)| !told.contains_key(url)) {
        let path = url.splitn(4, '/').last().unwrap_or_default();
        let host = url.split(['/', ':']).nth(3).unwrap_or_default();
        let fetched = log.iter().find(|entry| entry.host == host && entry.path.ends_with(path));
        let after = fetched.map(|entry| entry.started_ms.saturating_sub(*at) / 1000);
        println!("missed: {url}, published in minute {}, fetched after {after:?} s", (at - begins_at) / 60_000);
    }
    assert!(within(50) <= 180 && within(95) <= 600 && missed == 0, "later than it should be");
}
