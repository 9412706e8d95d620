//! What was archived of a URL last, so that the same payload is not written twice.

use std::collections::HashMap;

use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// URLs of a partition that are remembered, some 15 MB. When there are more, all are forgotten: a page is written once more then.
const MAX_URLS: usize = 200_000;

/// The payload that a URL had last, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Payload {
    digest: u128,
    /// Unix seconds.
    at: i64,
}

/// The last payloads of the URLs of a partition.
#[derive(Debug, Default)]
pub(crate) struct RevisitCache(HashMap<u64, Payload>);

impl RevisitCache {
    /// When `url` was archived last, in Unix seconds.
    pub(crate) fn at(&self, url: &str) -> Option<i64> {
        self.0.get(&xxh3_64(url.as_bytes())).map(|payload| payload.at)
    }

    /// When `url` was archived with a payload of `digest`, if that is the last one.
    pub(crate) fn same(&self, url: &str, digest: &str) -> Option<i64> {
        let payload = self.0.get(&xxh3_64(url.as_bytes()))?;
        (payload.digest == xxh3_128(digest.as_bytes())).then_some(payload.at)
    }

    /// Remembers a payload that was written whole.
    pub(crate) fn remember(&mut self, url: &str, digest: &str, at: i64) {
        if self.is_full() {
            self.0.clear();
        }
        self.0.insert(xxh3_64(url.as_bytes()), Payload { digest: xxh3_128(digest.as_bytes()), at });
    }

    /// Remembers one that was written before all those that are known.
    pub(crate) fn remember_earlier(&mut self, url: &str, digest: &str, at: i64) {
        let payload = Payload { digest: xxh3_128(digest.as_bytes()), at };
        self.0.entry(xxh3_64(url.as_bytes())).or_insert(payload);
    }

    pub(crate) fn is_full(&self) -> bool {
        self.0.len() >= MAX_URLS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_payload_of_a_url_counts() {
        let mut seen = RevisitCache::default();
        seen.remember("http://a.test/", "sha1:A", 1);
        seen.remember_earlier("http://a.test/", "sha1:B", 0);
        assert_eq!((seen.same("http://a.test/", "sha1:A"), seen.same("http://a.test/", "sha1:B")), (Some(1), None));
        assert_eq!((seen.same("http://b.test/", "sha1:A"), seen.at("http://b.test/")), (None, None));
        seen.remember("http://a.test/", "sha1:B", 2);
        assert_eq!((seen.same("http://a.test/", "sha1:A"), seen.at("http://a.test/")), (None, Some(2)));
    }
}
