//! Any bytes, parsed and extracted by every method, give a document and safe renderings.

#![no_main]

use gristmill_extract::{
    Method, ExtractOptions, Page, Selection, Structure, extract_from, methods, render_html, render_html_with, render_markdown,
    render_markdown_with, render_marked,
};
use gristmill_html::{Doc, TreeLimits, decode};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = TreeLimits { max_nodes: 20_000, ..TreeLimits::default() };
    let doc = Doc::parse(&decode(bytes, None).text, &limits);
    let page = Page::new(&doc);
    for info in methods() {
        let method: Method = info.name.parse().expect("a listed method has its name");
        let options = ExtractOptions { method, trace: true, parts: true, ..ExtractOptions::default() };
        let (document, selection) = extract_from(&page, &options);
        assert_eq!(document.text.is_empty(), document.reason.is_some());
        assert!(!render_html(&page, &selection).contains("<script"));
        assert!(!render_marked(&page, &selection, "fuzz").contains("<script"));
        render_markdown(&page, &selection);
        let (all, url) = (Structure::ALL, Some("https://a.example/b/"));
        assert!(!render_html_with(&page, &selection, &all, url).contains("<script"));
        render_markdown_with(&page, &selection, &all, url);
        if let Some(rescued) = &document.rescued {
            let page = Page::new(&rescued.doc);
            assert!(!render_html(&page, &Selection::all(&page)).contains("<script"));
        }
    }
});
