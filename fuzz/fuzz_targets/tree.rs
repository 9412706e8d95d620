//! Any page has the tree that html5ever builds, node by node, but for the rules named in docs/conformance.md.
#![no_main]

use gristmill_html::{Doc, Limits};
use libfuzzer_sys::fuzz_target;

#[path = "../../crates/html/tests/reference/mod.rs"]
mod reference;

fuzz_target!(|page: &str| {
    let lower = page.to_ascii_lowercase();
    let limits = Limits { max_depth: 8_000, max_attributes: 100_000, max_nodes: 1 << 24, ..Limits::default() };
    let doc = Doc::parse(page, &limits);
    let foreign = lower.find("<svg").into_iter().chain(lower.find("<math")).min().map_or("", |at| &lower[at..]);
    let has_points = ["<title", "<desc", "<foreignobject", "<m", "<annotation-xml"].iter().any(|tag| foreign[1.min(foreign.len())..].contains(tag));
    let template = lower.find("<template").map_or("", |at| &lower[at..]);
    let has_rows = ["<t", "<caption", "<col"].iter().any(|tag| template[1.min(template.len())..].contains(tag));
    let is_exception = has_points || has_rows || lower.contains("<search") || lower.contains("selectedcontent") || lower.rfind("<!doctype").is_some_and(|at| at > 0);
    if is_exception || page.starts_with('\u{feff}') || doc.limits_hit().next().is_some() {
        return;
    }
    assert_eq!(reference::lines(&doc), reference::html5ever_lines(page));
});
