//! What is kept of segments from query to query.

use tantivy::index::SegmentId;

use super::block_maxima::BlockMaximaCache;
use super::hashes::ValueHashes;
use super::zone_map::SegmentZoneMap;

/// Facts that hold as long as a segment is there.
#[derive(Default)]
pub(crate) struct SegmentCache {
    pub outlines: BlockMaximaCache,
    pub extremes: SegmentZoneMap,
    pub hashes: ValueHashes,
}

impl SegmentCache {
    /// Forgets those of segments that are gone.
    pub(crate) fn retain(&self, is_there: impl Fn(SegmentId) -> bool) {
        self.outlines.retain(&is_there);
        self.extremes.retain(&is_there);
        self.hashes.retain(&is_there);
    }
}
