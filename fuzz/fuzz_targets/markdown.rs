//! Any text as Markdown is a page within the limits, whose text can be read again.

#![no_main]

use gristmill_html::{CharsetHints, Doc, TreeLimits, decode, is_markdown, markdown_to_html};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let decoded = decode(bytes, None);
    is_markdown(&decoded.text, &CharsetHints { content_type: Some("text/markdown"), url: None });
    let html = markdown_to_html(&decoded.text);
    let doc = Doc::parse(&html, &TreeLimits { max_nodes: 20_000, ..TreeLimits::default() });
    doc.text_content(doc.body().expect("every page has a body"));
});
