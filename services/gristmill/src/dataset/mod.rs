//! A dataset in a folder, as `dataset` and `export --out` write it.
//!
//! ```text
//! steps of a source ─▶ without duplicates (if asked for) ─▶ shards `data/part-NNNNN` ─▶ README.md, manifest.json
//!                                                              │ journal: where to go on
//! ```
//! A shard is named when it is complete, and the journal knows where it ends in the source. A run that was killed goes on there,
//! so its dataset is that of a run that was not.

mod args;
mod card;
mod cleaning;
mod corpus_dedup;
mod dedup;
mod dedup_plan;
mod dedup_store;
mod files;
mod filter;
mod host_row;
mod host_table;
mod journal;
mod output;
mod row_spool;
mod row_stage;
mod shards;
mod source_item;
mod stats;
mod tokens;
mod word_lists;

pub use args::DatasetArgs;
pub use cleaning::RowCleaner;
pub use files::replace;
pub use filter::{DocumentFilter, FilterArgs, FilterFields, KindArg, share};
pub use host_row::AnswerFacts;
pub use journal::{ArchiveOffset, DatasetHeader, Manifest, SourceOffset};
pub use output::{DatasetBuilder, DatasetOptions, DatasetState};
pub use source_item::SourceItem;
pub use word_lists::block_lists;
