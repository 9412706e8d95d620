//! How many product pages are still taken for products when their words are in a language that does not exist.
//!
//! ```sh
//! cargo run --release -p gristmill-reading --example made_up -- PACKAGE_DIR...
//! ```
//! Takes the folders of packages; prints pages taken for products with their own words and with made-up ones, and the pages lost.

use std::io::Read;
use std::path::Path;

use gristmill_extract::PageKind;
use gristmill_reading::{CharsetHints, PageReader};
use gristmill_records::training::PseudoLanguage;

fn main() -> std::io::Result<()> {
    let reader = PageReader::default();
    let (mut n, mut own, mut made_up, mut pairs) = (0, 0, 0, [0, 0]);
    for folder in std::env::args().skip(1) {
        let mut pages: Vec<_> = std::fs::read_dir(Path::new(&folder).join("pages"))?.collect::<Result<_, _>>()?;
        pages.sort_by_key(std::fs::DirEntry::file_name);
        for page in
            pages.iter().map(std::fs::DirEntry::path).filter(|path| path.extension().is_some_and(|end| end == "gz"))
        {
            let mut bytes = Vec::new();
            flate2::read::GzDecoder::new(std::fs::File::open(&page)?).read_to_end(&mut bytes)?;
            let text = gristmill_html::decode(&bytes, None).text;
            let kinds = [text.to_string(), PseudoLanguage::new(n).html(&text)].map(|html| {
                let parsed = reader.parse(html.as_bytes(), &CharsetHints::default());
                let reading = parsed.read(reader.options());
                let by_model = reading.document.types.kinds()[PageKind::Product as usize];
                let decision = reading.decide();
                let n_pairs = decision.records.as_ref().map_or(0, |records| records.pairs.len());
                (decision.kind == PageKind::Product, by_model, n_pairs)
            });
            n += 1;
            own += u32::from(kinds[0].0);
            made_up += u32::from(kinds[1].0);
            (0..2).for_each(|at| pairs[at] += kinds[at].2);
            if kinds[0].0 != kinds[1].0 {
                println!("{}\t{:?}\t{:?}", page.display(), kinds[0], kinds[1]);
            }
        }
    }
    println!("{n} pages: {own} products by their own words, {made_up} by made-up words; {pairs:?} pairs");
    Ok(())
}
