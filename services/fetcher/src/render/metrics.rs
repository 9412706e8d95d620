//! What the renderer counts.

use gristmill_browser::{RenderEnd, RequestStats};
use gristmill_proto::topics;
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use gristmill_runtime::label_values;
use gristmill_runtime::metrics::{Counters, Label, MetricRegistrar};
use prometheus::{Counter, Histogram, Registry};

use super::repeatability::Repeatability;
use crate::fulfil::OrderCounters;

/// How an order ends: drawn, no page to draw, or why the browser gave up.
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

/// Counters of one renderer.
#[derive(Clone)]
pub struct RenderMetrics {
    /// Finished orders by result.
    pub(crate) renders: Counters<&'static str>,
    /// Drawn pages by when they were taken.
    pub(crate) ended: Counters<RenderEnd>,
    /// Pages that were drawn a second time, by whether that came out the same.
    pub(crate) twice: Counters<Repeatability>,
    /// Time of drawing one page.
    pub duration: Histogram,
    /// Processor time of the browsers.
    pub cpu: Counter,
    /// What pages asked for, by what became of it.
    requests: Counters<SubresourceResult>,
    /// Of all orders.
    pub(crate) orders: OrderCounters,
}

impl RenderMetrics {
    /// Registers all of them, every label at 0.
    ///
    /// # Errors
    /// A metric of the same name is registered already.
    pub fn register(registry: &Registry) -> prometheus::Result<Self> {
        let registrar = MetricRegistrar(registry);
        Ok(Self {
            renders: registrar.counters(
                "gristmill_renders_total",
                "Finished orders for browsers, by result.",
                &Label::words("result", &RESULTS),
            )?,
            ended: registrar.counters(
                "gristmill_renders_ended_total",
                "Drawn pages by when they were taken.",
                &Label::new("ended", RenderEnd::ALL, RenderEnd::as_str),
            )?,
            twice: registrar.counters(
                "gristmill_renders_twice_total",
                "Pages that were drawn a second time, by whether that came out the same.",
                &Repeatability::label("result"),
            )?,
            duration: registrar.histogram(
                "gristmill_render_duration_seconds",
                "Time of drawing one page.",
                &[0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0],
            )?,
            cpu: registrar.seconds("gristmill_render_cpu_seconds_total", "Processor time of the browsers.")?,
            requests: registrar.counters(
                "gristmill_render_requests_total",
                "What drawn pages asked for, by what became of it.",
                &SubresourceResult::label("result"),
            )?,
            orders: OrderCounters {
                in_flight: registrar.gauge("gristmill_renders_in_flight", "Pages that are being drawn.")?,
                stale: registrar.counter(
                    "gristmill_stale_renders_total",
                    "Orders for browsers passed over because their scheduler had been replaced.",
                )?,
                unreadable: DecodeErrorCounter::register(
                    topics::groups::RENDERER,
                    &[topics::RENDERS, topics::RENDER_OUTCOMES],
                    registry,
                )?,
            },
        })
    }

    pub(crate) fn count_requests(&self, counts: &RequestStats) {
        let RequestStats { answered, refused, left_out, .. } = *counts;
        self.requests.of(SubresourceResult::Answered).inc_by(answered.into());
        self.requests.of(SubresourceResult::Refused).inc_by(refused.into());
        self.requests.of(SubresourceResult::LeftOut).inc_by(left_out.into());
    }
}
