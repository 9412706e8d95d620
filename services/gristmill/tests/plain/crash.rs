//! kill -9 at random moments: the corpus and the seen set are those of an undisturbed crawl.

use crate::common;

use std::collections::BTreeMap;
use std::process::Stdio;
use std::time::{Duration, Instant};

use common::{Crawl, fetches, text};
use gristmill_frontier::{Frontier, FrontierConfig};
use gristmill_testweb::{Site, SiteConfig, TestWeb};

const KILLS: u32 = 25;

/// Nothing random that a failure could not be repeated with.
fn pseudo_random(n: u64) -> u64 {
    let mut x = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

fn seen(crawl: &Crawl) -> BTreeMap<String, String> {
    let frontier = Frontier::open(&crawl.data().join("frontier"), FrontierConfig::default()).unwrap();
    frontier.seen().map(|entry| entry.unwrap()).map(|(url, _, state)| (url, format!("{state:?}"))).collect()
}

#[test]
fn killed_at_any_moment_nothing_is_lost_and_nothing_is_there_twice() {
    let config = SiteConfig { n_hosts: 6, n_pages: 240, delay: Duration::from_millis(30), ..SiteConfig::default() };
    let web = TestWeb::start(Site::new(config)).unwrap();
    let settings = "[indexer]\ncommit_every = \"300ms\"\n[frontier.retry]\ndelay = \"50ms\"\n";

    let calm = Crawl::of(&web, "0s", settings);
    calm.run();
    let calm_fetches = fetches(&web);
    web.clear_log();

    // Pages go to the blob store and come from there, too.
    let crawl = Crawl::of(&web, "0s", &format!("{settings}[blobs]\ninline_limit = 1000\n"));
    let mut kills = 0;
    for run in 0.. {
        let mut child = crawl.command().stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let lives = Duration::from_millis(150 + pseudo_random(run) % 500);
        let begun = Instant::now();
        let mut ended = None;
        while begun.elapsed() < lives && ended.is_none() {
            ended = child.try_wait().unwrap();
            std::thread::sleep(Duration::from_millis(2));
        }
        if let Some(status) = ended {
            assert!(status.success(), "run {run} failed after {kills} kills: {status}");
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        if kills >= KILLS {
            break;
        }
    }
    let output = crawl.run();
    assert!(kills >= KILLS, "the crawl was over after {kills} kills: make the web larger");

    let repeated: Vec<(String, u32)> =
        fetches(&web).into_iter().filter(|(url, count)| *count > calm_fetches.get(url).copied().unwrap_or(0)).collect();
    let refetched: u32 = repeated.iter().map(|(url, count)| count - calm_fetches.get(url).copied().unwrap_or(0)).sum();
    println!("{kills} kills, {refetched} requests beyond those of an undisturbed crawl");
    let in_flight = kills * web.site().config().n_hosts as u32;
    assert!(refetched <= in_flight, "{refetched} refetched, at most {in_flight} were in flight: {repeated:?}");

    assert_same_documents(&calm, &crawl, &text(&output));
    assert_eq!(seen(&calm), seen(&crawl), "the seen sets differ");
    assert_eq!(calm.reader().digest().unwrap(), crawl.reader().digest().unwrap(), "the contents differ");
}

fn assert_same_documents(calm: &Crawl, crawl: &Crawl, printed: &str) {
    let ((calm, _), (documents, counts)) = (calm.documents(), crawl.documents());
    let missing: Vec<_> = calm.keys().filter(|url| !documents.contains_key(*url)).collect();
    let extra: Vec<_> = documents.keys().filter(|url| !calm.contains_key(*url)).collect();
    assert!(missing.is_empty() && extra.is_empty(), "missing {missing:?}, extra {extra:?}\n{printed}");
    assert!(counts.values().all(|count| *count == 1), "a document stands twice: {counts:?}");
    for (url, document) in &documents {
        let mut calm = calm[url].clone();
        calm.fetched_at = document.fetched_at;
        assert_eq!(&calm, document, "{url}");
    }
}
