//! One page after the other in a browser, each as a side-car.

use anyhow::ensure;
use gristmill_browser::{Browser, Mode, PageToDraw, RenderError, Rendered, Settings, StartError, Supply};
use gristmill_extract::Sidecar;
use gristmill_html::Limits;

/// A browser for pages of files, which reach nobody: what they link to is on the disk or nowhere.
pub struct Tab {
    browser: Browser,
    mode: Mode,
}

impl Tab {
    /// Starts the browser, so that a program that is none is told at once.
    pub async fn open(settings: &Settings, mode: Mode) -> Result<Tab, StartError> {
        Ok(Tab { browser: Browser::start(settings.clone()).await?, mode })
    }

    /// The side-car of a page as JSON, with the style sheets of `supply`. Tries twice: what a page left behind in the browser must
    /// not cost the next one its own.
    pub async fn capture(&mut self, bytes: &[u8], url: &str, supply: &dyn Supply) -> anyhow::Result<Vec<u8>> {
        let html = gristmill_html::decode(bytes, None).text;
        let limits = Limits::default();
        ensure!(html.len() <= limits.max_bytes, "the page has more than {} bytes", limits.max_bytes);
        let page = PageToDraw::html(url, html);
        let drawn = match self.draw(&page, supply).await {
            Ok(drawn) => drawn,
            Err(_) => self.draw(&page, supply).await?,
        };
        ensure!(drawn.leads_to.is_none(), "the page goes on to another by itself");
        // What cannot be read back is told now, not when somebody needs it.
        Sidecar::parse(&drawn.layout, &limits)?;
        Ok(drawn.layout.into())
    }

    async fn draw(&mut self, page: &PageToDraw, supply: &dyn Supply) -> Result<Rendered, RenderError> {
        self.browser.render(page, self.mode, supply).await
    }
}
