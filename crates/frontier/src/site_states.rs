//! What single sites are about: at work, waiting for their turn, left alone.

use std::collections::HashMap;

use serde::Serialize;

use crate::error::FrontierError;
use crate::frontier::Frontier;
use crate::host_queues::{DomainId, DomainQueue, HostQueues};
use crate::url_record::UrlState;

/// Sites looked at, of all that have work.
const MAX_LOOKED_AT: usize = 10_000;
/// Sites of these that have nothing queued, which are looked at for the next visit of a source: each costs some reads.
const MAX_QUIET: usize = 200;
/// Sources looked at for the next visit of a site.
const MAX_SOURCES: usize = 8;

/// What a site is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SiteState {
    /// A request is under way.
    AtWork,
    /// It never answered, and is left alone for long.
    GivenUp,
    /// It refused or failed, and is asked less often.
    BackingOff,
    /// It has its next turn when its pause is over, or when a source is due.
    Waiting,
    /// An operator paused it.
    Paused,
}

/// A site with work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SiteActivity {
    /// Registrable domain.
    pub site: String,
    pub state: SiteState,
    /// When it is asked next, at the soonest; Unix milliseconds. None where nothing is known to be due.
    pub next_turn: Option<u64>,
    /// URLs that wait for their first visit or a revisit that is due.
    pub queued: u64,
}

impl Frontier {
    /// The `most` sites that matter now: those at work, then those in trouble, then by their next turn.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn site_activity(&mut self, most: usize, now: u64) -> Result<Vec<SiteActivity>, FrontierError> {
        let now = self.at(now);
        let mut queued: HashMap<DomainId, u64> = HashMap::new();
        for host in self.places.hosts.values().take(2 * MAX_LOOKED_AT) {
            *queued.entry(host.domain).or_default() += host.n_waiting();
        }
        let of = |(id, domain): (&DomainId, &DomainQueue)| {
            let waits = !domain.heads.is_empty();
            let turn = waits.then(|| HostQueues::ready_at(domain, &self.meta.ips).max(now));
            (self.state_of(domain, now), turn.unwrap_or(u64::MAX), *id)
        };
        let mut sites: Vec<_> = self.places.domains.iter().take(MAX_LOOKED_AT).map(of).collect();
        for (_, turn, id) in sites.iter_mut().filter(|(_, turn, _)| *turn == u64::MAX).take(MAX_QUIET) {
            *turn = self.next_source(*id)?.unwrap_or(u64::MAX);
        }
        sites.sort_unstable();
        let shown = sites.into_iter().take(most).map(|(state, turn, id)| SiteActivity {
            site: self.places.domains[&id].name.clone(),
            state,
            next_turn: (turn != u64::MAX).then(|| self.clock.callers(turn)),
            queued: queued.get(&id).copied().unwrap_or(0),
        });
        Ok(shown.collect())
    }

    fn state_of(&self, domain: &DomainQueue, now: u64) -> SiteState {
        let paused = &self.places.paused;
        match &domain.record {
            _ if !domain.in_flight.is_empty() => SiteState::AtWork,
            _ if paused.contains("") || paused.contains(&domain.name) => SiteState::Paused,
            record if record.given_up_until > now => SiteState::GivenUp,
            record if record.backoff > 0 => SiteState::BackingOff,
            _ => SiteState::Waiting,
        }
    }

    /// When the next source of a site is due, as far as its sources were visited since the start.
    fn next_source(&self, id: DomainId) -> Result<Option<u64>, FrontierError> {
        let keys = self.sources.get(&id).map(|sources| sources.keys()).unwrap_or_default();
        let mut first = None;
        for key in keys.iter().take(MAX_SOURCES) {
            let due = self.record(*key)?.filter(|record| record.state == UrlState::Done && record.due > 0);
            first = first.into_iter().chain(due.map(|record| record.due)).min();
        }
        Ok(first)
    }
}
