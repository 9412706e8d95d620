//! What the sink counts.

use gristmill_proto::topics;
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use gristmill_runtime::metrics::{CounterTable, Counters, Label, MetricRegistrar};
use prometheus::{HistogramVec, Registry};

/// Counters of one sink.
#[derive(Clone)]
pub struct Metrics {
    /// Documents by target and by what became of them there.
    pub documents: CounterTable<&'static str, &'static str>,
    /// Messages that were handed on to nobody, by reason.
    pub passed_over: Counters<&'static str>,
    /// Requests made again, by cause.
    pub retries: Counters<&'static str>,
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
        let registrar = MetricRegistrar(registry);
        let target = Label::words("target", &["bulk", "topic"]);
        Ok(Self {
            documents: registrar.counter_table(
                "gristmill_sink_documents_total",
                "Documents by target and result.",
                (&target, &Label::words("result", &["sent", "removed", "refused"])),
            )?,
            passed_over: registrar.counters(
                "gristmill_sink_passed_over_total",
                "Messages that were handed on to nobody, by reason.",
                &Label::words("reason", &["unreadable", "superseded", "removal"]),
            )?,
            retries: registrar.counters(
                "gristmill_sink_retries_total",
                "Requests made again, by cause.",
                &Label::words("cause", &["connection", "busy", "failure", "answer"]),
            )?,
            duration: registrar.histograms(
                "gristmill_sink_batch_duration_seconds",
                "Time until a target has taken a batch.",
                &[0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0, 600.0],
                &target,
            )?,
            unreadable: DecodeErrorCounter::register(topics::groups::SINK, &[topics::DOCUMENTS], registry)?,
        })
    }
}
