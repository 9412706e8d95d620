//! kill -9 at random moments: the corpus and the seen set are those of an undisturbed crawl.

use crate::common;

use std::collections::BTreeMap;
use std::time::Duration;

use common::{Crawl, fetches, kill_again_and_again, soak, text};
use gristmill_frontier::{Frontier, FrontierConfig};
use gristmill_index::IndexDocument;
use gristmill_testweb::{TestSite, TestSiteConfig, TestWeb};

fn seen(crawl: &Crawl) -> BTreeMap<String, String> {
    let frontier = Frontier::open(&crawl.data().join("frontier"), FrontierConfig::default()).unwrap();
    frontier.seen().map(|entry| entry.unwrap()).map(|(url, _, state)| (url, format!("{state:?}"))).collect()
}

#[test]
fn killed_at_any_moment_nothing_is_lost_and_nothing_is_there_twice() {
    let (kills, n_pages) = if soak() { (25u32, 240) } else { (3, 50) };
    let config = TestSiteConfig { n_hosts: 6, n_pages, delay: Duration::from_millis(30), ..TestSiteConfig::default() };
    let web = TestWeb::start(TestSite::new(config)).unwrap();
    let settings = "[indexer]\ncommit_every = \"300ms\"\n[frontier.retry]\ndelay = \"50ms\"\n";

    let calm = Crawl::of(&web, "0s", settings);
    calm.run();
    let calm_fetches = fetches(&web);
    web.clear_log();

    // Pages go to the blob store and come from there, too.
    let crawl = Crawl::of(&web, "0s", &format!("{settings}[blobs]\ninline_limit = 1000\n"));
    let n_requests = calm_fetches.values().sum::<u32>() as usize;
    kill_again_and_again(&web, kills.into(), n_requests, || crawl.command());
    let output = crawl.run();

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
        let changes = |document: &IndexDocument| (document.history.offers.len(), document.history.edits.len());
        assert_eq!(changes(&calm), changes(document), "{url}: a page that came again has not changed");
        (calm.fetched_at, calm.history) = (document.fetched_at, document.history.clone());
        assert_eq!(&calm, document, "{url}");
    }
}
