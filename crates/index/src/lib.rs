//! The full-text index: schema, analyser, idempotent writer, query language and snippets over tantivy.
//!
//! Write with [`IndexWriter`], read with [`Reader`]. One process writes a directory, any number read it.
//! A [`Document`] is upserted by its URL key, and each commit carries the [`Positions`] of the input up to
//! which it holds everything: whoever restarts reads them back and goes on from there, so nothing is lost
//! and nothing stands in the index twice.

mod error;

mod document;
mod exported;
mod json;
mod schema;
mod shards;
mod site_facts;
mod stored;

mod analyser;
mod chinese;
mod folding;

mod directory;
mod merges;
mod panics;
mod payload;
mod writer;

mod dates;
mod query;
mod ranges;
mod syntax;
mod units;

mod blocks;
mod check;
mod collapse;
mod highlight;
mod reader;
mod salvage;
mod seal;
mod sweep;

pub use analyser::{Mode, Piece, analyse};
pub use check::{Checked, DamagedFile, check};
pub use collapse::MIN_WORDS;
pub use dates::{Period, format_day, parse_period};
pub use document::{Attribute, Comment, Document, Kind};
pub use error::IndexError;
pub use exported::read_exported;
pub use folding::fold;
pub use highlight::Snippet;
pub use json::format_time;
pub use panics::install_panic_hook;
pub use payload::Positions;
pub use query::{Filter, MAX_LIMIT, MAX_OFFSET, MAX_QUERY_CHARS, Query};
pub use reader::{Duplicate, Hit, Reader, Results};
pub use salvage::{Salvaged, salvage};
pub use sweep::Facets;
pub use writer::{IndexConfig, IndexWriter};

#[cfg(test)]
mod disk_full_tests;
