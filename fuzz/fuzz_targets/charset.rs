//! Any bytes under any header decode to text, and valid UTF-8 without a declaration stays as it is.

#![no_main]

use gristmill_html::decode;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, &[u8])| {
    let (header, bytes) = input;
    decode(bytes, Some(header));
    let decoded = decode(bytes, None);
    if let Ok(text) = std::str::from_utf8(bytes)
        && !text.contains(['<', '\u{FEFF}'])
    {
        assert_eq!(decoded.text, text);
    }
});
