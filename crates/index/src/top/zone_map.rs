//! The smallest key and the latest date of each stretch of a segment, to pass over stretches where only these matter.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tantivy::columnar::Column;
use tantivy::index::SegmentId;
use tantivy::{DocId, SegmentReader};

use super::rank::of_date;

/// Documents of a stretch.
pub(super) const STRETCH: DocId = 128;

type Kept = Mutex<HashMap<SegmentId, Arc<Vec<u64>>>>;

/// What was read, kept as long as the segment is there: an eighth of a byte a document.
#[derive(Default)]
pub(crate) struct SegmentZoneMap {
    least_keys: Kept,
    latest_dates: Kept,
}

impl SegmentZoneMap {
    /// The smallest number of a key in each stretch. The first call for a segment reads a column.
    pub(super) fn least_keys(&self, segment: &SegmentReader) -> tantivy::Result<Arc<Vec<u64>>> {
        let column = segment.fast_fields().u64("key_order")?;
        Ok(kept(&self.least_keys, segment, |doc| column.first(doc).unwrap_or(0), u64::min))
    }

    /// The latest date in each stretch, as [`of_date`] has it. The first call for a segment reads a column.
    pub(super) fn latest_dates(&self, segment: &SegmentReader) -> tantivy::Result<Arc<Vec<u64>>> {
        let column: Column<i64> = segment.fast_fields().i64("published")?;
        Ok(kept(&self.latest_dates, segment, |doc| of_date(column.first(doc)), u64::max))
    }

    /// Forgets those of segments that are gone.
    pub(crate) fn retain(&self, is_there: impl Fn(SegmentId) -> bool) {
        for kept in [&self.least_keys, &self.latest_dates] {
            if let Ok(mut kept) = kept.lock() {
                kept.retain(|segment, _| is_there(*segment));
            }
        }
    }
}

fn kept(
    kept: &Kept,
    segment: &SegmentReader,
    value: impl Fn(DocId) -> u64,
    extreme: impl Fn(u64, u64) -> u64,
) -> Arc<Vec<u64>> {
    let id = segment.segment_id();
    if let Some(known) = kept.lock().ok().and_then(|kept| kept.get(&id).cloned()) {
        return known;
    }
    let starts = (0..segment.max_doc()).step_by(STRETCH as usize);
    let stretch = |start: DocId| (start..segment.max_doc().min(start + STRETCH)).map(&value);
    let read: Vec<u64> = starts.map(|start| stretch(start).reduce(&extreme).unwrap_or(0)).collect();
    let read = Arc::new(read);
    if let Ok(mut kept) = kept.lock() {
        kept.insert(id, Arc::clone(&read));
    }
    read
}
