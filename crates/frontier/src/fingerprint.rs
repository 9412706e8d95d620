//! What stands for a URL key in the seen set: its hash under the store's own random key.

use std::hash::{BuildHasherDefault, Hasher};

use gristmill_text::IdentityHasher;
use gristmill_urls::UrlKey;
use xxhash_rust::xxh3::xxh3_128_with_seed;

/// Ranges of fingerprints: each is merged on its own.
pub(crate) const N_RANGES: usize = 256;

/// Bytes of a fingerprint within its range.
pub(crate) const SUFFIX: usize = 15;

/// As long as the key for which it stands. It is keyed, so that nobody can make URLs that crowd one range or one bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct UrlFingerprint {
    high: u64,
    low: u64,
}

impl UrlFingerprint {
    pub(crate) fn of(key: UrlKey, store_key: u64) -> Self {
        let hash = xxh3_128_with_seed(&key.to_bytes(), store_key);
        Self { high: (hash >> 64) as u64, low: hash as u64 }
    }

    pub(crate) fn range(self) -> usize {
        (self.high >> 56) as usize
    }

    /// The bytes after the range, in the order of fingerprints.
    pub(crate) fn suffix(self) -> [u8; SUFFIX] {
        let [_, high @ ..] = self.high.to_be_bytes();
        let mut suffix = [0; SUFFIX];
        suffix[..7].copy_from_slice(&high);
        suffix[7..].copy_from_slice(&self.low.to_be_bytes());
        suffix
    }

    pub(crate) fn in_range(range: usize, suffix: [u8; SUFFIX]) -> Self {
        let [h0, h1, h2, h3, h4, h5, h6, low @ ..] = suffix;
        let high = u64::from_be_bytes([range as u8, h0, h1, h2, h3, h4, h5, h6]);
        Self { high, low: u64::from_be_bytes(low) }
    }

    /// Two numbers for a filter of one range: a place, and 54 bits. Neither holds what all of the range share.
    pub(crate) fn for_filter(self) -> (u64, u64) {
        (self.high << 8, self.low >> 10)
    }
}

impl std::hash::Hash for UrlFingerprint {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.low);
    }
}

pub(crate) type ByFingerprint = BuildHasherDefault<IdentityHasher>;
