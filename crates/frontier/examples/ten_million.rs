//! Fills a frontier with many URLs and tells time, memory and disk: `cargo run --release --example ten_million -- [URLS] [FOLDER]`.

use std::time::{Duration, Instant};

use gristmill_frontier::{
    AdmissionResult, FetchKind, Frontier, FrontierConfig, FrontierError, LinkSource, Outlink, Positions,
};
use gristmill_urls::{ScopeConfig, ScopeRule};

/// Links offered between two commits.
const BATCH: u64 = 20_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let n_urls: u64 = arguments.next().map_or(Ok(10_000_000), |text| text.parse())?;
    let folder = arguments.next().map_or_else(std::env::temp_dir, Into::into).join("gristmill-ten-million");
    let scope = Some(ScopeConfig { rule: ScopeRule::Any, ..ScopeConfig::default() });
    let mut config = FrontierConfig { scope, ..FrontierConfig::default() };
    config.politeness.min_delay = Duration::ZERO;
    let mut frontier = Frontier::open(&folder, config.clone())?;
    println!("{:>10} {:>9} {:>12} {:>9} {:>9}", "URLs", "seconds", "µs a link", "RSS MiB", "peak MiB");
    let started = Instant::now();
    let mut lap = Instant::now();
    for n in 0..n_urls {
        offer(&mut frontier, n)?;
        if n % BATCH == BATCH - 1 {
            frontier.commit(&Positions::new())?;
        }
        if (n + 1) % (n_urls / 10).max(1) == 0 {
            report(n + 1, started, lap, n_urls / 10);
            lap = Instant::now();
        }
    }
    frontier.commit(&Positions::new())?;
    let known = ask_again(&mut frontier, n_urls)?;
    println!("{known} of 200000 old URLs asked in random order were known");
    println!("{:?}", frontier.stats().pages);
    drop(frontier);
    let opening = Instant::now();
    let frontier = Frontier::open(&folder, config)?;
    println!("opened again in {:.2} s with {} URLs", opening.elapsed().as_secs_f64(), frontier.stats().pages.known);
    Ok(())
}

/// Hosts are drawn so that some are large and most are small.
fn url_of(n: u64) -> String {
    let mixed = n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
    let host = mixed % (1 + mixed % 100_000);
    format!("https://www.site{host}.example/section/{}/article-{n}.html?id={mixed}", n % 17)
}

fn offer(frontier: &mut Frontier, n: u64) -> Result<AdmissionResult, FrontierError> {
    let url = url_of(n);
    let link = Outlink {
        url: &url,
        kind: FetchKind::Page,
        source: LinkSource::Anchor,
        depth: (n % 9) as u16,
        hops: 0,
        anchor_title: Some("The words of a usual link"),
    };
    frontier.offer(&link, 1_000 + n)
}

fn ask_again(frontier: &mut Frontier, n_urls: u64) -> Result<u64, FrontierError> {
    let started = Instant::now();
    let mut known = 0;
    for n in 0..200_000_u64 {
        let pick = n.wrapping_mul(0xD134_2543_DE82_EF95) % n_urls;
        known += u64::from(offer(frontier, pick)? == AdmissionResult::Known);
    }
    println!("known URLs, not in memory: {:.2} µs a link", started.elapsed().as_secs_f64() * 1e6 / 200_000.0);
    Ok(known)
}

fn report(n: u64, started: Instant, lap: Instant, in_lap: u64) {
    let micros = lap.elapsed().as_secs_f64() * 1e6 / in_lap as f64;
    let (resident, peak) = (status_mib("VmRSS:"), status_mib("VmHWM:"));
    println!("{n:>10} {:>9.1} {micros:>12.2} {resident:>9} {peak:>9}", started.elapsed().as_secs_f64());
}

/// A memory figure of this process, in MiB; 0 where the system does not tell.
fn status_mib(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(field));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).unwrap_or(0) / 1024
}
