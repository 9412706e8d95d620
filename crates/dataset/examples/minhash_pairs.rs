//! The pairs of texts that share a MinHash key: a JSON string a line on standard input, the numbers of two lines a line on standard
//! output.

use std::collections::{BTreeSet, HashMap};
use std::io::BufRead;

use gristmill_dataset::duplicates::{MinHashOptions, MinHasher};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut hasher = MinHasher::new(MinHashOptions::default());
    let mut groups: HashMap<(usize, u64), Vec<usize>> = HashMap::new();
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let text: String = serde_json::from_str(&line?)?;
        for (bucket, key) in hasher.keys(&text).unwrap_or_default().iter().enumerate() {
            groups.entry((bucket, *key)).or_default().push(number);
        }
    }
    let mut pairs = BTreeSet::new();
    for group in groups.values() {
        pairs.extend(group.iter().enumerate().flat_map(|(at, a)| group[at + 1..].iter().map(move |b| (*a, *b))));
    }
    pairs.iter().for_each(|(a, b)| println!("{a} {b}"));
    Ok(())
}
