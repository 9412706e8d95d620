//! Metrics of the searcher.

use gristmill_runtime::metrics;
use gristmill_runtime::metrics::{Counters, MetricLabel};
use prometheus::{Histogram, IntCounterVec, IntGauge};

/// Upper bounds of times, in seconds.
const SECONDS: &[f64] = &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0];

metrics! {
    /// What the searcher counts.
    #[derive(Debug)]
    pub struct Metrics {
        /// Requests answered, by route and HTTP status.
        pub requests: IntCounterVec = "gristmill_searcher_requests_total", &["route", "status"];
        /// Time from the start of a search to its hits with snippets.
        pub search_duration: Histogram = "gristmill_search_duration_seconds", SECONDS;
        /// Time of reading one page for a client, on its thread.
        pub extract_duration: Histogram = "gristmill_searcher_extract_duration_seconds", SECONDS;
        /// Requests to extract under way.
        pub extracting: IntGauge = "gristmill_searcher_extracting";
        /// Open connections.
        pub connections: IntGauge = "gristmill_searcher_connections";
        /// Connections closed to keep the bounds.
        pub closed: Counters<&'static str> =
            "gristmill_searcher_closed_connections_total", MetricLabel::words("reason", &["evicted", "refused"]);
    }
}
