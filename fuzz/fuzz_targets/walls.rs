//! Any answer is judged, and ends.

#![no_main]

use gristmill_walls::{WallInput, wall};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u16, &str, &str)| {
    let (status, url, html) = input;
    let _ = wall(&WallInput { status, url, html });
});
