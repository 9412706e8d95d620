//! The renderer: takes orders for browsers from the log, fetches each page once more, lets a browser draw it, and reports the page
//! in both forms, the links that only the browser saw, and one outcome.
//!
//! ```text
//! renders ─▶ fetch ─▶ draw, with what scripts and styles ask for
//!                      └─▶ append {links…, page in both forms, outcome} in one batch ─▶ progress ─▶ commit
//! ```
//! It is a fetcher of pages whose download takes a second, so crashes, leases and pauses are as there
//! ([`gristmill_fetcher::orders`]).

mod config;
mod metrics;
mod pool;
mod repeatability;
mod service;

pub use config::RendererConfig;
pub use metrics::Metrics;
pub use pool::BrowserPool;
pub use service::{GROUP, Renderer, RendererSettings};
