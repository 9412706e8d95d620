//! What the archiver counts.

use gristmill_proto::topics;
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use gristmill_runtime::label_values;
use gristmill_runtime::metrics::{Counters, MetricRegistrar};
use prometheus::{IntCounter, Registry};

label_values! {
    /// What became of a capture.
    pub(crate) enum CaptureResult {
        Response = "response",
        /// Its body was there already.
        Revisit = "revisit",
        /// A rendered page.
        Conversion = "conversion",
        /// Its body is not in the blob store.
        Missing = "missing",
        Unreadable = "unreadable",
    }
}

/// Counters of one archiver.
#[derive(Clone)]
pub struct Metrics {
    /// Captures by what became of them.
    pub(crate) captures: Counters<CaptureResult>,
    /// Files that were finished.
    pub files: IntCounter,
    /// Bytes of these.
    pub bytes: IntCounter,
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
        Ok(Self {
            captures: registrar.counters(
                "gristmill_archive_captures_total",
                "Captures by what became of them.",
                &CaptureResult::label("result"),
            )?,
            files: registrar.counter("gristmill_archive_files_total", "Archives that were finished.")?,
            bytes: registrar.counter("gristmill_archive_bytes_total", "Bytes of the archives that were finished.")?,
            unreadable: DecodeErrorCounter::register(topics::groups::ARCHIVER, &[topics::CAPTURES], registry)?,
        })
    }
}
