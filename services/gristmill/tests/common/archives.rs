//! Web archives for tests, of the articles of the gate.

use std::path::Path;

use gristmill_warc::write::{NewRecord, WarcWriter, urn_uuid};

/// WARC-Date of records that need none of their own.
pub const DATE: &str = "2026-01-02T03:04:05Z";

/// A page in an archive.
#[derive(Clone)]
pub struct Capture {
    pub url: String,
    pub date: &'static str,
    /// Header fields of the answer, each with its line break.
    pub fields: &'static str,
    pub body: Vec<u8>,
}

impl Capture {
    pub fn of(url: &str, date: &'static str, body: impl Into<Vec<u8>>) -> Capture {
        Capture { url: url.to_owned(), date, fields: "", body: body.into() }
    }
}

/// The articles of the gate, each at an address of its own site.
pub fn articles() -> Vec<Capture> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gate/articles-unseen");
    let package = gristmill_eval::Package::read(&folder).unwrap();
    let address = |n: usize| format!("https://site{n}.example/page");
    let pages = package.documents.iter().enumerate();
    pages.map(|(n, page)| Capture::of(&address(n), DATE, page.read_html().unwrap())).collect()
}

/// An archive of these pages, packed with gzip.
pub fn archive(pages: &[Capture]) -> Vec<u8> {
    let mut writer = WarcWriter::new(Vec::new());
    let id = |n: usize| urn_uuid((n as u128).to_be_bytes());
    writer.write(&NewRecord::warcinfo(&id(0), DATE, "a.warc.gz"), &[b"software: a test\r\n"]).unwrap();
    for (n, page) in pages.iter().enumerate() {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{}\r\n", page.fields);
        let record = id(n + 1);
        let record = NewRecord::response(&record, page.date, &page.url);
        writer.write(&record, &[head.as_bytes(), &page.body]).unwrap();
    }
    writer.into_inner()
}
