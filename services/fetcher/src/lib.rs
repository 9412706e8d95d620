//! The fetcher: takes orders from the log, downloads, and reports pages, links and one outcome for each order.
//!
//! ```text
//! orders ─▶ fetch ─▶ read (links of a page, entries of a sitemap or feed, robots.txt as it is)
//!                      └─▶ append {links…, page?, capture?, outcome} in one batch ─▶ progress ─▶ commit
//! ```
//! Orders for browsers are fulfilled in the same way, but for the download ([`Renderer`]).
//!
//! An order is done when its outcome is in the log. Orders finish in any order, so the committed position waits for
//! the slowest; after a crash the outcomes behind it tell which orders need not be fetched again ([`progress`]).

mod address_limiter;
mod body;
mod capture;
mod config;
mod executor;
mod links;
mod memory;
mod metrics;
mod novelty;
mod orders;
mod politeness_monitor;
mod progress;
mod render;
mod report;
mod service;
mod site_limiter;

pub use body::{BodyKey, OversizedBody, pack};
pub use config::FetcherConfig;
pub use metrics::Metrics;
pub use render::{BrowserPool, RenderMetrics, Renderer, RendererConfig, RendererSettings};
pub use service::Fetcher;
