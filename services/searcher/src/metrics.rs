//! Metrics of the searcher.

use gristmill_runtime::metrics::{Counters, Label, MetricRegistrar};
use prometheus::{Histogram, IntCounterVec, IntGauge, Opts, Registry};

/// What the searcher counts.
#[derive(Debug, Clone)]
pub struct Metrics {
    /// `gristmill_searcher_requests_total{route,status}`: requests answered, by route and HTTP status.
    pub requests: IntCounterVec,
    /// `gristmill_search_duration_seconds`: time from the start of a search to its hits with snippets.
    pub search_duration: Histogram,
    /// `gristmill_searcher_extract_duration_seconds`: time of reading one page, on its thread.
    pub extract_duration: Histogram,
    /// `gristmill_searcher_extracting`: requests to extract under way.
    pub extracting: IntGauge,
    /// `gristmill_searcher_connections`: open connections.
    pub connections: IntGauge,
    /// `gristmill_searcher_closed_connections_total{reason}`: connections closed by us before their time.
    pub closed: Counters<&'static str>,
}

impl Metrics {
    /// Registers the metrics on `registry`.
    ///
    /// # Errors
    /// They are registered there already.
    pub fn new(registry: &Registry) -> prometheus::Result<Self> {
        let registrar = MetricRegistrar(registry);
        let buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0];
        let requests = Opts::new("gristmill_searcher_requests_total", "Requests answered, by route and HTTP status.");
        Ok(Self {
            requests: registrar.register(IntCounterVec::new(requests, &["route", "status"])?)?,
            search_duration: registrar.histogram(
                "gristmill_search_duration_seconds",
                "Time from the start of a search to its hits with snippets.",
                &buckets,
            )?,
            extract_duration: registrar.histogram(
                "gristmill_searcher_extract_duration_seconds",
                "Time of reading one page for a client, on its thread.",
                &buckets,
            )?,
            extracting: registrar.gauge("gristmill_searcher_extracting", "Requests to extract under way.")?,
            connections: registrar.gauge("gristmill_searcher_connections", "Open connections.")?,
            closed: registrar.counters(
                "gristmill_searcher_closed_connections_total",
                "Connections closed to keep the bounds.",
                &Label::words("reason", &["evicted", "refused"]),
            )?,
        })
    }
}
