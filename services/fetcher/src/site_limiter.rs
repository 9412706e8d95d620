//! One request to a site at a time, and its pause between two, within this process.
//!
//! The scheduler sees to both already. After a restart or a takeover, orders of an interrupted step may stand beside newer ones
//! of the same site; here they queue up.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::OwnedMutexGuard;
use tokio::time::Instant;
use xxhash_rust::xxh3::xxh3_64;

/// Sites remembered before those without a request are forgotten, some 10 MB.
const MAX_SITES: usize = 65_536;

/// When the last request to a site ended.
type Site = Arc<tokio::sync::Mutex<Option<Instant>>>;

/// The turns of all sites. Clones are the same.
#[derive(Clone, Default)]
pub struct SiteLimiter {
    sites: Arc<Mutex<HashMap<u64, Site>>>,
}

/// The right to send one request; the pause begins when it is dropped.
pub struct SitePermit(OwnedMutexGuard<Option<Instant>>);

impl SiteLimiter {
    /// Waits until no request to `site` is under way and the last one ended at least `pause` ago.
    pub async fn take(&self, site: &str, pause: Duration) -> SitePermit {
        let turn = self.site(site).lock_owned().await;
        if let Some(ended) = *turn {
            tokio::time::sleep_until(ended + pause).await;
        }
        SitePermit(turn)
    }

    fn site(&self, site: &str) -> Site {
        let mut sites = self.sites.lock().expect("nothing under this lock panics");
        if sites.len() >= MAX_SITES {
            sites.retain(|_, site| Arc::strong_count(site) > 1);
        }
        sites.entry(xxh3_64(site.as_bytes())).or_default().clone()
    }
}

impl Drop for SitePermit {
    fn drop(&mut self) {
        *self.0 = Some(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Duration = Duration::from_millis(40);

    #[tokio::test]
    async fn requests_to_one_site_queue_up_with_their_pause() {
        let (turns, begun) = (SiteLimiter::default(), Instant::now());
        drop(turns.take("a.test", PAUSE).await);
        drop(turns.take("b.test", PAUSE).await);
        let held = turns.take("a.test", PAUSE).await;
        assert!(begun.elapsed() >= PAUSE);
        let next = tokio::spawn({
            let turns = turns.clone();
            async move { drop(turns.take("a.test", PAUSE).await) }
        });
        tokio::time::sleep(PAUSE * 3).await;
        assert!(!next.is_finished(), "one at a time");
        // Taken first: this thread may be held up behind the end of the request, when the pause runs already.
        let ended = Instant::now();
        drop(held);
        next.await.unwrap();
        assert!(ended.elapsed() >= PAUSE);
    }
}
