//! Metrics of the searcher.

use prometheus::{Histogram, HistogramOpts, IntCounterVec, Opts, Registry};

/// What the searcher counts.
#[derive(Debug, Clone)]
pub struct Metrics {
    /// `gristmill_searcher_requests_total{route,status}`: requests answered, by route and HTTP status.
    pub requests: IntCounterVec,
    /// `gristmill_search_duration_seconds`: time from the start of a search to its hits with snippets.
    pub search_duration: Histogram,
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
        let buckets = vec![0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0];
        let search_duration = Histogram::with_opts(duration.buckets(buckets))?;
        registry.register(Box::new(requests.clone()))?;
        registry.register(Box::new(search_duration.clone()))?;
        Ok(Self { requests, search_duration })
    }
}
