//! Any bytes under any header decode to text, and valid UTF-8 without a declaration stays as it is.

#![no_main]

use gristmill_html::{CharsetHints, decode, decode_with};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, &str, &[u8])| {
    let (header, url, bytes) = input;
    decode_with(bytes, &CharsetHints { content_type: Some(header), url: Some(url) });
    let decoded = decode(bytes, None);
    if let Ok(text) = std::str::from_utf8(bytes)
        && !text.contains(['<', '\u{FEFF}', '\u{1B}'])
    {
        assert_eq!(decoded.text, text);
    }
});
