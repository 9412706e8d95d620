//! The fetcher: takes orders from the log, downloads, and reports pages, links and one outcome for each order.
//!
//! ```text
//! orders ─▶ fetch ─▶ read (links of a page, entries of a sitemap or feed, robots.txt as it is)
//!                      └─▶ append {links…, page?, capture?, outcome} in one batch ─▶ progress ─▶ commit
//! ```
//! An order is done when its outcome is in the log. Orders finish in any order, so the committed position waits for
//! the slowest; after a crash the outcomes behind it tell which orders need not be fetched again ([`progress`]).

mod addresses;
mod body;
mod capture;
mod config;
mod drawn;
mod links;
mod memory;
mod metrics;
mod novelty;
pub mod orders;
mod pace;
mod progress;
mod report;
mod service;
mod turns;

pub use addresses::{ActiveRequest, AddressLimiter, AddressPermit};
pub use body::{BodyKey, OversizedBody, pack};
pub use config::FetcherConfig;
pub use drawn::{RenderRecord, SubresourceCapture};
pub use metrics::Metrics;
pub use report::FetchReport;
pub use service::Fetcher;
pub use turns::{SiteLimiter, SitePermit};
