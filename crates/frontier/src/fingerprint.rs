//! What stands for a URL key in the seen set: 104 bits of a hash under the store's own random key.

use std::hash::{BuildHasherDefault, Hasher};

use gristmill_urls::UrlKey;
use xxhash_rust::xxh3::xxh3_128_with_seed;

/// Ranges of fingerprints: each is merged on its own.
pub(crate) const N_RANGES: usize = 256;

/// Bytes of a fingerprint within its range.
pub(crate) const SUFFIX: usize = 12;

/// Keyed, so that nobody can make URLs that crowd one range or one bucket. Two of a thousand million URLs share one with a
/// probability of 3 in 10¹⁴.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fingerprint {
    /// 8 bits of the range and 32 of the suffix.
    high: u64,
    low: u64,
}

impl Fingerprint {
    pub(crate) fn of(key: UrlKey, store_key: u64) -> Self {
        let hash = xxh3_128_with_seed(&key.to_bytes(), store_key);
        Self { high: (hash >> 88) as u64, low: hash as u64 }
    }

    pub(crate) fn range(self) -> usize {
        (self.high >> 32) as usize
    }

    /// The bytes after the range, in the order of fingerprints.
    pub(crate) fn suffix(self) -> [u8; SUFFIX] {
        let mut suffix = [0; SUFFIX];
        suffix[..4].copy_from_slice(&(self.high as u32).to_be_bytes());
        suffix[4..].copy_from_slice(&self.low.to_be_bytes());
        suffix
    }

    pub(crate) fn in_range(range: usize, suffix: [u8; SUFFIX]) -> Self {
        let [h0, h1, h2, h3, low @ ..] = suffix;
        let high = (range as u64) << 32 | u64::from(u32::from_be_bytes([h0, h1, h2, h3]));
        Self { high, low: u64::from_be_bytes(low) }
    }

    /// Two numbers for a filter of one range: a place, and bits in it. Neither holds what all of the range share.
    pub(crate) fn for_filter(self) -> (u64, u64) {
        let place = self.high << 32 | self.low >> 32;
        (place, (self.low ^ self.high.rotate_right(20)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 10)
    }
}

impl std::hash::Hash for Fingerprint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.low);
    }
}

/// A hasher for what is a hash already.
#[derive(Default)]
pub(crate) struct TakenAsHash(u64);

impl Hasher for TakenAsHash {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0 << 8 | u64::from(*byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

pub(crate) type ByFingerprint = BuildHasherDefault<TakenAsHash>;
