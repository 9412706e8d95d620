//! Any text has signals that are numbers, in time that grows with its length.

use std::time::{Duration, Instant};

use gristmill_dataset::quality::{QualityRules, Signal, TextSignals};
use proptest::prelude::*;

proptest! {
    #[test]
    fn shares_are_shares_and_all_signals_are_numbers(text in "(\\PC{0,12}[ \n.#]?){0,30}", language in "[a-z]{0,3}") {
        let signals = TextSignals::of(&text, &language);
        prop_assert!(signals.values().iter().all(|value| value.is_finite() && *value >= 0.0), "{signals:?}");
        for signal in [Signal::BulletLines, Signal::RepeatedLines, Signal::Repeated5Grams, Signal::ShortLines, Signal::LetterWords] {
            prop_assert!(signals.get(signal) <= 1.0, "{signal:?}");
        }
        let rules: QualityRules = "gopher,c4,fineweb".parse().unwrap();
        prop_assert!(signals.get(Signal::Words) >= 50.0 || rules.refuses(&signals).is_some());
    }
}

#[test]
fn hostile_texts_take_no_longer_than_others() {
    let size = 2_000_000;
    let texts = [
        "a", "\n", "\n\n", ".", ". ", "a.", "[1]", "[[", "]]", "石", "\u{301}", "1,", "A.", "…", "-", " a\n", "x[1]].",
    ];
    for piece in texts {
        let begun = Instant::now();
        let signals = TextSignals::of(&piece.repeat(size / piece.len()), "en");
        assert!(signals.values().iter().all(|value| value.is_finite()), "{piece:?}");
        // Unoptimised and beside other load: what is not linear takes hours.
        assert!(begun.elapsed() < Duration::from_secs(30), "{piece:?}: {:?}", begun.elapsed());
    }
}
