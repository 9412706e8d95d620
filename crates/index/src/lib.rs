//! The full-text index, over tantivy: schema, Chinese and English analyser, idempotent writer, query language, snippets.
//!
//! ```
//! use gristmill_index::{IndexConfig, IndexDocument, IndexWriter, Positions, SearchQuery, IndexReader};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let mut writer = IndexWriter::open(folder.path(), &IndexConfig::default())?;
//! let (key, title, text) = ("tofu".into(), "石磨豆腐".into(), "豆腐用石磨磨成。".into());
//! let document = IndexDocument { key, title, text, ..IndexDocument::default() };
//! writer.upsert(&document)?;
//! writer.upsert(&document)?; // the same key: still one document
//! writer.commit(&Positions::default())?;
//!
//! let reader = IndexReader::open(folder.path())?;
//! let found = reader.search(&SearchQuery { text: "石磨".into(), ..SearchQuery::default() })?;
//! assert_eq!((found.total, found.hits[0].title.as_str()), (1, "石磨豆腐"));
//! # Ok(())
//! # }
//! ```
//!
//! One process writes a directory with [`IndexWriter`]; any number read it with [`IndexReader`].
//!
//! An [`IndexDocument`] is upserted by its URL key. Each commit carries the [`Positions`] of the input up to which the index is
//! complete. After a restart the writer continues from these positions. So nothing is lost, and nothing is in the index twice.

mod error;

mod attributes;
mod doc_store;
mod document;
mod exported;
mod history;
mod json;
mod leftovers;
mod schema;
mod shards;
mod site_facts;

mod analyser;
mod chinese;
mod folding;
mod forms;
mod irregular;
mod script_runs;
mod stems;

mod capture_times;
mod directory;
mod merges;
mod ordered;
mod panics;
mod payload;
mod takedowns;
mod writer;

mod compile;
mod dates;
mod match_units;
mod query;
mod ranges;
mod spelling;
mod syntax;
mod tree;

mod blocks;
mod check;
mod checksum_directory;
mod clock;
mod collapse;
mod exhaustive;
mod facets;
mod highlight;
mod reader;
mod salvage;
mod search;
mod sums;
mod top;

pub use analyser::{AnalysisMode, IndexToken, analyse};
pub use check::{DamagedFile, IndexCheckReport, check};
pub use dates::{Period, format_day, format_minute, parse_period, parse_period_at};
pub use document::{
    Comment, DocumentKind, HeadingLine, IndexDocument, LanguageShare, ProductAttribute, RenderInfo, Rights,
};
pub use error::IndexError;
pub use exported::read_exported;
pub use facets::Facets;
pub use folding::fold;
pub use highlight::{Pattern, Snippet};
pub use history::{CaptureChange, Edit, History, MAX_HISTORY, PastOffer, carry_on};
pub use json::{format_millis, format_time};
pub use ordered::SortedDocuments;
pub use panics::install_panic_hook;
pub use payload::Positions;
pub use query::{COUNT_UP_TO, MAX_LIMIT, MAX_OFFSET, MAX_QUERY_CHARS, SearchFilter, SearchQuery, Sort};
pub use reader::{Duplicate, IndexReader};
pub use salvage::{SalvageReport, salvage};
pub use search::{Hit, SearchResults};
pub use shards::folders;
pub use takedowns::takedowns;
pub use writer::{IndexConfig, IndexWriter};

#[cfg(test)]
mod disk_full_tests;
