//! Any bytes are read as a sitemap and as a feed within the limits, decoded as the fetcher does it.
#![no_main]

use gristmill_html::{CharsetHints, decode_with};
use gristmill_robots::{ListingLimits, parse_feed, parse_rfc822, parse_sitemap, parse_w3c};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Option<&str>, Option<&str>, &[u8])| {
    let (content_type, url, bytes) = input;
    let text = decode_with(bytes, &CharsetHints { content_type, url }).text;
    let limits = ListingLimits { max_entries: 10, max_bytes: 4096 };
    for entries in [parse_sitemap(&text, &limits).entries, parse_feed(&text, &limits).entries] {
        assert!(entries.len() <= limits.max_entries);
        assert!(entries.iter().all(|entry| !entry.loc.is_empty()));
    }
    let _ = (parse_w3c(&text), parse_rfc822(&text));
});
