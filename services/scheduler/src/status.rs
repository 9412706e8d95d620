//! The state of the crawl at a moment, for progress displays.

use serde::Serialize;

/// What the scheduler knows of the crawl.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Status {
    /// URLs in the seen set.
    pub known: u64,
    /// URLs that wait for their turn, a retry or a recrawl.
    pub queued: u64,
    /// Orders without outcome.
    pub in_flight: u64,
    /// URLs fetched with success.
    pub done: u64,
    /// URLs that failed for good.
    pub failed: u64,
    /// URLs that robots.txt forbids.
    pub disallowed: u64,
    /// URLs that led elsewhere.
    pub redirected: u64,
    /// Hosts that are being fetched from now.
    pub hosts: Vec<String>,
}
