//! One page after the other in a browser, each as a side-car.

use anyhow::ensure;
use async_trait::async_trait;
use gristmill_browser::{
    Answer, Browser, Mode, PageToDraw, Refusal, RenderError, Rendered, ResourceRequest, Settings, StartError, Supply,
};
use gristmill_extract::Sidecar;
use gristmill_html::Limits;

/// A browser for pages of files, which reach nobody.
pub struct Tab {
    browser: Browser,
}

impl Tab {
    /// Starts the browser, so that a program that is none is told at once.
    pub async fn open(settings: &Settings) -> Result<Tab, StartError> {
        Ok(Tab { browser: Browser::start(settings.clone()).await? })
    }

    /// The side-car of a page as JSON. Tries twice: what a page left behind in the browser must not cost the next one its own.
    pub async fn capture(&mut self, bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
        let html = gristmill_html::decode(bytes, None).text;
        let limits = Limits::default();
        ensure!(html.len() <= limits.max_bytes, "the page has more than {} bytes", limits.max_bytes);
        let page = PageToDraw::html(PageToDraw::UNKNOWN_URL, html);
        let drawn = match self.draw(&page).await {
            Ok(drawn) => drawn,
            Err(_) => self.draw(&page).await?,
        };
        ensure!(drawn.leads_to.is_none(), "the page goes on to another by itself");
        // What cannot be read back is told now, not when somebody needs it.
        Sidecar::parse(&drawn.layout, &limits)?;
        Ok(drawn.layout.into())
    }

    async fn draw(&mut self, page: &PageToDraw) -> Result<Rendered, RenderError> {
        self.browser.render(page, Mode::Styles, &Nobody).await
    }
}

/// Answers nothing: a side-car shows a page by its own markup and `style` elements.
struct Nobody;

#[async_trait]
impl Supply for Nobody {
    async fn answer(&self, _: ResourceRequest) -> Answer {
        Answer::Refused(Refusal::new("nothing is fetched for a side-car"))
    }
}
