//! What a crawl did in equal steps of time, for plots.

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;

/// Counts that only grow, and what waits, at a moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CrawlCounts {
    pub pages: u64,
    pub queued: u64,
    /// Processor seconds by stage.
    pub cpu_seconds: BTreeMap<&'static str, f64>,
}

/// The newest steps, the last one under way.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Timeline {
    pub step_seconds: u64,
    /// Pages fetched in each.
    pub pages: VecDeque<u64>,
    /// URLs that waited at the end of each.
    pub queued: VecDeque<u64>,
    /// Processor seconds of each by stage.
    pub cpu_seconds: BTreeMap<&'static str, VecDeque<f64>>,
    #[serde(skip)]
    most: usize,
    /// Number of the step under way.
    #[serde(skip)]
    step: u64,
    /// The counts when it began.
    #[serde(skip)]
    before: CrawlCounts,
    #[serde(skip)]
    latest: CrawlCounts,
}

impl Timeline {
    /// Of `most` steps of so many seconds.
    pub fn new(step_seconds: u64, most: usize) -> Self {
        Self { step_seconds, most, ..Self::default() }
    }

    /// Takes in the counts so many seconds after the start.
    pub fn note(&mut self, elapsed_seconds: u64, counts: CrawlCounts) {
        let step = elapsed_seconds / self.step_seconds.max(1);
        if step > self.step {
            self.before = self.latest.clone();
        }
        // A machine that slept has as many steps without a page.
        let n_new = if self.pages.is_empty() { 1 } else { step.saturating_sub(self.step) };
        for _ in 0..n_new.min(self.most as u64) {
            self.pages.push_back(0);
            self.queued.push_back(counts.queued);
            self.cpu_seconds.values_mut().for_each(|stage| stage.push_back(0.0));
        }
        self.step = step;
        let n_steps = self.pages.len();
        set_last(&mut self.pages, counts.pages.saturating_sub(self.before.pages));
        set_last(&mut self.queued, counts.queued);
        for (stage, seconds) in &counts.cpu_seconds {
            let before = self.before.cpu_seconds.get(stage).copied().unwrap_or(0.0);
            let stage = self.cpu_seconds.entry(stage).or_insert_with(|| vec![0.0; n_steps].into());
            set_last(stage, ((seconds - before).max(0.0) * 100.0).round() / 100.0);
        }
        cut(&mut self.pages, self.most);
        cut(&mut self.queued, self.most);
        self.cpu_seconds.values_mut().for_each(|stage| cut(stage, self.most));
        self.latest = counts;
    }
}

fn set_last<T>(list: &mut VecDeque<T>, value: T) {
    if let Some(last) = list.back_mut() {
        *last = value;
    }
}

fn cut<T>(list: &mut VecDeque<T>, most: usize) {
    list.drain(..list.len().saturating_sub(most));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(pages: u64) -> CrawlCounts {
        CrawlCounts { pages, queued: 100 - pages, cpu_seconds: [("read", pages as f64 / 2.0)].into() }
    }

    #[test]
    fn each_step_has_what_came_in_it() {
        let mut minutes = Timeline::new(60, 5);
        for (pages, seconds) in [(3, 0), (5, 1), (5, 61), (9, 100), (9, 250), (10, 299)] {
            minutes.note(seconds, counts(pages));
        }
        assert_eq!(minutes.pages, [5, 4, 0, 0, 1]);
        assert_eq!(minutes.queued, [95, 91, 91, 91, 90]);
        assert_eq!(minutes.cpu_seconds["read"], [2.5, 2.0, 0.0, 0.0, 0.5]);
        minutes.note(6_000_000, counts(12));
        assert_eq!((minutes.pages.len(), minutes.pages.back()), (5, Some(&2)));
        assert_eq!(minutes.cpu_seconds["read"].len(), 5);
    }
}
