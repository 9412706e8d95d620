//! What the extractor counts.

use crate::render::RenderGain;
use gristmill_proto::topics;
use gristmill_rendering::RenderReason;
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use gristmill_runtime::label_values;
use gristmill_runtime::metrics::{CounterTable, Counters, Label, MetricRegistrar};
use prometheus::{Counter, Histogram, IntCounter, Registry};

label_values! {
    /// How one page leaves the extractor.
    pub(crate) enum ExtractResult {
        /// With a text.
        Document = "document",
        /// Without.
        Empty = "empty",
        /// It asks not to be indexed.
        NoIndex = "noindex",
        /// It was indexed before.
        Gone = "gone",
        Reject = "reject",
        /// Its body is not in the blob store.
        Missing = "missing",
    }
}

label_values! {
    /// What is done about a page that needs a browser.
    pub(crate) enum BrowserRequest {
        Asked = "asked",
        NoBrowser = "no_browser",
    }
}

/// What a browser was expected to do for a page, as a label.
const fn expected(was_expected: bool) -> &'static str {
    if was_expected { "added" } else { "no_gain" }
}

/// Counters of one extractor.
#[derive(Clone)]
pub struct Metrics {
    /// Pages by result.
    pub(crate) pages: Counters<ExtractResult>,
    /// Pages that need a browser, by whether one was asked for, and why.
    pub(crate) needs_browser: CounterTable<BrowserRequest, RenderReason>,
    /// Pages that a browser drew, by what that added and by what was expected.
    pub(crate) rendered: CounterTable<RenderGain, bool>,
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
        let registrar = MetricRegistrar(registry);
        Ok(Self {
            pages: registrar.counters(
                "gristmill_extract_pages_total",
                "Pages by result.",
                &ExtractResult::label("result"),
            )?,
            needs_browser: registrar.counter_table(
                "gristmill_pages_need_browser_total",
                "Pages that need a browser, by whether one was asked for, and why.",
                (&BrowserRequest::label("result"), &Label::new("why", &RenderReason::ALL, RenderReason::as_str)),
            )?,
            rendered: registrar.counter_table(
                "gristmill_rendered_pages_total",
                "Pages that a browser drew, by what that added and by what was expected.",
                (&RenderGain::label("result"), &Label::new("expected", &[true, false], expected)),
            )?,
            duration: registrar.histogram(
                "gristmill_extract_duration_seconds",
                "Time of one page on its thread.",
                &[0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.1, 0.5, 2.0],
            )?,
            cpu: registrar.seconds(
                "gristmill_extract_cpu_seconds_total",
                "Processor time of unpacking, parsing and extracting.",
            )?,
            collected_bodies: registrar.counter(
                "gristmill_collected_bodies_total",
                "Bodies removed from the blob store, too old to be asked for.",
            )?,
            collected_bytes: registrar.counter("gristmill_collected_body_bytes_total", "Bytes of these bodies.")?,
            unreadable: DecodeErrorCounter::register(topics::groups::EXTRACTOR, &[topics::PAGES], registry)?,
        })
    }
}
