//! Cost of one link and of one order: what the scheduler does a hundred times and once a page.

use gristmill_frontier::{
    FetchKind, FetchOutcome, FetchResult, Frontier, FrontierConfig, LinkSource, NextAction, Outlink, Positions,
};
use gristmill_urls::{ScopeConfig, ScopeRule};
use std::time::Duration;

fn main() {
    divan::main();
}

fn config() -> FrontierConfig {
    let scope = Some(ScopeConfig { rule: ScopeRule::Any, ..ScopeConfig::default() });
    let mut config = FrontierConfig { scope, ..FrontierConfig::default() };
    config.robots.enabled = false;
    config.politeness.min_delay = Duration::ZERO;
    config.politeness.ip_delay = Duration::ZERO;
    config
}

fn link(url: &str) -> Outlink<'_> {
    Outlink {
        url,
        kind: FetchKind::Page,
        source: LinkSource::Anchor,
        depth: 1,
        hops: 0,
        anchor_title: Some("A few words"),
    }
}

fn filled(n_urls: u64) -> (tempfile::TempDir, Frontier) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut frontier = Frontier::open(dir.path(), config()).expect("a new store");
    for n in 0..n_urls {
        frontier.offer(&link(&url_of(n)), 1_000).expect("the store is sound");
        if n % 10_000 == 0 {
            frontier.commit(&Positions::new()).expect("the store is sound");
        }
    }
    frontier.commit(&Positions::new()).expect("the store is sound");
    (dir, frontier)
}

fn url_of(n: u64) -> String {
    format!("https://www.site{}.example/section/{}/article-{n}.html", n % 1_000, n % 17)
}

/// New URLs, the commits of every 10 000 included.
#[divan::bench(sample_count = 20, sample_size = 10_000)]
fn offer_new(bencher: divan::Bencher) {
    let (_dir, mut frontier) = filled(100_000);
    let mut n = 1_000_000;
    bencher.bench_local(|| {
        n += 1;
        if n % 10_000 == 0 {
            frontier.commit(&Positions::new()).expect("the store is sound");
        }
        frontier.offer(&link(&url_of(n)), 1_000)
    });
}

#[divan::bench(sample_size = 10_000)]
fn offer_recently_seen(bencher: divan::Bencher) {
    let (_dir, mut frontier) = filled(100_000);
    let url = url_of(77);
    frontier.offer(&link(&url), 1_000).expect("the store is sound");
    bencher.bench_local(|| frontier.offer(&link(&url), 1_000));
}

/// One order given out and its outcome applied, the commits of every 1 000 included.
#[divan::bench(sample_count = 20, sample_size = 1_000)]
fn next_and_outcome(bencher: divan::Bencher) {
    let (_dir, mut frontier) = filled(200_000);
    let mut now = 10_000;
    let mut n = 0;
    bencher.bench_local(|| {
        now += 1;
        n += 1;
        if n % 1_000 == 0 {
            frontier.commit(&Positions::new()).expect("the store is sound");
        }
        let Ok(NextAction::Order(order)) = frontier.next(now) else { panic!("work is left") };
        let outcome = FetchOutcome {
            ip: Some("192.0.2.1".to_owned()),
            etag: Some("\"5f3c\"".to_owned()),
            content_hash: Some(n),
            ..FetchOutcome::new(order.id, FetchResult::Ok, 200, now)
        };
        frontier.outcome(&outcome, now)
    });
}
