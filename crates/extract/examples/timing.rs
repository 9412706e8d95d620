//! Processor time of the parse and of everything after it, page by page.
//!
//! ```sh
//! cargo run --release -p gristmill-extract --example timing ../shared/data/articles/wcxb-dev/pages
//! ```
//!
//! Takes a folder of `*.html.gz` or `*.html`. Each page is done three times, its quickest turn counts, and the two
//! times of a page are of the same turn's interleaving, so that what disturbs one disturbs the other.

use std::path::Path;

use cpu_time::ThreadTime;
use gristmill_extract::{ExtractOptions, Method, MethodInput, Page, Trace, extract_from, types_of};
use gristmill_html::{Doc, TreeLimits, decode};

#[path = "pages/mod.rs"]
mod pages;

const TURNS: usize = 3;
const COLUMNS: [&str; 5] = ["parse", "statistics", "page types", "best", "all after the parse"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("which folder of pages?")?;
    let mut times: Vec<[f64; COLUMNS.len()]> = Vec::new();
    for path in pages::below(Path::new(&folder))? {
        times.push(time(&pages::read(&path)?));
    }
    println!("| µs over {} pages | mean | p50 | p95 | max |\n|---|---:|---:|---:|---:|", times.len());
    for (column, name) in COLUMNS.iter().enumerate() {
        print_line(name, times.iter().map(|times| times[column]).collect(), 0);
    }
    print_line("after the parse ∕ parse, page by page", times.iter().map(|times| times[4] / times[0]).collect(), 2);
    Ok(())
}

/// The quickest of the turns, in microseconds, by column.
fn time(bytes: &[u8]) -> [f64; COLUMNS.len()] {
    let text = decode(bytes, None).text;
    let mut quickest = [f64::INFINITY; COLUMNS.len()];
    for _ in 0..TURNS {
        let (doc, parse) = timed(|| Doc::parse(&text, &TreeLimits::default()));
        let (page, statistics) = timed(|| Page::new(&doc));
        let (types, page_types) = timed(|| types_of(&page, None));
        let query = MethodInput { types: Some(types), ..MethodInput::default() };
        let (_, best) = timed(|| Method::BEST.extractor().select(&page, &query, &mut Trace::default()));
        let (_, all) = timed(|| extract_from(&Page::new(&doc), &ExtractOptions::default()));
        for (quickest, time) in quickest.iter_mut().zip([parse, statistics, page_types, best, all]) {
            *quickest = quickest.min(time);
        }
    }
    quickest
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, f64) {
    let start = ThreadTime::now();
    let result = std::hint::black_box(work());
    (result, start.elapsed().as_secs_f64() * 1e6)
}

fn print_line(name: &str, mut values: Vec<f64>, digits: usize) {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values.get(((values.len() as f64 - 1.0) * share).round() as usize).copied().unwrap_or(0.0);
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    println!("| {name} | {mean:.digits$} | {:.digits$} | {:.digits$} | {:.digits$} |", at(0.5), at(0.95), at(1.0));
}
