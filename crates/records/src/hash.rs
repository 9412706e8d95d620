//! Maps over keys that are well-mixed hashes or small numbers already: one multiplication instead of SipHash.
//!
//! Keys come from strangers' pages, so the maps are only used where their size is bounded.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// Mixes machine words by multiplication.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MixHasher(u64);

impl Hasher for MixHasher {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    fn write_u16(&mut self, value: u16) {
        self.write_u64(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(23) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<MixHasher>>;
pub(crate) type Set<K> = HashSet<K, BuildHasherDefault<MixHasher>>;
