//! How soon news could be found in the last day.

use std::collections::VecDeque;

use serde::Serialize;

const DAY: u64 = 86_400_000;
/// So many of the newest pages count at most.
const MOST: usize = 10_000;

/// From the publication of pages that a watch met as new to the moment when a search finds them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Freshness {
    /// Pages that were measured.
    pub pages: u64,
    /// Half of them were found within so many seconds.
    pub median_seconds: u64,
    /// And 95 of 100.
    pub p95_seconds: u64,
}

/// The pages of the last day, since the start of this scheduler.
#[derive(Debug, Default)]
pub(crate) struct FreshnessWindow {
    /// When each was findable and how long that took, in milliseconds.
    pages: VecDeque<(u64, u64)>,
    summary: Option<Freshness>,
}

impl FreshnessWindow {
    /// Adds a page that can be found from `at` on, `delay` after it was published.
    pub(crate) fn note(&mut self, at: u64, delay: u64) {
        if self.pages.len() == MOST {
            self.pages.pop_front();
        }
        self.pages.push_back((at, delay));
        self.summary = None;
    }

    /// What the last day before `now` was like; none where nothing was new.
    pub(crate) fn summary(&mut self, now: u64) -> Option<Freshness> {
        while self.pages.front().is_some_and(|(at, _)| at.saturating_add(DAY) < now) {
            self.pages.pop_front();
            self.summary = None;
        }
        if self.summary.is_none() && !self.pages.is_empty() {
            let mut delays: Vec<u64> = self.pages.iter().map(|(_, delay)| *delay).collect();
            delays.sort_unstable();
            let within = |percent: usize| delays[(delays.len() - 1) * percent / 100] / 1000;
            let pages = delays.len() as u64;
            self.summary = Some(Freshness { pages, median_seconds: within(50), p95_seconds: within(95) });
        }
        self.summary.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_day_counts_and_no_more() {
        let mut window = FreshnessWindow::default();
        assert_eq!(window.summary(DAY), None);
        window.note(1, 9_000_000);
        (0..99).for_each(|n| window.note(DAY, n * 1_000));
        assert_eq!(window.summary(DAY), Some(Freshness { pages: 100, median_seconds: 49, p95_seconds: 94 }));
        assert_eq!(window.summary(DAY + 2), Some(Freshness { pages: 99, median_seconds: 49, p95_seconds: 93 }));
        assert_eq!(window.summary(3 * DAY), None);
        (0..2 * MOST as u64).for_each(|n| window.note(4 * DAY + n, n));
        assert_eq!(window.summary(4 * DAY).map(|day| day.pages), Some(MOST as u64));
    }
}
