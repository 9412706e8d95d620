//! Any line taken for a document of an export gives a document or a reason, and a document is exported as it was read.

#![no_main]

use gristmill_index::read_exported;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &[u8]| {
    if let Ok(document) = read_exported(line) {
        assert_eq!(read_exported(&document.to_json()), Ok(document));
    }
});
