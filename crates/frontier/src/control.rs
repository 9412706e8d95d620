//! What an operator asks of a crawl while it runs: to pause and to go on, as a whole or for a site, and to let pages go for good.

use gristmill_urls::{CanonicalUrl, Takedown, UrlKey, registrable_domain};

use crate::error::FrontierError;
use crate::frontier::Frontier;
use crate::requeue::RecordCursor;
use crate::store::FrontierStore;
use gristmill_terms::{Departure, FetchKind};

/// Before the names of paused domains in the table of the store's own rows; alone it stands for the whole crawl.
const PAUSED: &[u8] = b"paused:";

/// Before takedowns there.
const TAKEDOWN: &[u8] = b"takedown:";

impl Frontier {
    /// Gives no further order: to the registrable domain of `site`, or to any. What is in flight ends. Lasts over restarts.
    pub fn pause(&mut self, site: Option<&str>) {
        let domain = site.map_or("", registrable_domain);
        self.store.meta.put([PAUSED, domain.as_bytes()].concat(), Vec::new());
        self.places.set_paused(domain, true, &self.meta.ips);
    }

    /// Goes on where [`Frontier::pause`] stopped; without a site everywhere.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn resume(&mut self, site: Option<&str>) -> Result<(), FrontierError> {
        let domains = match site {
            Some(site) => vec![registrable_domain(site).to_owned()],
            None => names_in(&self.store, PAUSED)?,
        };
        for domain in domains {
            self.store.meta.delete([PAUSED, domain.as_bytes()].concat());
            self.places.set_paused(&domain, false, &self.meta.ips);
        }
        Ok(())
    }

    /// The paused domains; the empty name stands for the whole crawl.
    pub fn paused(&self) -> impl Iterator<Item = &str> {
        self.places.paused.iter().map(String::as_str)
    }

    /// Takes a page or a site out of the corpus for good: what was fetched leaves it, what waits is left out, and nothing of it is
    /// fetched again. Doing it twice changes nothing more.
    ///
    /// O(n) in the URLs of the seen set for a site.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn take_down(&mut self, takedown: &Takedown, now: u64) -> Result<(), FrontierError> {
        self.at(now);
        self.takedowns.insert(takedown);
        self.store.meta.put([TAKEDOWN, takedown.to_string().as_bytes()].concat(), Vec::new());
        match takedown {
            Takedown::Page(url) => self.let_go(url.key(), url)?,
            Takedown::Site(_) => self.let_site_go()?,
        }
        self.taken_down.push(takedown.clone());
        Ok(())
    }

    /// The takedowns since the last call. They are not stored: tell them on before [`Frontier::commit`].
    pub fn take_taken_down(&mut self) -> Vec<Takedown> {
        std::mem::take(&mut self.taken_down)
    }

    pub(crate) fn is_taken_down(&self, url: &CanonicalUrl) -> bool {
        !self.takedowns.is_empty() && self.takedowns.covers(url.key(), url.host())
    }

    /// Reads what was asked for in earlier runs.
    pub(crate) fn restore_control(&mut self) -> Result<(), FrontierError> {
        for domain in names_in(&self.store, PAUSED)? {
            self.places.set_paused(&domain, true, &self.meta.ips);
        }
        for text in names_in(&self.store, TAKEDOWN)? {
            let takedown = Takedown::parse(&text).map_err(|_| self.store.meta.damaged(text.as_bytes()))?;
            self.takedowns.insert(&takedown);
        }
        Ok(())
    }

    fn let_site_go(&mut self) -> Result<(), FrontierError> {
        let mut from = RecordCursor::default();
        loop {
            let batch = self.next_records(&mut from)?;
            if batch.is_empty() {
                return Ok(());
            }
            for (key, record) in batch {
                let url = self.stored_url(&record.url)?;
                if self.is_taken_down(&url) {
                    self.let_go(key, &url)?;
                }
            }
        }
    }

    /// Lets a page go, and forgets what its record says of its content.
    fn let_go(&mut self, key: UrlKey, url: &CanonicalUrl) -> Result<(), FrontierError> {
        let Some(mut record) = self.record(key)? else { return Ok(()) };
        record.anchor_title = None;
        record.fingerprint = None;
        if record.kind == FetchKind::Page && record.departure != Some(Departure::TakenDown) {
            self.depart(&mut record, url, Departure::TakenDown);
        }
        self.put_record(key, &record);
        self.settle_dependants(key)
    }
}

/// The names behind `prefix` in the table of the store's own rows.
fn names_in(store: &FrontierStore, prefix: &[u8]) -> Result<Vec<String>, FrontierError> {
    let mut names = Vec::new();
    for entry in store.meta.iter_from(prefix, prefix) {
        let (key, _) = entry?;
        let name = std::str::from_utf8(&key[prefix.len()..]).map_err(|_| store.meta.damaged(&key))?;
        names.push(name.to_owned());
    }
    Ok(names)
}
