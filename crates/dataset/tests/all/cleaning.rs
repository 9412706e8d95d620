//! Any text is cleaned without a panic, in time that grows with its length.

use std::time::{Duration, Instant};

use gristmill_dataset::cleaning::{PersonalData, mask};
use proptest::prelude::*;

proptest! {
    #[test]
    fn any_text_is_masked_and_what_is_masked_has_nothing_left(
        text in "([a-c@.:/+() 0-9-]{0,8}(\\PC|203\\.0\\.113\\.9|ann@mill\\.example|\\+49 30 1234567|4111 1111 1111 1111| )){0,12}"
    ) {
        if let Some(masked) = mask(&text) {
            let n: u64 = PersonalData::ALL.iter().map(|kind| masked.count(*kind)).sum();
            prop_assert!(n > 0 && masked.text != text);
        }
    }
}

#[test]
fn hostile_texts_take_no_longer_than_others() {
    let size = 1_000_000;
    for piece in [
        "1", "1 ", "1-", "(", "+", "+1", "@", "a@", "a@b.", "a.", "://", "www.", "1.", "1.1.1.1.", "DE89", "DE89 ",
        "2001:", "tel ", "(1",
    ] {
        let begun = Instant::now();
        mask(&piece.repeat(size / piece.len()));
        // Unoptimised and beside other load: what is not linear takes hours.
        assert!(begun.elapsed() < Duration::from_secs(30), "{piece:?}: {:?}", begun.elapsed());
    }
}
