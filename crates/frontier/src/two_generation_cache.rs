//! A map of bounded size that forgets what was not used for a while.

use std::hash::Hash;

use crate::fast_map::FastMap;

/// Two generations of at most half the capacity each: an entry that is used moves to the young one; when that is full it
/// becomes the old one, and the former old one is forgotten. Nearly least-recently-used, at two hash look-ups. An entry
/// larger than half the capacity is a generation of its own.
pub(crate) struct TwoGenerationCache<K, V> {
    half: usize,
    young: FastMap<K, Entry<V>>,
    /// Sizes of the young ones together.
    size: usize,
    old: FastMap<K, Entry<V>>,
}

struct Entry<V> {
    value: V,
    size: usize,
}

impl<K: Eq + Hash, V> TwoGenerationCache<K, V> {
    /// For entries whose sizes are at most `capacity` together.
    pub(crate) fn new(capacity: usize) -> Self {
        Self { half: capacity / 2, young: FastMap::default(), size: 0, old: FastMap::default() }
    }

    pub(crate) fn get(&mut self, key: &K) -> Option<&V> {
        if let Some((key, entry)) = self.old.remove_entry(key) {
            self.insert(key, entry.value, entry.size);
        }
        self.young.get(key).map(|entry| &entry.value)
    }

    pub(crate) fn insert(&mut self, key: K, value: V, size: usize) {
        self.remove(&key);
        if self.size + size > self.half && !self.young.is_empty() {
            self.old = std::mem::take(&mut self.young);
            self.size = 0;
        }
        self.size += size;
        self.young.insert(key, Entry { value, size });
    }

    pub(crate) fn remove(&mut self, key: &K) {
        self.size -= self.young.remove(key).map_or(0, |entry| entry.size);
        self.old.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_stays_and_memory_is_bounded() {
        let mut cache = TwoGenerationCache::new(100);
        cache.insert(0, 0, 10);
        for n in 1..100 {
            cache.insert(n, n, 10);
            assert_eq!(cache.get(&0), Some(&0), "used each time");
            assert!(cache.young.len() + cache.old.len() <= 10);
        }
        assert_eq!(cache.get(&50), None);
        cache.remove(&0);
        assert_eq!(cache.get(&0), None);
    }

    #[test]
    fn large_entries_leave_room_for_fewer() {
        let mut cache = TwoGenerationCache::new(100);
        for n in 0..4 {
            cache.insert(n, n, 20);
        }
        assert_eq!(cache.young.len() + cache.old.len(), 4);
        for n in 10..13 {
            cache.insert(n, n, 1_000);
            assert_eq!(cache.get(&n), Some(&n), "the last one is always there");
            assert!(cache.young.len() == 1 && cache.old.len() <= 2);
        }
        assert_eq!(cache.get(&3), None);
        cache.insert(12, 0, 1);
        assert_eq!(cache.size, 1, "put in place of itself, it counts once");
    }
}
