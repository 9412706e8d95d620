//! Any text as the state, the JSON-LD, a template and the description of a page without text of its own gives a document.

#![no_main]

use gristmill_extract::{ExtractOptions, extract};
use gristmill_html::{Doc, TreeLimits};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let long = "Words that make the script long enough to be read, and no sentence of them means much. ".repeat(4);
    let html = format!(
        "<div></div><script>window.state = {{\"long\": [\"{long}\"], \"more\": {text}}}</script>\
         <script type=application/ld+json>{{\"@type\":\"Article\",\"articleBody\":{text}}}</script>"
    );
    check(&html);
    check(&format!("<meta name=description content='{text}'><template>{text}</template>"));
});

fn check(html: &str) {
    let doc = Doc::parse(html, &TreeLimits::default());
    let document = extract(&doc, &ExtractOptions { parts: true, describe: true, ..ExtractOptions::default() });
    assert_eq!(document.text.is_empty(), document.reason.is_some());
}
