//! Pages that were fetched and are no longer to be had, other than by an answer of their own: whoever keeps them must let them go.
//!
//! One that robots.txt closes stays for a while, as such lines often are mistakes. What becomes of pages that stand or fall with others:
//! see [`crate::dependants`].

use gristmill_terms::Departure;
use gristmill_urls::{CanonicalUrl, UrlKey};

use crate::config::millis;
use crate::delayed_entry::DelayedEntry;
use crate::error::FrontierError;
use crate::frontier::Frontier;
use crate::message::Fingerprint;
use crate::url_record::{UrlRecord, UrlState};

impl Frontier {
    /// The addresses of pages that are to leave the corpus, since the last call. They are not stored: tell it on before
    /// [`Frontier::commit`].
    pub fn take_departed(&mut self) -> Vec<CanonicalUrl> {
        std::mem::take(&mut self.departed)
    }

    /// Lets a page leave the corpus. Who has to be asked for it again is asked for the whole.
    pub(crate) fn depart(&mut self, record: &mut UrlRecord, url: &CanonicalUrl, why: Departure) {
        record.departure = Some(why);
        if matches!(why, Departure::DeadEnd | Departure::Closed) {
            record.forget_version();
        }
        self.departed.push(url.clone());
    }

    /// Lets a page that left the corpus come back: it is fetched once more, as a whole.
    pub(crate) fn bring_home(&mut self, key: UrlKey, mut record: UrlRecord) -> Result<(), FrontierError> {
        record.departure = None;
        record.forget_version();
        if record.state == UrlState::Done {
            let url = self.stored_url(&record.url)?;
            let host = self.places.host(&url, &mut self.store, &mut self.meta)?;
            self.withdraw(key, &record, host)?;
            self.enqueue(key, &mut record, host)?;
        }
        self.put_record(key, &record);
        Ok(())
    }

    /// Lets pages go that say what other addresses of their site say. Where many of them ask for a password, as a login does wherever it
    /// stands in the way, none needs to stay.
    pub(crate) fn mind_copies(&mut self, key: UrlKey, asks_password: bool) -> Result<(), FrontierError> {
        let Some(record) = self.record(key)?.filter(|record| record.departure.is_none()) else { return Ok(()) };
        let Some(said) = record.fingerprint.filter(|said| said.text != 0) else { return Ok(()) };
        let url = self.stored_url(&record.url)?;
        let mut copies = self.copies.learn(&url, said, record.canonical.is_some());
        let stands = self.copies.stands_for(&url, said);
        let is_login = asks_password && self.copies.are_many(&url, said);
        let why = if is_login { Departure::Login } else { Departure::Copy };
        copies.extend(stands.filter(|_| is_login));
        for copy in copies {
            let Some(mut record) = self.record(copy)? else { continue };
            let is_same = record.fingerprint == Some(said) && record.departure.is_none();
            if is_same && (!record.is_seed || is_login) {
                let url = self.stored_url(&record.url)?;
                self.depart(&mut record, &url, why);
                self.put_record(copy, &record);
                self.settle_dependants(copy)?;
            }
        }
        Ok(())
    }

    /// Compares a page that was read with those of other hosts.
    pub(crate) fn mind_mirrors(&mut self, key: UrlKey, record: &UrlRecord) -> Result<(), FrontierError> {
        let Some(said) = record.fingerprint.filter(|said| said.text != 0) else { return Ok(()) };
        let url = self.stored_url(&record.url)?;
        let first = self.mirrors.first_to_say(said, key);
        let mut twins = self.mirrors.likely_twins_of(&url);
        if first != key {
            self.mind_repetition(&url, first)?;
            twins.push(first);
        }
        twins.sort_unstable();
        twins.dedup();
        twins.into_iter().try_for_each(|twin| self.compare_hosts(&url, said, twin))
    }

    /// Compares a page with one of another host that has its path.
    fn compare_hosts(&mut self, url: &CanonicalUrl, said: Fingerprint, twin: UrlKey) -> Result<(), FrontierError> {
        let Some(other) = self.record(twin)? else { return Ok(()) };
        let other_url = self.stored_url(&other.url)?;
        let Some(other_said) = other.fingerprint else { return Ok(()) };
        if other_url.origin() == url.origin() || other_url.path_and_query() != url.path_and_query() {
            return Ok(());
        }
        let [own, others] = [url, &other_url].map(|url| self.places.host(url, &mut self.store, &mut self.meta));
        let (mirror, original) = if own? < others? { (&other_url, url) } else { (url, &other_url) };
        let wronged = self.mirrors.learn(mirror, original.origin(), said.text, other_said == said);
        wronged.into_iter().try_for_each(|wronged| self.readmit(wronged))
    }

    /// Counts a page as fetched in vain, where another domain has said the same before.
    fn mind_repetition(&mut self, url: &CanonicalUrl, first: UrlKey) -> Result<(), FrontierError> {
        let Some(other) = self.record(first)? else { return Ok(()) };
        if self.stored_url(&other.url)?.registrable_domain() != url.registrable_domain() {
            let domain = self.places.domain(url.registrable_domain(), &mut self.store, &mut self.meta)?;
            self.places.domain_mut(domain).record.budget.regret();
        }
        Ok(())
    }

    /// The page that stands for a copy of it that left the corpus.
    pub(crate) fn original_of(&self, url: &CanonicalUrl, said: Fingerprint) -> Result<Option<String>, FrontierError> {
        let Some(key) = self.copies.stands_for(url, said) else { return Ok(None) };
        Ok(self.record(key)?.map(|record| record.url))
    }

    /// robots.txt closes a page that was fetched: it goes once the last fetch is long ago, and is looked at again then.
    pub(crate) fn close(&mut self, key: UrlKey, record: &mut UrlRecord, url: &CanonicalUrl, now: u64) {
        let until = record.last_fetch.saturating_add(millis(self.config.robots.keep_closed));
        let is_over = until <= now;
        if record.known && is_over {
            self.depart(record, url, Departure::Closed);
        }
        if !record.known || is_over || !self.config.recrawl.enabled {
            self.set_state(record, UrlState::Disallowed, 0, 0);
            return;
        }
        let sequence = self.next_sequence();
        self.revisits.push(&mut self.store.later, (until, sequence), DelayedEntry::Url(key).encode());
        self.set_state(record, UrlState::Done, sequence, until);
    }
}

impl UrlRecord {
    /// Forgets which version is known, so that the next fetch brings the page whatever it is.
    pub(crate) fn forget_version(&mut self) {
        (self.etag, self.last_modified, self.content_hash) = (None, None, None);
    }
}
