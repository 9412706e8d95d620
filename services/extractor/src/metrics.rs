//! What the extractor counts.

use gristmill_proto::topics;
use gristmill_runtime::unreadable::Unreadable;
use prometheus::{Counter, Histogram, HistogramOpts, IntCounterVec, Opts, Registry};

/// How one page leaves the extractor.
pub(crate) const RESULTS: [&str; 7] = ["document", "empty", "noindex", "canonical", "gone", "reject", "missing"];

/// Counters of one extractor.
#[derive(Clone)]
pub struct Metrics {
    /// Pages by result.
    pub pages: IntCounterVec,
    /// Time of one page on its thread.
    pub duration: Histogram,
    /// Processor time of unpacking, parsing and extracting.
    pub cpu: Counter,
    /// Records that could not be read.
    pub unreadable: Unreadable,
}

impl Metrics {
    /// Registers all of them, every result at 0.
    ///
    /// # Errors
    /// A metric of the same name is registered already.
    pub fn register(registry: &Registry) -> prometheus::Result<Self> {
        let metrics = Self {
            pages: IntCounterVec::new(Opts::new("gristmill_extract_pages_total", "Pages by result."), &["result"])?,
            duration: Histogram::with_opts(
                HistogramOpts::new("gristmill_extract_duration_seconds", "Time of one page on its thread.")
                    .buckets(vec![0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.1, 0.5, 2.0]),
            )?,
            cpu: Counter::new(
                "gristmill_extract_cpu_seconds_total",
                "Processor time of unpacking, parsing and extracting.",
            )?,
            unreadable: Unreadable::register(topics::groups::EXTRACTOR, &[topics::PAGES], registry)?,
        };
        for result in RESULTS {
            metrics.pages.with_label_values(&[result]);
        }
        registry.register(Box::new(metrics.pages.clone()))?;
        registry.register(Box::new(metrics.duration.clone()))?;
        registry.register(Box::new(metrics.cpu.clone()))?;
        Ok(metrics)
    }
}
