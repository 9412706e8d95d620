//! Any bytes as a layout side-car give a document with its boxes, or an error that says what is wrong.

#![no_main]

use gristmill_extract::{Method, ExtractOptions, Sidecar, extract};
use gristmill_html::TreeLimits;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = TreeLimits { max_nodes: 20_000, ..TreeLimits::default() };
    match Sidecar::parse(bytes, &limits) {
        Ok((doc, layout)) => {
            for method in ["clg", "svm", "clg-nolayout"] {
                let method = Method::for_layout(method).expect("a listed method has its name");
                extract(&doc, &ExtractOptions { method, layout: Some(&layout), ..ExtractOptions::default() });
            }
            assert!(layout.width().is_finite() && layout.height().is_finite());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
