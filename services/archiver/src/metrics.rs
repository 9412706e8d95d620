//! What the archiver counts.

use gristmill_proto::topics;
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use prometheus::{IntCounter, IntCounterVec, Opts, Registry};

/// Counters of one archiver.
#[derive(Clone)]
pub struct Metrics {
    /// Captures by what became of them.
    pub captures: IntCounterVec,
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
        let captures = Opts::new("gristmill_archive_captures_total", "Captures by what became of them.");
        let metrics = Self {
            captures: IntCounterVec::new(captures, &["result"])?,
            files: IntCounter::new("gristmill_archive_files_total", "Archives that were finished.")?,
            bytes: IntCounter::new("gristmill_archive_bytes_total", "Bytes of the archives that were finished.")?,
            unreadable: DecodeErrorCounter::register(topics::groups::ARCHIVER, &[topics::CAPTURES], registry)?,
        };
        for result in ["response", "revisit", "conversion", "missing", "unreadable"] {
            metrics.captures.with_label_values(&[result]);
        }
        registry.register(Box::new(metrics.captures.clone()))?;
        registry.register(Box::new(metrics.files.clone()))?;
        registry.register(Box::new(metrics.bytes.clone()))?;
        Ok(metrics)
    }
}
