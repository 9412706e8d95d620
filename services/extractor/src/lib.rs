//! The extractor: takes pages from the log and turns each into a document, a removal or a reject.
//!
//! It keeps no state: what is not committed comes again, and a document that is written twice is one document, because the
//! index knows it by its key.

mod body;
mod convert;
pub mod kind;
mod metrics;
mod product;
mod recipe;
mod service;

pub use metrics::Metrics;
pub use recipe::{Prepared, Recipe, RecordsConfig};
pub use service::{Extractor, ExtractorConfig, GROUP};
