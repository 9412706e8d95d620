//! The processor time of reading the pages of a folder, with nothing around the library.
//!
//! ```sh
//! cargo run --release -p gristmill-reading --example cpu_time DIR [ROUNDS]
//! ```
//!
//! Prints the seconds of each round over all files, from bytes to text, on one thread. `bindings/python/bench/overhead` compares
//! the Python package with it.

use cpu_time::ProcessTime;
use gristmill_extract::ExtractOptions;
use gristmill_reading::{CharsetHints, PageReader};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().ok_or("which folder?")?;
    let rounds: usize = args.next().map_or(Ok(1), |rounds| rounds.parse())?;
    let files = std::fs::read_dir(folder)?.map(|entry| std::fs::read(entry?.path()));
    let pages = files.collect::<Result<Vec<_>, _>>()?;
    let reader = PageReader::default();
    for _ in 0..rounds {
        let start = ProcessTime::now();
        let n_chars: usize = pages.iter().map(|page| read(&reader, page)).sum();
        println!("{:.4}", start.elapsed().as_secs_f64());
        assert!(n_chars > 0, "no page has a text");
    }
    Ok(())
}

fn read(reader: &PageReader, page: &[u8]) -> usize {
    let parsed = reader.parse(page, &CharsetHints::default());
    let reading = parsed.read(ExtractOptions { attach_title: true, ..reader.options() });
    reading.document.text.len()
}
