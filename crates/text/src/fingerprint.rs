//! SimHash: one 64-bit fingerprint for a text, near for near texts.

use crate::segment::Jieba;
use crate::words::{for_each_word, hash_lower};

/// The hash of a token: XXH3, 64 bits, seed 0. The same on every platform and release; stored fingerprints rely
/// on it.
pub fn hash(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}

/// Folds weighted token hashes into one 64-bit fingerprint.
///
/// Two pages whose weight vectors form the angle θ differ in about 64·θ/π bits on average, so near-duplicates
/// lie a few bits apart.
///
/// * `tokens`: `(hash, weight)`, one pair per distinct token, in any order; hashes spread evenly over 64 bits.
///   Sums are exact up to 2³¹ tokens.
/// * Returns 0 for no tokens: do not compare empty pages.
/// * O(64·n) time, no allocation. Cannot fail.
///
/// Source: Charikar, STOC 2002, §3; bit votes as in Manku, Jain & Das Sarma, WWW 2007, §2.
/// Ours: a tied vote gives 0, and weights are integers so that order cannot matter.
pub fn simhash(tokens: impl IntoIterator<Item = (u64, u32)>) -> u64 {
    let mut votes = [0i64; 64];
    for (hash, weight) in tokens {
        let weight = i64::from(weight);
        for (bit, vote) in votes.iter_mut().enumerate() {
            *vote += if hash >> bit & 1 == 1 { weight } else { -weight };
        }
    }
    votes.iter().enumerate().filter(|&(_, &vote)| vote > 0).fold(0, |bits, (bit, _)| bits | 1 << bit)
}

/// How many bits two fingerprints differ in.
pub fn distance(a: u64, b: u64) -> u32 {
    (a ^ b).count_ones()
}

/// The fingerprint of a text: [`simhash`] over its lower-cased words (dictionary words for Chinese), each
/// weighted by how often it occurs. 0 for a text without words.
pub fn fingerprint(text: &str) -> u64 {
    let mut hashes = Vec::new();
    let mut lower = String::new();
    for_each_word(text, &Jieba, |word| hashes.push(hash_lower(word, &mut lower)));
    // Sorting counts as fast as a map, and words chosen to collide cannot slow it down.
    hashes.sort_unstable();
    simhash(hashes.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_tied_vote_gives_a_zero_bit() {
        assert_eq!(simhash([(0b1010, 1), (0b0110, 1)]), 0b0010);
        assert_eq!(simhash([(u64::MAX, 3), (0, 2)]), u64::MAX);
        assert_eq!(simhash([]), 0);
    }

    #[test]
    fn the_hash_never_changes() {
        assert_eq!(hash(b""), 0x2D06_8005_38D3_94C2);
        assert_eq!(hash("正文".as_bytes()), hash("正文".as_bytes()));
    }

    #[test]
    fn a_small_edit_moves_few_bits_and_another_text_many() {
        let words: Vec<String> = (0..400).map(|n| format!("word{n} 网页{n}")).collect();
        let text = words.join(" ");
        let other: String = (0..400).map(|n| format!("andere{n} 段落{n} ")).collect();
        let edited = text.replace("word7 ", "").replace("word99 ", "changed ");
        assert!(distance(fingerprint(&text), fingerprint(&edited)) <= 6);
        assert!(distance(fingerprint(&text), fingerprint(&other)) >= 12);
    }

    proptest! {
        #[test]
        fn token_order_cannot_matter(tokens in proptest::collection::vec(any::<(u64, u32)>(), 0..50)) {
            let mut reversed = tokens.clone();
            reversed.reverse();
            prop_assert_eq!(simhash(tokens), simhash(reversed));
        }
    }
}
