//! What the renderer counts.

use gristmill_browser::{RenderEnd, RequestStats};
use gristmill_proto::topics;
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use prometheus::{Counter, Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGauge, Opts, Registry};

use super::repeatability;
use crate::fulfil::OrderCounters;

/// How an order ends: drawn, no page to draw, or why the browser gave up.
pub const RESULTS: [&str; 12] = [
    "drawn",
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

/// Counters of one renderer.
#[derive(Clone)]
pub struct RenderMetrics {
    /// Finished orders by result.
    pub renders: IntCounterVec,
    /// Drawn pages by when they were taken.
    pub ended: IntCounterVec,
    /// Pages that were drawn a second time, by whether that came out the same.
    pub twice: IntCounterVec,
    /// Time of drawing one page.
    pub duration: Histogram,
    /// Processor time of the browsers.
    pub cpu: Counter,
    /// What pages asked for, by what became of it.
    pub requests: IntCounterVec,
    /// Of all orders.
    pub(crate) orders: OrderCounters,
}

impl RenderMetrics {
    /// Registers all of them, every label at 0.
    ///
    /// # Errors
    /// A metric of the same name is registered already.
    pub fn register(registry: &Registry) -> prometheus::Result<Self> {
        let counters = |name: &str, help: &str, label: &str| IntCounterVec::new(Opts::new(name, help), &[label]);
        let metrics = Self {
            renders: counters("gristmill_renders_total", "Finished orders for browsers, by result.", "result")?,
            ended: counters("gristmill_renders_ended_total", "Drawn pages by when they were taken.", "ended")?,
            twice: counters(
                "gristmill_renders_twice_total",
                "Pages that were drawn a second time, by whether that came out the same.",
                "result",
            )?,
            duration: Histogram::with_opts(
                HistogramOpts::new("gristmill_render_duration_seconds", "Time of drawing one page.")
                    .buckets(vec![0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0]),
            )?,
            cpu: Counter::new("gristmill_render_cpu_seconds_total", "Processor time of the browsers.")?,
            requests: counters(
                "gristmill_render_requests_total",
                "What drawn pages asked for, by what became of it.",
                "result",
            )?,
            orders: OrderCounters {
                in_flight: IntGauge::new("gristmill_renders_in_flight", "Pages that are being drawn.")?,
                stale: IntCounter::new(
                    "gristmill_stale_renders_total",
                    "Orders for browsers passed over because their scheduler had been replaced.",
                )?,
                unreadable: DecodeErrorCounter::register(
                    topics::groups::RENDERER,
                    &[topics::RENDERS, topics::RENDER_OUTCOMES],
                    registry,
                )?,
            },
        };
        for result in RESULTS {
            metrics.renders.with_label_values(&[result]);
        }
        for ended in RenderEnd::ALL {
            metrics.ended.with_label_values(&[ended.as_str()]);
        }
        for result in repeatability::RESULTS {
            metrics.twice.with_label_values(&[result]);
        }
        metrics.count_requests(&RequestStats::default());
        registry.register(Box::new(metrics.renders.clone()))?;
        registry.register(Box::new(metrics.ended.clone()))?;
        registry.register(Box::new(metrics.twice.clone()))?;
        registry.register(Box::new(metrics.duration.clone()))?;
        registry.register(Box::new(metrics.cpu.clone()))?;
        registry.register(Box::new(metrics.requests.clone()))?;
        registry.register(Box::new(metrics.orders.in_flight.clone()))?;
        registry.register(Box::new(metrics.orders.stale.clone()))?;
        Ok(metrics)
    }

    /// Counts a page that was drawn a second time.
    pub(crate) fn drawn_twice(&self, result: &str) {
        self.twice.with_label_values(&[result]).inc();
    }

    pub(crate) fn count_requests(&self, counts: &RequestStats) {
        let RequestStats { answered, refused, left_out, .. } = *counts;
        for (result, count) in [("answered", answered), ("refused", refused), ("left_out", left_out)] {
            self.requests.with_label_values(&[result]).inc_by(u64::from(count));
        }
    }
}
