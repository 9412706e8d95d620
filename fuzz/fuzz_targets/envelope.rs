//! Any bytes taken for a message, framed and unframed.
#![no_main]

use gristmill_proto::{Document, OutlinkBatch, FetchOrder, FetchOutcome, FetchedPage, Reject, decode, peek};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = peek(bytes);
    all(bytes);
    // Behind a valid envelope the archive's own validation is reached.
    for kind in 1..=6u8 {
        let mut framed = b"GRML".to_vec();
        framed.extend([kind, 1, 0, 0]);
        framed.extend((bytes.len() as u32).to_le_bytes());
        let crc = crc32c::crc32c_append(crc32c::crc32c(&framed), bytes);
        framed.extend(crc.to_le_bytes());
        framed.extend(bytes);
        all(&framed);
    }
});

fn all(bytes: &[u8]) {
    let _ = decode::<FetchOrder>(bytes);
    let _ = decode::<FetchOutcome>(bytes);
    let _ = decode::<OutlinkBatch>(bytes);
    let _ = decode::<FetchedPage>(bytes);
    let _ = decode::<Document>(bytes);
    let _ = decode::<Reject>(bytes);
}
