//! A dataset in a folder, as `dataset` and `export --out` write it.
//!
//! ```text
//! steps of a source ─▶ without duplicates (if asked for) ─▶ shards `data/part-NNNNN` ─▶ README.md, manifest.json
//!                                                              │ journal: where to go on
//! ```
//! A shard is named when it is complete, and the journal knows where it ends in the source. A run that was killed goes on there,
//! so its dataset is that of a run that was not.

mod builder;
mod card;
mod corpus_dedup;
mod dedup;
mod dedup_plan;
mod dedup_store;
mod files;
mod host_row;
mod host_table;
mod journal;
mod row_cleaner;
mod row_spool;
mod row_stage;
mod shards;
mod source_item;
mod stats;
mod tokens;
mod word_lists;

pub use builder::{DatasetBuilder, DatasetOptions, DatasetState};
pub use dedup::PrintLikeness;
pub use dedup_plan::{CorpusDedupOptions, DedupPlan};
pub use files::replace;
pub use host_row::AnswerFacts;
pub use journal::{ArchiveOffset, DatasetHeader, MANIFEST, Manifest, SourceOffset};
pub use row_cleaner::RowCleaner;
pub use shards::MAX_TEXT_BYTES;
pub use source_item::{DroppedRow, SourceItem};
pub use tokens::TokenCounter;
pub use word_lists::{block_lists, digest, test_texts};
