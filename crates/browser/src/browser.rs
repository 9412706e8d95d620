//! The browser as its caller has it: a process that is replaced when it is old, large or broken.

use std::time::{Duration, Instant};

use tracing::debug;

use crate::error::{RenderError, StartError};
use crate::page::{RenderMode, RenderRequest, RenderResult};
use crate::process::BrowserProcess;
use crate::resource_loader::ResourceLoader;
use crate::settings::BrowserConfig;
use crate::visit;

/// A browser that draws one page after the other. Several pages at a time need several browsers.
pub struct Browser {
    settings: BrowserConfig,
    process: Option<BrowserProcess>,
    product: String,
    starts: u32,
}

impl Browser {
    /// Starts a browser.
    ///
    /// # Errors
    /// [`StartError`] says what is missing, and what to do.
    pub async fn start(settings: BrowserConfig) -> Result<Browser, StartError> {
        settings.validate()?;
        let process = BrowserProcess::start(&settings).await?;
        let product = process.product.clone();
        Ok(Browser { settings, process: Some(process), product, starts: 1 })
    }

    /// What the browser calls itself, with its version.
    pub fn product(&self) -> &str {
        &self.product
    }

    /// The settings that it was started with.
    pub fn settings(&self) -> &BrowserConfig {
        &self.settings
    }

    /// Whether it has a network namespace without routes of its own; none while no process runs.
    pub fn is_isolated(&self) -> Option<bool> {
        self.process.as_ref().map(|process| process.is_isolated)
    }

    /// How often a process was started: once, and again for each that was replaced.
    pub fn starts(&self) -> u32 {
        self.starts
    }

    /// The process that the others descend from.
    pub fn pid(&self) -> Option<u32> {
        self.process.as_ref().map(BrowserProcess::pid)
    }

    /// Connections that the deny-all proxy of the running process refused. None comes through where it has a namespace.
    pub fn refused_connections(&self) -> u64 {
        self.process.as_ref().map_or(0, BrowserProcess::refused_connections)
    }

    /// Draws a page in a context of its own: it sees nothing of the pages before, and leaves nothing behind.
    ///
    /// Takes at most `max_wait` and what `timeout` allows for the commands before and after that. What is drawn is bounded by
    /// [`BrowserConfig`]. A future that is dropped ends the process, which the next call starts again.
    ///
    /// # Errors
    /// [`RenderError`]: there is no drawn page, and the caller goes on with what it fetched. The browser can be used again.
    pub async fn render(
        &mut self,
        page: &RenderRequest,
        mode: RenderMode,
        supply: &dyn ResourceLoader,
    ) -> Result<RenderResult, RenderError> {
        let url = url::Url::parse(&page.url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let url = url.ok_or_else(|| RenderError::BadUrl { url: page.url.chars().take(500).collect() })?;
        // Taken out: whoever drops this future in the middle, or gets an error, leaves no process to be used again.
        let mut process = self.fresh().await?;
        let begun = Instant::now();
        let drawn = visit::draw(&mut process, &self.settings, &url, page, mode, supply).await?;
        process.pages += 1;
        debug!(url = %page.url, ended = %drawn.ended, elapsed = ?begun.elapsed(), "page drawn");
        self.process = Some(process);
        Ok(drawn)
    }

    /// A process that may draw a page: the one at hand, or a new one where that is spent.
    async fn fresh(&mut self) -> Result<BrowserProcess, StartError> {
        let is_good = |process: &BrowserProcess| {
            process.pages < self.settings.max_pages && process.usage().memory < self.settings.max_memory / 2
        };
        if let Some(process) = self.process.take().filter(is_good) {
            return Ok(process);
        }
        // Two tries: on a busy machine the first may take longer than it has.
        let process = match BrowserProcess::start(&self.settings).await {
            Ok(process) => process,
            Err(_) => {
                tokio::time::sleep(Duration::from_millis(200)).await;
                BrowserProcess::start(&self.settings).await?
            }
        };
        self.starts += 1;
        self.product.clone_from(&process.product);
        Ok(process)
    }
}
