//! What is kept of segments from query to query.

use tantivy::index::SegmentId;

use super::extremes::Extremes;
use super::hashes::Hashes;
use super::outline::Outlines;

/// Facts that hold as long as a segment is there.
#[derive(Default)]
pub(crate) struct Known {
    pub outlines: Outlines,
    pub extremes: Extremes,
    pub hashes: Hashes,
}

impl Known {
    /// Forgets those of segments that are gone.
    pub(crate) fn retain(&self, is_there: impl Fn(SegmentId) -> bool) {
        self.outlines.retain(&is_there);
        self.extremes.retain(&is_there);
        self.hashes.retain(&is_there);
    }
}
