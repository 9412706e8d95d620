//! The guides for a first hour: their commands work one after the other, on a site and an archive of this test.

use crate::common;

use std::path::Path;

use common::server::{HTML, serve};
use common::{commands, finish, shell, text};
use gristmill_warc::write::{NewRecord, WarcWriter, urn_uuid};

const STORY: &str = "<html lang=en><title>The election of the miller</title><meta property=og:type content=article>
    <meta property=article:published_time content=2025-05-02T08:00:00Z><article><h1>The election of the miller</h1>
    <p>The valley chose its miller on Sunday, and the election took all day, since each voter brought grain and had it ground.</p>
    <p>The climate law was on the paper, too. Nobody could say in the evening which of the two questions had been longer.</p></article>";
const PRODUCT: &str =
    "<html lang=en><title>Hand mill</title><h1>Hand mill</h1><p>$49.00</p><button>Add to cart</button>
    <table><tr><th>Brand</th><td>Steinhauer</td></tr><tr><th>Weight</th><td>1.2 kg</td></tr>
    <tr><th>Material</th><td>Cast iron</td></tr><tr><th>Colour</th><td>Black</td></tr></table>";

/// Runs the commands of a page in `folder`; `site` is where its addresses lead.
fn follow(page: &str, n_least: usize, folder: &Path, site: &str) {
    let commands: Vec<String> =
        commands(&format!("docs/{page}")).into_iter().filter(|line| line.starts_with("gristmill ")).collect();
    assert!(commands.len() >= n_least, "{commands:?}");
    for line in commands {
        let line = line.replace("https://news.example", site).replace("https://shop.example", site);
        let mut command = shell(&line);
        command.current_dir(folder).env("GRISTMILL__FETCH__ALLOW_PRIVATE", "true");
        command.env("GRISTMILL__FRONTIER__POLITENESS__MIN_DELAY", "0s");
        let output = finish(command);
        assert!(output.status.success(), "{line}: {}", text(&output));
    }
}

fn site(page: &'static str) -> String {
    let address = serve(move |_, path| match path {
        "/" => ("200 OK", HTML, "<title>Home</title><p>See <a href=/mill>the mill</a>.</p>".to_owned()),
        "/mill" => ("200 OK", HTML, page.to_owned()),
        _ => ("404 Not Found", HTML, String::new()),
    });
    format!("http://{address}")
}

#[test]
fn a_news_corpus_is_crawled_searched_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    follow("news-corpus.md", 6, folder.path(), &site(STORY));
    assert!(folder.path().join("news-dataset/manifest.json").exists());
}

#[test]
fn prices_are_harvested_into_a_table() {
    let folder = tempfile::tempdir().unwrap();
    follow("price-harvest.md", 8, folder.path(), &site(PRODUCT));
    let table = std::fs::read_to_string(folder.path().join("products.csv")).unwrap();
    assert!(table.contains("49.00") && table.contains("Steinhauer"), "{table}");
}

#[test]
fn an_archive_becomes_datasets_and_an_index() {
    let folder = tempfile::tempdir().unwrap();
    let mut archive = WarcWriter::new(Vec::new());
    let id = urn_uuid([1; 16]);
    let record = NewRecord::response(&id, "2026-01-02T03:04:05Z", "https://mill.example/");
    let head: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n";
    archive.write(&record, &[head, STORY.as_bytes()]).unwrap();
    std::fs::write(folder.path().join("crawl.warc.gz"), archive.into_inner()).unwrap();
    follow("common-crawl-dataset.md", 7, folder.path(), "http://127.0.0.1:1");
    for name in ["corpus", "unique", "like-fineweb", "lines"] {
        assert!(folder.path().join(name).join("manifest.json").exists(), "{name}");
    }
}
