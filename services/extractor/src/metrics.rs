//! What the extractor counts.

use crate::render::RenderGain;
use crate::render_history::RenderReason;
use gristmill_proto::topics;
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use gristmill_runtime::label_values;
use gristmill_runtime::metrics;
use gristmill_runtime::metrics::{CounterTable, Counters, MetricLabel};
use prometheus::{Counter, Histogram, IntCounter};

label_values! {
    /// How one page leaves the extractor.
    pub(crate) enum ExtractResult {
        /// With a text.
        Document = "document",
        /// Without.
        Empty = "empty",
        /// It asks not to be indexed.
        NoIndex = "noindex",
        /// It is of no kind in `extractor.kinds`.
        Unwanted = "unwanted",
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

metrics! {
    /// Counters of one extractor.
    pub struct Metrics {
        /// Pages by result.
        pub(crate) pages: Counters<ExtractResult> = "gristmill_extract_pages_total", ExtractResult::label("result");
        /// Pages that need a browser, by whether one was asked for, and why.
        pub(crate) needs_browser: CounterTable<BrowserRequest, RenderReason> =
            "gristmill_pages_need_browser_total",
            (BrowserRequest::label("result"), MetricLabel::new("why", &RenderReason::ALL, RenderReason::as_str));
        /// Pages that a browser rendered, by what that added and by what was expected.
        pub(crate) rendered: CounterTable<RenderGain, bool> =
            "gristmill_rendered_pages_total",
            (RenderGain::label("result"), MetricLabel::new("expected", &[true, false], expected));
        /// Time of one page on its thread.
        pub(crate) duration: Histogram =
            "gristmill_extract_duration_seconds", &[0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.1, 0.5, 2.0];
        /// Processor time of unpacking, parsing and extracting.
        pub(crate) cpu: Counter = "gristmill_extract_cpu_seconds_total";
        /// Bodies removed from the blob store, too old to be asked for.
        pub(crate) collected_bodies: IntCounter = "gristmill_collected_bodies_total";
        /// Bytes of these bodies.
        pub(crate) collected_bytes: IntCounter = "gristmill_collected_body_bytes_total";
    }
    and(registry) {
        /// Records that could not be read.
        pub(crate) unreadable: DecodeErrorCounter =
            DecodeErrorCounter::register(topics::groups::EXTRACTOR, &[topics::PAGES], registry)?;
    }
}
