//! Cost of the signals of a text.

use divan::Bencher;
use divan::counter::BytesCount;
use gristmill_dataset::quality::TextSignals;

fn main() {
    divan::main();
}

/// Words as frequent as in a language, in lines of twenty.
fn text(words: u32) -> String {
    let mut state = 1u32;
    let word = |n: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let end = if n % 20 == 19 { ".\n" } else { " " };
        format!("w{}{end}", (state >> 18).min(state >> 22) * 7919 % 10_007)
    };
    (0..words).map(word).collect()
}

#[divan::bench(args = [100, 600, 10_000], sample_count = 20)]
fn signals(bencher: Bencher, words: u32) {
    let text = text(words);
    bencher.counter(BytesCount::of_str(&text)).bench(|| TextSignals::of(&text, "en"));
}
