//! Near-duplicates: which documents count as one, and which of them is shown.
//!
//! Two documents are near-duplicates if their SimHashes differ in at most [`MAX_DISTANCE`] bits. That relation
//! is not transitive, so there is no one right clustering of a whole index; we cluster the hits of each query
//! instead, by rank: a hit joins the best-ranked shown hit that is its near-duplicate, and is shown if there is
//! none. Rank is score, then key, so the outcome does not depend on the order of indexing.

use std::collections::HashMap;

use crate::schema::bands;

/// Most differing bits of 64 between near-duplicates.
///
/// Source: Manku, Jain & Das Sarma, WWW 2007, §1: 3 of 64, found best for eight billion pages.
pub const MAX_DISTANCE: u32 = 3;

/// Texts with fewer words than this never count as near-duplicates: their fingerprints say too little.
pub const MIN_WORDS: usize = 20;

/// Whether a document takes part in near-duplicate search: it has a fingerprint and at least [`MIN_WORDS`] words.
///
/// In scripts written without spaces two characters count as a word. Reads no farther than it must.
pub(crate) fn countable(simhash: u64, text: &str) -> bool {
    let mut halves = 0;
    let mut inside = false;
    for c in text.chars() {
        let dense = matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}');
        halves += match (c.is_alphanumeric(), dense) {
            (true, true) => 1,
            (true, false) if !inside => 2,
            _ => 0,
        };
        inside = c.is_alphanumeric() && !dense;
        if halves >= 2 * MIN_WORDS {
            return simhash != 0;
        }
    }
    false
}

/// Whether two fingerprints are those of near-duplicates; 0 stands for none and is like nothing.
pub(crate) fn alike(a: u64, b: u64) -> bool {
    a != 0 && b != 0 && (a ^ b).count_ones() <= MAX_DISTANCE
}

/// A hit that is shown, and how many others it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shown {
    /// Index among the ranked hits.
    pub rank: usize,
    /// Near-duplicates of it that are not shown.
    pub duplicates: u64,
}

/// Clusters ranked hits by fingerprint; the shown ones in rank order.
///
/// Expected O(n); O(n²) if all fingerprints share a quarter and still differ, which n ≤ 10,000 bounds.
pub(crate) fn collapse(fingerprints: &[u64]) -> Vec<Shown> {
    let mut shown: Vec<Shown> = Vec::new();
    let mut by_band: HashMap<u64, Vec<usize>> = HashMap::new();
    for (rank, &fingerprint) in fingerprints.iter().enumerate() {
        let bands = if fingerprint == 0 { None } else { Some(bands(fingerprint)) };
        let near = bands.iter().flatten().filter_map(|band| {
            let leaders = by_band.get(band)?;
            leaders.iter().copied().find(|&leader| alike(fingerprints[shown[leader].rank], fingerprint))
        });
        match near.min() {
            Some(leader) => shown[leader].duplicates += 1,
            None => {
                for band in bands.into_iter().flatten() {
                    by_band.entry(band).or_default().push(shown.len());
                }
                shown.push(Shown { rank, duplicates: 0 });
            }
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn short_texts_and_texts_without_fingerprint_do_not_count() {
        assert!(!countable(1, &"word ".repeat(19)));
        assert!(countable(1, &"word ".repeat(20)));
        assert!(!countable(0, &"word ".repeat(20)));
        assert!(!countable(1, &"字".repeat(39)));
        assert!(countable(1, &"字".repeat(40)));
    }

    #[test]
    fn three_bits_apart_is_near_and_four_is_not() {
        let hash = 0xdead_beef_dead_beef;
        assert_eq!(collapse(&[hash, hash ^ 0b111, hash ^ 0xf]).len(), 2);
        assert_eq!(collapse(&[0, 0]).len(), 2, "no fingerprint is like no other");
    }

    proptest! {
        #[test]
        fn banding_finds_what_comparing_all_finds(
            seeds in proptest::collection::vec(1..u64::MAX, 1..4),
            hits in proptest::collection::vec((0usize..4, proptest::collection::vec(0u32..64, 0..5)), 0..60),
        ) {
            let hits: Vec<u64> = hits.into_iter().map(|(seed, flips)| {
                flips.into_iter().fold(seeds[seed % seeds.len()], |hash, bit| hash ^ (1 << bit))
            }).collect();
            let mut expected: Vec<Shown> = Vec::new();
            for (rank, &hit) in hits.iter().enumerate() {
                match expected.iter_mut().find(|shown| alike(hits[shown.rank], hit)) {
                    Some(shown) => shown.duplicates += 1,
                    None => expected.push(Shown { rank, duplicates: 0 }),
                }
            }
            prop_assert_eq!(collapse(&hits), expected);
        }
    }
}
