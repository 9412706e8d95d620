//! Hashes of the values of a column, by which values of several segments are told equal without reading them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tantivy::SegmentReader;
use tantivy::columnar::StrColumn;
use tantivy::index::SegmentId;
use xxhash_rust::xxh3::xxh3_64;

/// A column of a segment.
type Key = (SegmentId, &'static str);

/// The hash of each value by its number, kept as long as the segment is there: eight bytes a value.
#[derive(Default)]
pub(crate) struct ValueHashes {
    kept: Mutex<HashMap<Key, Arc<Vec<u64>>>>,
}

impl ValueHashes {
    /// Those of a column. The first call for a segment reads all of its values.
    pub(crate) fn get(
        &self,
        name: &'static str,
        column: &StrColumn,
        segment: &SegmentReader,
    ) -> tantivy::Result<Arc<Vec<u64>>> {
        let key = (segment.segment_id(), name);
        if let Some(known) = self.kept.lock().ok().and_then(|kept| kept.get(&key).cloned()) {
            return Ok(known);
        }
        let mut hashes = Vec::with_capacity(column.num_terms());
        let mut values = column.dictionary().stream()?;
        while values.advance() {
            hashes.push(xxh3_64(values.key()));
        }
        let hashes = Arc::new(hashes);
        if let Ok(mut kept) = self.kept.lock() {
            kept.insert(key, Arc::clone(&hashes));
        }
        Ok(hashes)
    }

    /// Forgets those of segments that are gone.
    pub(crate) fn retain(&self, is_there: impl Fn(SegmentId) -> bool) {
        if let Ok(mut kept) = self.kept.lock() {
            kept.retain(|(segment, _), _| is_there(*segment));
        }
    }
}
