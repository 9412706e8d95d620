//! Visiting again: what is a source of new pages, what counts as a change, and when to come back.

use gristmill_terms::FetchKind;
use gristmill_urls::UrlKey;

use crate::config::{RecrawlConfig, millis};
use crate::delayed_entry::DelayedEntry;
use crate::error::FrontierError;
use crate::find_rate::FindRate;
use crate::frontier::Frontier;
use crate::host_queues::HELD_BACK;
use crate::message::FetchOutcome;
use crate::requeue::RecordCursor;
use crate::stats::FrontierStats;
use crate::url_record::{HOMES, NEWS, SOURCES, Sighting, UrlRecord, UrlState};

/// Behind all pages that were never fetched.
const REVISITS: u8 = HELD_BACK - 1;

/// So many times `recrawl.sources` the source of a site that brings most is left alone at most.
const LEAD: u64 = 6;
/// And every other one.
const QUIET: u64 = 180;
/// A source that brought so many pages at once may have shown more since its last visit than it does now.
const FLOOD: u32 = 3;
/// So many of the new pages of a visit go before further visits of sources. The others take turns with these: a burst of news neither
/// hides the news behind it nor waits for ever.
const FIRST: usize = 3;

impl UrlRecord {
    /// Whether it is visited for what it leads to: a sitemap, a feed, a home page, a start page, or one that brought new pages before.
    pub(crate) fn is_source(&self) -> bool {
        self.kind.is_listing() || self.kind == FetchKind::Page && (self.priority <= HOMES || self.brought_pages)
    }

    /// The place in its host's queue by what it is: the first few news, then sources and other news in turn, then new pages, then pages that
    /// were fetched.
    pub(crate) fn rank(&self) -> u64 {
        let rank = match (self.known, self.is_source()) {
            (true, true) if self.floods => self.priority.min(HOMES - 1),
            (true, true) => SOURCES,
            (true, false) if self.kind == FetchKind::Page => self.priority.max(REVISITS),
            _ => self.priority,
        };
        u64::from(rank)
    }

    /// Whether it is visited for new pages alone, and not as one of the start pages that may be any.
    fn is_list(&self) -> bool {
        self.kind.is_listing() || self.priority == HOMES || self.brought_pages
    }

    /// Whether a visit found what a reader would call the same; a source is the same when it leads to nothing new.
    pub(crate) fn is_unchanged(&self, outcome: &FetchOutcome, not_modified: bool) -> bool {
        let same = not_modified || outcome.content_hash.is_some() && outcome.content_hash == self.content_hash;
        let says_the_same = outcome.brings_nothing == Some(true);
        if self.is_source() { self.brings == 0 } else { same || says_the_same }
    }
}

/// Sets the time to the next visit, in milliseconds.
///
/// Pages begin at `initial`; a change halves the time, no change makes it half as long again (the ratio of Common Crawl's news crawler
/// made rounder). A source is visited the more often the more it is the first to bring. One that brought many at once is visited again
/// before it can show as many others. Where nothing but its being a start page makes it a source, the time grows to `max`.
pub(crate) fn set_interval(config: &RecrawlConfig, record: &mut UrlRecord, unchanged: bool) {
    let usual = millis(config.sources.min(config.initial));
    record.interval = if !record.is_source() {
        let next = match (record.known, unchanged) {
            (false, _) => millis(config.initial),
            (true, true) => record.interval.saturating_add(record.interval / 2),
            (true, false) => record.interval / 2,
        };
        next.clamp(millis(config.min), millis(config.max))
    } else if record.is_list() {
        let finds = record.finds.get_or_insert_with(|| FindRate::new(record.last_fetch));
        record.floods = record.brings >= FLOOD || record.floods && record.brings > 0;
        let age = finds.learn(record.brings, record.last_fetch);
        let most = usual.saturating_mul(QUIET).min(millis(config.max)).max(usual);
        let next = finds.interval(usual).min(most);
        if record.floods { next.min(age.saturating_mul(FLOOD.into()) / u64::from(record.brings)) } else { next }
    } else if !record.known || !unchanged {
        usual
    } else {
        record.interval.saturating_add(record.interval / 2).min(millis(config.max).max(usual))
    };
}

/// Sets the time to the first visit of a page that was fetched while there were none.
fn set_first_interval(config: &RecrawlConfig, record: &mut UrlRecord) {
    record.interval = match record.is_source() {
        true => millis(config.sources.min(config.initial)),
        false => millis(config.initial).clamp(millis(config.min), millis(config.max)),
    };
}

impl Frontier {
    /// Gives what was fetched while `recrawl` was off the time of its next visit. Commits as it goes, as [`Frontier::again`].
    ///
    /// O(n) in the URLs of the seen set where there is any, else O(1).
    ///
    /// # Errors
    /// When the store cannot be read or written.
    pub fn begin_visits(&mut self, now: u64) -> Result<(), FrontierError> {
        let FrontierStats { pages, sitemaps, feeds, .. } = self.stats();
        if !self.config.recrawl.enabled || pages.done + sitemaps.done + feeds.done <= self.revisits.len() {
            return Ok(());
        }
        self.at(now);
        let mut from = RecordCursor::default();
        while matches!(from, RecordCursor::Changed(_)) {
            for (key, mut record) in self.next_records(&mut from)? {
                if record.state == UrlState::Done && record.due == 0 && record.kind != FetchKind::Render {
                    set_first_interval(&self.config.recrawl, &mut record);
                    self.finish(key, &mut record)?;
                    self.put_record(key, &record);
                }
            }
            let positions = self.positions().clone();
            self.commit(&positions)?;
        }
        Ok(())
    }

    /// Takes note that a visit brought pages that nobody knew. Where it was not the first one, `from` is a source from now on, and they
    /// are news.
    ///
    /// * `found_at`: when the visit ended, Unix milliseconds. Its outcome may have been told before or not.
    /// * `pages`: with the date that the source gives each, if any.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn brought_pages(
        &mut self,
        from: &str,
        found_at: u64,
        pages: &[(&str, Option<u64>)],
    ) -> Result<(), FrontierError> {
        let key = UrlKey::of(from);
        let Some(mut record) = self.record(key)? else { return Ok(()) };
        let is_told = record.last_fetch >= self.clock.past(found_at);
        if !(if is_told { record.revisited } else { record.known }) {
            return Ok(());
        }
        let mut brings = 0;
        for (url, listed_at) in pages {
            // A story under one more address is no news.
            if !self.variants.are_unknown() && self.variants.repeats(&self.stored_url(url)?) {
                continue;
            }
            let priority = if brings < FIRST { NEWS } else { SOURCES };
            self.sight(url, Sighting { source_since: record.first_seen, listed_at: *listed_at }, priority)?;
            brings += 1;
        }
        if brings == 0 {
            return Ok(());
        }
        record.brought_pages = true;
        record.brings = record.brings.saturating_add(u32::try_from(brings).unwrap_or(u32::MAX));
        self.put_record(key, &record);
        if record.brings >= FLOOD { self.look_at_the_others(key, &record) } else { Ok(()) }
    }

    /// Takes note that a listing says when a page last changed: one that did since its last visit is visited again, unless such dates of its site
    /// were wrong too often. Tells whether it is.
    ///
    /// * `modified_at`: Unix milliseconds; clocks of sites that are ahead are borne with as wrong dates are.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn modified(&mut self, url: &str, modified_at: u64, now: u64) -> Result<bool, FrontierError> {
        self.at(now);
        let key = UrlKey::of(url);
        let is_news = |record: &UrlRecord| {
            let is_page = record.kind == FetchKind::Page && record.state == UrlState::Done;
            is_page && self.clock.own(modified_at) > record.last_fetch
        };
        let Some(mut record) = self.record(key)?.filter(is_news) else { return Ok(false) };
        let url = self.stored_url(&record.url)?;
        let domain = self.places.domain(url.registrable_domain(), &mut self.store, &mut self.meta)?;
        let dates = self.dates.get(&domain).copied().unwrap_or_default();
        if !dates.are_trusted() {
            return Ok(false);
        }
        let host = self.places.host(&url, &mut self.store, &mut self.meta)?;
        self.withdraw(key, &record, host)?;
        record.by_date = true;
        self.enqueue(key, &mut record, host)?;
        self.put_record(key, &record);
        Ok(true)
    }

    /// Leaves a page that was fetched until its next visit, if there is one.
    pub(crate) fn finish(&mut self, key: UrlKey, record: &mut UrlRecord) -> Result<(), FrontierError> {
        // A page that a browser drew is drawn again when the page itself was visited again.
        if !self.config.recrawl.enabled || record.kind == FetchKind::Render {
            self.set_state(record, UrlState::Done, 0, 0);
            return Ok(());
        }
        let due = self.next_visit(key, record)?.max(1);
        let sequence = self.next_sequence();
        self.revisits.push(&mut self.store.later, (due, sequence), DelayedEntry::Url(key).encode());
        self.set_state(record, UrlState::Done, sequence, due);
        Ok(())
    }

    /// When a page that was just fetched is visited again. The source that is the first to bring most takes at most every
    /// second request of its site, and all others together every sixth. Where pages may be lost meanwhile, three of four, and one that
    /// still brings some, every third: the requests between are for what they bring.
    pub(crate) fn next_visit(&mut self, key: UrlKey, record: &UrlRecord) -> Result<u64, FrontierError> {
        // Where no site has a time of its own, the addresses of most pages are not looked at.
        if !record.is_source() && !self.sites.have_recrawls() {
            return Ok(record.last_fetch.saturating_add(record.interval));
        }
        let url = self.stored_url(&record.url)?;
        let set = self.sites.recrawl(&url);
        if !record.is_source() {
            return Ok(record.last_fetch.saturating_add(set.unwrap_or(record.interval)));
        }
        let domain = self.places.domain(url.registrable_domain(), &mut self.store, &mut self.meta)?;
        let host = self.places.host(&url, &mut self.store, &mut self.meta)?;
        let pause = self.pause_of(host, &url);
        let longest = millis(self.config.recrawl.sources.min(self.config.recrawl.initial)).saturating_mul(LEAD);
        let sources = self.sources.entry(domain).or_default();
        let interval = if record.is_list() { sources.interval(key, record.interval, longest) } else { record.interval };
        let due = record.last_fetch.saturating_add(set.unwrap_or(interval));
        if record.floods {
            let turn = match record.brings {
                FLOOD.. => sources.flood_turn(record.last_fetch, pause),
                _ => record.last_fetch.saturating_add(pause.saturating_mul(FLOOD.into())),
            };
            return Ok(due.max(turn));
        }
        if sources.is_lead(key) {
            return Ok(due.max(record.last_fetch.saturating_add(2 * pause)));
        }
        let due = due.max(sources.turn);
        sources.turn = sources.turn.max(record.last_fetch).saturating_add(6 * pause);
        Ok(due)
    }

    /// Lets the other sources of a site be visited, where one brought so many pages that it may have lost some: another may show them yet.
    fn look_at_the_others(&mut self, key: UrlKey, record: &UrlRecord) -> Result<(), FrontierError> {
        let url = self.stored_url(&record.url)?;
        let domain = self.domain_of(&record.url)?;
        let host = self.places.host(&url, &mut self.store, &mut self.meta)?;
        let keys = self.sources.get(&domain).map(|sources| sources.keys().to_vec()).unwrap_or_default();
        let lately = self.pause_of(host, &url).saturating_mul(keys.len() as u64);
        let now = self.clock.now;
        let waits = |other: &UrlRecord| other.state == UrlState::Done && other.last_fetch.saturating_add(lately) < now;
        for other in keys.into_iter().filter(|other| *other != key) {
            let Some(mut record) = self.record(other)?.filter(waits) else { continue };
            let url = self.stored_url(&record.url)?;
            let host = self.places.host(&url, &mut self.store, &mut self.meta)?;
            self.withdraw(other, &record, host)?;
            record.floods = true;
            self.enqueue(other, &mut record, host)?;
            self.put_record(other, &record);
        }
        Ok(())
    }

    /// Learns whether the date of a listing was right, where a page was visited because of one.
    pub(crate) fn judge_date(&mut self, record: &mut UrlRecord, unchanged: bool) -> Result<(), FrontierError> {
        if !std::mem::take(&mut record.by_date) {
            return Ok(());
        }
        let domain = self.domain_of(&record.url)?;
        self.dates.entry(domain).or_default().learn(!unchanged);
        Ok(())
    }
}
