//! Checks that sites get the pause they are owed: the last look at politeness, from the side that sends the requests.

use std::collections::HashMap;
use std::sync::Mutex;

use xxhash_rust::xxh3::xxh3_64;

/// Sites remembered at once, some 4 MB.
const MAX_SITES: usize = 65_536;

/// A site whose last request ended longer ago than this, in milliseconds, is forgotten first.
const FORGET_AFTER: u64 = 10 * 60 * 1000;

/// When each site was asked last. One for each process: requests of other fetchers are not seen here.
#[derive(Default)]
pub(crate) struct PolitenessMonitor {
    sites: Mutex<HashMap<u64, Last>>,
}

/// The request to a site that ended last, times in Unix milliseconds.
#[derive(Clone, Copy)]
struct Last {
    started_at: u64,
    finished_at: u64,
    pause: u64,
}

/// One finished request.
pub(crate) struct RequestTiming<'a> {
    /// Registrable domain.
    pub site: &'a str,
    /// Unix milliseconds.
    pub started_at: u64,
    /// Unix milliseconds.
    pub finished_at: u64,
    /// What the order said that the site is owed between two requests, in milliseconds.
    pub pause: u64,
}

impl PolitenessMonitor {
    /// Milliseconds by which a request began earlier than owed; 0 when it kept the pause, or is the first to its site.
    ///
    /// The pause is the shorter one of the two orders beside it, since hosts of one site may have different ones and a
    /// `Crawl-delay` may be learnt between them; longer pauses after 429, 503 and timeouts are not known here. So it
    /// never counts too much. Two requests at once are as early as the first lasts, and the pause. O(1), amortised.
    pub fn early(&self, asked: &RequestTiming<'_>) -> u64 {
        let now = Last { started_at: asked.started_at, finished_at: asked.finished_at, pause: asked.pause };
        let mut sites = self.sites.lock().expect("nothing under this lock panics");
        if sites.len() >= MAX_SITES {
            sites.retain(|_, last| last.finished_at + FORGET_AFTER > now.finished_at);
            if sites.len() >= MAX_SITES {
                sites.clear();
            }
        }
        let Some(last) = sites.insert(xxh3_64(asked.site.as_bytes()), now) else { return 0 };
        // Requests that overlap may end in any order.
        let (first, second) = if last.started_at <= now.started_at { (last, now) } else { (now, last) };
        (first.finished_at + first.pause.min(second.pause)).saturating_sub(second.started_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn early(pace: &PolitenessMonitor, site: &str, started_at: u64, finished_at: u64, pause: u64) -> u64 {
        pace.early(&RequestTiming { site, started_at, finished_at, pause })
    }

    #[test]
    fn a_request_after_the_pause_is_not_early_and_one_before_its_end_is() {
        let pace = PolitenessMonitor::default();
        assert_eq!(early(&pace, "a.test", 1000, 1200, 500), 0, "the first");
        assert_eq!(early(&pace, "a.test", 1700, 1800, 500), 0, "just in time");
        assert_eq!(early(&pace, "b.test", 1800, 1900, 500), 0, "another site");
        assert_eq!(early(&pace, "a.test", 2000, 2100, 500), 300);
    }

    #[test]
    fn two_requests_at_once_are_early_in_whatever_order_they_end() {
        let pace = PolitenessMonitor::default();
        assert_eq!(early(&pace, "a.test", 1050, 1060, 0), 0);
        assert_eq!(early(&pace, "a.test", 1000, 1100, 0), 50);
    }

    #[test]
    fn a_pause_that_was_learnt_between_two_requests_holds_from_the_second_on() {
        let pace = PolitenessMonitor::default();
        assert_eq!(early(&pace, "a.test", 1000, 1100, 100), 0);
        assert_eq!(early(&pace, "a.test", 1300, 1400, 10_000), 0);
        assert_eq!(early(&pace, "a.test", 1500, 1600, 10_000), 9900);
    }

    #[test]
    fn the_sites_remembered_are_bounded() {
        let pace = PolitenessMonitor::default();
        for site in 0..(MAX_SITES + 10) as u64 {
            early(&pace, &site.to_string(), site, site, 0);
        }
        assert!(pace.sites.lock().unwrap().len() <= MAX_SITES);
    }
}
