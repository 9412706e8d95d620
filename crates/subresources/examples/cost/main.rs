//! What it costs to draw pages: CPU time, memory and pages a second, by how much of them is drawn.
//!
//! ```sh
//! npm install --prefix target/cost react@18 react-dom@18 vue@3 preact@10 bootstrap@5
//! cargo run --release -p gristmill-subresources --example cost -- target/cost/node_modules [ROUNDS] [PROGRAM]
//! ```

mod sites;

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use gristmill_browser::{Browser, BrowserConfig, RenderMode, RenderRequest};
use gristmill_fetch::FetchConfig;
use gristmill_reading::{CharsetHints, PageReader};
use gristmill_subresources::{Subresources, SubresourcesConfig};
use sites::Sites;

type Failure = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let modules = arguments.next().ok_or("the folder `node_modules` is missing")?;
    let rounds: usize = arguments.next().map_or(Ok(5), |rounds| rounds.parse())?;
    let program = arguments.next().map(Into::into);
    let sites = Sites::start(Path::new(&modules))?;
    let pages = sites.pages();
    println!("{} pages, {rounds} rounds", pages.len());
    println!("| tier | CPU median | CPU p95 | wall median | peak median | peak p95 | PSS median | pages/s |");
    println!("|---|---|---|---|---|---|---|---|");
    plain(&pages, rounds);
    for mode in [RenderMode::Styles, RenderMode::Scripts] {
        let settings = BrowserConfig { program: program.clone(), ..BrowserConfig::default() };
        drawn(&pages, rounds, mode, settings).await?;
    }
    Ok(())
}

/// Extraction alone.
fn plain(pages: &[(String, String)], rounds: usize) {
    let reader = PageReader::default();
    let (mut seconds, begun) = (Vec::new(), Instant::now());
    for (url, html) in pages.iter().cycle().take(pages.len() * rounds) {
        let begun = Instant::now();
        let parsed = reader.parse(html.as_bytes(), &CharsetHints { url: Some(url), ..CharsetHints::default() });
        let reading = parsed.read(reader.options());
        std::hint::black_box(&reading.document);
        seconds.push(begun.elapsed().as_secs_f64());
    }
    let rate = seconds.len() as f64 / begun.elapsed().as_secs_f64();
    let (middle, high) = (at(&mut seconds, 0.5), at(&mut seconds, 0.95));
    println!("| plain | {:.1} ms | {:.1} ms | {:.1} ms | | | | {rate:.0} |", middle * 1e3, high * 1e3, middle * 1e3);
}

async fn drawn(
    pages: &[(String, String)],
    rounds: usize,
    mode: RenderMode,
    settings: BrowserConfig,
) -> Result<(), Failure> {
    let fetch = FetchConfig { allow_private: true, ..FetchConfig::default() };
    // All pages stand on one host here.
    let config = SubresourcesConfig { per_minute: 1_000_000, ..SubresourcesConfig::default() };
    let resources = Subresources::new(&config, &fetch)?;
    let mut browser = Browser::start(settings).await?;
    let [mut cpu, mut wall, mut peak, mut pss] = [const { Vec::new() }; 4];
    let begun = Instant::now();
    let mut apart = Duration::ZERO;
    for (url, html) in pages.iter().cycle().take(pages.len() * rounds) {
        let page = RenderRequest::html(url.clone(), html.clone());
        let drawn = browser.render(&page, mode, &resources.of_page(&url.parse()?)).await?;
        let has_text = drawn.html.contains("five hundred years");
        if mode == RenderMode::Scripts && !has_text {
            return Err(format!("`{url}` was not drawn: {drawn:?}").into());
        }
        cpu.push(drawn.cpu.as_secs_f64());
        wall.push(drawn.duration.as_secs_f64());
        peak.push(drawn.peak_bytes as f64);
        let begun = Instant::now();
        pss.push(browser.pid().map_or(0.0, share_of));
        apart += begun.elapsed();
    }
    let rate = cpu.len() as f64 / (begun.elapsed() - apart).as_secs_f64();
    println!(
        "| {} | {:.0} ms | {:.0} ms | {:.0} ms | {:.0} MB | {:.0} MB | {:.0} MB | {rate:.1} |",
        mode.as_str(),
        at(&mut cpu, 0.5) * 1e3,
        at(&mut cpu, 0.95) * 1e3,
        at(&mut wall, 0.5) * 1e3,
        at(&mut peak, 0.5) / 1e6,
        at(&mut peak, 0.95) / 1e6,
        at(&mut pss, 0.5) / 1e6,
    );
    eprintln!("{}: {} starts, {:?}", browser.product(), browser.starts(), resources.tally());
    Ok(())
}

fn at(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * share) as usize]
}

/// Proportional set size of a process and all that descend from it, in bytes: memory with its part of what is shared, files too.
fn share_of(root: u32) -> f64 {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for pid in pids {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let parent = stat.rsplit_once(") ").and_then(|(_, rest)| rest.split(' ').nth(1)?.parse().ok());
        if let Some(parent) = parent {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut all = vec![root];
    let mut next = 0;
    while let Some(pid) = all.get(next) {
        let below = children.remove(pid).unwrap_or_default();
        all.extend(below);
        next += 1;
    }
    let kilobytes = |pid: &u32| {
        let rollup = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
        let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
        line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<f64>().ok()).unwrap_or(0.0)
    };
    all.iter().map(kilobytes).sum::<f64>() * 1024.0
}
