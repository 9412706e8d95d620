//! What the indexer counts.

use prometheus::{Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGauge, Opts, Registry};

/// Counters of one indexer.
#[derive(Clone)]
pub struct Metrics {
    /// Document messages by what was done with them.
    pub documents: IntCounterVec,
    /// Commits of the index.
    pub commits: IntCounter,
    /// Time of one commit.
    pub commit_duration: Histogram,
    /// Document messages that wait.
    pub lag: IntGauge,
}

impl Metrics {
    /// Registers all of them.
    ///
    /// # Errors
    /// A metric of the same name is registered already.
    pub fn register(registry: &Registry) -> prometheus::Result<Self> {
        let metrics = Self {
            documents: IntCounterVec::new(
                Opts::new("gristmill_index_documents_total", "Document messages by change."),
                &["change"],
            )?,
            commits: IntCounter::new("gristmill_index_commits_total", "Commits of the index.")?,
            commit_duration: Histogram::with_opts(
                HistogramOpts::new("gristmill_index_commit_duration_seconds", "Time of one commit.")
                    .buckets(vec![0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0]),
            )?,
            lag: IntGauge::new("gristmill_index_lag_records", "Document messages that wait for the indexer.")?,
        };
        for change in ["upsert", "remove", "unreadable"] {
            metrics.documents.with_label_values(&[change]);
        }
        registry.register(Box::new(metrics.documents.clone()))?;
        registry.register(Box::new(metrics.commits.clone()))?;
        registry.register(Box::new(metrics.commit_duration.clone()))?;
        registry.register(Box::new(metrics.lag.clone()))?;
        Ok(metrics)
    }
}
