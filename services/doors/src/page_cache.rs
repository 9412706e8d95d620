//! Pages that were fetched a while ago, for clients that are content with those (`maxAge`).

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};

use gristmill_searcher::PageCopy;

/// Most bytes of all bodies together; what came first goes first.
const MAX_BYTES: usize = 64 << 20;

/// A page, and when it was fetched.
#[derive(Clone)]
pub(crate) struct CachedPage {
    pub copy: PageCopy,
    pub fetched: SystemTime,
    since: Instant,
    number: u64,
}

/// Pages by the address that was asked for.
#[derive(Default)]
pub(crate) struct PageCache {
    entries: Mutex<CacheEntries>,
}

#[derive(Default)]
struct CacheEntries {
    by_url: HashMap<String, CachedPage>,
    n_bytes: usize,
    next: u64,
}

impl PageCache {
    /// The page at an address, if it is no older than `max_age`.
    pub(crate) fn get(&self, url: &str, max_age: Duration) -> Option<CachedPage> {
        let entries = self.entries.lock().expect("no code panics while it holds this lock");
        entries.by_url.get(url).filter(|page| page.since.elapsed() <= max_age).cloned()
    }

    pub(crate) fn put(&self, url: &str, copy: PageCopy) {
        let mut entries = self.entries.lock().expect("no code panics while it holds this lock");
        entries.remove(url);
        entries.n_bytes += copy.bytes.len();
        let number = entries.next;
        entries.next += 1;
        let page = CachedPage { copy, fetched: SystemTime::now(), since: Instant::now(), number };
        entries.by_url.insert(url.to_owned(), page);
        while entries.n_bytes > MAX_BYTES {
            let oldest = entries.by_url.iter().min_by_key(|(_, page)| page.number).map(|(url, _)| url.clone());
            oldest.into_iter().for_each(|url| entries.remove(&url));
        }
    }
}

impl CacheEntries {
    fn remove(&mut self, url: &str) {
        if let Some(page) = self.by_url.remove(url) {
            self.n_bytes -= page.copy.bytes.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copy(bytes: usize) -> PageCopy {
        PageCopy {
            bytes: vec![b'x'; bytes].into(),
            content_type: None,
            url: String::new(),
            status: 200,
            robots_tags: Vec::new(),
        }
    }

    #[test]
    fn pages_are_kept_until_they_are_too_old_or_too_many() {
        let cache = PageCache::default();
        cache.put("a", copy(10));
        assert_eq!(cache.get("a", Duration::from_secs(60)).unwrap().copy.bytes.len(), 10);
        std::thread::sleep(Duration::from_millis(5));
        assert!(cache.get("a", Duration::ZERO).is_none() && cache.get("b", Duration::MAX).is_none());
        cache.put("a", copy(20));
        for name in ["b", "c", "d"] {
            cache.put(name, copy(MAX_BYTES / 3));
        }
        assert!(cache.get("a", Duration::MAX).is_none() && cache.get("d", Duration::MAX).is_some());
        cache.put("huge", copy(MAX_BYTES + 1));
        let entries = cache.entries.lock().unwrap();
        assert_eq!((entries.by_url.len(), entries.n_bytes), (0, 0));
    }
}
