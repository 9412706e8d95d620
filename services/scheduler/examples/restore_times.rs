//! How long a frontier takes into the blob store and back, in a temporary folder that goes away:
//!
//! ```text
//! cargo run --release -p gristmill-scheduler --example restore_times -- 1000000
//! ```
//! The URLs are of many hosts, a tenth of them fetched. Then a hundredth more come, half of them spread over all sites, half of new ones;
//! the second snapshot has what changed, and is what is restored.

use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use gristmill_blobs::BlobStore;
use gristmill_frontier::{
    FetchKind, FetchOutcome, FetchResult, Frontier, FrontierConfig, LinkSource, NextAction, Outlink, Positions,
};
use gristmill_scheduler::{SnapshotId, Snapshots};
use gristmill_urls::{ScopeConfig, ScopeRule};

/// URLs of one registrable domain.
const URLS_OF_A_DOMAIN: u64 = 200;

/// More would fill the disk of a laptop.
const MOST: u64 = 20_000_000;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let urls: u64 = std::env::args().nth(1).context("how many URLs?")?.parse().context("how many URLs?")?;
    anyhow::ensure!((1..=MOST).contains(&urls), "at most {MOST} URLs");
    let dir = tempfile::tempdir()?;
    let (from, to) = (dir.path().join("from"), dir.path().join("to"));
    let snapshots = Snapshots::of(BlobStore::local(&dir.path().join("blobs"))?, Some(0));

    let begun = phase();
    let mut frontier = Frontier::open(&from, config())?;
    tokio::task::block_in_place(|| fill(&mut frontier, 0..urls, urls))?;
    told("fill", begun, bytes_of(&from)?);

    let begun = phase();
    let moved = snapshots.write(SnapshotId { epoch: 1, number: 0 }, frontier.snapshot()).await?;
    told("snapshot", begun, moved.bytes);

    let all = urls + urls / 100;
    tokio::task::block_in_place(|| fill(&mut frontier, urls..all, urls))?;
    let (begun, name) = (phase(), SnapshotId { epoch: 1, number: 1 });
    let moved = snapshots.write(name, frontier.snapshot()).await?;
    told("second", begun, moved.bytes);
    drop(frontier);

    let begun = phase();
    snapshots.restore(name, &to, &config()).await?;
    told("restore", begun, bytes_of(&to)?);

    let begun = phase();
    let restored = tokio::task::block_in_place(|| Frontier::open(&to, config()))?;
    told("open", begun, bytes_of(&to)?);
    let pages = restored.stats().pages;
    println!("{} URLs known, {} of them fetched", pages.known, pages.done);
    anyhow::ensure!(pages.known == all, "{} URLs came back", pages.known);
    Ok(())
}

fn config() -> FrontierConfig {
    let scope = Some(ScopeConfig { rule: ScopeRule::Any, ..ScopeConfig::default() });
    let mut config = FrontierConfig { scope, ..FrontierConfig::default() };
    config.robots.enabled = false;
    config.politeness.min_delay = Duration::ZERO;
    config.politeness.ip_delay = Duration::ZERO;
    config
}

/// Adds URLs by their numbers. Of those from `spread` on each other one is of a site that is known.
fn fill(frontier: &mut Frontier, numbers: Range<u64>, spread: u64) -> anyhow::Result<()> {
    let positions = Positions::from([(("links".to_owned(), 0), numbers.end)]);
    for n in numbers {
        let site = if n >= spread && n % 2 == 0 { n * 7_919 % spread } else { n } / URLS_OF_A_DOMAIN;
        let url = format!("https://www.site{site}.example/section/{}/article-{n}.html", n % 17);
        let link = Outlink {
            url: &url,
            kind: FetchKind::Page,
            source: LinkSource::Anchor,
            depth: 1,
            hops: 0,
            anchor_title: Some("A few words of a link"),
        };
        frontier.offer(&link, 1_000)?;
        if n % 10 == 9 {
            fetch_one(frontier, n)?;
        }
        if n % 20_000 == 0 {
            frontier.commit(&positions)?;
        }
    }
    frontier.commit(&positions)?;
    Ok(())
}

fn fetch_one(frontier: &mut Frontier, now: u64) -> anyhow::Result<()> {
    if let NextAction::Order(order) = frontier.next(1_000 + now)? {
        let outcome = FetchOutcome {
            etag: Some("\"5f3a-1b2c3d4e5f\"".into()),
            content_hash: Some(order.id.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
            ..FetchOutcome::new(order.id, FetchResult::Ok, 200, 1_000 + now)
        };
        frontier.outcome(&outcome, 1_000 + now)?;
    }
    Ok(())
}

fn bytes_of(dir: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(dir)? {
        let (path, meta) = {
            let entry = entry?;
            (entry.path(), entry.metadata()?)
        };
        bytes += if meta.is_dir() { bytes_of(&path)? } else { meta.len() };
    }
    Ok(bytes)
}

/// Begins to measure time and the highest memory.
fn phase() -> Instant {
    // Where the system cannot, the highest memory is that of the whole run.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    Instant::now()
}

fn told(what: &str, begun: Instant, bytes: u64) {
    let took = begun.elapsed().as_secs_f64();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).map_or("unknown", str::trim);
    println!("{what:<9} {took:8.2} s  {:8.1} MB  peak memory {peak}", bytes as f64 / 1e6);
}
