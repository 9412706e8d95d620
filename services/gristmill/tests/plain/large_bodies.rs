//! Pages that no record of the log can hold: by the blob store into the index, the same as if they were small.

use crate::common;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;

use common::server::{HTML, serve};
use common::{finish, gristmill, text};
use gristmill_index::{IndexDocument, IndexReader};

/// The smallest record that the settings allow.
const MAX_RECORD: usize = 640 << 10;

/// Bytes that do not pack, as base64 in a page: pictures that stand in the HTML itself.
fn noise(length: usize) -> String {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut x = 88_172_645_463_325_252_u64;
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        char::from(alphabet[x as usize % 64])
    };
    (0..length).map(|_| next()).collect()
}

fn article(title: &str, sentences: usize, picture: &str) -> String {
    let more =
        "It tells of the mill, of its wheel, and of the water that turns it; of the miller, too, who grinds by night. ";
    let story: String =
        (0..sentences).map(|n| format!("<p>Sentence {n} of {title} begins here. {}</p>", more.repeat(4))).collect();
    format!(
        "<html><head><title>{title}</title></head><body><h1>{title}</h1><img src=\"data:image/png;base64,{picture}\">\
         {story}</body></html>"
    )
}

/// A site of four pages, the home page among them.
fn site() -> BTreeMap<&'static str, String> {
    let home = "<title>Mills</title><h1>Mills</h1><p>Three mills, told in three pages, for you to read in peace.</p>\
                <a href=/small>The small mill</a> <a href=/pictures>The painted mill</a> <a href=/novel>The endless mill</a>";
    BTreeMap::from([
        ("/", home.to_owned()),
        ("/small", article("The small mill", 12, "")),
        ("/pictures", article("The painted mill", 40, &noise(1_500_000))),
        ("/novel", article("The endless mill", 2_500, "")),
    ])
}

fn crawl(address: SocketAddr, settings: &str) -> (tempfile::TempDir, BTreeMap<String, IndexDocument>) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("gristmill.toml");
    std::fs::write(&file, settings).unwrap();
    let mut command = gristmill();
    command.arg("--config").arg(file).arg("--data").arg(dir.path().join("data"));
    command.args(["crawl", "--allow-private", "--delay", "0s"]).arg(format!("http://{address}/"));
    let output = finish(command);
    assert!(output.status.success(), "{}", text(&output));
    let reader = IndexReader::open(&dir.path().join("data/index")).unwrap();
    let documents = reader.documents().map(Result::unwrap).map(|document| (document.url.clone(), document)).collect();
    (dir, documents)
}

fn files(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries.map(|entry| entry.unwrap().path()).map(|path| if path.is_dir() { files(&path) } else { 1 }).sum()
}

#[test]
fn a_body_that_no_record_can_hold_is_indexed_as_any_other() {
    let pages = site();
    let address = serve(move |_, path| match pages.get(path) {
        Some(body) => ("200 OK", HTML, body.clone()),
        None => ("404 Not Found", HTML, String::new()),
    });
    let (_calm_dir, calm) = crawl(address, "");
    assert_eq!(calm.len(), 4, "{:?}", calm.keys());
    let narrow = format!("[log]\nmax_record_bytes = {MAX_RECORD}\n[blobs]\ninline_limit = 100000\n");
    let (dir, documents) = crawl(address, &narrow);

    let painted = &documents[&format!("http://{address}/pictures")];
    assert!(painted.text.contains("Sentence 39 of The painted mill"), "{}", painted.text);
    for (url, document) in &documents {
        let (fetched_at, history) = (document.fetched_at, document.history.clone());
        let calm = IndexDocument { fetched_at, history, ..calm[url].clone() };
        assert_eq!(&calm, document, "{url}");
    }
    let mut search = gristmill();
    search.args(["search", "painted wheel", "--json", "--data"]).arg(dir.path().join("data"));
    assert!(text(&finish(search)).contains("/pictures"), "it is not found");

    // A text larger than any record is not in the index, and that is said; it stops nobody.
    let novel = format!("http://{address}/novel");
    let length = calm[&novel].text.len();
    assert!(length > MAX_RECORD, "{length} bytes of text");
    assert_eq!(documents.len(), 3, "{:?}", documents.keys());
    let mut explain = gristmill();
    explain.arg("--data").arg(dir.path().join("data")).args(["explain", &novel]);
    let explained = text(&finish(explain));
    assert!(explained.contains("log.max_record_bytes"), "{explained}");
    assert_eq!(files(&dir.path().join("data/blobs")), 0, "a body that was read stays in the blob store");
}

#[test]
fn a_limit_that_could_not_carry_robots_txt_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = gristmill();
    command.env("GRISTMILL__LOG__MAX_RECORD_BYTES", "300000").env("GRISTMILL__BLOBS__INLINE_LIMIT", "1000");
    command.arg("--data").arg(dir.path().join("data")).args(["crawl", "http://127.0.0.1:9/"]);
    let output = finish(command);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("log.max_record_bytes"), "{}", text(&output));
}
