//! The searcher: a JSON API and plain web pages over the index.
//!
//! [`serve`] answers requests over a [`Searcher`]. [`ExtractService`] reads the pages that clients send;
//! it knows no index. Nothing here writes: the
//! index belongs to the indexer, and the state of the crawl to whoever writes the status file.

mod config;
mod metrics;

mod searcher;
mod status;

mod request;

mod api;
mod extract;
mod feed;
mod html;
mod pages;
mod places;

mod connections;
mod server;

pub use config::SearcherConfig;
pub use extract::{ExtractConfig, ExtractService};
pub use metrics::Metrics;
pub use pages::duration;
pub use searcher::{Answer, SearchError, Searcher};
pub use server::serve;
