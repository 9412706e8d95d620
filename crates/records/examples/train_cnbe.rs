//! Co-trains the CNBE baseline on the permissively licensed product pages, without their gold, and writes its table.
//!
//! ```text
//! cargo run --release -p gristmill-records --example train_cnbe -- crates/records/model/cnbe.tsv PACKAGE_DIR...
//! ```

#[path = "common/mod.rs"]
#[allow(dead_code, reason = "shared by the examples; this one needs only the pages")]
mod common;

use std::path::Path;

use gristmill_html::Doc;
use gristmill_records::Dictionary;
use gristmill_records::cnbe::Cnbe;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let table = arguments.next().ok_or("the table's path is missing")?;
    let mut docs: Vec<Doc> = Vec::new();
    for package in arguments {
        let pages = common::load(Path::new(&package), &[])?;
        docs.extend(pages.iter().filter(|page| page.permissive).map(|page| page.doc()));
    }
    let model = Cnbe::train(&docs, &Dictionary::built_in());
    std::fs::write(table, model.to_table())?;
    println!("co-trained on {} pages", docs.len());
    Ok(())
}
