//! DuplicateClusters over sorted runs against the definition: documents are joined when they share a key.

use std::collections::{BTreeMap, BTreeSet};

use gristmill_dataset::duplicates::{
    DuplicateClusters, KeyRun, KeyRunBuilder, MinHashOptions, MinHasher, TextUnit, rank,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// A document: its rank, and a key in each of three sections.
type KeyedDocument = (u64, [u64; 3]);

fn run(documents: &[KeyedDocument]) -> KeyRun<Vec<u8>> {
    let mut run = KeyRunBuilder::linked(3);
    documents.iter().for_each(|(rank, keys)| run.push(*rank, keys));
    let mut file = Vec::new();
    run.write(&mut file).unwrap();
    KeyRun::open(file).unwrap()
}

/// For each document the number of the one that stays for it, with runs of this size.
fn in_runs(documents: &[KeyedDocument], size: usize, earlier: usize, threads: usize) -> Vec<usize> {
    let runs: Vec<_> = documents.chunks(size).map(run).collect();
    let mut clusters = DuplicateClusters::find(&runs, earlier, threads).unwrap();
    let place = |(run, number): (usize, u32)| run * size + number as usize;
    (0..documents.len()).map(|n| clusters.original(n / size, (n % size) as u32).map_or(n, place)).collect()
}

/// The definition: the same number goes along shared keys until nothing changes.
fn by_definition(documents: &[KeyedDocument], earlier: usize) -> Vec<usize> {
    let order = |n: usize| (n >= earlier, documents[n].0, n);
    let mut best: Vec<usize> = (0..documents.len()).collect();
    loop {
        let before = best.clone();
        for section in 0..3 {
            let mut by_key: BTreeMap<u64, usize> = BTreeMap::new();
            for (n, (_, keys)) in documents.iter().enumerate() {
                let first = by_key.entry(keys[section]).or_insert(best[n]);
                if order(best[n]) < order(*first) {
                    *first = best[n];
                }
            }
            for (n, (_, keys)) in documents.iter().enumerate() {
                best[n] = by_key[&keys[section]];
            }
        }
        if best == before {
            return best;
        }
    }
}

/// Documents of different ranks with few keys, so that many share one.
fn documents() -> impl Strategy<Value = Vec<KeyedDocument>> {
    let key = || prop_oneof![2 => 0u64..200, 1 => any::<u64>()].prop_map(|key| key.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    vec([key(), key(), key()], 0..150).prop_map(|all| (0..).zip(all).map(|(n, keys)| (rank(n % 7, n), keys)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn clusters_over_any_runs_are_those_of_the_definition(
        documents in documents(), size in 1usize..60, earlier in 0usize..3, threads in 1usize..4,
    ) {
        prop_assert_eq!(in_runs(&documents, size, earlier, threads), by_definition(&documents, earlier * size));
    }

    #[test]
    fn what_stays_is_the_same_in_any_order(documents in documents(), size in 1usize..60, shift in 0usize..150) {
        let staying = |documents: &[KeyedDocument]| -> BTreeSet<KeyedDocument> {
            in_runs(documents, size, 0, 2).into_iter().map(|n| documents[n]).collect()
        };
        let mut turned = documents.clone();
        turned.rotate_left(shift % documents.len().max(1));
        turned.chunks_mut(3).for_each(<[_]>::reverse);
        prop_assert_eq!(staying(&documents), staying(&turned));
    }

    #[test]
    fn any_bytes_are_a_run_or_an_error(mut bytes in vec(any::<u8>(), 0..200), is_marked in any::<bool>()) {
        if is_marked && bytes.len() > 32 {
            bytes[..8].copy_from_slice(b"gmkeys1\n");
            bytes[10..24].fill(0);
            bytes[16] = 1;
        }
        if let Ok(run) = KeyRun::open(bytes) {
            let _ = DuplicateClusters::find(&[run], 0, 1);
        }
    }
}

#[test]
fn one_text_a_hundred_thousand_times_is_one_entry_of_each_run() {
    let mut file = Vec::new();
    let mut run = KeyRunBuilder::linked(14);
    (0..100_000).for_each(|n| run.push(rank(10, n), &[7; 14]));
    run.write(&mut file).unwrap();
    assert!(file.len() < 12 * 100_000 + 1000, "{} bytes", file.len());
    let mut clusters = DuplicateClusters::find(&[KeyRun::open(file).unwrap()], 0, 2).unwrap();
    assert_eq!((0..100_000).filter(|n| clusters.original(0, *n).is_none()).count(), 1);
}

#[test]
fn more_entries_than_a_thread_holds_are_all_compared() {
    // Five million keys in one section, each twice: in the first run and in the second.
    let half = 2_500_000u64;
    let file = |start: u64| {
        let mut run = KeyRunBuilder::linked(1);
        (0..half).for_each(|n| run.push(rank(start + n, n), &[(n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)]));
        let mut file = Vec::new();
        run.write(&mut file).unwrap();
        KeyRun::open(file).unwrap()
    };
    let mut clusters = DuplicateClusters::find(&[file(0), file(half)], 1, 2).unwrap();
    assert!((0..half as u32).all(|n| clusters.original(0, n).is_none()));
    assert!((0..half as u32).all(|n| clusters.original(1, n) == Some((0, n))));
}

#[test]
fn a_line_of_several_documents_stays_in_the_one_of_least_rank_that_stays_itself() {
    let footer = "All rights of this page are reserved.";
    let texts =
        ["A long text about mills and rye.", "Another text about the harbour.", "A third one on bread and salt."];
    let (mut documents, mut lines) = (KeyRunBuilder::linked(0), KeyRunBuilder::plain());
    for (text, rank) in texts.iter().zip([5, 1, 9]) {
        documents.push(rank, &[]);
        lines.push(rank, &TextUnit::Line.keys(&format!("{footer}\n{text}\n{footer}")));
    }
    let opened = |run: KeyRunBuilder| {
        let mut file = Vec::new();
        run.write(&mut file).unwrap();
        [KeyRun::open(file).unwrap()]
    };
    let (documents, runs) = (opened(documents), opened(lines));
    let mut extra = Vec::new();
    let mut clusters = DuplicateClusters::find(&documents, 0, 1).unwrap();
    clusters
        .for_each_repeated(&runs, 2, |run, number, key| {
            extra.push((run, number, key));
            Ok(())
        })
        .unwrap();
    extra.sort_unstable();
    let key = TextUnit::Line.keys(footer)[0];
    assert_eq!(extra, [(0, 0, key), (0, 2, key)]);
}

#[test]
fn texts_of_which_a_word_in_a_hundred_differs_are_one_and_half_different_ones_are_two() {
    let words = |seed: usize| (0..300).map(move |n| format!("w{}", (n * 7919 + seed * 104_729) % 100_003));
    let text = |seed, every: usize| -> String {
        words(seed).enumerate().map(|(n, word)| if n % every == 5 { format!("x{n} ") } else { word + " " }).collect()
    };
    let options = MinHashOptions::default();
    let mut hasher = MinHasher::new(options);
    let (mut near, mut far) = (0, 0);
    for seed in 0..100 {
        let whole = hasher.keys(&text(seed, 1000)).unwrap().to_vec();
        let mut is_near = |every| hasher.keys(&text(seed, every)).unwrap().iter().zip(&whole).any(|(a, b)| a == b);
        near += usize::from(is_near(100));
        far += usize::from(is_near(10));
    }
    assert!(near == 100 && far <= 5, "{near} near, {far} far");
}
