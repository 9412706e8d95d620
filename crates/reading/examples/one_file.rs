//! Reads a page from a file and prints what is known of it.
//!
//! ```sh
//! cargo run --release -p gristmill-reading --example one_file examples/site/index.html
//! ```

use gristmill_reading::{CharsetHints, PageReader};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("which file?")?;
    let bytes = std::fs::read(&path)?;
    let reader = PageReader::default();
    let parsed = reader.parse(&bytes, &CharsetHints::default());
    let reading = parsed.read(reader.options());
    let (document, decision) = (&reading.document, reading.decide());
    println!("{} ({:.2} sure)", decision.kind.as_str(), decision.probability);
    println!("by {}, {}", document.author.as_deref().unwrap_or("?"), document.published.as_deref().unwrap_or("?"));
    for pair in decision.records.iter().flat_map(|records| &records.pairs) {
        println!("{}: {}", pair.name, pair.value);
    }
    print!("\n{}", reading.markdown());
    Ok(())
}
