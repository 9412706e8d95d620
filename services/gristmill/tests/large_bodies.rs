//! Pages that no record of the log can hold: by the blob store into the index, the same as if they were small.

mod common;

use std::io::{Read, Write};
use std::path::Path;

use common::{Crawl, text};
use gristmill_index::Document;
use gristmill_testweb::{Site, SiteConfig, TestWeb};

/// The smallest record that the settings allow, and what travels in it.
const MAX_RECORD: usize = 80 << 10;
const INLINE: usize = 16 << 10;

/// Bytes of a page as the fetcher would carry it, about: packed.
fn carried(web: &TestWeb, url: &str) -> usize {
    let (host, path) = url.trim_start_matches("http://").split_once('/').unwrap();
    let mut stream = std::net::TcpStream::connect(web.addr()).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(&answer).unwrap();
    packed.finish().unwrap().len()
}

fn files(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries.map(|entry| entry.unwrap().path()).map(|path| if path.is_dir() { files(&path) } else { 1 }).sum()
}

#[test]
fn a_body_that_no_record_can_hold_is_indexed_as_any_other() {
    let config = SiteConfig { n_hosts: 2, n_pages: 4, n_paragraphs: 2_500, special: false, ..SiteConfig::default() };
    let web = TestWeb::start(Site::new(config)).unwrap();
    let calm = Crawl::of(&web, "0s", "");
    calm.run();
    let (calm, _) = calm.documents();
    let large = calm.keys().filter(|url| carried(&web, url) > MAX_RECORD).count();
    assert!(large >= 8, "{large} pages are too large for a record: make the paragraphs more");

    let settings = format!("[log]\nmax_record_bytes = {MAX_RECORD}\n[blobs]\ninline_limit = {INLINE}\n");
    let crawl = Crawl::of(&web, "0s", &settings);
    let output = crawl.run();
    let (documents, counts) = crawl.documents();
    assert_eq!(documents.keys().collect::<Vec<_>>(), calm.keys().collect::<Vec<_>>(), "{}", text(&output));
    assert!(counts.values().all(|count| *count == 1), "{counts:?}");
    for (url, document) in &documents {
        let calm = Document { fetched_at: document.fetched_at, ..calm[url].clone() };
        assert_eq!(&calm, document, "{url}");
    }
    let longest = documents.values().max_by_key(|document| document.text.len()).unwrap();
    assert!(longest.text.len() > 500_000, "{} bytes of text", longest.text.len());
    let words: Vec<&str> = longest.text.split_whitespace().rev().take(6).collect();
    let phrase = words.into_iter().rev().collect::<Vec<_>>().join(" ");
    let hits = crawl.search(&format!("\"{}\"", phrase.replace('"', " ")));
    assert!(hits.contains(&longest.url), "the last words of {} find {hits:?}", longest.url);
    assert_eq!(files(&crawl.data().join("blobs")), 0, "a body that was read stays in the blob store");
}
