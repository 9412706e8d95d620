//! Any robots.txt parses and answers, and a refusal names its line.
#![no_main]

use gristmill_robots::{Directives, Robots};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&[u8], &str)| {
    let (file, path) = input;
    let robots = Robots::parse(file, "gristmill");
    let verdict = robots.allows(path);
    assert!(verdict.allowed || verdict.rule.is_some());
    assert!(robots.allows("/robots.txt").allowed);
    let _ = Directives::from_header(path, "gristmill").union(Directives::from_meta(path));
});
