//! SimHash: one 64-bit fingerprint for a text, near for near texts.

use crate::segment::Jieba;
use crate::words::{for_each_word, hash_lower};

/// The hash of a token: XXH3, 64 bits, seed 0. The same on every platform and release; stored fingerprints rely
/// on it.
#[inline]
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
/// * O(n) time, no allocation. Cannot fail.
///
/// Source: Charikar, STOC 2002, §3; bit votes as in Manku, Jain & Das Sarma, WWW 2007, §2.
/// Ours: a tied vote gives 0, weights are integers so that order cannot matter, and the 64 sums are counted side by
/// side, a binary digit of all of them in one word.
pub fn simhash(tokens: impl IntoIterator<Item = (u64, u32)>) -> u64 {
    let mut votes = Votes::default();
    for (hash, mut weight) in tokens {
        while weight != 0 {
            votes.add(hash, weight.trailing_zeros() as usize);
            weight &= weight - 1;
        }
    }
    votes.majority()
}

/// How much weight was for each of 64 bits.
struct Votes {
    /// `digits[n]` holds the binary digit 2ⁿ of all 64 sums.
    digits: [u64; 64],
    all: u64,
}

impl Default for Votes {
    fn default() -> Votes {
        Votes { digits: [0; 64], all: 0 }
    }
}

impl Votes {
    /// Adds 2ⁿ to the sums of the set bits, n from `digit`.
    fn add(&mut self, bits: u64, digit: usize) {
        self.all += 1 << digit;
        let mut carry = bits;
        for digit in &mut self.digits[digit..] {
            (*digit, carry) = (*digit ^ carry, *digit & carry);
            if carry == 0 {
                break;
            }
        }
    }

    /// Adds 1 eight times, with one carry to what is above 4 (Harley and Seal's adder).
    fn add_eight(&mut self, [a, b, c, d, e, f, g, h]: &[u64; 8]) {
        let sum = |x: u64, y: u64, z: u64| (x ^ y ^ z, x & y | (x ^ y) & z);
        let [ones, twos, fours, ..] = self.digits;
        let (ones, ab) = sum(ones, *a, *b);
        let (ones, cd) = sum(ones, *c, *d);
        let (ones, ef) = sum(ones, *e, *f);
        let (ones, gh) = sum(ones, *g, *h);
        let (twos, abcd) = sum(twos, ab, cd);
        let (twos, efgh) = sum(twos, ef, gh);
        let (fours, eights) = sum(fours, abcd, efgh);
        self.digits[..3].copy_from_slice(&[ones, twos, fours]);
        self.add(eights, 3);
    }

    /// The bits for which more than half of the weight was.
    fn majority(&self) -> u64 {
        let used = 64 - self.all.leading_zeros() as usize;
        let sum = |bit: u32| self.digits[..used].iter().rev().fold(0u64, |sum, digit| sum << 1 | digit >> bit & 1);
        (0..64).filter(|&bit| 2 * sum(bit) > self.all).fold(0, |bits, bit| bits | 1 << bit)
    }
}

/// How many bits two fingerprints differ in.
pub fn distance(a: u64, b: u64) -> u32 {
    (a ^ b).count_ones()
}

/// The fingerprint of a text: [`simhash`] over its lower-cased words (dictionary words for Chinese), each
/// weighted by how often it occurs. 0 for a text without words.
pub fn fingerprint(text: &str) -> u64 {
    let (mut votes, mut lower, mut eight, mut n) = (Votes::default(), String::new(), [0; 8], 0);
    // A word that occurs n times votes n times, which is a vote of weight n.
    for_each_word(text, &Jieba, |word| {
        eight[n] = hash_lower(word, &mut lower);
        n += 1;
        if n == eight.len() {
            votes.add_eight(&eight);
            n = 0;
        }
    });
    eight[..n].iter().for_each(|&bits| votes.add(bits, 0));
    votes.majority()
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

    /// The definition word for word: one sum for each bit.
    fn by_definition(tokens: &[(u64, u32)]) -> u64 {
        let vote = |bit: u32| -> i64 {
            tokens.iter().map(|&(hash, weight)| i64::from(weight) * if hash >> bit & 1 == 1 { 1 } else { -1 }).sum()
        };
        (0..64).filter(|&bit| vote(bit) > 0).fold(0, |bits, bit| bits | 1 << bit)
    }

    proptest! {
        #[test]
        fn sums_side_by_side_are_the_sums_of_the_definition(
            tokens in proptest::collection::vec((any::<u64>(), prop_oneof![Just(1), 0..9u32, any::<u32>()]), 0..200)
        ) {
            prop_assert_eq!(simhash(tokens.iter().copied()), by_definition(&tokens));
        }

        #[test]
        fn words_counted_by_eights_are_votes_of_one(words in proptest::collection::vec("[a-z]{1,6}", 0..60)) {
            let tokens: Vec<(u64, u32)> = words.iter().map(|word| (hash(word.as_bytes()), 1)).collect();
            prop_assert_eq!(fingerprint(&words.join(" ")), by_definition(&tokens));
        }

        #[test]
        fn token_order_cannot_matter(tokens in proptest::collection::vec(any::<(u64, u32)>(), 0..50)) {
            let mut reversed = tokens.clone();
            reversed.reverse();
            prop_assert_eq!(simhash(tokens), simhash(reversed));
        }
    }
}
