//! The indexer: takes documents from the log, upserts them by URL key, and commits them with the input positions.
//!
//! The positions live in the index's commit payload. After a crash the indexer goes on from there, so that what was not
//! committed comes again and what was committed does not. Before each commit it appends what the documents change in the corpus. The
//! group's position in the log follows afterwards; it frees old records and shows the lag.

mod change;
mod convert;
mod metrics;
mod product_table;
mod rebuild;
mod service;

pub use change::change_json;
pub use convert::{document, unix_seconds};
pub use metrics::Metrics;
pub use product_table::{AttributeCounts, WideColumns};
pub use rebuild::{IndexRebuild, RebuildSources, index_parts, put_in_place};
pub use service::{GROUP, IndexUpdate, Indexer, IndexerConfig, apply};
