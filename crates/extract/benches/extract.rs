//! Speed of everything after the parse, on a generated page and on the optional real ones.
//!
//! `method` shows each method beside `parse_of_the_same_pages`; both times are of the whole sample, 100 pages where the
//! real ones are there, so that milliseconds of the sample are tens of microseconds a page.

use std::io::Read;
use std::path::PathBuf;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use gristmill_extract::{ExtractOptions, Method, MethodInput, Page, Trace, extract, methods, types_of};
use gristmill_html::{Doc, TreeLimits, decode};

fn main() {
    divan::main();
}

/// Some 90 kB: navigation, an article of forty paragraphs, and boxes around it.
fn generated() -> Vec<String> {
    let mut html =
        String::from("<html lang=en><head><title>The storm hits the coast - Daily</title></head><body><ul class=nav>");
    for n in 0..150 {
        html.push_str(&format!("<li class=\"nav-item nav-item--{n}\"><a class=\"nav-link\" href=\"/section/{n}?ref=nav\">Section {n}</a></li>"));
    }
    html.push_str("</ul><main><article><h1>The storm hits the coast</h1>");
    for n in 0..40 {
        html.push_str(&format!("<p>Paragraph {n}: the storm near the coast went on, people said, and <a href=\"/p{n}\">nobody</a> knew when it would end. {}</p>", "More of the same words, again. ".repeat(8)));
    }
    html.push_str("</article></main>");
    while html.len() < 90_000 {
        html.push_str("<div class=\"teaser teaser--small\"><a href=\"/t\"><img src=i.jpg alt=x><span class=\"t\">Another story, elsewhere</span></a></div>");
    }
    vec![html]
}

/// The first 100 pages of the WCXB development package, if it is there.
fn real() -> Vec<String> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let data = PathBuf::from(std::env::var("GRISTMILL_DATA").unwrap_or_else(|_| default.into()));
    let Ok(folder) = std::fs::read_dir(data.join("articles/wcxb-dev/pages")) else {
        eprintln!("SKIPPED: no test packages below {}", data.display());
        return Vec::new();
    };
    let mut paths: Vec<_> = folder
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|end| end == "gz"))
        .collect();
    paths.sort();
    paths
        .iter()
        .take(100)
        .filter_map(|path| {
            let mut bytes = Vec::new();
            flate2::read::GzDecoder::new(std::fs::File::open(path).ok()?).read_to_end(&mut bytes).ok()?;
            Some(decode(&bytes, None).text.into_owned())
        })
        .collect()
}

fn over(bencher: Bencher, pages: Vec<String>, mut work: impl FnMut(&Doc)) {
    let bytes: usize = pages.iter().map(String::len).sum();
    let docs: Vec<Doc> = pages.iter().map(|html| Doc::parse(html, &TreeLimits::default())).collect();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| docs.iter().for_each(&mut work));
}

#[divan::bench(args = ["generated", "real"])]
fn parse(bencher: Bencher, which: &str) {
    let pages = pages(which);
    let bytes: usize = pages.iter().map(String::len).sum();
    bencher
        .counter(BytesCount::new(bytes))
        .bench_local(|| pages.iter().map(|html| Doc::parse(html, &TreeLimits::default()).len()).sum::<usize>());
}

#[divan::bench(args = ["generated", "real"])]
fn statistics(bencher: Bencher, which: &str) {
    over(bencher, pages(which), |doc| {
        divan::black_box(Page::new(doc).rows.len());
    });
}

/// The page type model alone: shared statistics are there already.
#[divan::bench(args = ["generated", "real"])]
fn page_types(bencher: Bencher, which: &str) {
    let docs: Vec<Doc> = pages(which).iter().map(|html| Doc::parse(html, &TreeLimits::default())).collect();
    let pages: Vec<Page<'_>> = docs.iter().map(Page::new).collect();
    bencher.counter(ItemsCount::new(pages.len())).bench_local(|| {
        for page in &pages {
            divan::black_box(types_of(page, Some("https://a.example/news/2021/the-storm-hits-the-coast")));
        }
    });
}

const QUERY: MethodInput<'static> = MethodInput {
    title: Some("The storm hits the coast"),
    description: "",
    layout: None,
    types: None,
    variants: false,
};

fn names() -> Vec<&'static str> {
    methods().iter().map(|info| info.name).collect()
}

/// The real pages, or the generated one where they are missing.
fn sample() -> Vec<String> {
    Some(real()).filter(|pages| !pages.is_empty()).unwrap_or_else(generated)
}

#[divan::bench]
fn parse_of_the_same_pages(bencher: Bencher) {
    let pages = sample();
    let parse = |html: &String| Doc::parse(html, &TreeLimits::default()).len();
    bencher.counter(ItemsCount::new(pages.len())).bench_local(|| pages.iter().map(parse).sum::<usize>());
}

/// The method alone: shared statistics are there already.
#[divan::bench(args = names())]
fn method(bencher: Bencher, name: &str) {
    let method: Method = name.parse().expect("a listed method");
    let docs: Vec<Doc> = sample().iter().map(|html| Doc::parse(html, &TreeLimits::default())).collect();
    let pages: Vec<Page<'_>> = docs.iter().map(Page::new).collect();
    let run = || {
        for page in &pages {
            divan::black_box(method.extractor().select(page, &QUERY, &mut Trace::default()));
        }
    };
    run();
    bencher.counter(ItemsCount::new(pages.len())).bench_local(run);
}

/// Statistics and all methods on one page: to be compared with the sum of the methods alone.
#[divan::bench]
fn all_methods_on_one_page(bencher: Bencher) {
    let methods: Vec<Method> = names().iter().map(|name| name.parse().expect("a listed method")).collect();
    let docs: Vec<Doc> = sample().iter().map(|html| Doc::parse(html, &TreeLimits::default())).collect();
    bencher.counter(ItemsCount::new(docs.len())).bench_local(|| {
        for doc in &docs {
            let page = Page::new(doc);
            for method in &methods {
                divan::black_box(method.extractor().select(&page, &QUERY, &mut Trace::default()));
            }
        }
    });
}

#[divan::bench(args = ["generated", "real"])]
fn whole_document(bencher: Bencher, which: &str) {
    over(bencher, pages(which), |doc| {
        divan::black_box(extract(doc, &ExtractOptions::default()));
    });
}

/// As `whole_document` with posts, comments and items; the difference is what they cost.
#[divan::bench(args = ["generated", "real"])]
fn whole_document_with_parts(bencher: Bencher, which: &str) {
    over(bencher, pages(which), |doc| {
        divan::black_box(extract(doc, &ExtractOptions { parts: true, ..ExtractOptions::default() }));
    });
}

fn pages(which: &str) -> Vec<String> {
    if which == "real" { real() } else { generated() }
}
