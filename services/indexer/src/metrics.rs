//! What the indexer counts.

use gristmill_proto::topics;
use gristmill_runtime::clock::now_ms;
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use gristmill_runtime::metrics::{Counters, Label, MetricRegistrar};
use prometheus::{Histogram, IntCounter, Registry};

/// Counters of one indexer.
#[derive(Clone)]
pub struct Metrics {
    /// Document messages by what was done with them.
    pub documents: Counters<&'static str>,
    /// Commits of the index.
    pub commits: IntCounter,
    /// Time of one commit.
    pub commit_duration: Histogram,
    /// From the fetch of a page to the commit that makes it findable.
    pub fetch_to_hit: Histogram,
    /// Records that could not be read.
    pub unreadable: DecodeErrorCounter,
}

impl Metrics {
    /// Registers all of them.
    ///
    /// # Errors
    /// A metric of the same name is registered already.
    pub fn register(registry: &Registry) -> prometheus::Result<Self> {
        let registrar = MetricRegistrar(registry);
        Ok(Self {
            documents: registrar.counters(
                "gristmill_index_documents_total",
                "Document messages by change.",
                &Label::words("change", &["upsert", "remove", "older", "taken_down", "unreadable"]),
            )?,
            commits: registrar.counter("gristmill_index_commits_total", "Commits of the index.")?,
            commit_duration: registrar.histogram(
                "gristmill_index_commit_duration_seconds",
                "Time of one commit.",
                &[0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0],
            )?,
            fetch_to_hit: registrar.histogram(
                "gristmill_fetch_to_hit_seconds",
                "From the fetch of a page to the commit that makes it findable.",
                &[1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 900.0, 3600.0, 14400.0],
            )?,
            unreadable: DecodeErrorCounter::register(topics::groups::INDEXER, &[topics::DOCUMENTS], registry)?,
        })
    }

    /// Observes how long ago documents that have just become findable were fetched: `fetches` in Unix seconds.
    pub(crate) fn found_now(&self, fetches: &[i64]) {
        let now = now_ms() as f64 / 1000.0;
        for fetched in fetches {
            self.fetch_to_hit.observe((now - *fetched as f64).max(0.0));
        }
    }
}
