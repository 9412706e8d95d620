//! Once more: URLs that came to their end go back into the queues because somebody asks for it.

use gristmill_urls::{CanonicalUrl, UrlKey};

use crate::error::FrontierError;
use crate::failure::FailureKind;
use crate::frontier::Frontier;
use crate::host_record::RobotsState;
use crate::link_log::LinkEntry;
use crate::url_record::{UrlRecord, UrlState};
use gristmill_terms::FetchKind;

/// Records read at once, and URLs put back between two commits; bounds memory.
const BATCH: usize = 10_000;

/// How far a walk over the records is.
pub(crate) enum RecordCursor {
    /// The first key of the table `urls` to read.
    Changed(Vec<u8>),
    /// The first sequence of the link log to read, for what has no row there.
    Unchanged(u64),
}

impl Default for RecordCursor {
    fn default() -> Self {
        Self::Changed(Vec::new())
    }
}

impl Frontier {
    /// Puts every URL that came to its end, however it did, back into its host's queue; those that `recrawl` will visit keep
    /// their time. Answers how many. Commits as it goes, without new positions, so it must not stand between orders and their
    /// commit.
    ///
    /// O(n) in the URLs of the seen set.
    ///
    /// # Errors
    /// When the store cannot be read or written; what was committed is in the queues then.
    pub fn again(&mut self, now: u64) -> Result<u64, FrontierError> {
        self.requeue(now, |_| true)
    }

    /// As [`Frontier::again`], for URLs that failed for a reason that [may have passed](FailureKind::may_pass) alone.
    ///
    /// # Errors
    /// As there.
    pub fn failed_again(&mut self, now: u64) -> Result<u64, FrontierError> {
        let stats = self.stats();
        let kinds = [&stats.pages, &stats.sitemaps, &stats.feeds];
        if !kinds.iter().flat_map(|kind| kind.failed.keys()).any(|kind| kind.may_pass()) {
            return Ok(0);
        }
        self.requeue(now, |state| matches!(state, UrlState::Failed(kind) if kind.may_pass()))
    }

    fn requeue(&mut self, now: u64, is_wanted: fn(UrlState) -> bool) -> Result<u64, FrontierError> {
        self.at(now);
        let (mut from, mut n_urls) = (RecordCursor::default(), 0);
        // Of a page that has not changed nothing is sent, and what its links were is known for the scope of before alone.
        let as_a_whole = self.has_scope_changed()?;
        loop {
            let batch = self.next_records(&mut from)?;
            if batch.is_empty() {
                if is_wanted(UrlState::Done) {
                    self.store.note_scope_change(false);
                }
                let positions = self.positions().clone();
                self.commit(&positions)?;
                return Ok(n_urls);
            }
            for (key, mut record) in batch {
                // A browser is asked for again by whoever reads the page again.
                let is_awaited = record.due > 0 && self.config.recrawl.enabled;
                let has_ended = record.state.is_final() && !is_awaited && record.kind != FetchKind::Render;
                if has_ended && is_wanted(record.state) {
                    let url = self.stored_url(&record.url)?;
                    if as_a_whole {
                        record.forget_version();
                    }
                    self.try_anew(key, &mut record, &url)?;
                    n_urls += 1;
                }
            }
            let positions = self.positions().clone();
            self.commit(&positions)?;
        }
    }

    /// Whether pages were read under another scope than that of now, which left links out that this one lets in.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn has_scope_changed(&self) -> Result<bool, FrontierError> {
        self.store.has_scope_changed()
    }

    /// The next records of the seen set, some 10,000; none at its end.
    pub(crate) fn next_records(&self, from: &mut RecordCursor) -> Result<Vec<(UrlKey, UrlRecord)>, FrontierError> {
        if let RecordCursor::Changed(first) = from {
            let batch = self.store.urls.scan(&[], first, BATCH)?;
            if let Some((last, _)) = batch.last() {
                first.clone_from(last);
                first.push(0);
                return batch.into_iter().map(|entry| self.read_changed(entry)).collect();
            }
            *from = RecordCursor::Unchanged(0);
        }
        let RecordCursor::Unchanged(first) = from else { return Ok(Vec::new()) };
        let mut batch = Vec::new();
        for block in self.store.links.blocks_from(*first) {
            let block = block?;
            *first = block.end();
            for entry in block.entries() {
                let (place, entry) = entry.ok_or_else(|| block.damaged())?;
                let LinkEntry::Link(link) = entry else { continue };
                let key = UrlKey::of(link.url);
                if self.store.urls.get(&key.to_bytes(), |_| Some(()))?.is_none() {
                    batch.push((key, link.record(place)));
                }
            }
            if batch.len() >= BATCH {
                break;
            }
        }
        Ok(batch)
    }

    fn read_changed(&self, (key, value): (Vec<u8>, Vec<u8>)) -> Result<(UrlKey, UrlRecord), FrontierError> {
        let damaged = || self.store.urls.damaged(&key);
        let record = UrlRecord::decode(&value).ok_or_else(damaged)?;
        let bytes = key.as_slice().try_into().map_err(|_| damaged())?;
        Ok((UrlKey::from_bytes(bytes), record))
    }

    /// Puts a page back that was left out since others like it brought nothing.
    pub(crate) fn readmit(&mut self, key: UrlKey) -> Result<(), FrontierError> {
        let left_out = |record: &UrlRecord| record.state == UrlState::Failed(FailureKind::NothingNew);
        let Some(mut record) = self.record(key)?.filter(left_out) else { return Ok(()) };
        let url = self.stored_url(&record.url)?;
        self.try_anew(key, &mut record, &url)
    }

    /// Puts a URL that came to its end back into its host's queue, and forgets what closed its host.
    pub(crate) fn try_anew(
        &mut self,
        key: UrlKey,
        record: &mut UrlRecord,
        url: &CanonicalUrl,
    ) -> Result<(), FrontierError> {
        let domain = self.places.domain(url.registrable_domain(), &mut self.store, &mut self.meta)?;
        let host = self.places.host(url, &mut self.store, &mut self.meta)?;
        let site = &mut self.places.domain_mut(domain).record;
        (site.given_up_until, site.silences) = (0, 0);
        let place = self.places.host_mut(host);
        if let RobotsState::Unavailable { .. } = place.record.robots {
            place.record.robots = RobotsState::Unknown;
            place.unused_robots = None;
        }
        record.attempt = 0;
        self.withdraw(key, record, host)?;
        self.enqueue(key, record, host)?;
        self.put_record(key, record);
        Ok(())
    }
}
