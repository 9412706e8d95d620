//! The outline of a term in a segment: what its postings can score at most, block by block.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use tantivy::fieldnorm::FieldNormReader;
use tantivy::index::SegmentId;
use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::query::Bm25Weight;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, InvertedIndexReader, SegmentReader, Term};

/// Outlines of fewer blocks are made anew each time, in some microseconds.
const LEAST_BLOCKS: usize = 64;
/// Bytes of all outlines that are kept; beyond, all are forgotten.
const MAX_BYTES: usize = 32 << 20;

/// Blocks of postings with the last document of each and the largest share of the term's weight that one of them has.
///
/// The shares are those under the mean length of the field in this segment, whatever other segments there are.
#[derive(Debug, Default)]
pub(crate) struct BlockMaxima {
    pub lasts: Vec<DocId>,
    pub shares: Vec<f32>,
}

impl BlockMaxima {
    /// Reads the bounds beside the postings, and of the last, open block the postings.
    fn read(mut block: BlockSegmentPostings, norms: &FieldNormReader, mean_length: f32) -> Self {
        let unit = Bm25Weight::for_one_term_without_explain(1, 1, mean_length);
        let whole = unit.score(0, u32::MAX);
        let mut outline = Self::default();
        while let Some(&last) = block.docs().last() {
            outline.lasts.push(last);
            outline.shares.push(block.block_max_score(norms, &unit) / whole);
            block.advance();
        }
        outline
    }

    fn bytes(&self) -> usize {
        8 * self.lasts.len() + 128
    }
}

/// How much less than in its own segment the bound of a share may be relied on, if the mean length is another in all shards.
///
/// With `g = (1 - share) / share`, which is proportional to `1 - b + b * length / mean`, the least `g` of a block under
/// another mean is at least that under the segment's times `min(1, own / other)`.
pub(crate) fn relief(own_mean: f32, other_mean: f32) -> f32 {
    (own_mean / other_mean).min(1.0)
}

/// The bound of a share under another mean length, by its [`relief`].
pub(crate) fn relieved(share: f32, relief: f32) -> f32 {
    share / (share + (1.0 - share) * relief)
}

/// Mean length of a field in a segment, as tantivy had it when it wrote the bounds.
pub(crate) fn mean_length(index: &InvertedIndexReader, segment: &SegmentReader) -> f32 {
    index.total_num_tokens() as f32 / segment.max_doc() as f32
}

/// The outlines of frequent terms, kept from query to query. A segment never changes, so they hold as long as it is there.
#[derive(Default)]
pub(crate) struct BlockMaximaCache {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    by_term: HashMap<(SegmentId, Term), Arc<BlockMaxima>>,
    bytes: usize,
}

impl BlockMaximaCache {
    /// The outline of a term of a field with lengths. O(blocks) if it is not known.
    pub(crate) fn get(
        &self,
        term: &Term,
        info: &TermInfo,
        segment: &SegmentReader,
        index: &InvertedIndexReader,
        norms: &FieldNormReader,
    ) -> tantivy::Result<Arc<BlockMaxima>> {
        let is_kept = info.doc_freq as usize >= LEAST_BLOCKS * 128;
        let key = || (segment.segment_id(), term.clone());
        if is_kept && let Some(known) = self.kept.lock().ok().and_then(|kept| kept.by_term.get(&key()).cloned()) {
            return Ok(known);
        }
        let block = index.read_block_postings_from_terminfo(info, IndexRecordOption::WithFreqs)?;
        let outline = Arc::new(BlockMaxima::read(block, norms, mean_length(index, segment)));
        if is_kept && let Ok(mut kept) = self.kept.lock() {
            if kept.bytes + outline.bytes() > MAX_BYTES {
                *kept = Kept::default();
            }
            kept.bytes += outline.bytes();
            kept.by_term.insert(key(), Arc::clone(&outline));
        }
        Ok(outline)
    }

    /// Forgets those of segments that are gone.
    pub(crate) fn retain(&self, is_there: impl Fn(SegmentId) -> bool) {
        let Ok(mut kept) = self.kept.lock() else { return };
        kept.by_term.retain(|(segment, _), _| is_there(*segment));
        kept.bytes = kept.by_term.values().map(|outline| outline.bytes()).sum();
    }
}
