//! Cost of the canonical form, the key and the registrable domain of one link.

use gristmill_urls::{CanonicalUrl, TrapLimits, Url, UrlKey, find_trap};

fn main() {
    divan::main();
}

const LINK: &str = "../2026/11/a-headline-of-usual-length.html?id=71423&utm_source=home#comments";

#[divan::bench]
fn parse_relative(bencher: divan::Bencher) {
    let base = Url::parse("https://www.example.co.uk/news/index.html").expect("a URL");
    bencher.bench(|| CanonicalUrl::parse(divan::black_box(LINK), Some(&base)));
}

#[divan::bench]
fn parse_canonical(bencher: divan::Bencher) {
    bencher.bench(|| {
        CanonicalUrl::parse(divan::black_box("https://www.example.co.uk/news/2026/11/a-headline.html?id=71423"), None)
    });
}

#[divan::bench]
fn key(bencher: divan::Bencher) {
    bencher.bench(|| UrlKey::of(divan::black_box("https://www.example.co.uk/news/2026/11/a-headline.html?id=71423")));
}

#[divan::bench]
fn domain(bencher: divan::Bencher) {
    bencher.bench(|| gristmill_urls::registrable_domain(divan::black_box("www.example.co.uk")));
}

#[divan::bench]
fn trap(bencher: divan::Bencher) {
    let url: CanonicalUrl = "https://www.example.co.uk/news/2026/11/a-headline.html?id=71423".parse().expect("a URL");
    bencher.bench(|| find_trap(divan::black_box(&url), &TrapLimits::default(), Some(2026)));
}
