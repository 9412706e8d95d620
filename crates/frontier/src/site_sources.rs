//! The sources of a site: which one is the first to bring its pages, and when the next has its turn.

use gristmill_urls::UrlKey;

/// Sources of a site that are remembered.
const MOST_SOURCES: usize = 64;

/// What leads to the new pages of a site.
#[derive(Default)]
pub(crate) struct SiteSources {
    /// When the next one has its turn, at the soonest.
    pub(crate) turn: u64,
    /// When the next one that floods has, at the soonest.
    flood: u64,
    /// The one that is the first to bring most pages, and its interval.
    lead: Option<(UrlKey, u64)>,
    keys: Vec<UrlKey>,
}

impl SiteSources {
    pub(crate) fn keys(&self) -> &[UrlKey] {
        &self.keys
    }

    pub(crate) fn is_lead(&self, key: UrlKey) -> bool {
        self.lead.is_some_and(|(lead, _)| lead == key)
    }

    /// When one that floods has its next turn: they go before all else and would leave no request for what they bring, so that every
    /// fourth is not theirs.
    ///
    /// * `last_fetch`, `pause`: its last visit and the time between two requests of its host, milliseconds.
    pub(crate) fn flood_turn(&mut self, last_fetch: u64, pause: u64) -> u64 {
        self.flood = self.flood.max(last_fetch.saturating_sub(2 * pause)).saturating_add(pause / 3 * 4);
        self.flood
    }

    /// The interval of one of them, at most `longest` for the one with the shortest.
    pub(crate) fn interval(&mut self, key: UrlKey, interval: u64, longest: u64) -> u64 {
        if !self.keys.contains(&key) && self.keys.len() < MOST_SOURCES {
            self.keys.push(key);
        }
        if self.lead.is_none_or(|(lead, shortest)| lead == key || interval < shortest) {
            self.lead = Some((key, interval));
            return interval.min(longest);
        }
        interval
    }
}
