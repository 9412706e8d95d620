//! Maps and sets whose keys are hashes already, which need no second one.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map by hashes.
pub type ByHash<V> = HashMap<u64, V, BuildHasherDefault<IdentityHasher>>;

/// A set of hashes.
pub type Hashes = HashSet<u64, BuildHasherDefault<IdentityHasher>>;

/// Takes the key as it is.
#[derive(Default, Clone, Copy)]
pub struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("the keys of `ByHash` are numbers of 64 bits");
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}
