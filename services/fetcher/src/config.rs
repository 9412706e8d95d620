//! How much the fetcher does at once.

use gristmill_robots::Agent;
use serde::{Deserialize, Serialize};

/// How much the fetcher does at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FetcherConfig {
    /// Most downloads under way at once, over all hosts. What their bodies take together is bounded by
    /// `fetch.max_bytes_in_flight`. Default: `64`.
    pub max_in_flight: usize,
    /// Pages that may wait for the extractor before the fetcher pauses. Default: `1024`.
    pub max_waiting_pages: u64,
    /// Whether links marked `rel=nofollow` are followed, and those of pages that say `nofollow`. Default: `false`.
    pub follow_nofollow: bool,
    /// Most entries taken from one sitemap or feed. Default: `50000`.
    pub max_listing_entries: usize,
    /// Whether what goes over the wire is passed on to the archiver, which must run then: the log keeps it until it was read.
    /// Default: `false`.
    pub captures: bool,
    /// Whether a page that broke off is asked for again before what came of it is kept: where `frontier.retry.protocol` permits that.
    #[serde(skip)]
    pub retries_cut_pages: bool,
    /// Whom robots directives may name: the setting `agent`, which all parts share.
    #[serde(skip)]
    pub agent: Agent,
}

impl FetcherConfig {
    /// Checks what would let the fetcher wait for ever.
    ///
    /// # Errors
    /// The first setting that cannot work, by its key.
    pub fn check(&self) -> anyhow::Result<()> {
        anyhow::ensure!(self.max_in_flight > 0, "`fetcher.max_in_flight` must be at least 1, or nothing is fetched");
        Ok(())
    }
}

impl Default for FetcherConfig {
    fn default() -> Self {
        Self {
            max_in_flight: 64,
            max_waiting_pages: 1024,
            follow_nofollow: false,
            max_listing_entries: 50_000,
            captures: false,
            retries_cut_pages: false,
            agent: Agent::default(),
        }
    }
}
