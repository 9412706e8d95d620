//! A blocked Bloom filter over the fingerprints of one range of the seen set.

use crate::fingerprint::UrlFingerprint;

/// Words of a block: one cache line, so that a question costs one access to memory.
const WORDS: usize = 8;
/// Bits set for each fingerprint.
const PROBES: u32 = 6;
/// Bits kept for each fingerprint: some 6 in 1,000 answers for absent ones are wrong.
const BITS_EACH: usize = 12;

/// Whether a fingerprint may be in a range: never wrong when it says no.
///
/// Putze, Sanders and Singler: Cache-, hash- and space-efficient Bloom filters (2009).
#[derive(Default)]
pub(crate) struct SeenFilter(Vec<u64>);

impl SeenFilter {
    /// Room for `n` fingerprints.
    pub(crate) fn for_len(n: usize) -> Self {
        Self(vec![0; Self::bytes_for(n) / 8])
    }

    /// Bytes of a filter for `n` fingerprints.
    pub(crate) fn bytes_for(n: usize) -> usize {
        (n * BITS_EACH).div_ceil(64 * WORDS) * WORDS * 8
    }

    pub(crate) fn insert(&mut self, fingerprint: UrlFingerprint) {
        let Some((block, mut bits)) = self.block_of(fingerprint) else { return };
        for _ in 0..PROBES {
            self.0[block + (bits >> 6) as usize % WORDS] |= 1 << (bits & 63);
            bits >>= 9;
        }
    }

    pub(crate) fn may_have(&self, fingerprint: UrlFingerprint) -> bool {
        let Some((block, mut bits)) = self.block_of(fingerprint) else { return false };
        let mut has_all = true;
        for _ in 0..PROBES {
            has_all &= self.0[block + (bits >> 6) as usize % WORDS] >> (bits & 63) & 1 == 1;
            bits >>= 9;
        }
        has_all
    }

    /// Where the block of the fingerprint begins, and nine bits for each probe; `None` in an empty filter.
    fn block_of(&self, fingerprint: UrlFingerprint) -> Option<(usize, u64)> {
        let n_blocks = (self.0.len() / WORDS) as u64;
        let (place, bits) = fingerprint.for_filter();
        let block = ((u128::from(place) * u128::from(n_blocks)) >> 64) as usize;
        (n_blocks > 0).then_some((block * WORDS, bits))
    }

    pub(crate) fn encode(&self, bytes: &mut Vec<u8>) {
        self.0.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let (words, rest) = bytes.as_chunks::<8>();
        let is_whole = rest.is_empty() && words.len().is_multiple_of(WORDS);
        is_whole.then(|| Self(words.iter().map(|word| u64::from_le_bytes(*word)).collect()))
    }
}
