//! What pages in a browser ask for, fetched as politely and as safely as pages are, and kept for the pages after them.
//!
//! ```no_run
//! use gristmill_browser::{Browser, RenderMode, RenderRequest, BrowserConfig};
//! use gristmill_fetch::FetchConfig;
//! use gristmill_subresources::{Subresources, SubresourcesConfig};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let resources = Subresources::new(&SubresourcesConfig::default(), &FetchConfig::default())?;
//! let mut browser = Browser::start(BrowserConfig::default()).await?;
//! let page = RenderRequest::html("https://mill.example/", "<script src=/app.js></script>");
//! let drawn = browser.render(&page, RenderMode::Scripts, &resources.of_page(&page.url.parse()?)).await?;
//! # Ok(())
//! # }
//! ```
//!
//! A request goes through these steps. Each can end it:
//!
//! ```text
//! request ─▶ budget of the host ─▶ robots.txt ─▶ cache ─▶ address guard and fetch ─▶ answer
//!            on this page, a minute   of its site    scripts, styles   under limits
//! ```
//! One [`Subresources`] serves all browsers of a process: it holds the cache, the rules of sites and the connections.

mod budget;
mod cache;
mod config;
mod rules;
mod supply;

pub use config::{SubresourcesConfig, SubresourcesError};
pub use supply::{PageResourceLoader, SubresourceStats, Subresources};
