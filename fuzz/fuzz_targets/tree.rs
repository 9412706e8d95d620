//! Any page has the tree that html5ever builds, node by node, but for the rules named in docs/conformance.md.
//!
//! Tells after each hundred million bytes how many were compared. Pages that a rule leaves out do not count.
#![no_main]

use std::sync::atomic::{AtomicU64, Ordering};

use gristmill_html::{Doc, TreeLimits};
use libfuzzer_sys::fuzz_target;

#[path = "../../crates/html/tests/all/reference/mod.rs"]
mod reference;

const TOLD_EACH: u64 = 100_000_000;

fuzz_target!(|page: &str| {
    let limits = TreeLimits { max_depth: 8_000, max_attributes: 100_000, max_nodes: 1 << 24, ..TreeLimits::default() };
    let doc = Doc::parse(page, &limits);
    if is_exception(&page.to_ascii_lowercase()) || doc.limits_hit().next().is_some() {
        return;
    }
    assert_eq!(reference::lines(&doc), reference::html5ever_lines(page));
    count(page.len() as u64);
});

fn count(bytes: u64) {
    static COMPARED: AtomicU64 = AtomicU64::new(0);
    let before = COMPARED.fetch_add(bytes, Ordering::Relaxed);
    if before / TOLD_EACH != (before + bytes) / TOLD_EACH {
        eprintln!("compared {} bytes", before + bytes);
    }
}

/// Whether the page may be one where html5ever does something else. Coarser than the rules.
fn is_exception(page: &str) -> bool {
    let behind = |tag: &str| page.find(tag).map_or("", |at| &page[at + 1..]);
    let has = |page: &str, parts: &[&str]| parts.iter().any(|part| page.contains(part));
    let points = ["<title", "<desc", "<foreignobject", "<m", "<annotation-xml"];
    has(behind("<svg"), &points)
        || has(behind("<math"), &points)
        || has(behind("<template"), &["<t", "<caption", "<col"])
        // A parse error between the tag and its line feed.
        || has(page, &["<pre", "<listing", "<textarea"]) && has(page, &[">&#", "></>"])
        || has(page, &["<search", "selectedcontent", "<isindex"])
        || page.rfind("<!doctype").is_some_and(|at| at > 0)
        || page.starts_with('\u{feff}')
}
