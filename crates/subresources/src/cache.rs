//! Scripts and style sheets that pages share, in memory, bounded in bytes.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use gristmill_browser::LoadedResource;

/// What an entry takes beside its body, about.
const OVERHEAD: usize = 512;

struct Kept {
    content: LoadedResource,
    since: Instant,
    /// Its place in the order of use.
    used: u64,
    bytes: usize,
}

/// Answers by URL; the least recently used ones make room.
pub(crate) struct ResourceCache {
    max_bytes: usize,
    keep_for: Duration,
    bytes: usize,
    clock: u64,
    entries: HashMap<String, Kept>,
    by_use: BTreeMap<u64, String>,
}

impl ResourceCache {
    pub(crate) fn new(max_bytes: usize, keep_for: Duration) -> Self {
        Self { max_bytes, keep_for, bytes: 0, clock: 0, entries: HashMap::new(), by_use: BTreeMap::new() }
    }

    /// What is kept for `url` at `now`.
    pub(crate) fn get(&mut self, url: &str, now: Instant) -> Option<LoadedResource> {
        let kept = self.entries.get_mut(url)?;
        if now.duration_since(kept.since) > self.keep_for {
            self.remove(url);
            return None;
        }
        self.clock += 1;
        let name = self.by_use.remove(&kept.used)?;
        kept.used = self.clock;
        self.by_use.insert(self.clock, name);
        Some(kept.content.clone())
    }

    /// Keeps an answer. One that takes more than an eighth of all is not kept, for the sake of the others.
    pub(crate) fn put(&mut self, url: &str, content: &LoadedResource, now: Instant) {
        let bytes = content.body.len() + 2 * url.len() + OVERHEAD;
        if bytes > self.max_bytes / 8 {
            return;
        }
        self.remove(url);
        while self.bytes + bytes > self.max_bytes {
            let Some((_, oldest)) = self.by_use.pop_first() else { break };
            self.bytes -= self.entries.remove(&oldest).map_or(0, |kept| kept.bytes);
        }
        self.clock += 1;
        self.bytes += bytes;
        self.by_use.insert(self.clock, url.to_owned());
        self.entries.insert(url.to_owned(), Kept { content: content.clone(), since: now, used: self.clock, bytes });
    }

    fn remove(&mut self, url: &str) {
        if let Some(kept) = self.entries.remove(url) {
            self.bytes -= kept.bytes;
            self.by_use.remove(&kept.used);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(bytes: usize) -> LoadedResource {
        LoadedResource { status: 200, headers: Vec::new(), body: vec![b'x'; bytes].into() }
    }

    #[test]
    fn the_least_recently_used_makes_room_and_the_old_is_gone() {
        let (mut cache, now) = (ResourceCache::new(20_000, Duration::from_secs(60)), Instant::now());
        for n in 0..9 {
            cache.put(&n.to_string(), &content(1500), now);
            assert!(cache.get("0", now).is_some(), "{n}");
        }
        cache.put("9", &content(1500), now);
        assert!(cache.bytes <= 20_000 && cache.entries.len() == cache.by_use.len());
        assert!(cache.get("1", now).is_none() && cache.get("0", now).is_some());
        assert!(cache.get("0", now + Duration::from_secs(61)).is_none());
        cache.put("large", &content(3_000), now);
        assert!(cache.get("large", now).is_none());
    }

    #[test]
    fn a_new_version_takes_the_place_of_the_old_one() {
        let (mut cache, now) = (ResourceCache::new(1 << 20, Duration::from_secs(60)), Instant::now());
        (0..100).for_each(|n| cache.put("a", &content(n), now));
        assert_eq!(cache.get("a", now).unwrap().body.len(), 99);
        assert_eq!((cache.entries.len(), cache.by_use.len(), cache.bytes), (1, 1, 99 + 2 + OVERHEAD));
    }
}
