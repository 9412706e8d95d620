//! Posts and items of real pages (Web Content Extraction Benchmark, CC-BY-4.0; see tests/best/wcxb-sample).

use std::io::Read;
use std::path::Path;

use gristmill_extract::{ExtractOptions, Extraction, extract};
use gristmill_html::{Doc, TreeLimits, decode};

fn document(id: &str, url: &str) -> Extraction {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/best/wcxb-sample/pages");
    let file = std::fs::File::open(folder.join(format!("{id}.html.gz"))).unwrap();
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(file).read_to_end(&mut bytes).unwrap();
    let doc = Doc::parse(&decode(&bytes, None).text, &TreeLimits::default());
    extract(&doc, &ExtractOptions { url: Some(url), parts: true, ..ExtractOptions::default() })
}

#[test]
fn the_thread_of_a_forum_comes_as_posts_with_author_and_date() {
    let posts = document("0575", "https://lobste.rs/s/dwip3v/rust_project_goals_for_2024").posts;
    assert!(posts.len() >= 6, "{}", posts.len());
    let marked = posts.iter().filter(|post| post.author.is_some() && post.published.is_some()).count();
    assert_eq!(marked, posts.len());
    let first = &posts[0];
    assert!(first.published.as_deref().is_some_and(|date| date.starts_with("2024-08-1")), "{first:?}");
    // Each text once: replies are not said again by what they answer.
    let texts: std::collections::HashSet<&str> = posts.iter().map(|post| post.text.as_str()).collect();
    assert_eq!(texts.len(), posts.len());
}

#[test]
fn the_entries_of_a_blog_come_as_items_with_links() {
    let items = document("2900", "https://blog.golang.org/").items;
    assert!(items.len() >= 10, "{items:?}");
    assert_eq!(items[0].title, "Allocating on the Stack");
    assert_eq!(items[0].link.as_deref(), Some("https://blog.golang.org/blog/allocation-optimizations"));
    assert_eq!(items[0].text, "Keith Randall");
}

#[test]
fn a_page_of_links_comes_as_items_with_their_descriptions() {
    let items = document("4548", "https://guides.library.berklee.edu/c.php?g=934949&p=7515773").items;
    assert_eq!(items.len(), 19, "{items:?}");
    assert!(items.iter().all(|item| item.link.as_deref().is_some_and(|link| link.starts_with("http"))), "{items:?}");
    assert_eq!(items[1].title, "Cervantes Institute");
    assert!(items[1].text.starts_with("The official site for the Cervantes Institute."), "{:?}", items[1]);
}

#[test]
fn a_document_without_the_wish_has_no_parts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/best/wcxb-sample/pages/2900.html.gz");
    let mut html = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(folder).unwrap()).read_to_string(&mut html).unwrap();
    assert!(extract(&Doc::parse(&html, &TreeLimits::default()), &ExtractOptions::default()).items.is_empty());
}
