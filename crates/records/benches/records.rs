//! Cost of the records of a page beside the cost of its parse.

use std::io::Read;
use std::path::PathBuf;

use divan::Bencher;
use divan::counter::BytesCount;
use gristmill_html::{Doc, TreeLimits, decode};
use gristmill_page::Page;
use gristmill_records::{Dictionary, PairMethod, RecordOptions, records, structured};

fn main() {
    Dictionary::built_in();
    divan::main();
}

/// Some 60 kB: navigation, a specification of 40 rows, reviews and related products.
fn generated() -> Vec<String> {
    let mut html = String::from("<title>Lamp Nova</title><body><ul class=nav>");
    for n in 0..200 {
        html.push_str(&format!("<li class=\"nav-item nav-{n}\"><a href=/c/{n}>Category {n}</a></li>"));
    }
    html.push_str("</ul><h1>Lamp Nova</h1><div class=price>$49.90</div><table class=specs>");
    for n in 0..40 {
        html.push_str(&format!("<tr><th>Property {n}</th><td>{n} cm</td></tr>"));
    }
    html.push_str("</table>");
    while html.len() < 60_000 {
        html.push_str(
            "<div class=\"review card\"><b>By: somebody</b><p>It is good: I like it. I would buy it again.</p></div>",
        );
    }
    vec![html]
}

/// The pages of the permissive product packages, if they are there.
fn real() -> Vec<String> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let data = PathBuf::from(std::env::var("GRISTMILL_DATA").unwrap_or_else(|_| default.into()));
    let mut paths: Vec<PathBuf> = ["wcxb-product-dev", "zyte-product-benchmark"]
        .iter()
        .filter_map(|package| std::fs::read_dir(data.join("products").join(package).join("pages")).ok())
        .flat_map(|folder| folder.filter_map(|entry| Some(entry.ok()?.path())))
        .filter(|path| path.extension().is_some_and(|end| end == "gz"))
        .collect();
    if paths.is_empty() {
        eprintln!("SKIPPED: no product packages below {}", data.display());
    }
    paths.sort();
    let read = |path: &PathBuf| {
        let mut bytes = Vec::new();
        flate2::read::GzDecoder::new(std::fs::File::open(path).ok()?).read_to_end(&mut bytes).ok()?;
        Some(decode(&bytes, None).text.into_owned())
    };
    paths.iter().filter_map(read).collect()
}

fn over(bencher: Bencher, pages: &[String], mut work: impl FnMut(&Doc)) {
    let bytes: usize = pages.iter().map(String::len).sum();
    let docs: Vec<Doc> = pages.iter().map(|html| Doc::parse(html, &TreeLimits::default())).collect();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| docs.iter().for_each(&mut work));
}

fn parse(bencher: Bencher, pages: &[String]) {
    let bytes: usize = pages.iter().map(String::len).sum();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        for html in pages {
            divan::black_box(Doc::parse(html, &TreeLimits::default()));
        }
    });
}

#[divan::bench(sample_count = 10)]
fn parse_generated(bencher: Bencher) {
    parse(bencher, &generated());
}

#[divan::bench(sample_count = 10)]
fn records_generated(bencher: Bencher) {
    over(bencher, &generated(), |doc| _ = divan::black_box(records(&Page::new(doc), None, &RecordOptions::default())));
}

#[divan::bench(sample_count = 3)]
fn parse_real(bencher: Bencher) {
    parse(bencher, &real());
}

#[divan::bench(sample_count = 3, args = [PairMethod::Records, PairMethod::Hmm])]
fn records_real(bencher: Bencher, method: PairMethod) {
    let options = RecordOptions { method, ..RecordOptions::default() };
    over(bencher, &real(), |doc| _ = divan::black_box(records(&Page::new(doc), None, &options)));
}

/// What records share with all that else is read from a page.
#[divan::bench(sample_count = 3)]
fn page_real(bencher: Bencher) {
    over(bencher, &real(), |doc| {
        let page = Page::new(doc);
        divan::black_box(page.named());
        divan::black_box(&page);
    });
}

#[divan::bench(sample_count = 3)]
fn structured_real(bencher: Bencher) {
    over(bencher, &real(), |doc| _ = divan::black_box(structured(&Page::new(doc), None)));
}
