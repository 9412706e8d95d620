//! Any text is refused or becomes a canonical URL that canonicalises to itself.
#![no_main]

use gristmill_urls::{CanonicalUrl, TrapLimits, Url, find_trap};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let base = Url::parse("https://example.org/docs/index.html").expect("a URL");
    if let Ok(once) = CanonicalUrl::parse(text, Some(&base)) {
        let twice = CanonicalUrl::parse(once.as_str(), None).expect("a canonical URL parses");
        assert_eq!(once, twice);
        assert_eq!(once.host(), twice.host());
        assert!(once.path().starts_with('/'));
        assert!(once.host().ends_with(once.registrable_domain()));
        let _ = find_trap(&once, &TrapLimits::default(), Some(2026));
    }
});
