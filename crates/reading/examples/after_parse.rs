//! Processor time of the parse and of all that the product does with a page after it.
//!
//! ```sh
//! cargo run --release -p gristmill-reading --example after_parse DIR [TURNS]
//! ```
//!
//! Takes a folder of `*.html` or `*.html.gz`. "Read" is text and metadata, "decide" the kind and the product records, "JSON" the
//! answer as `gristmill extract --format json` writes it. The quickest of the turns of each page counts (3). The allocator is the
//! program's. With one turn the process is fit for `valgrind --tool=callgrind`, which counts instructions.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use cpu_time::ThreadTime;
use gristmill_reading::{CharsetHints, PageReader};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const COLUMNS: [&str; 5] = ["parse", "read", "decide", "JSON", "all after the parse"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().ok_or("which folder of pages?")?;
    let turns: usize = args.next().map_or(Ok(3), |turns| turns.parse())?;
    let files = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = files.collect::<std::io::Result<Vec<PathBuf>>>()?;
    paths.retain(|path| [".html", ".html.gz"].iter().any(|end| path.to_string_lossy().ends_with(end)));
    paths.sort();
    let reader = PageReader::default();
    let mut times = Vec::new();
    for path in paths {
        times.push(time(&reader, &bytes_of(&path)?, turns));
    }
    println!("| µs over {} pages | mean | p50 | p95 | max |\n|---|---:|---:|---:|---:|", times.len());
    for (column, name) in COLUMNS.iter().enumerate() {
        print_line(name, times.iter().map(|times| times[column]).collect());
    }
    Ok(())
}

fn bytes_of(path: &Path) -> std::io::Result<Vec<u8>> {
    let bytes = std::fs::read(path)?;
    if path.extension().is_none_or(|end| end != "gz") {
        return Ok(bytes);
    }
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut unpacked)?;
    Ok(unpacked)
}

/// The quickest of the turns, in microseconds, by column.
fn time(reader: &PageReader, bytes: &[u8], turns: usize) -> [f64; COLUMNS.len()] {
    let mut quickest = [f64::INFINITY; COLUMNS.len()];
    for _ in 0..turns {
        let (parsed, parse) = timed(|| reader.parse(bytes, &CharsetHints::default()));
        let (reading, read) = timed(|| parsed.read(reader.options()));
        let (_, decide) = timed(|| reading.decide());
        let (_, both) = timed(|| reading.json().to_string());
        let json = (both - decide).max(0.0);
        for (quickest, time) in quickest.iter_mut().zip([parse, read, decide, json, read + both]) {
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

fn print_line(name: &str, mut values: Vec<f64>) {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values.get(((values.len() as f64 - 1.0) * share).round() as usize).copied().unwrap_or(0.0);
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    println!("| {name} | {mean:.0} | {:.0} | {:.0} | {:.0} |", at(0.5), at(0.95), at(1.0));
}
