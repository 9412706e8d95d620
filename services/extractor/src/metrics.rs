//! What the extractor counts.

use crate::render::RenderGain;
use gristmill_proto::topics;
use gristmill_rendering::RenderReason;
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use prometheus::{Counter, Histogram, HistogramOpts, IntCounter, IntCounterVec, Opts, Registry};

/// How one page leaves the extractor.
pub(crate) const RESULTS: [&str; 6] = ["document", "empty", "noindex", "gone", "reject", "missing"];

/// What a browser was expected to do for a page, as a label.
pub(crate) const fn expected(was_expected: bool) -> &'static str {
    if was_expected { "added" } else { "in_vain" }
}

/// Counters of one extractor.
#[derive(Clone)]
pub struct Metrics {
    /// Pages by result.
    pub pages: IntCounterVec,
    /// Pages that need a browser, by whether one was asked for, and why.
    pub needs_browser: IntCounterVec,
    /// Pages that a browser drew, by what that added and by what was expected.
    pub rendered: IntCounterVec,
    /// Time of one page on its thread.
    pub duration: Histogram,
    /// Processor time of unpacking, parsing and extracting.
    pub cpu: Counter,
    /// Bodies of pages removed from the blob store, too old to be asked for.
    pub collected_bodies: IntCounter,
    /// Their bytes.
    pub collected_bytes: IntCounter,
    /// Records that could not be read.
    pub unreadable: DecodeErrorCounter,
}

impl Metrics {
    /// Registers all of them, every result at 0.
    ///
    /// # Errors
    /// A metric of the same name is registered already.
    pub fn register(registry: &Registry) -> prometheus::Result<Self> {
        let metrics = Self {
            pages: IntCounterVec::new(Opts::new("gristmill_extract_pages_total", "Pages by result."), &["result"])?,
            needs_browser: IntCounterVec::new(
                Opts::new(
                    "gristmill_pages_need_browser_total",
                    "Pages that need a browser, by whether one was asked for, and why.",
                ),
                &["result", "why"],
            )?,
            rendered: IntCounterVec::new(
                Opts::new(
                    "gristmill_rendered_pages_total",
                    "Pages that a browser drew, by what that added and by what was expected.",
                ),
                &["result", "expected"],
            )?,
            duration: Histogram::with_opts(
                HistogramOpts::new("gristmill_extract_duration_seconds", "Time of one page on its thread.")
                    .buckets(vec![0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.1, 0.5, 2.0]),
            )?,
            cpu: Counter::new(
                "gristmill_extract_cpu_seconds_total",
                "Processor time of unpacking, parsing and extracting.",
            )?,
            collected_bodies: IntCounter::new(
                "gristmill_collected_bodies_total",
                "Bodies removed from the blob store, too old to be asked for.",
            )?,
            collected_bytes: IntCounter::new("gristmill_collected_body_bytes_total", "Bytes of these bodies.")?,
            unreadable: DecodeErrorCounter::register(topics::groups::EXTRACTOR, &[topics::PAGES], registry)?,
        };
        for result in RESULTS {
            metrics.pages.with_label_values(&[result]);
        }
        for why in RenderReason::ALL {
            for result in ["asked", "no_browser"] {
                metrics.needs_browser.with_label_values(&[result, why.as_str()]);
            }
        }
        for gain in RenderGain::ALL {
            for was_expected in [true, false] {
                metrics.rendered.with_label_values(&[gain.as_str(), expected(was_expected)]);
            }
        }
        registry.register(Box::new(metrics.pages.clone()))?;
        registry.register(Box::new(metrics.needs_browser.clone()))?;
        registry.register(Box::new(metrics.rendered.clone()))?;
        registry.register(Box::new(metrics.duration.clone()))?;
        registry.register(Box::new(metrics.cpu.clone()))?;
        registry.register(Box::new(metrics.collected_bodies.clone()))?;
        registry.register(Box::new(metrics.collected_bytes.clone()))?;
        Ok(metrics)
    }
}
