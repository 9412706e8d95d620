//! SimHash with weights: Charikar's votes over hashed tokens, which papers compare short texts by.

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

    /// The bits for which more than half of the weight was.
    fn majority(&self) -> u64 {
        let used = 64 - self.all.leading_zeros() as usize;
        let sum = |bit: u32| self.digits[..used].iter().rev().fold(0u64, |sum, digit| sum << 1 | digit >> bit & 1);
        (0..64).filter(|&bit| 2 * sum(bit) > self.all).fold(0, |bits, bit| bits | 1 << bit)
    }
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
        fn token_order_cannot_matter(tokens in proptest::collection::vec(any::<(u64, u32)>(), 0..50)) {
            let mut reversed = tokens.clone();
            reversed.reverse();
            prop_assert_eq!(simhash(tokens), simhash(reversed));
        }
    }
}
