//! Counts of the frontier, for progress, metrics and summaries.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::failure::FailureKind;
use crate::frontier::Frontier;
use crate::store::row_of;
use crate::url_record::UrlState;
use gristmill_terms::FetchKind;

/// URLs of one kind by state; the states add up to `known`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct KindStats {
    pub known: u64,
    pub queued: u64,
    pub leased: u64,
    pub retrying: u64,
    pub done: u64,
    pub redirected: u64,
    pub disallowed: u64,
    /// By kind of failure; only those that occurred.
    pub failed: BTreeMap<FailureKind, u64>,
}

/// The frontier in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct FrontierStats {
    pub pages: KindStats,
    pub sitemaps: KindStats,
    pub feeds: KindStats,
    /// Pages that a browser was asked for.
    pub renders: KindStats,
    /// Distinct pages ever fetched with success: what `max_pages` limits.
    pub pages_done: u64,
    /// Hosts (scheme, name, port) ever seen.
    pub hosts: u64,
    /// Registrable domains ever seen.
    pub domains: u64,
    /// Orders without outcome, robots.txt among them.
    pub in_flight: u64,
}

impl KindStats {
    /// URLs that failed for good, of any kind of failure.
    #[must_use]
    pub fn failed_total(&self) -> u64 {
        self.failed.values().sum()
    }
}

impl Frontier {
    /// Counts as of now, changes since the last commit included; no disk access, some hundred nanoseconds.
    #[must_use]
    pub fn stats(&self) -> FrontierStats {
        FrontierStats {
            pages: self.kind_stats(FetchKind::Page),
            sitemaps: self.kind_stats(FetchKind::Sitemap),
            feeds: self.kind_stats(FetchKind::Feed),
            renders: self.kind_stats(FetchKind::Render),
            pages_done: self.meta.n_pages_done,
            hosts: self.meta.next_host - 1,
            domains: self.meta.n_domains,
            in_flight: self.leases.len() as u64,
        }
    }

    /// The orders in flight, oldest first: `(order id, URL)`.
    pub fn in_flight(&self) -> impl Iterator<Item = (u64, &str)> {
        self.leases.iter().map(|(id, lease)| (*id, lease.url.as_str()))
    }

    fn kind_stats(&self, kind: FetchKind) -> KindStats {
        let counts = &self.meta.counts[row_of(kind)];
        let of = |state: UrlState| counts[state.index()];
        let failed =
            FailureKind::ALL.into_iter().map(|kind| (kind, of(UrlState::Failed(kind)))).filter(|(_, n)| *n > 0);
        KindStats {
            known: counts.iter().sum(),
            queued: of(UrlState::Queued),
            leased: of(UrlState::Leased),
            retrying: of(UrlState::Retrying),
            done: of(UrlState::Done),
            redirected: of(UrlState::Redirected),
            disallowed: of(UrlState::Disallowed),
            failed: failed.collect(),
        }
    }
}
