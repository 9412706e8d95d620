//! What the archiver counts.

use gristmill_proto::topics;
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use gristmill_runtime::label_values;
use gristmill_runtime::metrics;
use gristmill_runtime::metrics::Counters;
use prometheus::IntCounter;

label_values! {
    /// What became of a capture.
    pub(crate) enum CaptureResult {
        Response = "response",
        /// Its body was there already.
        Revisit = "revisit",
        /// A rendered page.
        Conversion = "conversion",
        /// A picture of one.
        Screenshot = "screenshot",
        /// Its body is not in the blob store.
        Missing = "missing",
        Unreadable = "unreadable",
    }
}

metrics! {
    /// Counters of one archiver.
    pub struct Metrics {
        /// Captures by what became of them.
        pub(crate) captures: Counters<CaptureResult> =
            "gristmill_archive_captures_total", CaptureResult::label("result");
        /// Archives that were finished.
        pub(crate) files: IntCounter = "gristmill_archive_files_total";
        /// Bytes of the archives that were finished.
        pub(crate) bytes: IntCounter = "gristmill_archive_bytes_total";
    }
    and(registry) {
        /// Records that could not be read.
        pub(crate) unreadable: DecodeErrorCounter =
            DecodeErrorCounter::register(topics::groups::ARCHIVER, &[topics::CAPTURES], registry)?;
    }
}
