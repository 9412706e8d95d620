//! What the indexer counts.

use gristmill_proto::topics;
use gristmill_runtime::clock::now_ms;
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use gristmill_runtime::metrics;
use gristmill_runtime::metrics::{Counters, MetricLabel};
use prometheus::{Histogram, IntCounter};

metrics! {
    /// Counters of one indexer.
    pub struct Metrics {
        /// Document messages by change.
        pub documents: Counters<&'static str> = "gristmill_index_documents_total",
            MetricLabel::words("change", &["upsert", "remove", "older", "emptied", "taken_down", "unreadable"]);
        /// Commits of the index.
        pub commits: IntCounter = "gristmill_index_commits_total";
        /// Time of one commit.
        pub commit_duration: Histogram =
            "gristmill_index_commit_duration_seconds", &[0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];
        /// From the fetch of a page to the commit that makes it findable.
        pub fetch_to_hit: Histogram = "gristmill_fetch_to_hit_seconds",
            &[1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 900.0, 3600.0, 14400.0];
    }
    and(registry) {
        /// Records that could not be read.
        pub unreadable: DecodeErrorCounter =
            DecodeErrorCounter::register(topics::groups::INDEXER, &[topics::DOCUMENTS], registry)?;
    }
}

impl Metrics {
    /// Observes how long ago documents that have just become findable were fetched: `fetches` in Unix seconds.
    pub(crate) fn found_now(&self, fetches: &[i64]) {
        let now = now_ms() as f64 / 1000.0;
        for fetched in fetches {
            self.fetch_to_hit.observe((now - *fetched as f64).max(0.0));
        }
    }
}
