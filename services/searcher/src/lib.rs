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

mod access;
mod api;
mod client;
mod cors;
mod descriptions;
mod extract;
mod feed;
mod html;
mod markdown;
mod pages;
mod places;
mod proxy;
mod tokens;

mod connections;
mod server;

pub use access::OpenDoors;
pub use api::ApiError;
pub use client::Client;
pub use config::SearcherConfig;
pub use descriptions::request_origin;
pub use extract::{ExtractConfig, ExtractService, PageCopy, PageVisit};
pub use metrics::Metrics;
pub use pages::duration;
pub use proxy::serve_proxy;
pub use request::search_query;
pub use searcher::{Answer, SearchError, Searcher};
pub use server::{Doors, serve, serve_with};
pub use tokens::{AccessScope, AccessToken, ScopeSet};
