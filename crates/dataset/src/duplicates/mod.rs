//! Duplicates among documents, by 64-bit fingerprints or by MinHash.
//!
//! # Fingerprints
//!
//! A batch at a time, in memory that depends on the batch alone. Documents come in an order, and each is kept or is a duplicate: a
//! duplicate of the first document kept before it whose fingerprint differs in at most so many bits. So every duplicate has an original
//! that is really like it; chains of likeness, at whose ends stand different texts, do not arise.
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
//! # MinHash
//!
//! [`MinHasher`] gives a text a key for each of its buckets, [`KeyRunBuilder`] sorts the keys of some documents into a
//! [`KeyRun`], and [`DuplicateClusters`] joins what shares a key over any number of runs. [`TextUnit`] gives keys to lines and
//! paragraphs, which [`DuplicateClusters::for_each_repeated`] compares.
//!
//! ```
//! use gristmill_dataset::duplicates::{DuplicateClusters, KeyRun, KeyRunBuilder, MinHashOptions, MinHasher, rank};
//!
//! let texts = ["The mill grinds rye for the town.", "A harbour under water.", "The mill grinds rye: for the town!!"];
//! let options = MinHashOptions::default();
//! let (mut hasher, mut run) = (MinHasher::new(options), KeyRunBuilder::linked(options.buckets));
//! for (number, text) in (0..).zip(texts) {
//!     run.push(rank(text.len() as u64, number), hasher.keys(text).unwrap_or_default());
//! }
//! let mut file = Vec::new();
//! run.write(&mut file)?;
//! let mut clusters = DuplicateClusters::find(&[KeyRun::open(file)?], 0, 1)?;
//! // The longest stays.
//! assert_eq!([0, 1, 2].map(|number| clusters.original(0, number)), [Some((0, 2)), None, None]);
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! No I/O, no clock. The caller holds the fingerprints kept before, on disk if they are many, and gives them in any pieces.

mod batch;
mod blocks;
mod clusters;
mod minhash;
mod runs;
mod units;

pub use batch::{DedupBatch, DuplicateOf};
pub use clusters::{DuplicateClusters, rank};
pub use minhash::{MinHashOptions, MinHasher};
pub use runs::{KeyRun, KeyRunBuilder, ReadAt};
pub use units::TextUnit;
