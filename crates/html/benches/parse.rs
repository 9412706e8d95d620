//! Speed of decoding and parsing, on a generated page of 90 kB.

use divan::Bencher;
use divan::counter::BytesCount;
use gristmill_html::{Doc, Limits, decode};

fn main() {
    divan::main();
}

/// Navigation, nested blocks, paragraphs with links, attributes and entities, in the proportions of news pages.
fn page() -> String {
    let mut html = String::from("<!doctype html><html lang=en><head><title>A generated page</title></head><body>");
    let mut n = 0;
    while html.len() < 90_000 {
        n += 1;
        html.push_str(&format!(
            "<div class=\"card card--wide item-{n}\" id=\"c{n}\"><a class=\"nav-link\" href=\"/section/{n}?a=1&amp;b=2\"><span>Link {n}</span></a>\
             <p>Paragraph {n} holds a sentence, some &quot;quotes&quot;, and <em>emphasis</em> about this and that.</p>\
             <ul><li><a href=\"/x/{n}\">One</a><li>Two</ul></div>\n"
        ));
    }
    html
}

#[divan::bench]
fn parse(bencher: Bencher) {
    let html = page();
    bencher.counter(BytesCount::of_str(&html)).bench(|| Doc::parse(&html, &Limits::default()));
}

#[divan::bench]
fn decode_utf8(bencher: Bencher) {
    let html = page();
    bencher.counter(BytesCount::of_str(&html)).bench(|| decode(html.as_bytes(), Some("text/html; charset=utf-8")));
}

#[divan::bench]
fn decode_detected_gbk(bencher: Bencher) {
    let bytes = encoding_rs::GBK.encode("<p>这是一个没有声明编码的中文网页，需要检测。</p>").0.repeat(1500);
    bencher.counter(BytesCount::of_slice(&bytes)).bench(|| decode(&bytes, None));
}

/// Context and token, with a bar between: repetitions that cost html5ever most for their length. All
/// contexts and tokens: `cargo run --release -p gristmill-extractor --example repetitions`.
const REPETITIONS: &[&str] = &[
    "<p>|</",
    "<p>|</1",
    "<p>|</ ",
    "<svg><![CDATA[|</p>",
    "<b><i><u>|<p>",
    "<table>|x<a>",
    "<table><tr>|<td>",
    "<p |a=b ",
    "|&amp",
    "|\u{1112}\u{1161}\u{11ab}",
];

#[divan::bench(args = REPETITIONS)]
fn parse_repeated(bencher: Bencher, repetition: &str) {
    let (context, token) = repetition.split_once('|').expect("a bar");
    let html = format!("{context}{}", token.repeat(1_000_000 / token.len()));
    bencher.counter(BytesCount::of_str(&html)).bench(|| Doc::parse(&html, &Limits::default()));
}

/// Bytes that are no text in any charset.
#[divan::bench]
fn decode_ff(bencher: Bencher) {
    let bytes = vec![0xff; 1_000_000];
    bencher.counter(BytesCount::of_slice(&bytes)).bench(|| decode(&bytes, None));
}
