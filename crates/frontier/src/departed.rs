//! Pages that were fetched and are no longer to be had, other than by an answer of their own: whoever keeps them must let them go.
//!
//! A page that redirects, for now, to one that is gone is gone too. One that robots.txt closes stays for a while, as such lines often
//! are mistakes.

use gristmill_urls::{CanonicalUrl, UrlKey};

use crate::config::millis;
use crate::error::FrontierError;
use crate::frontier::Frontier;
use crate::message::FailureKind;
use crate::record::{DelayedEntry, UrlRecord, UrlState};

/// Most pages that wait for the end of what they redirect to; of more the redirect says nothing.
const MAX_WAITING: usize = 100_000;

impl Frontier {
    /// The addresses of pages that are to leave the corpus, since the last call. They are not stored: tell it on before
    /// [`Frontier::commit`].
    pub fn take_departed(&mut self) -> Vec<CanonicalUrl> {
        std::mem::take(&mut self.departed)
    }

    /// A page that was fetched before redirects: it goes when the target is gone.
    pub(crate) fn depends_on(&mut self, url: &CanonicalUrl, target: &CanonicalUrl) -> Result<(), FrontierError> {
        let target = target.key();
        match self.record(target)?.map(|record| record.state) {
            Some(UrlState::Failed(FailureKind::Gone)) => self.departed.push(url.clone()),
            Some(UrlState::Done) | None => {}
            Some(_) if self.dependants.len() < MAX_WAITING => {
                self.dependants.entry(target).or_default().push(url.clone())
            }
            Some(_) => {}
        }
        Ok(())
    }

    /// What became of a page that others redirect to.
    pub(crate) fn settle_dependants(&mut self, key: UrlKey, record: &UrlRecord) -> Result<(), FrontierError> {
        if self.dependants.is_empty() || !record.state.is_final() {
            return Ok(());
        }
        let Some(urls) = self.dependants.remove(&key) else { return Ok(()) };
        match (record.state, &record.redirect) {
            (UrlState::Failed(FailureKind::Gone), _) => self.departed.extend(urls),
            (UrlState::Redirected, Some(target)) => {
                let target = self.stored_url(target)?;
                for url in urls {
                    self.depends_on(&url, &target)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// robots.txt closes a page that was fetched: it goes once the last fetch is long ago, and is looked at again then.
    pub(crate) fn close(&mut self, key: UrlKey, record: &mut UrlRecord, url: &CanonicalUrl, now: u64) {
        let until = record.last_fetch.saturating_add(millis(self.config.robots.keep_closed));
        let is_over = until <= now;
        if record.known && is_over {
            self.departed.push(url.clone());
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
