//! Any bytes are read as a sitemap and as a feed within the limits.
#![no_main]

use gristmill_robots::{ListingLimits, parse_feed, parse_rfc822, parse_sitemap, parse_w3c};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let limits = ListingLimits { max_entries: 10, max_bytes: 4096 };
    for entries in [parse_sitemap(bytes, &limits).entries, parse_feed(bytes, &limits).entries] {
        assert!(entries.len() <= limits.max_entries);
        assert!(entries.iter().all(|entry| !entry.loc.is_empty()));
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = (parse_w3c(text), parse_rfc822(text));
    }
});
