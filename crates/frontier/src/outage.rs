//! Sites that are away for a while, where pages are visited again: their starts, and what was fetched before, are asked for again once
//! the site may be back, instead of ending as failures. Other crawls end, and say what failed.

use gristmill_urls::UrlKey;

use crate::config::millis;
use crate::delayed_entry::DelayedEntry;
use crate::failure::FailureKind;
use crate::frontier::Frontier;
use crate::host_queues::{DomainId, HostId};
use crate::host_record::RobotsState;
use crate::url_record::{UrlRecord, UrlState};

impl Frontier {
    /// Whether a URL is asked for until it is there.
    pub(crate) fn is_awaited(&self, record: &UrlRecord) -> bool {
        self.config.recrawl.enabled && (record.is_seed || record.known)
    }

    /// Leaves an awaited URL, whose site is not asked for now, until that is over.
    pub(crate) fn await_site(
        &mut self,
        key: UrlKey,
        record: &mut UrlRecord,
        kind: FailureKind,
        (domain, host): (DomainId, HostId),
        now: u64,
    ) {
        let robots_until = match self.places.hosts[&host].record.robots {
            RobotsState::Unavailable { until, .. } => until,
            _ => 0,
        };
        let given_up_until = self.places.domains[&domain].record.given_up_until;
        record.last_failure = Some(kind);
        let soonest = now.saturating_add(millis(self.config.retry.delay)).max(now + 1);
        let due = robots_until.max(given_up_until).max(soonest);
        let sequence = self.push_retry(&DelayedEntry::Url(key), due);
        self.set_state(record, UrlState::Retrying, sequence, due);
    }

    /// How long robots.txt that could not be had closes its host.
    pub(crate) fn robots_pause(&self) -> u64 {
        let (pause, recrawl) = (self.config.robots.unavailable_for, &self.config.recrawl);
        millis(if recrawl.enabled { pause.min(recrawl.sources) } else { pause })
    }

    /// How long a site is left alone that was silent again and again.
    pub(crate) fn silence_pause(&self) -> u64 {
        let pause = self.config.politeness.give_up_for;
        millis(if self.config.recrawl.enabled { pause.min(self.config.retry.max_delay) } else { pause })
    }
}
