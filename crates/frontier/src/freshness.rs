//! How long after its publication a page can be found, for pages that a watch met as new.

use std::collections::VecDeque;

use gristmill_terms::FetchKind;
use gristmill_urls::{CanonicalUrl, UrlKey};

use crate::error::FrontierError;
use crate::frontier::Frontier;
use crate::record::{Sighting, UrlRecord, UrlState};

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
    fn delay(&mut self, published: i64, seen: i64, since: i64) -> Option<i64> {
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

impl Frontier {
    /// Takes note how a new page was met.
    pub(crate) fn sight(&mut self, url: &str, sighting: Sighting) -> Result<(), FrontierError> {
        let key = UrlKey::of(url);
        let is_new = |record: &UrlRecord| record.kind == FetchKind::Page && record.state == UrlState::Queued;
        let Some(mut record) = self.record(key)?.filter(is_new) else { return Ok(()) };
        if self.config.recrawl.enabled && !record.known && record.sighting.is_none() {
            record.sighting = Some(sighting);
            self.put_record(key, &record);
        }
        Ok(())
    }

    /// Lets a redirect's target, where it was met just now, be as new as the page that redirects.
    pub(crate) fn pass_sighting_on(
        &mut self,
        record: &mut UrlRecord,
        target: &CanonicalUrl,
    ) -> Result<(), FrontierError> {
        let Some(sighting) = record.sighting.take() else { return Ok(()) };
        let key = target.key();
        let is_new = |target: &UrlRecord| target.state == UrlState::Queued && !target.known;
        let Some(mut target) = self.record(key)?.filter(is_new) else { return Ok(()) };
        if target.first_seen == self.clock.now {
            (target.first_seen, target.sighting) = (record.first_seen, Some(sighting));
            self.put_record(key, &target);
        }
        Ok(())
    }

    /// Takes note that a search finds a page from `at` on. Tells how long that is after it was published, in milliseconds, where the page is
    /// news: a source brought it at a later visit, and it was not there before the source was met. Each page counts once.
    ///
    /// * `published`: by the page itself, Unix milliseconds; else the date that its source gave counts, or else when it was first seen. So
    ///   it does for dates in the future. A site's clock may be off by hours; from the fifth page on that is known and allowed for.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn found(
        &mut self,
        url: &CanonicalUrl,
        published: Option<u64>,
        at: u64,
        now: u64,
    ) -> Result<Option<u64>, FrontierError> {
        self.at(now);
        let key = url.key();
        let Some(mut record) = self.record(key)? else { return Ok(None) };
        let Some(Sighting { source_since, listed_at }) = record.sighting.take() else { return Ok(None) };
        self.put_record(key, &record);
        let [seen, since] = [record.first_seen, source_since].map(|own| self.clock.callers(own));
        let waited = at.saturating_sub(seen);
        let Some(published) = published.or(listed_at) else { return Ok(Some(waited)) };
        let domain = self.places.domain(url.registrable_domain(), &mut self.store, &mut self.meta)?;
        let [published, seen, since] = [published, seen, since].map(|time| i64::try_from(time).unwrap_or(i64::MAX));
        let delay = self.site_clocks.entry(domain).or_default().delay(published, seen, since);
        Ok(delay.map(|delay| waited.saturating_add(delay.unsigned_abs())))
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
