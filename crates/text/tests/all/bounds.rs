//! Any text gets an answer, soon.

use std::time::{Duration, Instant};

use gristmill_text::language::identify;
use proptest::prelude::*;

#[test]
fn long_texts_take_no_longer_than_reading_them() {
    for piece in ["a", " ", "1", "字", "\u{301}", "a\u{301}", "a\n", "слово\nword\n", "0123456789 \n", "\u{200D}", "İ"]
    {
        let text = piece.repeat(4_000_000 / piece.len());
        let begun = Instant::now();
        identify(&text, Some("en"));
        assert!(begun.elapsed() < Duration::from_secs(30), "{piece:?}: {:?}", begun.elapsed());
    }
}

proptest! {
    #[test]
    fn any_text_and_any_claim_get_an_answer(text in "\\PC{0,400}", claim in proptest::option::of("\\PC{0,12}")) {
        let found = identify(&text, claim.as_deref());
        prop_assert_eq!(found.language.is_some(), found.score.is_some());
        prop_assert!(found.score.is_none_or(|score| (0.0..=1.001).contains(&score)), "{:?}", found);
        let sum: f32 = found.shares.iter().map(|share| share.share).sum();
        prop_assert!(sum <= 1.001, "{:?}", found);
    }

    #[test]
    fn any_mixture_of_scripts_gets_an_answer(text in "([a-zа-я字かक한\\n .]|слово |the ){0,400}") {
        let found = identify(&text, None);
        prop_assert!(found.score.is_none_or(|score| score > 0.0), "{:?}", found);
    }
}
