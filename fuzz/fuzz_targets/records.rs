//! Any bytes, parsed and read for records by every method, give pairs within the bounds.

#![no_main]

use gristmill_html::{Doc, TreeLimits, decode};
use gristmill_page::Page;
use gristmill_records::{PairMethod, RecordOptions, records};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let doc = Doc::parse(&decode(bytes, None).text, &TreeLimits::default());
    let page = Page::new(&doc);
    for method in PairMethod::ALL {
        let found = records(&page, Some("https://shop.example/p"), &RecordOptions { method, ..RecordOptions::default() });
        assert!(found.pairs.len() <= 1_000);
        for pair in &found.pairs {
            assert!(!pair.name.is_empty() && !pair.value.is_empty() && (0.0..=1.0).contains(&pair.confidence));
        }
    }
});
