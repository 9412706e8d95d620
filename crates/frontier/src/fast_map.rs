//! Maps by a fast hash under a random key of the process.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::OnceLock;

use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128_with_seed};

pub(crate) type FastMap<K, V> = HashMap<K, V, KeyedHash>;

/// Makes the hashers of all maps. Keyed, since names of hosts and URLs come from strangers.
#[derive(Clone, Copy)]
pub(crate) struct KeyedHash(u64);

impl Default for KeyedHash {
    fn default() -> Self {
        static KEY: OnceLock<u64> = OnceLock::new();
        Self(*KEY.get_or_init(random_key))
    }
}

/// A hash of 128 bits that stands for a text within this process.
pub(crate) fn keyed_hash(text: &str) -> u128 {
    xxh3_128_with_seed(text.as_bytes(), KeyedHash::default().0)
}

impl BuildHasher for KeyedHash {
    type Hasher = KeyedHasher;

    fn build_hasher(&self) -> KeyedHasher {
        KeyedHasher(self.0)
    }
}

/// The random number that the system gives the library for its own maps.
pub(crate) fn random_key() -> u64 {
    RandomState::new().hash_one(0)
}

/// XXH3 over texts, one multiplication for a number. The streaming form of XXH3 has half a kilobyte to set up for each key.
pub(crate) struct KeyedHasher(u64);

impl KeyedHasher {
    fn fold(&mut self, number: u64) {
        let product = u128::from(self.0 ^ number) * u128::from(0x9E37_79B9_7F4A_7C15_u64);
        self.0 = product as u64 ^ (product >> 64) as u64;
    }
}

impl Hasher for KeyedHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64_with_seed(bytes, self.0);
    }

    fn write_u8(&mut self, number: u8) {
        self.fold(number.into());
    }

    fn write_u32(&mut self, number: u32) {
        self.fold(number.into());
    }

    fn write_u64(&mut self, number: u64) {
        self.fold(number);
    }

    fn write_u128(&mut self, number: u128) {
        self.fold(number as u64);
        self.fold((number >> 64) as u64);
    }
}
