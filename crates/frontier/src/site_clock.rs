//! How far the clocks of sites are off, by the dates of their new pages.

use std::collections::VecDeque;

const MINUTE: i64 = 60_000;
/// A site whose dates are mostly further back than this when its pages are first seen has a wrong clock, or a wrong zone.
const MOST_LATE: i64 = 45 * MINUTE;
/// What was published longer ago is an old page that a source shows again.
const OLD: i64 = 24 * 60 * MINUTE;
/// Pages that tell how far the clock of their site is off.
const MANY: usize = 16;
const ENOUGH: usize = 5;

/// How far the clock of a site is off, by how long after their dates its newest pages were first seen, in milliseconds.
#[derive(Debug, Default)]
pub(crate) struct SiteClock {
    late: VecDeque<i64>,
}

impl SiteClock {
    fn learn(&mut self, late: i64) {
        if self.late.len() == MANY {
            self.late.pop_front();
        }
        self.late.push_back(late);
    }

    /// How far it is behind, below 0 where it is ahead; `None` while too little is known.
    ///
    /// A source is read again within minutes, so that of every four pages one is seen soon after it was published. One date that is
    /// wrong by itself is outvoted.
    fn behind(&self) -> Option<i64> {
        if self.late.len() < ENOUGH {
            return None;
        }
        let mut late: Vec<i64> = self.late.iter().copied().collect();
        late.sort_unstable();
        let soon = late[late.len() / 4];
        Some(if (0..MOST_LATE).contains(&soon) { 0 } else { soon })
    }

    /// How long after its publication a page was first seen, all in milliseconds; `None` where it is no news.
    ///
    /// * `since`: when its source was met.
    pub(crate) fn delay(&mut self, published: i64, seen: i64, since: i64) -> Option<i64> {
        let late = seen.saturating_sub(published);
        if late > 2 * OLD {
            return None;
        }
        // What was there before its source was met says when it was written, and nothing of the clock.
        if late > -OLD && published >= since {
            self.learn(late);
        }
        match self.behind() {
            Some(behind) if late.saturating_sub(behind) > OLD || published.saturating_add(behind) < since => None,
            Some(behind) => Some(late.saturating_sub(behind).max(0)),
            None if published < since => None,
            // Too late to be believed of a site that nobody knows yet.
            None if late > MOST_LATE => Some(0),
            None => Some(late.max(0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 60 * MINUTE;

    /// The delays that are told for pages that were each seen so long after their dates, in minutes; the source was met a week before.
    fn delays(late: &[i64]) -> Vec<Option<i64>> {
        let mut clock = SiteClock::default();
        let told = |late: &i64| clock.delay(100_000 * MINUTE - late * MINUTE, 100_000 * MINUTE, 90_000 * MINUTE);
        late.iter().map(told).map(|delay| delay.map(|delay| delay / MINUTE)).collect()
    }

    #[test]
    fn a_right_clock_is_believed_whatever_a_single_date_says() {
        assert_eq!(delays(&[1, 3, 9, 2]), [Some(1), Some(3), Some(9), Some(2)]);
        assert_eq!(delays(&[1, 3, 9, 2, 1, -180, 4, 70])[5..], [Some(0), Some(4), Some(70)]);
    }

    #[test]
    fn a_clock_that_is_hours_behind_or_ahead_is_found_out() {
        for error in [-14 * 60, -60, -7, 60, 5 * 60, 12 * 60] {
            let told = delays(&[1, 3, 9, 2, 1, 2, 1, 7, 30].map(|late| late + error));
            assert!(told[..4].iter().flatten().all(|delay| *delay <= 9), "{error}: {told:?}");
            assert!(told[5..].iter().flatten().all(|delay| *delay <= 30), "{error}: {told:?}");
            assert!(told[8].is_some_and(|delay| delay >= 27), "{error}: {told:?}");
        }
    }

    #[test]
    fn what_was_published_before_the_source_was_met_or_the_day_before_is_old() {
        let mut clock = SiteClock::default();
        assert_eq!(clock.delay(0, 2 * HOUR, HOUR), None);
        assert_eq!(clock.delay(HOUR, 2 * HOUR, HOUR), Some(0), "nobody knows the site yet");
        (0..5).for_each(|n| _ = clock.delay(HOUR + n, HOUR + n + MINUTE, HOUR));
        assert_eq!(clock.delay(0, 2 * HOUR, HOUR), None);
        assert_eq!(clock.delay(2 * HOUR, 40 * HOUR, HOUR), None);
        assert_eq!(clock.delay(i64::MAX, HOUR, HOUR), Some(0));
        assert_eq!(clock.delay(0, i64::MAX, 0), None);
    }
}
