//! Speed of decoding and parsing: a generated page of 90 kB, real pages, documentation, one long text, markup alone, hostile pages.

use std::io::Read;
use std::path::Path;

use divan::Bencher;
use divan::counter::BytesCount;
use gristmill_html::{Doc, TreeLimits, decode};

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
    bencher.counter(BytesCount::of_str(&html)).bench(|| Doc::parse(&html, &TreeLimits::default()));
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

/// Prose without markup, and markup without prose.
#[divan::bench(args = ["text", "markup"])]
fn parse_extreme(bencher: Bencher, what: &str) {
    let part = match what {
        "text" => "The miller opens the gate, and the race brings the water from the weir to the wheel. ",
        _ => "<div class=a><span id=b><a href=/c><i></i></a></span></div>",
    };
    let html = part.repeat(1_000_000 / part.len());
    bencher.counter(BytesCount::of_str(&html)).bench(|| Doc::parse(&html, &TreeLimits::default()));
}

/// The first 300 pages of a package of the test data (`GRISTMILL_DATA`), decoded.
#[divan::bench(args = ["articles/wcxb-dev", "articles/zh-netease"])]
fn parse_package(bencher: Bencher, package: &str) {
    let data = std::env::var("GRISTMILL_DATA")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").into());
    parse_pages(bencher, &Path::new(&data).join(package).join("pages"));
}

/// The first 300 pages of a documentation site, nearly all tags, as its Debian package installs it.
#[divan::bench(args = ["python3-doc/html", "postgresql-doc-15/html", "apache2-doc/manual"])]
fn parse_documentation(bencher: Bencher, site: &str) {
    parse_pages(bencher, &Path::new("/usr/share/doc").join(site));
}

fn parse_pages(bencher: Bencher, folder: &Path) {
    let pages = pages(folder);
    if pages.is_empty() {
        return eprintln!("SKIPPED: no pages in {}", folder.display());
    }
    let bytes: usize = pages.iter().map(String::len).sum();
    bencher
        .counter(BytesCount::new(bytes))
        .bench(|| pages.iter().map(|html| Doc::parse(html, &TreeLimits::default()).len()).sum::<usize>());
}

/// The first pages below a folder, by name.
fn pages(folder: &Path) -> Vec<String> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            let name = path.to_string_lossy();
            if path.is_dir() {
                folders.push(path);
            } else if [".html", ".html.gz", ".html.en"].iter().any(|end| name.ends_with(end)) {
                files.push(path);
            }
        }
    }
    files.sort();
    files.iter().take(300).map(|path| read(path)).collect()
}

fn read(path: &Path) -> String {
    let mut bytes = std::fs::read(path).unwrap();
    if bytes.starts_with(b"\x1f\x8b") {
        let mut plain = Vec::new();
        flate2::read::MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut plain).unwrap();
        bytes = plain;
    }
    decode(&bytes, None).text.into_owned()
}

/// Context and token, with a bar between, of hostile pages: what makes a parser slow that walks its stack for each tag, compares
/// attributes with each other, or searches to the end of the page time and again. All contexts and tokens: `cargo run --release
/// -p gristmill-extractor --example repetitions`.
const HOSTILE: &[&str] = &[
    "|<b>",
    "<p |a=b ",
    "|<table><tr><td>",
    "<table>|x<a>",
    "<table>|x<td>y</td>",
    "|<select><option>x",
    "|<template><td>x",
    "|<!--x-->",
    "|<!--",
    "<plaintext>|</p>",
    "|<a><b><div></a></b>",
    "<b><i><u>|<p>",
    "|<svg><g>",
    "<svg><![CDATA[|</p>",
    "<script>|<!--<script",
    "|&notit",
    "<p>|</",
    "|\u{1112}\u{1161}\u{11ab}",
];

/// Ten times the bytes must cost no more than ten times the time.
#[divan::bench(args = HOSTILE, consts = [1_000_000, 10_000_000], max_time = 1)]
fn parse_hostile<const N: usize>(bencher: Bencher, repetition: &str) {
    let (context, token) = repetition.split_once('|').expect("a bar");
    let html = format!("{context}{}", token.repeat(N / token.len()));
    bencher.counter(BytesCount::of_str(&html)).bench(|| Doc::parse(&html, &TreeLimits::default()));
}

/// Bytes that are no text in any charset.
#[divan::bench]
fn decode_ff(bencher: Bencher) {
    let bytes = vec![0xff; 1_000_000];
    bencher.counter(BytesCount::of_slice(&bytes)).bench(|| decode(&bytes, None));
}
