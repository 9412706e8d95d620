//! One page after the other in a browser, each as a side-car.

use anyhow::ensure;
use gristmill_browser::{
    Browser, BrowserConfig, RenderError, RenderMode, RenderRequest, RenderResult, ResourceLoader, StartError,
};
use gristmill_extract::Sidecar;
use gristmill_html::TreeLimits;

/// A browser for pages of files, which reach nobody: what they link to is on the disk or nowhere.
pub struct LayoutBrowser {
    browser: Browser,
    mode: RenderMode,
}

impl LayoutBrowser {
    /// Starts the browser, so that a program that is none is told at once.
    pub async fn open(settings: &BrowserConfig, mode: RenderMode) -> Result<LayoutBrowser, StartError> {
        Ok(LayoutBrowser { browser: Browser::start(settings.clone()).await?, mode })
    }

    /// The side-car of a page as JSON, with the style sheets of `supply`. Tries twice: what a page left behind in the browser must
    /// not cost the next one its own.
    pub async fn capture(&mut self, bytes: &[u8], url: &str, supply: &dyn ResourceLoader) -> anyhow::Result<Vec<u8>> {
        let html = gristmill_html::decode(bytes, None).text;
        let limits = TreeLimits::default();
        ensure!(html.len() <= limits.max_bytes, "the page has more than {} bytes", limits.max_bytes);
        let page = RenderRequest::html(url, html);
        let drawn = match self.draw(&page, supply).await {
            Ok(drawn) => drawn,
            Err(_) => self.draw(&page, supply).await?,
        };
        ensure!(drawn.leads_to.is_none(), "the page goes on to another by itself");
        // What cannot be read back is told now, not when somebody needs it.
        Sidecar::parse(&drawn.layout, &limits)?;
        Ok(drawn.layout.into())
    }

    async fn draw(&mut self, page: &RenderRequest, supply: &dyn ResourceLoader) -> Result<RenderResult, RenderError> {
        self.browser.render(page, self.mode, supply).await
    }
}
