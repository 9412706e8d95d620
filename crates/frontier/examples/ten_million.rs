//! Fills a frontier with many URLs and tells processor time, memory, disk and stalls:
//! `cargo run --release --example ten_million -- [URLS] [FOLDER]`.

use std::path::Path;
use std::time::{Duration, Instant};

use gristmill_frontier::{
    AdmissionResult, FetchKind, FetchOutcome, FetchResult, Frontier, FrontierConfig, FrontierError, LinkSource,
    NextAction, Outlink, Positions,
};
use gristmill_urls::{ScopeConfig, ScopeRule};

/// That of the program, so that its cost is the same.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Links offered between two commits.
const BATCH: u64 = 20_000;

/// Known URLs that are offered again.
const N_ASKED: u64 = 200_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let n_urls: u64 = arguments.next().map_or(Ok(10_000_000), |text| text.parse())?;
    let folder = arguments.next().map_or_else(std::env::temp_dir, Into::into).join("gristmill-ten-million");
    let scope = Some(ScopeConfig { rule: ScopeRule::Any, ..ScopeConfig::default() });
    let mut config = FrontierConfig { scope, ..FrontierConfig::default() };
    (config.politeness.min_delay, config.robots.enabled) = (Duration::ZERO, false);
    let mut frontier = Frontier::open(&folder, config.clone())?;
    fill(&mut frontier, n_urls)?;
    settle();
    println!("memory once tables are merged: {} MiB", status_mib("VmRSS:"));
    println!("disk: {:.1} bytes a URL", size_of(&folder)? as f64 / n_urls as f64);
    ask_again(&mut frontier, n_urls)?;
    println!("{:?}", frontier.stats().pages);
    drop(frontier);
    println!("disk once closed: {:.1} bytes a URL", size_of(&folder)? as f64 / n_urls as f64);
    let (opening, cpu) = (Instant::now(), cpu_seconds());
    let frontier = Frontier::open(&folder, config)?;
    let (wall, cpu) = (opening.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    println!("opened again in {wall:.2} s, {cpu:.2} s of CPU, with {} URLs", frontier.stats().pages.known);
    Ok(())
}

/// Offers new links with a commit and an order from time to time. CPU is that of all threads, merges of tables included.
fn fill(frontier: &mut Frontier, n_urls: u64) -> Result<(), FrontierError> {
    println!("{:>10} {:>9} {:>13} {:>9} {:>9}", "URLs", "CPU s", "CPU µs a link", "RSS MiB", "peak MiB");
    let (started, in_lap) = (cpu_seconds(), (n_urls / 10).max(1));
    let (mut lap, mut first_mib) = (started, 0);
    let (mut longest_commit, mut longest_order) = (Duration::ZERO, Duration::ZERO);
    for n in 0..n_urls {
        offer(frontier, n)?;
        if n % BATCH == BATCH - 1 {
            longest_order = longest_order.max(order(frontier, 1_000 + n)?);
            let committing = Instant::now();
            frontier.commit(&Positions::new())?;
            longest_commit = longest_commit.max(committing.elapsed());
        }
        if (n + 1) % in_lap == 0 {
            let now = cpu_seconds();
            let (micros, mib) = ((now - lap) * 1e6 / in_lap as f64, status_mib("VmRSS:"));
            let total = now - started;
            println!("{:>10} {total:>9.1} {micros:>13.2} {mib:>9} {:>9}", n + 1, status_mib("VmHWM:"));
            (lap, first_mib) = (now, if first_mib == 0 { mib } else { first_mib });
        }
    }
    frontier.commit(&Positions::new())?;
    let micros = (cpu_seconds() - started) * 1e6 / n_urls as f64;
    println!("new links: {micros:.2} µs of CPU each");
    println!("longest commit of {BATCH} links {longest_commit:.1?}, longest order {longest_order:.1?}");
    let grown = status_mib("VmRSS:").saturating_sub(first_mib) << 20;
    println!("memory: {:.1} bytes for each further URL", grown as f64 / (n_urls - in_lap) as f64);
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

/// Has one page ordered and fetched; answers how long the order took.
fn order(frontier: &mut Frontier, now: u64) -> Result<Duration, FrontierError> {
    let started = Instant::now();
    let action = frontier.next(now)?;
    let took = started.elapsed();
    let NextAction::Order(order) = action else { return Ok(took) };
    let outcome = FetchOutcome::new(order.id, FetchResult::Ok, 200, now);
    frontier.outcome(&outcome, now)?;
    Ok(took)
}

/// Waits until no table is merged any more.
fn settle() {
    let mut before = 0.0;
    while cpu_seconds() - before > 0.02 {
        before = cpu_seconds();
        std::thread::sleep(Duration::from_millis(500));
    }
}

fn ask_again(frontier: &mut Frontier, n_urls: u64) -> Result<(), FrontierError> {
    let started = cpu_seconds();
    let mut known = 0;
    for n in 0..N_ASKED {
        let pick = n.wrapping_mul(0xD134_2543_DE82_EF95) % n_urls;
        known += u64::from(offer(frontier, pick)? == AdmissionResult::Known);
    }
    let micros = (cpu_seconds() - started) * 1e6 / N_ASKED as f64;
    println!("known links, not in memory: {micros:.2} µs of CPU each; {known} of {N_ASKED} were known");
    Ok(())
}

/// Bytes on disk of all files below `dir`.
fn size_of(dir: &Path) -> std::io::Result<u64> {
    let mut size = 0;
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        let meta = entry.metadata()?;
        // Journals are made at their full length, most of which is a hole.
        let used = std::os::unix::fs::MetadataExt::blocks(&meta) * 512;
        size += if meta.is_dir() { size_of(&entry.path())? } else { used };
    }
    Ok(size)
}

/// Processor time of this process so far, of all threads, in steps of 10 ms; 0 where the system does not tell.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// A memory figure of this process, in MiB; 0 where the system does not tell.
fn status_mib(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(field));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).unwrap_or(0) / 1024
}
