//! A bounded map that forgets what was not used for a while.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash};

use xxhash_rust::xxh3::Xxh3Default;

pub(crate) type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<Xxh3Default>>;

/// Two generations of at most `capacity / 2` entries each: an entry that is used moves to the young one; when that is full it
/// becomes the old one, and the former old one is forgotten. Nearly least-recently-used, at two hash look-ups.
pub(crate) struct Generations<K, V> {
    half: usize,
    young: FastMap<K, V>,
    old: FastMap<K, V>,
}

impl<K: Eq + Hash, V> Generations<K, V> {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { half: (capacity / 2).max(1), young: FastMap::default(), old: FastMap::default() }
    }

    pub(crate) fn get(&mut self, key: &K) -> Option<&V> {
        if let Some((key, value)) = self.old.remove_entry(key) {
            self.insert(key, value);
        }
        self.young.get(key)
    }

    pub(crate) fn insert(&mut self, key: K, value: V) {
        if self.young.len() >= self.half && !self.young.contains_key(&key) {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, value);
    }

    pub(crate) fn remove(&mut self, key: &K) {
        self.young.remove(key);
        self.old.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_stays_and_memory_is_bounded() {
        let mut cache = Generations::new(10);
        cache.insert(0, 0);
        for n in 1..100 {
            cache.insert(n, n);
            assert_eq!(cache.get(&0), Some(&0), "used each time");
            assert!(cache.young.len() + cache.old.len() <= 10);
        }
        assert_eq!(cache.get(&50), None);
        cache.remove(&0);
        assert_eq!(cache.get(&0), None);
    }
}
