//! Speed of the longest common subsequence and of all measures of one text.

use divan::Bencher;
use gristmill_eval::{DEFAULT_CAP, MeasureOptions, TextScorer, lcs};

fn main() {
    divan::main();
}

/// Numbers as even as those of a text: a few are frequent, many rare.
fn numbers(n: usize, alphabet: u32, seed: u32) -> Vec<u32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 8
    };
    (0..n).map(|_| (next() % alphabet).min(next() % alphabet).min(next() % alphabet)).collect()
}

/// Characters: the shape of an alphabet of some 60 signs.
#[divan::bench(args = [5_000, 20_000, 100_000], sample_count = 3)]
fn lcs_of_characters(bencher: Bencher<'_, '_>, n: usize) {
    let (a, b) = (numbers(n, 60, 1), numbers(n, 60, 2));
    bencher.bench(|| lcs(divan::black_box(&a), divan::black_box(&b), DEFAULT_CAP));
}

/// The same with the published crate, for comparison.
#[divan::bench(args = [5_000, 20_000, 100_000], sample_count = 3)]
fn lcs_of_characters_by_rapidfuzz(bencher: Bencher<'_, '_>, n: usize) {
    let (a, b) = (numbers(n, 60, 1), numbers(n, 60, 2));
    bencher.bench(|| rapidfuzz::distance::lcs_seq::similarity(divan::black_box(&a), divan::black_box(&b)));
}

/// Words: most of some thousands are rare.
#[divan::bench(args = [1_000, 20_000], sample_count = 5)]
fn lcs_of_words(bencher: Bencher<'_, '_>, n: usize) {
    let (a, b) = (numbers(n, 5_000, 1), numbers(n, 5_000, 2));
    bencher.bench(|| lcs(divan::black_box(&a), divan::black_box(&b), DEFAULT_CAP));
}

/// The same with the published crate, for comparison.
#[divan::bench(args = [1_000, 20_000], sample_count = 5)]
fn lcs_of_words_by_rapidfuzz(bencher: Bencher<'_, '_>, n: usize) {
    let (a, b) = (numbers(n, 5_000, 1), numbers(n, 5_000, 2));
    bencher.bench(|| rapidfuzz::distance::lcs_seq::similarity(divan::black_box(&a), divan::black_box(&b)));
}

/// A page of some 900 words with a third of boilerplate around its main text.
#[divan::bench(args = [false, true])]
fn all_measures(bencher: Bencher<'_, '_>, characters: bool) {
    let words = numbers(900, 2_000, 3).into_iter().map(|word| format!("word{word}"));
    let words: Vec<String> = words.enumerate().map(|(n, word)| if n % 12 == 11 { word + "." } else { word }).collect();
    let (gold, text) = (words[150..750].join(" "), words.join(" "));
    let judge = TextScorer::new(Some(&gold), &[], &[], MeasureOptions { characters, ..MeasureOptions::default() });
    bencher.bench(|| judge.score(divan::black_box(&text)));
}
