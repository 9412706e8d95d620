//! What the renderer counts.

use gristmill_browser::{RenderEnd, RequestStats};
use gristmill_proto::topics;
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use gristmill_runtime::label_values;
use gristmill_runtime::metrics;
use gristmill_runtime::metrics::{Counters, MetricLabel};
use prometheus::{Counter, Histogram, IntCounter, IntGauge};

use super::repeatability::Repeatability;
use crate::executor::OrderCounters;

/// How an order ends: rendered, no page to render, or why the browser gave up.
const RESULTS: [&str; 12] = [
    "rendered",
    "no_page",
    "bad_url",
    "start",
    "crashed",
    "ended",
    "memory",
    "timeout",
    "left",
    "refused",
    "too_large",
    "protocol",
];

label_values! {
    /// What became of a request of a page.
    pub(crate) enum SubresourceResult {
        Answered = "answered",
        Refused = "refused",
        LeftOut = "left_out",
    }
}

metrics! {
    /// Counters of one renderer.
    pub struct RenderMetrics {
        /// Finished orders for browsers, by result.
        pub(crate) renders: Counters<&'static str> = "gristmill_renders_total", MetricLabel::words("result", &RESULTS);
        /// Rendered pages by when they were taken.
        pub(crate) ended: Counters<RenderEnd> =
            "gristmill_renders_ended_total", MetricLabel::new("ended", RenderEnd::ALL, RenderEnd::as_str);
        /// Pages that were rendered a second time, by whether that came out the same.
        pub(crate) twice: Counters<Repeatability> = "gristmill_renders_twice_total", Repeatability::label("result");
        /// Time of rendering one page.
        pub(crate) duration: Histogram =
            "gristmill_render_duration_seconds", &[0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0];
        /// Processor time of the browsers.
        pub(crate) cpu: Counter = "gristmill_render_cpu_seconds_total";
        /// What rendered pages asked for, by what became of it.
        requests: Counters<SubresourceResult> = "gristmill_render_requests_total", SubresourceResult::label("result");
        /// Pages that are being rendered.
        in_flight: IntGauge = "gristmill_renders_in_flight";
        /// Orders for browsers passed over because their scheduler had been replaced.
        stale: IntCounter = "gristmill_stale_renders_total";
    }
    and(registry) {
        /// Records that could not be read.
        unreadable: DecodeErrorCounter = DecodeErrorCounter::register(
            topics::groups::RENDERER, &[topics::RENDERS, topics::RENDER_OUTCOMES], registry)?;
    }
}

impl RenderMetrics {
    /// What is counted of all orders.
    pub(crate) fn orders(&self) -> OrderCounters {
        let (in_flight, stale, unreadable) = (self.in_flight.clone(), self.stale.clone(), self.unreadable.clone());
        OrderCounters { in_flight, stale, unreadable }
    }

    pub(crate) fn count_requests(&self, counts: &RequestStats) {
        let RequestStats { answered, refused, left_out, .. } = *counts;
        self.requests.of(SubresourceResult::Answered).inc_by(answered.into());
        self.requests.of(SubresourceResult::Refused).inc_by(refused.into());
        self.requests.of(SubresourceResult::LeftOut).inc_by(left_out.into());
    }
}
