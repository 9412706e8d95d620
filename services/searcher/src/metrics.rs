//! Metrics of the searcher.

use prometheus::{Histogram, HistogramOpts, IntCounterVec, IntGauge, Opts, Registry};

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
    pub closed: IntCounterVec,
}

impl Metrics {
    /// Registers the metrics on `registry`.
    ///
    /// # Errors
    /// They are registered there already.
    pub fn new(registry: &Registry) -> prometheus::Result<Self> {
        let requests = IntCounterVec::new(
            Opts::new("gristmill_searcher_requests_total", "Requests answered, by route and HTTP status."),
            &["route", "status"],
        )?;
        let duration = HistogramOpts::new(
            "gristmill_search_duration_seconds",
            "Time from the start of a search to its hits with snippets.",
        );
        let buckets = || vec![0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0];
        let search_duration = Histogram::with_opts(duration.buckets(buckets()))?;
        let duration = HistogramOpts::new(
            "gristmill_searcher_extract_duration_seconds",
            "Time of reading one page for a client, on its thread.",
        );
        let extract_duration = Histogram::with_opts(duration.buckets(buckets()))?;
        let extracting = IntGauge::new("gristmill_searcher_extracting", "Requests to extract under way.")?;
        let connections = IntGauge::new("gristmill_searcher_connections", "Open connections.")?;
        let closed = IntCounterVec::new(
            Opts::new("gristmill_searcher_closed_connections_total", "Connections closed to keep the bounds."),
            &["reason"],
        )?;
        for reason in ["evicted", "refused"] {
            closed.with_label_values(&[reason]);
        }
        registry.register(Box::new(requests.clone()))?;
        registry.register(Box::new(search_duration.clone()))?;
        registry.register(Box::new(extract_duration.clone()))?;
        registry.register(Box::new(extracting.clone()))?;
        registry.register(Box::new(connections.clone()))?;
        registry.register(Box::new(closed.clone()))?;
        Ok(Self { requests, search_duration, extract_duration, extracting, connections, closed })
    }
}
