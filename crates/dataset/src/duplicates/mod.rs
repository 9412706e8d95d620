//! Near-duplicates among 64-bit fingerprints, a batch at a time, in memory that depends on the batch alone.
//!
//! Documents come in an order, and each is kept or is a duplicate: a duplicate of the first document kept before it whose
//! fingerprint differs in at most so many bits. So every duplicate has an original that is really like it; chains of likeness,
//! at whose ends stand different texts, do not arise.
//!
//! ```
//! use gristmill_dataset::duplicates::{DedupBatch, DuplicateOf};
//!
//! let kept_before = [0xff00];
//! let mut batch = DedupBatch::new(vec![0xff01, 0x1234_5678, 0x1234_5679], 10, 1);
//! batch.compare(0, &kept_before);
//! let nearest = |number, distance| Some(DuplicateOf { number, distance });
//! assert_eq!(batch.decide(1), [nearest(0, 1), None, nearest(1, 1)]);
//! ```
//!
//! No I/O, no clock. The caller holds the fingerprints kept before, on disk if they are many, and gives them in any pieces.

mod batch;
mod blocks;

pub use batch::{DedupBatch, DuplicateOf};
