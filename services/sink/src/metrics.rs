//! What the sink counts.

use gristmill_proto::topics;
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use prometheus::{HistogramOpts, HistogramVec, IntCounterVec, Opts, Registry};

/// Where documents go.
pub(crate) const TARGETS: [&str; 2] = ["bulk", "topic"];

/// Counters of one sink.
#[derive(Clone)]
pub struct Metrics {
    /// Documents by target and by what became of them there.
    pub documents: IntCounterVec,
    /// Messages that were handed on to nobody, by reason.
    pub passed_over: IntCounterVec,
    /// Requests made again, by cause.
    pub retries: IntCounterVec,
    /// Time until a target has taken a batch, retries included.
    pub duration: HistogramVec,
    /// Records that could not be read.
    pub unreadable: DecodeErrorCounter,
}

impl Metrics {
    /// Registers all of them, every label value at 0.
    ///
    /// # Errors
    /// A metric of the same name is registered already.
    pub fn register(registry: &Registry) -> prometheus::Result<Self> {
        let counters = |name: &str, help: &str, labels: &[&str]| IntCounterVec::new(Opts::new(name, help), labels);
        let metrics = Self {
            documents: counters(
                "gristmill_sink_documents_total",
                "Documents by target and result.",
                &["target", "result"],
            )?,
            passed_over: counters(
                "gristmill_sink_passed_over_total",
                "Messages that were handed on to nobody, by reason.",
                &["reason"],
            )?,
            retries: counters("gristmill_sink_retries_total", "Requests made again, by cause.", &["cause"])?,
            duration: HistogramVec::new(
                HistogramOpts::new("gristmill_sink_batch_duration_seconds", "Time until a target has taken a batch.")
                    .buckets(vec![0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0, 600.0]),
                &["target"],
            )?,
            unreadable: DecodeErrorCounter::register(topics::groups::SINK, &[topics::DOCUMENTS], registry)?,
        };
        for target in TARGETS {
            metrics.duration.with_label_values(&[target]);
            for result in ["sent", "removed", "refused"] {
                metrics.documents.with_label_values(&[target, result]);
            }
        }
        for reason in ["unreadable", "superseded", "removal"] {
            metrics.passed_over.with_label_values(&[reason]);
        }
        for cause in ["connection", "busy", "failure", "answer"] {
            metrics.retries.with_label_values(&[cause]);
        }
        registry.register(Box::new(metrics.documents.clone()))?;
        registry.register(Box::new(metrics.passed_over.clone()))?;
        registry.register(Box::new(metrics.retries.clone()))?;
        registry.register(Box::new(metrics.duration.clone()))?;
        Ok(metrics)
    }
}
