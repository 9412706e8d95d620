//! What a second visit finds changed: pages that have gone or moved leave the index, others stay.

use crate::common;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use common::server::{Answer, HTML, field, path, serve, serve_heads};
use common::{LIMIT, finish, gristmill, text};
use gristmill_index::IndexReader;

const HOME: &str =
    "<title>Mills</title><h1>Mills</h1><p>Four mills stand by the river, and each of them has its own page.</p>
    <a href=/moved>A mill</a> <a href=/lent>B mill</a> <a href=/gone>C mill</a> <a href=/shut>D mill</a>
    <a href=/lost>E mill</a>";

fn page(path: &str) -> String {
    let told = format!("<p>The mill of {path} grinds rye, day and night, and its stones turn slowly.</p>").repeat(3);
    format!("<title>Mill {path}</title><h1>Mill {path}</h1>{told}")
}

/// A request after `changed` finds another site.
fn answer(path: &str, changed: bool) -> Answer {
    match path {
        "/" => ("200 OK", HTML, HOME.to_owned()),
        "/robots.txt" => ("404 Not Found", "", String::new()),
        "/moved" if changed => ("301 Moved Permanently", "Location: /new\r\n", String::new()),
        "/lent" if changed => ("302 Found", "Location: /\r\n", String::new()),
        "/gone" if changed => ("410 Gone", "", String::new()),
        "/lost" if changed => ("302 Found", "Location: /nowhere\r\n", String::new()),
        "/nowhere" => ("404 Not Found", "", String::new()),
        "/shut" if changed => ("403 Forbidden", "", String::new()),
        _ => ("200 OK", HTML, page(path)),
    }
}

struct Crawling(Child);

impl Drop for Crawling {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(dir: &Path, address: SocketAddr) -> Crawling {
    let settings = "[frontier.recrawl]\nenabled = true\ninitial = \"1s\"\nmin = \"1s\"\nmax = \"2s\"\n\
                    [indexer]\ncommit_every = \"200ms\"\n";
    start_with(dir, address, settings)
}

fn start_with(dir: &Path, address: SocketAddr, settings: &str) -> Crawling {
    std::fs::write(dir.join("gristmill.toml"), settings).unwrap();
    let mut command: Command = gristmill();
    command.arg("--config").arg(dir.join("gristmill.toml")).arg("--data").arg(dir.join("data"));
    command.args(["crawl", "--allow-private", "--delay", "0s"]).arg(format!("http://{address}/"));
    Crawling(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
}

/// Waits until the paths in the index are these.
fn until_indexed(dir: &Path, expected: &[&str]) {
    let begun = Instant::now();
    loop {
        let paths = paths(dir);
        if paths == expected {
            return;
        }
        assert!(begun.elapsed() < LIMIT, "{paths:?} and not {expected:?}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn paths(dir: &Path) -> Vec<String> {
    let Ok(reader) = IndexReader::open(&dir.join("data/index")) else { return Vec::new() };
    let urls = reader.documents().filter_map(Result::ok).map(|document| document.url);
    let mut paths: Vec<String> = urls.map(|url| url[url.rfind('/').unwrap()..].to_owned()).collect();
    paths.sort();
    paths
}

#[test]
fn what_is_gone_or_has_moved_for_good_or_leads_nowhere_leaves_the_index_and_what_is_shut_for_now_stays() {
    let changed = Arc::new(AtomicBool::new(false));
    let told = changed.clone();
    let address = serve(move |_, path| answer(path, told.load(Ordering::SeqCst)));
    let dir = tempfile::tempdir().unwrap();
    let _crawling = start(dir.path(), address);
    until_indexed(dir.path(), &["/", "/gone", "/lent", "/lost", "/moved", "/shut"]);
    changed.store(true, Ordering::SeqCst);
    until_indexed(dir.path(), &["/", "/lent", "/new", "/shut"]);
}

#[test]
fn a_watch_brings_a_new_story_within_seconds_and_leaves_the_old_ones_alone() {
    const N_OLD: usize = 40;
    let published = Arc::new(AtomicBool::new(false));
    let asked: Arc<std::sync::Mutex<Vec<String>>> = Arc::default();
    let (told, log) = (published.clone(), asked.clone());
    let address = serve(move |_, path| {
        log.lock().unwrap().push(path.to_owned());
        let is_published = told.load(Ordering::SeqCst);
        let item = |n: usize| format!("<item><title>Story {n}</title><link>/story/{n}</link></item>");
        let newest = if is_published { vec![N_OLD] } else { Vec::new() };
        match path {
            "/" => {
                let links: String = (0..N_OLD).map(|n| format!("<a href=/story/{n}>Story {n}</a> ")).collect();
                let head = "<title>News</title><link rel=alternate type=application/rss+xml href=/feed.xml>";
                // A box that shows other stories at each visit.
                let box_ = log.lock().unwrap().len();
                (
                    "200 OK",
                    HTML,
                    format!("{head}<h1>News of the mill</h1>{links}<aside>Most read: story {box_}</aside>"),
                )
            }
            "/feed.xml" => {
                let items: String = newest.into_iter().chain(0..10).map(item).collect();
                ("200 OK", "Content-Type: application/rss+xml\r\n", format!("<rss><channel>{items}</channel></rss>"))
            }
            path if path.starts_with("/story/") && (is_published || !path.ends_with("/40")) => {
                ("200 OK", HTML, page(path))
            }
            _ => ("404 Not Found", "", String::new()),
        }
    });
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("gristmill.toml"), "[indexer]\ncommit_every = \"200ms\"\n").unwrap();
    let mut command: Command = gristmill();
    command.arg("--config").arg(dir.path().join("gristmill.toml")).arg("--data").arg(dir.path().join("data"));
    command.args(["watch", "--every", "2s", "--allow-private", "--delay", "0s"]).arg(format!("http://{address}/"));
    let _watching = Crawling(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    let begun = Instant::now();
    while paths(dir.path()).len() < N_OLD + 1 {
        assert!(begun.elapsed() < LIMIT, "{:?}", paths(dir.path()));
        std::thread::sleep(Duration::from_millis(100));
    }
    published.store(true, Ordering::SeqCst);
    let begun = Instant::now();
    while !paths(dir.path()).contains(&"/40".to_owned()) {
        assert!(begun.elapsed() < LIMIT, "the new story is not found: {:?}", asked.lock().unwrap());
        std::thread::sleep(Duration::from_millis(100));
    }
    let asked = asked.lock().unwrap();
    for n in 0..N_OLD {
        let path = format!("/story/{n}");
        assert_eq!(asked.iter().filter(|asked| **asked == path).count(), 1, "{path}");
    }
}

#[test]
fn links_that_the_scope_of_before_left_out_are_met_again_though_no_page_has_changed() {
    let address = serve_heads(|head| {
        let link = match path(head) {
            "/" => "<a href=/rye>Rye</a>",
            "/rye" => "<a href=/rye/bread>Bread</a>",
            "/rye/bread" => "",
            _ => return ("404 Not Found", HTML, String::new()),
        };
        match field(head, "if-none-match").as_str() {
            "\"1\"" => ("304 Not Modified", "", String::new()),
            _ => ("200 OK", "Content-Type: text/html\r\nETag: \"1\"\r\n", page(path(head)) + link),
        }
    });
    let dir = tempfile::tempdir().unwrap();
    let crawl = |flags: &[&str]| {
        let mut command = gristmill();
        command.args(["crawl", "--allow-private", "--delay", "0s", "--data"]).arg(dir.path()).args(flags);
        command.arg(format!("http://{address}/"));
        text(&finish(command))
    };
    let n_documents = || IndexReader::open(&dir.path().join("index")).unwrap().documents().count();
    crawl(&["--max-depth", "1"]);
    assert_eq!(n_documents(), 2);
    let told = crawl(&["--max-depth", "2"]);
    assert!(told.contains("under another scope") && told.contains("--again"), "{told}");
    crawl(&["--max-depth", "2", "--again"]);
    assert_eq!(n_documents(), 3);
    let told = crawl(&["--max-depth", "2"]);
    assert!(!told.contains("under another scope"), "{told}");
}

#[test]
fn a_site_that_is_away_when_its_visits_begin_is_found_once_it_is_back() {
    let is_back = Arc::new(AtomicBool::new(false));
    let here = is_back.clone();
    let address = serve(move |_, path| match path {
        _ if !here.load(Ordering::Relaxed) => ("503 Service Unavailable", "", String::new()),
        "/" => ("200 OK", HTML, page("/")),
        _ => ("404 Not Found", "", String::new()),
    });
    let dir = tempfile::tempdir().unwrap();
    let settings = "[frontier.recrawl]\nenabled = true\nsources = \"1s\"\n[indexer]\ncommit_every = \"200ms\"\n\
                    [frontier.retry]\ndelay = \"100ms\"\nmax_delay = \"1s\"\nunavailable = 1\n\
                    [frontier.politeness]\nbackoff = \"100ms\"\nmax_backoff = \"100ms\"\n";
    let _crawling = start_with(dir.path(), address, settings);
    std::thread::sleep(Duration::from_secs(4));
    is_back.store(true, Ordering::Relaxed);
    until_indexed(dir.path(), &["/"]);
}

/// What the pages of a site say of which the texts are lost for a while.
fn troubled(path: &str, trouble: usize) -> Answer {
    let body = match trouble {
        0 => return answer(path, false),
        1 => "<html><head><title></title></head><body></body></html>",
        2 => {
            "<html><head><title>App</title></head><body><div id=root></div><script src=/app.js></script></body></html>"
        }
        3 => "Internal Server Error",
        4 => "{\"error\":\"internal\"}",
        _ => "Warning: mysqli_connect(): (HY000/2002): Connection refused in /srv/config.php on line 12",
    };
    if path == "/" { answer(path, false) } else { ("200 OK", HTML, body.to_owned()) }
}

#[test]
fn a_server_that_has_lost_its_texts_for_a_while_costs_no_document() {
    let dir = tempfile::tempdir().unwrap();
    let trouble = Arc::new(AtomicUsize::new(0));
    let state = trouble.clone();
    let address = serve(move |_, path| troubled(path, state.load(Ordering::SeqCst)));
    let crawl = |more: &[&str]| {
        let mut command = gristmill();
        command.arg("--data").arg(dir.path().join("data")).args(["crawl", "--allow-private", "--delay", "0s"]);
        let short = ["POLITENESS__BACKOFF", "POLITENESS__MAX_BACKOFF", "RETRY__DELAY", "RETRY__MAX_DELAY"];
        command.envs(short.map(|key| (format!("GRISTMILL__FRONTIER__{key}"), "20ms")));
        text(&finish({
            command.args(more).arg(format!("http://{address}/"));
            command
        }))
    };
    crawl(&[]);
    let texts = || {
        let reader = IndexReader::open(&dir.path().join("data/index")).unwrap();
        let documents = reader.documents().map(Result::unwrap);
        documents.map(|document| (document.url, document.text)).collect::<BTreeMap<_, _>>()
    };
    let before = texts();
    assert_eq!(before.len(), 6);
    for n in 1..=5 {
        trouble.store(n, Ordering::SeqCst);
        let told = crawl(&["--again"]);
        assert_eq!(texts(), before, "{n}: {told}");
        let is_told = told.contains("5 pages that had a text came without one");
        assert_eq!(is_told, n <= 2, "{n}: {told}");
    }
}
