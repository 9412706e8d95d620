//! How long after its publication a page can be found, for pages that a watch met as new.

use gristmill_terms::FetchKind;
use gristmill_urls::{CanonicalUrl, UrlKey};

use crate::error::FrontierError;
use crate::frontier::Frontier;
use crate::url_record::{Sighting, UrlRecord, UrlState};

impl Frontier {
    /// Takes note how a new page was met. It goes before what was there when its site was met.
    pub(crate) fn sight(&mut self, url: &str, sighting: Sighting, priority: u8) -> Result<(), FrontierError> {
        let key = UrlKey::of(url);
        let is_new = |record: &UrlRecord| record.kind == FetchKind::Page && record.state == UrlState::Queued;
        let Some(mut record) = self.record(key)?.filter(is_new) else { return Ok(()) };
        if self.config.recrawl.enabled && !record.known && record.sighting.is_none() {
            record.sighting = Some(sighting);
            let url = self.stored_url(&record.url)?;
            let host = self.places.host(&url, &mut self.store, &mut self.meta)?;
            self.withdraw(key, &record, host)?;
            record.priority = record.priority.min(priority);
            self.enqueue(key, &mut record, host)?;
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
