//! Any bytes as an archive: it ends, its records lie in the input, and their bodies are decoded.
#![no_main]

use std::io::Cursor;

use gristmill_warc::http::{HttpMessage, DecodeBuffers, decode};
use gristmill_warc::write::{cdxj_line, cut_to_whole_members};
use gristmill_warc::{ReaderItem, FromArc, ReadLimits, WarcReader};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for body_bytes in [64 << 20, 100] {
        let limits = ReadLimits { body_bytes, ..ReadLimits::default() };
        let mut reader = WarcReader::new(bytes, limits);
        let mut scratch = DecodeBuffers::default();
        while let Some(entry) = reader.next().expect("a slice has no errors") {
            let ReaderItem::Record(record) = entry else { continue };
            assert!(record.offset() <= record.end() && record.end() <= bytes.len() as u64);
            assert!(record.body().len() <= body_bytes);
            let _ = (record.kind(), record.id(), record.target_uri(), record.date_seconds(), record.truncated());
            let _ = cdxj_line(&record, "a.warc.gz");
            if let Ok(message) = HttpMessage::parse(record.body()) {
                let _ = message.content_type();
                assert!(decode(&message, 1 << 16, &mut scratch).bytes.len() <= 1 << 16);
            }
        }
    }
    let mut arc = WarcReader::new(FromArc::new(Cursor::new(bytes.to_vec())).expect("a slice has no errors"), ReadLimits::default());
    while arc.next().expect("damage is no error").is_some() {}
    assert!(cut_to_whole_members(bytes).expect("a slice has no errors") <= bytes.len() as u64);
});
