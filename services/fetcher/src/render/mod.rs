//! Fulfilling an order by a browser: fetch the page once more, render it with what its scripts and styles ask for, and report it in
//! both forms, with the links that only the browser saw.
//!
//! It is a fetcher of pages whose download takes a second, so crashes, leases and pauses are as there.

mod agreement;
mod config;
mod metrics;
mod pool;
pub(crate) mod record;
mod repeatability;

use std::sync::Arc;

use anyhow::Context;
use gristmill_browser::{Browser, RenderMode, RenderRequest, RenderResult, ResourceKind, ScreenshotOptions};
use gristmill_fetch::{FetchConfig, Recorder, Request, Response};
use gristmill_log::Log;
use gristmill_proto::{
    FetchOrder, Verdict,
    topics::{self, groups},
};
use gristmill_runtime::blobs::Blobs;
use gristmill_runtime::clock::now_ms;
use gristmill_subresources::{PageResourceLoader, Subresources, SubresourcesConfig};
use gristmill_urls::CanonicalUrl;
use prometheus::Registry;
use tokio_util::sync::CancellationToken;
use tracing::{debug, warn};

use crate::config::FetcherConfig;
use crate::executor::{OrderContext, OrderExecutor, OrderTopics};
use crate::orders;
use crate::report::FetchReport;
pub use config::RendererConfig;
pub use metrics::RenderMetrics;
use pool::BrowserPermit;
pub use pool::BrowserPool;
use record::{RenderRecord, SubresourceCapture};
use repeatability::Repeatability;

/// Where orders for browsers come from, and outcomes go to.
const TOPICS: OrderTopics =
    OrderTopics { group: groups::RENDERER, orders: topics::RENDERS, outcomes: topics::RENDER_OUTCOMES };

/// The settings that a renderer is built of.
#[derive(Clone, Copy)]
pub struct RendererSettings<'a> {
    /// How many pages at once.
    pub renderer: &'a RendererConfig,
    /// How links are followed.
    pub fetcher: &'a FetcherConfig,
    /// How pages, and what they ask for, are fetched.
    pub fetch: &'a FetchConfig,
    /// How pages are drawn.
    pub browser: &'a gristmill_browser::BrowserConfig,
    /// What drawn pages may ask for.
    pub subresources: &'a SubresourcesConfig,
}

/// Draws what the scheduler orders. Clones share their counters and their limits.
#[derive(Clone)]
pub struct Renderer {
    context: OrderContext,
    config: RendererConfig,
    fetcher: FetcherConfig,
    browsers: BrowserPool,
    resources: Subresources,
    metrics: RenderMetrics,
}

impl RendererSettings<'_> {
    /// Starts the first browser.
    ///
    /// # Errors
    /// [`gristmill_browser::StartError`] says what is missing, and what to do.
    pub async fn browsers(&self) -> Result<BrowserPool, gristmill_browser::StartError> {
        BrowserPool::start(self.browser, self.renderer.n_browsers()).await
    }
}

impl Renderer {
    /// Builds the service; nothing is fetched before [`Renderer::run`].
    ///
    /// # Errors
    /// A setting that breaks a rule, bodies that nobody could carry, or metrics that are registered already.
    pub fn build(
        parts: &RendererSettings<'_>,
        browsers: BrowserPool,
        blobs: &Blobs,
        log: Arc<dyn Log>,
        registry: &Registry,
    ) -> anyhow::Result<Self> {
        parts.renderer.check(parts.fetcher.captures)?;
        let metrics = RenderMetrics::register(registry)?;
        // One order is fetched while the browsers render others.
        let limits = (parts.renderer.n_browsers() + 1, parts.renderer.max_waiting_pages);
        Ok(Self {
            context: OrderContext::new(TOPICS, limits, parts.fetch, blobs, log, metrics.orders())?,
            config: parts.renderer.clone(),
            fetcher: parts.fetcher.clone(),
            browsers,
            resources: Subresources::new(parts.subresources, parts.fetch).context("`subresources`")?,
            metrics,
        })
    }

    /// Works until `stop`, then finishes the pages under way and returns.
    ///
    /// # Errors
    /// The log failed: orders that were taken come again at the next start.
    pub async fn run(self, stop: CancellationToken) -> anyhow::Result<()> {
        orders::run(self, stop).await
    }
}

impl OrderExecutor for Renderer {
    type Slot = BrowserPermit;

    fn context(&self) -> &OrderContext {
        &self.context
    }

    async fn slot(&self) -> Option<BrowserPermit> {
        self.browsers.slot().await
    }

    /// Fetches the page and lets a browser draw it.
    async fn report(&self, order: FetchOrder, own: CanonicalUrl, slot: BrowserPermit) -> anyhow::Result<FetchReport> {
        let OrderContext { client, blobs, .. } = &self.context;
        let started_at = now_ms();
        let request = Request::of_kind(own.to_url(), order.kind);
        let recorder = Recorder::new(self.fetcher.captures);
        let answer = client.fetch_recorded(&request, &recorder).await;
        let exchange = recorder.take();
        let response = match answer {
            Ok(response) => response,
            Err(error) => {
                self.metrics.renders.of("no_page").inc();
                let site = own.registrable_domain();
                let report = FetchReport::failed(&order, site, started_at, error.verdict(), error.to_string());
                return Ok(report.captured(&order, &own, exchange, blobs));
            }
        };
        if response.verdict() != Verdict::Ok {
            self.metrics.renders.of("no_page").inc();
            let report = FetchReport::undrawn(&order, &own, &response, started_at);
            return Ok(report.captured(&order, &own, exchange, blobs));
        }
        let drawn = self.let_draw(&own, &response, slot).await;
        let times = (started_at, now_ms());
        let (fetcher, blobs, metrics) = (self.fetcher.clone(), blobs.clone(), self.metrics.clone());
        // Reading the links of both forms is CPU work: off the async threads.
        let reading = move || {
            let drawn = drawn.map(|(drawn, again)| {
                let Some(again) = again else { return drawn };
                let agreement = repeatability::difference(&drawn.html, &again);
                let came_out = if agreement.is_some() { Repeatability::Differs } else { Repeatability::Same };
                metrics.twice.of(came_out).inc();
                RenderRecord { agreement, ..drawn }
            });
            FetchReport::drawn(&order, &own, (response, exchange), drawn, times, &fetcher, &blobs)
        };
        tokio::task::spawn_blocking(reading).await.context("a drawn page could not be read")
    }

    fn count(&self, own: Option<&CanonicalUrl>, _report: FetchReport) {
        if own.is_none() {
            self.metrics.renders.of("no_page").inc();
        }
    }
}

impl Renderer {
    /// The page as a browser draws it, with the HTML of a second drawing if it gets one; or why it does not.
    async fn let_draw(
        &self,
        own: &CanonicalUrl,
        response: &Response,
        slot: BrowserPermit,
    ) -> Result<(RenderRecord, Option<String>), String> {
        let mut browser = match slot.browser().await {
            Ok(browser) => browser,
            Err(error) => {
                warn!(%error, "no further browser could be started");
                self.metrics.renders.of("start").inc();
                return Err(error.to_string());
            }
        };
        let content_type = response.headers.content_type.clone().unwrap_or_else(|| "text/html".to_owned());
        let is_pictured = self.config.screenshots && self.fetcher.captures;
        let mut page = RenderRequest {
            url: own.as_str().to_owned(),
            status: response.status,
            headers: vec![("content-type".to_owned(), content_type)],
            body: response.body.decoded.clone(),
            is_mobile: false,
            screenshot: is_pictured.then_some(ScreenshotOptions { full_page: true, quality: None }),
        };
        let supply = self.resources.of_page(&own.to_url()).recorded(self.fetcher.captures);
        let drawn = browser.render(&page, RenderMode::Scripts, &supply).await;
        let twice = drawn.is_ok() && repeatability::is_chosen(&page.url, self.config.twice_every);
        page.screenshot = None;
        let again = if twice { self.draw_again(own, &page, &mut browser).await } else { None };
        slot.give_back(browser);
        match drawn {
            Ok(drawn) => Ok((self.counted(drawn, &supply), again)),
            Err(error) => {
                self.metrics.renders.of(error.as_str()).inc();
                Err(error.to_string())
            }
        }
    }

    /// The HTML of a second drawing, for which servers are asked again.
    async fn draw_again(&self, own: &CanonicalUrl, page: &RenderRequest, browser: &mut Browser) -> Option<String> {
        match browser.render(page, RenderMode::Scripts, &self.resources.of_page(&own.to_url())).await {
            Ok(again) => {
                self.metrics.cpu.inc_by(again.cpu.as_secs_f64());
                self.metrics.count_requests(&again.counts);
                Some(again.html)
            }
            Err(error) => {
                debug!(url = page.url, %error, "drawn once, but not a second time");
                self.metrics.twice.of(Repeatability::Failed).inc();
                None
            }
        }
    }

    fn counted(&self, drawn: RenderResult, supply: &PageResourceLoader) -> RenderRecord {
        let (mode, ended) = (drawn.mode.as_str(), drawn.ended.as_str());
        self.metrics.renders.of("rendered").inc();
        self.metrics.ended.of(drawn.ended).inc();
        self.metrics.duration.observe(drawn.duration.as_secs_f64());
        self.metrics.cpu.inc_by(drawn.cpu.as_secs_f64());
        self.metrics.count_requests(&drawn.counts);
        let millis = u32::try_from(drawn.duration.as_millis()).unwrap_or(u32::MAX);
        let (requests, leads_to) = (drawn.counts.asked, drawn.leads_to);
        let asked = supply.exchanges().into_iter().map(|(request, exchange)| SubresourceCapture {
            url: request.url,
            kind: archived_as(request.kind),
            exchange,
        });
        let (denied, asked) = (supply.denied(), asked.collect());
        let RenderResult { html, screenshot, .. } = drawn;
        RenderRecord { html, mode, ended, millis, requests, denied, leads_to, agreement: None, asked, screenshot }
    }
}

/// The word that archives have for it: that of the Fetch standard, where it has one.
const fn archived_as(kind: ResourceKind) -> &'static str {
    match kind {
        ResourceKind::Style => "stylesheet",
        ResourceKind::Script => "script",
        ResourceKind::Data => "fetch",
        ResourceKind::Frame => "iframe",
        ResourceKind::Picture => "image",
    }
}
