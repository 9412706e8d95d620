//! A Chromium without a network: it draws one page at a time, and asks its caller for every byte.
//!
//! ```no_run
//! use gristmill_browser::{ResourceResponse, Browser, RenderMode, RenderRequest, LoadRefusal, ResourceRequest, BrowserConfig, ResourceLoader};
//!
//! /// Nothing but the page itself.
//! struct Nothing;
//!
//! #[async_trait::async_trait]
//! impl ResourceLoader for Nothing {
//!     async fn answer(&self, request: ResourceRequest) -> ResourceResponse {
//!         ResourceResponse::Refused(LoadRefusal::new("nothing is fetched"))
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut browser = Browser::start(BrowserConfig::default()).await?;
//! let page = RenderRequest::html("https://mill.example/", "<p id=a></p><script>a.textContent = 'Rye'</script>");
//! let drawn = browser.render(&page, RenderMode::Scripts, &Nothing).await?;
//! assert!(drawn.html.contains("<p id=\"a\">Rye</p>"));
//! # Ok(())
//! # }
//! ```
//!
//! ```text
//!              ┌──────────────── Browser ────────────────┐
//! PageToDraw ─▶│ Process: Chromium, its sandbox, no route │──▶ Rendered { html, layout, ended, counts, … }
//!              │     │ every request, paused              │     or RenderError; the next page finds a browser again
//!              └─────┼────────────────────────────────────┘
//!                    ▼
//!                 Supply, which the caller writes: an answer, or why there is none
//! ```
//!
//! The body of the page comes with [`RenderRequest`], so it is not fetched twice. The browser asks for nothing else without [`ResourceLoader`].
//! What it does not even ask for: pictures, which become one transparent pixel unless a screenshot is wanted; fonts and media; anything
//! but GET; where the page would go on to. [`BrowserConfig`] has the limits. A page costs the browser at most its process, which is then
//! started anew.

mod browser;
mod cdp_pipe;
mod deny_proxy;
mod error;
mod launch;
mod page;
mod process;
mod resource_loader;
mod serialise;
mod settings;
mod snapshot;
mod supervisor;
mod usage;
mod visit;

pub use browser::Browser;
pub use error::{RenderError, StartError};
pub use page::{
    MAX_SCREENSHOT_HEIGHT, RenderEnd, RenderMode, RenderRequest, RenderResult, RequestStats, ScreenshotOptions,
};
pub use resource_loader::{
    LoadRefusal, LoadedResource, ResourceKind, ResourceLoader, ResourceRequest, ResourceResponse,
};
#[doc(hidden)]
pub use settings::DisabledDefences;
pub use settings::{BrowserConfig, BrowserConfigError, Isolation};
pub use snapshot::{PHONE, STYLES, VIEWPORT};
