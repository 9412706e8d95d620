//! Any text with any claim gets an answer, whose shares are shares.
#![no_main]

use gristmill_text::language::identify;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, Option<&str>)| {
    let (text, claim) = input;
    let found = identify(text, claim);
    assert_eq!(found.language.is_some(), found.score.is_some());
    assert!(found.score.is_none_or(|score| (0.0..1.001).contains(&score)));
    assert!(found.shares.iter().map(|share| share.share).sum::<f32>() < 1.001);
});
