//! The length of the longest common subsequence, exact, by bit-parallel dynamic programming.

use std::collections::HashMap;

/// Default cap on |a|·|b| after trimming: some ten seconds of one core.
pub const DEFAULT_CAP: u64 = 40_000_000_000;

/// Length of the longest common subsequence of `a` and `b`.
///
/// Each row of the classic table is a bit vector over `a`, 64 cells a machine word; one addition with carry moves a
/// row on. Equal ends are cut off first. A word of the vector changes only where the item of `b` occurs in it or a
/// carry comes in, so only those words are visited: for texts as sequences of words, where most items are rare,
/// that is a small part of them.
///
/// * `a`, `b`: items as numbers, in any range, at most 2³² of them.
/// * `None` when the product of the trimmed lengths exceeds `cap`.
/// * O(|a|·|b| / 64) time at worst, O(|a| + |b|) memory.
///
/// Source: Hyyrö, *Bit-parallel LCS-length computation revisited*, AWOCA 2004 (V′ = (V + (V & M)) | (V & ¬M)). Ours:
/// the sparse match lists, which also keep the memory linear for any alphabet. The crate `rapidfuzz` 0.5 visits every word:
/// it needs about the same time for characters and a hundred times as much for 20 000 words (`benches/measures.rs`).
pub fn lcs(a: &[u32], b: &[u32], cap: u64) -> Option<u64> {
    let prefix = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[prefix..], &b[prefix..]);
    let suffix = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - suffix], &b[..b.len() - suffix]);
    let trimmed = (prefix + suffix) as u64;
    if a.is_empty() || b.is_empty() {
        return Some(trimmed);
    }
    if (a.len() as u64).saturating_mul(b.len() as u64) > cap {
        return None;
    }
    // The work is |b| steps; each costs less over the shorter vector.
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    Some(trimmed + MatchTable::new(short).walk(long))
}

/// Where each item of the shorter sequence occurs: pairs (word of the vector, bits in it), one list for each item.
pub(crate) struct MatchTable {
    n_bits: usize,
    pairs: Vec<(u32, u64)>,
    lists: HashMap<u32, std::ops::Range<u32>>,
}

impl MatchTable {
    pub(crate) fn new(items: &[u32]) -> MatchTable {
        let mut places: Vec<(u32, u32)> = items.iter().copied().zip(0u32..).collect();
        places.sort_unstable();
        let mut pairs: Vec<(u32, u64)> = Vec::new();
        let mut lists: HashMap<u32, std::ops::Range<u32>> = HashMap::new();
        for (item, place) in places {
            let (word, bit) = (place / 64, 1u64 << (place % 64));
            let end = pairs.len() as u32;
            let list = lists.entry(item).or_insert(end..end);
            match pairs.last_mut() {
                Some(last) if list.start < list.end && last.0 == word => last.1 |= bit,
                _ => {
                    pairs.push((word, bit));
                    list.end = end + 1;
                }
            }
        }
        MatchTable { n_bits: items.len(), pairs, lists }
    }

    /// Where an item occurs.
    pub(crate) fn of(&self, item: u32) -> &[(u32, u64)] {
        self.lists.get(&item).map_or(&[], |list| &self.pairs[list.start as usize..list.end as usize])
    }

    fn walk(&self, items: &[u32]) -> u64 {
        let mut row = vec![u64::MAX; self.n_bits.div_ceil(64)];
        for item in items {
            step(&mut row, self.of(*item));
        }
        let unused = row.len() * 64 - self.n_bits;
        let zeros: u64 = row.iter().map(|word| u64::from(word.count_zeros())).sum();
        // Carries may clear bits beyond the last item.
        let beyond = row.last().map_or(0, |last| if unused == 0 { 0 } else { (!last >> (64 - unused)).count_ones() });
        zeros - u64::from(beyond)
    }
}

/// One row on: V′ = (V + (V & M)) | (V & ¬M), in the words that M or a carry touches.
pub(crate) fn step(row: &mut [u64], matches: &[(u32, u64)]) {
    let mut carry_to = usize::MAX;
    for &(word, mask) in matches {
        let word = word as usize;
        while carry_to < word {
            carry_to = add_carry(row, carry_to);
        }
        let v = row[word];
        let matched = v & mask;
        let (sum, over) = v.overflowing_add(matched);
        let (sum, over_again) = sum.overflowing_add(u64::from(carry_to == word));
        row[word] = sum | (v & !mask);
        carry_to = if over | over_again { word + 1 } else { usize::MAX };
    }
    while carry_to < row.len() {
        carry_to = add_carry(row, carry_to);
    }
}

/// A word without matches: V′ = (V + 1) | V. Returns where the carry goes next.
fn add_carry(row: &mut [u64], word: usize) -> usize {
    let v = row[word];
    row[word] = v | v.wrapping_add(1);
    if v == u64::MAX { word + 1 } else { usize::MAX }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn quadratic(a: &[u32], b: &[u32]) -> u64 {
        let mut row = vec![0u64; b.len() + 1];
        for x in a {
            let mut diagonal = 0;
            for (j, y) in b.iter().enumerate() {
                let above = row[j + 1];
                row[j + 1] = if x == y { diagonal + 1 } else { above.max(row[j]) };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    fn of(a: &str, b: &str) -> Option<u64> {
        let numbers = |text: &str| text.chars().map(u32::from).collect::<Vec<_>>();
        lcs(&numbers(a), &numbers(b), DEFAULT_CAP)
    }

    #[test]
    fn the_worked_examples_hold() {
        assert_eq!(of("the cat sat on the mat", "home the cat sat on a mat mat"), Some(20));
        assert_eq!(of("ABCBDAB", "BDCABA"), Some(4));
        assert_eq!(of("", "x"), Some(0));
        assert_eq!(of("same", "same"), Some(4));
    }

    #[test]
    fn above_the_cap_there_is_no_number_unless_trimming_brings_it_below() {
        assert_eq!(lcs(&[1, 2, 3, 4], &[4, 3, 2, 1], 15), None);
        assert_eq!(lcs(&[1, 2, 3, 4], &[4, 3, 2, 1], 16), Some(1));
        assert_eq!(lcs(&[1, 2, 3, 4], &[1, 2, 9, 4], 1), Some(3));
    }

    proptest! {
        #[test]
        fn equals_the_quadratic_table_on_small_alphabets(a in vec(0u32..4, 0..400), b in vec(0u32..4, 0..400)) {
            prop_assert_eq!(lcs(&a, &b, u64::MAX), Some(quadratic(&a, &b)));
        }

        #[test]
        fn equals_the_quadratic_table_on_large_alphabets(a in vec(0u32..200, 0..600), b in vec(0u32..200, 0..600)) {
            prop_assert_eq!(lcs(&a, &b, u64::MAX), Some(quadratic(&a, &b)));
        }

        #[test]
        fn order_cannot_matter(a in vec(0u32..9, 0..300), b in vec(0u32..9, 0..300)) {
            prop_assert_eq!(lcs(&a, &b, u64::MAX), lcs(&b, &a, u64::MAX));
        }
    }
}
