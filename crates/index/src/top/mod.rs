//! The best matches of a query without visiting all of them.
//!
//! Each term has an upper bound of its score for each block of 128 documents (Ding and Suel, "Faster top-k document
//! retrieval using block-max indexes", SIGIR 2011). While the heap of the best is full, stretches whose bounds add up to
//! less than its worst are passed over. Within the others only the fields and words are stepped through without which
//! the worst cannot be reached (MaxScore: Turtle and Flood, 1995).
//!
//! ```text
//! Tree ──(statistics of all shards)── Plan ──(postings of a segment)── Cursor ── pass: best, count, facets
//! ```

mod block_maxima;
mod cursor;
mod filter_doc_set;
mod hashes;
mod intersection;
mod order;
mod pass;
mod phrase;
mod plan;
mod postings;
mod rank;
mod sample;
mod segment_cache;
mod totals;
mod union;
mod zone_map;

pub(crate) use order::PageDates;
pub(crate) use pass::{TopDocs, TopKRequest, find};
pub(crate) use rank::{HitSortKey, TopHits, of_date, of_price, of_score};
pub(crate) use segment_cache::SegmentCache;
