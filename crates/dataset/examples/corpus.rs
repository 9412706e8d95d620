//! Time and memory for finding near-duplicates by MinHash: `corpus [MILLIONS]...`, 1 and 10 if none is named.
//!
//! First the cost of a text's keys, by texts of 300 words. Then for each number of documents the whole way but for their
//! texts: made keys of 14 buckets, runs in the temporary folder, clusters. One document in ten is like an earlier one.

use std::fs::File;
use std::hint::black_box;
use std::io::BufWriter;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::time::Instant;

use gristmill_dataset::duplicates::{
    DuplicateClusters, KeyRun, KeyRunBuilder, MinHashOptions, MinHasher, ReadAt, rank,
};

const BUCKETS: usize = 14;
/// Documents of a run, as the program makes them.
const RUN: u64 = 1 << 18;

/// A run's file, which is open only while it is read.
struct RunFile(PathBuf);

impl ReadAt for RunFile {
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> std::io::Result<()> {
        FileExt::read_exact_at(&File::open(&self.0)?, bytes, offset)
    }
}

fn mix(number: u64) -> u64 {
    let mixed = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

fn cost_of_keys() {
    let word = |n: u64| format!("word{} ", mix(n) % 30_000);
    let texts: Vec<String> = (0..1000).map(|n| (0..300).map(|at| word(n * 300 + at)).collect()).collect();
    let mut hasher = MinHasher::new(MinHashOptions::default());
    // The quickest of many rounds: others may use the machine.
    let round = |texts: &[String]| {
        let begun = Instant::now();
        texts.iter().for_each(|text| _ = black_box(hasher.keys(text)));
        begun.elapsed().as_secs_f64() * 1e6 / texts.len() as f64
    };
    let best = (0..10).flat_map(|_| texts.chunks(20)).map(round).fold(f64::MAX, f64::min);
    println!("keys of a text of 300 words: {best:.1} µs");
}

/// The document that another is like, and the keys that it shares with it.
fn keys(number: u64, keys: &mut [u64; BUCKETS]) {
    let is_copy = number > 0 && mix(number ^ 0xc0b1).is_multiple_of(10);
    let like = if is_copy { mix(number ^ 0x11ce) % number } else { number };
    for (bucket, key) in keys.iter_mut().enumerate() {
        let origin = if is_copy && bucket % 3 == 0 { like } else { number };
        *key = mix(mix(origin + 1) ^ bucket as u64);
    }
}

fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("").to_owned()
}

fn curve(documents: u64, threads: usize) -> std::io::Result<()> {
    let folder = tempfile::tempdir()?;
    let begun = Instant::now();
    let (mut runs, mut made) = (Vec::new(), [0; BUCKETS]);
    for first in (0..documents).step_by(RUN as usize) {
        let mut run = KeyRunBuilder::linked(BUCKETS);
        for number in first..documents.min(first + RUN) {
            keys(number, &mut made);
            run.push(rank(mix(number) % 5000, number), &made);
        }
        let path = folder.path().join(first.to_string());
        run.write(BufWriter::new(File::create(&path)?))?;
        runs.push(KeyRun::open(RunFile(path))?);
    }
    let written = begun.elapsed();
    let mut clusters = DuplicateClusters::find(&runs, 0, threads)?;
    let of_run = |run: usize| (0..runs[run].documents() as u32).map(move |number| (run, number));
    let n = (0..runs.len()).flat_map(of_run).filter(|(run, number)| clusters.original(*run, *number).is_some()).count();
    let all = begun.elapsed();
    println!("{documents} documents: {n} duplicates in {all:.1?}, of which runs {written:.1?}; {}", peak());
    Ok(())
}

fn main() -> std::io::Result<()> {
    let millions: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    cost_of_keys();
    let default = vec![1, 10];
    if millions.is_empty() { default } else { millions }.into_iter().try_for_each(|n| curve(n * 1_000_000, threads))
}
