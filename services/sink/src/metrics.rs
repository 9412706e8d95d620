//! What the sink counts.

use gristmill_proto::topics;
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use gristmill_runtime::metrics;
use gristmill_runtime::metrics::{CounterTable, Counters, MetricLabel};
use prometheus::HistogramVec;

metrics! {
    /// Counters of one sink.
    pub struct Metrics {
        /// Documents by target and result.
        pub documents: CounterTable<&'static str, &'static str> = "gristmill_sink_documents_total",
            (targets(), MetricLabel::words("result", &["sent", "removed", "refused"]));
        /// Messages that were handed on to nobody, by reason.
        pub passed_over: Counters<&'static str> = "gristmill_sink_passed_over_total",
            MetricLabel::words("reason", &["unreadable", "superseded", "removal"]);
        /// Requests made again, by cause.
        pub retries: Counters<&'static str> = "gristmill_sink_retries_total",
            MetricLabel::words("cause", &["connection", "busy", "failure", "answer"]);
        /// Time until a target has taken a batch, retries included.
        pub duration: HistogramVec = "gristmill_sink_batch_duration_seconds",
            (&[0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0, 600.0], targets());
    }
    and(registry) {
        /// Records that could not be read.
        pub unreadable: DecodeErrorCounter =
            DecodeErrorCounter::register(topics::groups::SINK, &[topics::DOCUMENTS], registry)?;
    }
}

fn targets() -> MetricLabel<&'static str> {
    MetricLabel::words("target", &["bulk", "topic"])
}
