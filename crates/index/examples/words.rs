//! Makes `data/words.fst` from jieba's dictionary: `cargo run --release --example words DICT_TXT data/words.fst`.
//!
//! `DICT_TXT` is `src/data/dict.txt` of the jieba-rs in `Cargo.lock`, with one `word frequency tag` a line.

use std::collections::BTreeMap;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(dictionary), Some(out)) = (arguments.next(), arguments.next()) else {
        return Err("usage: words DICT_TXT OUT".into());
    };
    let text = std::fs::read_to_string(dictionary)?;
    let mut words: BTreeMap<&str, u64> = BTreeMap::new();
    for line in text.lines() {
        let mut parts = line.split_ascii_whitespace();
        let Some(word) = parts.next() else { continue };
        words.insert(word, parts.next().map_or(Ok(0), str::parse)?);
    }
    let mut map = tantivy_fst::MapBuilder::memory();
    map.extend_iter(words.iter().map(|(word, frequency)| (word, *frequency)))?;
    std::fs::write(&out, map.into_inner()?)?;
    eprintln!("{} words, frequencies {} in all", words.len(), words.values().sum::<u64>());
    Ok(())
}
