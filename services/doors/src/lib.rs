//! Doors for programs: the Model Context Protocol for agents, and Firecrawl's API for applications that speak it.
//!
//! ```text
//! agent ─▶ mcp ───────┐                ┌─▶ Searcher        the corpus
//!                     ├─▶ DoorService ─┼─▶ ExtractService  a page, past the address guard and robots.txt
//! program ─▶ firecrawl┘                └─▶ DoorBackend     crawls, changes, a browser
//! ```
//! Both are thin: they translate, bound what is asked, and mark what strangers wrote.

mod backend;
mod config;
mod page_forms;
mod sections;
mod strangers;

mod archived_pages;
mod crawl_desk;
mod page_cache;
mod service;

mod firecrawl;
mod mcp;

pub use backend::{CrawlOrder, CrawlProgress, CrawlReach, DoorBackend, DrawOrder, DrawnPage, ScreenshotOrder};
pub use config::DoorsConfig;
pub use firecrawl::with_firecrawl;
pub use mcp::{serve_stdio, with_mcp};
pub use service::DoorService;
