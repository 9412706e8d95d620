//! What a second visit finds changed: pages that have gone or moved leave the index, others stay.

use crate::common;

use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use common::server::{Answer, HTML, serve};
use common::{LIMIT, gristmill};
use gristmill_index::Reader;

const HOME: &str =
    "<title>Mills</title><h1>Mills</h1><p>Four mills stand by the river, and each of them has its own page.</p>
    <a href=/moved>A mill</a> <a href=/lent>B mill</a> <a href=/gone>C mill</a> <a href=/shut>D mill</a>";

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
    let Ok(reader) = Reader::open(&dir.join("data/index")) else { return Vec::new() };
    let urls = reader.documents().filter_map(Result::ok).map(|document| document.url);
    let mut paths: Vec<String> = urls.map(|url| url[url.rfind('/').unwrap()..].to_owned()).collect();
    paths.sort();
    paths
}

#[test]
fn what_is_gone_or_has_moved_for_good_leaves_the_index_and_what_is_shut_for_now_stays() {
    let changed = Arc::new(AtomicBool::new(false));
    let told = changed.clone();
    let address = serve(move |_, path| answer(path, told.load(Ordering::SeqCst)));
    let dir = tempfile::tempdir().unwrap();
    let _crawling = start(dir.path(), address);
    until_indexed(dir.path(), &["/", "/gone", "/lent", "/moved", "/shut"]);
    changed.store(true, Ordering::SeqCst);
    until_indexed(dir.path(), &["/", "/lent", "/new", "/shut"]);
}
