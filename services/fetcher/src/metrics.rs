//! What the fetcher counts.

use std::sync::Arc;

use gristmill_proto::{FetchOutcome, Verdict, topics};
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use gristmill_runtime::metrics;
use gristmill_runtime::metrics::{Counters, MetricLabel};
use prometheus::{Counter, Histogram, IntCounter, IntGauge};

use crate::executor::OrderCounters;
use crate::politeness_monitor::{PolitenessMonitor, RequestTiming};

metrics! {
    /// Counters of one fetcher.
    pub struct Metrics {
        /// Finished orders by outcome.
        pub(crate) fetches: Counters<Verdict> =
            "gristmill_fetches_total", MetricLabel::new("outcome", Verdict::ALL, Verdict::as_str);
        /// Pages fetched with success, without robots.txt, sitemaps and feeds.
        pub(crate) pages: IntCounter = "gristmill_fetched_pages_total";
        /// From the request to the last byte.
        pub(crate) duration: Histogram =
            "gristmill_fetch_duration_seconds", &[0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];
        /// Requests that began before their pause was over.
        early: IntCounter = "gristmill_early_requests_total";
        /// How much earlier than owed requests began, in all.
        politeness_error: Counter = "gristmill_politeness_error_seconds_total";
        /// Bytes of bodies on the wire.
        pub(crate) bytes: IntCounter = "gristmill_fetched_bytes_total";
        /// Bodies that went to the blob store instead of into the log.
        pub(crate) large_bodies: IntCounter = "gristmill_large_bodies_total";
        /// Bytes of these bodies.
        pub(crate) large_bytes: IntCounter = "gristmill_large_body_bytes_total";
        /// Processor time of reading bodies: charset, links, hashing.
        pub(crate) cpu: Counter = "gristmill_read_cpu_seconds_total";
        /// Links sent to the scheduler.
        pub(crate) links: IntCounter = "gristmill_links_total";
        /// Links of pages that were not sent, since they or their pages say `nofollow`.
        pub(crate) nofollow: IntCounter = "gristmill_nofollow_links_total";
        /// Pages and listings of which a limit left links out.
        pub(crate) link_limits: IntCounter = "gristmill_link_limits_total";
        /// Downloads under way.
        in_flight: IntGauge = "gristmill_fetches_in_flight";
        /// Orders passed over because their scheduler had been replaced.
        stale: IntCounter = "gristmill_stale_orders_total";
    }
    and(registry) {
        /// Records that could not be read.
        unreadable: DecodeErrorCounter =
            DecodeErrorCounter::register(topics::groups::FETCHER, &[topics::ORDERS, topics::OUTCOMES], registry)?;
        pace: Arc<PolitenessMonitor> = Arc::default();
    }
}

impl Metrics {
    /// What is counted of all orders.
    pub(crate) fn orders(&self) -> OrderCounters {
        let (in_flight, stale, unreadable) = (self.in_flight.clone(), self.stale.clone(), self.unreadable.clone());
        OrderCounters { in_flight, stale, unreadable }
    }

    /// Counts a finished request whose order said `pause` milliseconds, if it began too early.
    pub(crate) fn judge_pace(&self, site: &str, pause: u64, outcome: &FetchOutcome) {
        let (started_at, finished_at) = (outcome.started_at, outcome.finished_at);
        let early = self.pace.early(&RequestTiming { site, started_at, finished_at, pause });
        if early > 0 {
            self.early.inc();
            self.politeness_error.inc_by(early as f64 / 1000.0);
        }
    }
}
