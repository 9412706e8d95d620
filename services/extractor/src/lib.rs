//! The extractor: takes pages from the log and turns each into a document, a removal or a reject.
//!
//! It keeps no state: what is not committed comes again, and a document that is written twice is one document, because the
//! index knows it by its key.

mod batch;
mod chunks;
mod commit;
mod convert;
mod metrics;
mod notice;
mod product;
mod render;
mod render_history;
mod service;
mod settings;

pub use batch::{BatchExtractor, type_of_file};
pub use metrics::Metrics;
pub use service::{Extractor, GROUP};
pub use settings::{ExtractorConfig, RecordsConfig, page_reader};
