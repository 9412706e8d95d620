//! What the fetcher counts.

use std::sync::Arc;

use gristmill_proto::{FetchOutcome, Verdict, topics};
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use gristmill_runtime::metrics::{Counters, Label, MetricRegistrar};
use prometheus::{Counter, Histogram, IntCounter, Registry};

use crate::fulfil::OrderCounters;
use crate::politeness_monitor::{PolitenessMonitor, RequestTiming};

/// Counters of one fetcher.
#[derive(Clone)]
pub struct Metrics {
    /// Finished orders by outcome.
    pub(crate) fetches: Counters<Verdict>,
    /// Pages that came: those `ok` ones that are neither robots.txt nor sitemaps nor feeds.
    pub pages: IntCounter,
    /// From the request to the last byte.
    pub duration: Histogram,
    /// Requests that began before their site's pause was over.
    pub early: IntCounter,
    /// How much before, in all.
    pub politeness_error: Counter,
    pace: Arc<PolitenessMonitor>,
    /// Bytes of bodies on the wire.
    pub bytes: IntCounter,
    /// Bodies that went to the blob store.
    pub large_bodies: IntCounter,
    /// Their bytes.
    pub large_bytes: IntCounter,
    /// Processor time of reading bodies: charset, links, hashing.
    pub cpu: Counter,
    /// Of all orders.
    pub(crate) orders: OrderCounters,
    /// Links sent to the scheduler.
    pub links: IntCounter,
    /// Pages and listings of which a limit left links out.
    pub link_limits: IntCounter,
}

impl Metrics {
    /// Registers all of them, every outcome at 0.
    ///
    /// # Errors
    /// A metric of the same name is registered already.
    pub fn register(registry: &Registry) -> prometheus::Result<Self> {
        let registrar = MetricRegistrar(registry);
        Ok(Self {
            fetches: registrar.counters(
                "gristmill_fetches_total",
                "Finished orders by outcome.",
                &Label::new("outcome", Verdict::ALL, Verdict::as_str),
            )?,
            pages: registrar.counter(
                "gristmill_fetched_pages_total",
                "Pages fetched with success, without robots.txt, sitemaps and feeds.",
            )?,
            duration: registrar.histogram(
                "gristmill_fetch_duration_seconds",
                "From the request to the last byte.",
                &[0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0],
            )?,
            early: registrar
                .counter("gristmill_early_requests_total", "Requests that began before their pause was over.")?,
            politeness_error: registrar.seconds(
                "gristmill_politeness_error_seconds_total",
                "How much earlier than owed requests began, in all.",
            )?,
            pace: Arc::default(),
            bytes: registrar.counter("gristmill_fetched_bytes_total", "Bytes of bodies on the wire.")?,
            large_bodies: registrar.counter(
                "gristmill_large_bodies_total",
                "Bodies that went to the blob store instead of into the log.",
            )?,
            large_bytes: registrar.counter("gristmill_large_body_bytes_total", "Bytes of these bodies.")?,
            cpu: registrar.seconds(
                "gristmill_read_cpu_seconds_total",
                "Processor time of reading bodies: charset, links, hashing.",
            )?,
            links: registrar.counter("gristmill_links_total", "Links sent to the scheduler.")?,
            link_limits: registrar
                .counter("gristmill_link_limits_total", "Pages and listings of which a limit left links out.")?,
            orders: OrderCounters {
                in_flight: registrar.gauge("gristmill_fetches_in_flight", "Downloads under way.")?,
                stale: registrar.counter(
                    "gristmill_stale_orders_total",
                    "Orders passed over because their scheduler had been replaced.",
                )?,
                unreadable: DecodeErrorCounter::register(
                    topics::groups::FETCHER,
                    &[topics::ORDERS, topics::OUTCOMES],
                    registry,
                )?,
            },
        })
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
