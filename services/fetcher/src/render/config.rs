//! How many pages are drawn at once.

use serde::{Deserialize, Serialize};

/// How many pages are drawn at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RendererConfig {
    /// Browsers of this process, each with one page at a time; 0 takes one for each core. Each takes up to
    /// `browser.max_memory`. Default: `0`.
    pub browsers: usize,
    /// Pages that may wait for the extractor before the renderer pauses. Default: `256`.
    pub max_waiting_pages: u64,
    /// Of the drawn pages, one in so many is drawn a second time, to see whether its site draws the same each time; 0 is none.
    /// Default: `50`.
    pub twice_every: u64,
    /// Archive a picture of each drawn page, whole down to 8,000 pixels, as PNG; its own pictures are fetched for it. Needs
    /// `fetcher.captures`. Default: `false`.
    pub screenshots: bool,
}

impl Default for RendererConfig {
    fn default() -> Self {
        Self { browsers: 0, max_waiting_pages: 256, twice_every: 50, screenshots: false }
    }
}

impl RendererConfig {
    /// Checks the settings that hang on another.
    ///
    /// * `captures`: `fetcher.captures`.
    ///
    /// # Errors
    /// Pictures are wanted for archives that nobody writes.
    pub fn check(&self, captures: bool) -> anyhow::Result<()> {
        anyhow::ensure!(
            captures || !self.screenshots,
            "`renderer.screenshots` puts pictures into web archives: set `fetcher.captures`, or `crawl --archive DIR`"
        );
        Ok(())
    }

    /// Browsers at once.
    pub(crate) fn n_browsers(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get());
        if self.browsers == 0 { cores() } else { self.browsers }
    }
}
