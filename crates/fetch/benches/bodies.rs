//! How fast bodies are decoded and scanned for links, in bytes a second: `cargo bench -p gristmill-fetch`.

use std::io::Write as _;

use divan::Bencher;
use divan::counter::BytesCount;
use gristmill_fetch::{ContentEncoding, DecodeLimits, decode_body, scan};

fn main() {
    divan::main();
}

/// A page of some 90 kB with the tags, attributes and links of a news page.
fn page() -> String {
    let mut html = "<!DOCTYPE html><html><head><title>Page</title><meta charset=utf-8></head><body>\n".to_owned();
    html.push_str(&format!(
        "<script>{}</script>\n",
        "window.data = {a: 1, b: [2, 3]}; if (a < b) { f(); }\n".repeat(250)
    ));
    for n in 0..150 {
        html.push_str(&format!(
            "<div class=\"item item-{n} card\" id=\"i{n}\" data-x=\"{n}\"><h2 class=\"t\"><a class=\"link\" href=\"/news/2024/{n}.html?a=1&amp;b={n}\">\
             A headline with some words, number {n}</a></h2>\n<p class=\"teaser\">The text of a paragraph that goes on for a while, as \
             paragraphs do, with <em>some</em> words set apart and one <span class=\"x\">in a span</span>.</p>\n\
             <img src=\"/i/{n}.jpg\" alt=\"picture {n}\" width=\"320\" height=\"200\" loading=\"lazy\"></div>\n"
        ));
    }
    html.push_str("</body></html>");
    html
}

#[divan::bench]
fn scan_news_page(bencher: Bencher) {
    let html = page();
    bencher.counter(BytesCount::of_str(&html)).bench(|| scan(&html, "http://a.test/"));
}

#[divan::bench]
fn decode_gzip_page(bencher: Bencher) {
    let html = page();
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    writer.write_all(html.as_bytes()).unwrap();
    let packed = writer.finish().unwrap();
    bencher
        .counter(BytesCount::of_str(&html))
        .bench(|| decode_body(&packed, ContentEncoding::Gzip, DecodeLimits::default()).unwrap());
}
