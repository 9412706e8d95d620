//! Any robots.txt parses and answers, and a refusal names its line; any tdmrep.json too.
#![no_main]

use gristmill_robots::{Directives, RobotsTxt, TdmRules};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&[u8], &str)| {
    let (file, path) = input;
    let robots = RobotsTxt::parse(file, "gristmill");
    let verdict = robots.allows(path);
    assert!(verdict.allowed || verdict.rule.is_some());
    assert!(robots.allows("/robots.txt").allowed);
    let _ = robots.usage(path);
    let _ = Directives::from_header(path, "gristmill").union(Directives::from_meta(path));
    let rules = TdmRules::parse(file);
    assert!(rules.of(path).is_none() || rules.size() > 0);
});
