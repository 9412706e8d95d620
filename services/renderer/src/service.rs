//! Fulfilling an order by a browser: wait for its turn, ask, draw, put what came into the log.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use gristmill_browser::{Browser, RenderMode, RenderRequest, RenderResult, ResourceKind};
use gristmill_fetch::{Client, FetchConfig, Recorder, Request, Response};
use gristmill_fetcher::orders::{self, AssignedOrder, OrderExecutor, OrderTopics};
use gristmill_fetcher::{
    AddressLimiter, AddressPermit, FetchReport, FetcherConfig, RenderRecord, SiteLimiter, SubresourceCapture,
};
use gristmill_log::{Log, LogError};
use gristmill_proto::{
    FetchOrder, Verdict,
    topics::{self, groups},
};
use gristmill_runtime::backlog::Backlog;
use gristmill_runtime::blobs::{Blobs, persist};
use gristmill_runtime::clock::now_ms;
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use gristmill_runtime::partition_workers::PartitionAssignment;
use gristmill_subresources::{PageResourceLoader, Subresources, SubresourcesConfig};
use gristmill_urls::CanonicalUrl;
use prometheus::{IntCounter, Registry};
use tokio_util::sync::CancellationToken;
use tracing::{debug, warn};

use crate::config::RendererConfig;
use crate::metrics::Metrics;
use crate::pool::{BrowserPermit, BrowserPool};
use crate::repeatability;

/// The consumer group of all renderers.
pub const GROUP: &str = groups::RENDERER;

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
    most: usize,
    config: RendererConfig,
    fetcher: FetcherConfig,
    client: Client,
    browsers: BrowserPool,
    resources: Subresources,
    blobs: Blobs,
    log: Arc<dyn Log>,
    metrics: Metrics,
    turns: SiteLimiter,
    addresses: AddressLimiter,
    backlog: Backlog,
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
        blobs.check_carries(parts.fetch.max_wire_bytes)?;
        let client = Client::new(parts.fetch).context("could not make the HTTP client")?;
        let resources = Subresources::new(parts.subresources, parts.fetch).context("`subresources`")?;
        let backlog = Backlog::of(log.clone(), groups::EXTRACTOR, topics::PAGES);
        Ok(Self {
            // One order is fetched while the browsers draw others.
            most: parts.renderer.n_browsers() + 1,
            config: parts.renderer.clone(),
            fetcher: parts.fetcher.clone(),
            client,
            browsers,
            resources,
            blobs: blobs.clone(),
            log,
            metrics: Metrics::register(registry)?,
            turns: SiteLimiter::default(),
            addresses: AddressLimiter::default(),
            backlog,
        })
    }

    /// Works until `stop`, then finishes the pages under way and returns.
    ///
    /// # Errors
    /// The log failed: orders that were taken come again at the next start.
    pub async fn run(self, stop: CancellationToken) -> anyhow::Result<()> {
        let log = self.log.clone();
        orders::run(self, &log, stop).await
    }
}

impl OrderExecutor for Renderer {
    fn channel(&self) -> OrderTopics {
        OrderTopics { group: GROUP, orders: topics::RENDERS, outcomes: topics::RENDER_OUTCOMES }
    }

    fn most(&self) -> usize {
        self.most
    }

    fn stale(&self) -> &IntCounter {
        &self.metrics.stale
    }

    fn unreadable(&self) -> &DecodeErrorCounter {
        &self.metrics.unreadable
    }

    async fn ready(&self) -> Result<(), LogError> {
        self.backlog.at_most(self.config.max_waiting_pages).await
    }

    async fn fulfil(self, given: AssignedOrder) -> anyhow::Result<Option<u64>> {
        let AssignedOrder { order, pause, part } = given;
        tokio::time::sleep(pause).await;
        let url = CanonicalUrl::parse(&order.url, None);
        let site = url.as_ref().map_or(order.url.as_str(), CanonicalUrl::registrable_domain);
        let turn = self.turns.take(site, Duration::from_millis(order.pause)).await;
        let Some(slot) = self.browsers.slot().await else { return Err(LogError::Closed.into()) };
        let ready = self.address_turn(url.as_ref().ok(), Duration::from_millis(order.ip_pause)).await;
        if !orders::may_begin(&part).await {
            return Ok(None);
        }
        self.metrics.in_flight.inc();
        let _leaves = Leaves(&self.metrics);
        let asking = ready.map(AddressPermit::begin);
        let report = match &url {
            Ok(own) => self.draw(order, own.clone(), slot).await?,
            Err(error) => {
                self.metrics.renders.with_label_values(&["no_page"]).inc();
                FetchReport::bad_url(&order, error)
            }
        };
        drop((turn, asking));
        let FetchReport { records, outcome_record, large, outcome, share, .. } = report;
        debug!(
            url = outcome.url,
            order = outcome.order_id,
            outcome = outcome.verdict.as_str(),
            status = outcome.status,
            error = outcome.error,
            links = outcome.links,
            "page drawn"
        );
        for large in &large {
            if !self.put(large, &part).await? {
                return Ok(None);
            }
        }
        let places = part.log.append_then(records, vec![outcome_record]).await?;
        drop(share);
        Ok(Some(places.last().map_or(0, |place| place.position)))
    }
}

impl Renderer {
    /// Fetches the page and lets a browser draw it. A failure is an outcome.
    async fn draw(&self, order: FetchOrder, own: CanonicalUrl, slot: BrowserPermit) -> anyhow::Result<FetchReport> {
        let started_at = now_ms();
        let request = Request::of_kind(own.to_url(), order.kind);
        let recorder = Recorder::new(self.fetcher.captures);
        let answer = self.client.fetch_recorded(&request, &recorder).await;
        let exchange = recorder.take();
        let response = match answer {
            Ok(response) => response,
            Err(error) => {
                self.metrics.renders.with_label_values(&["no_page"]).inc();
                let site = own.registrable_domain();
                let report = FetchReport::failed(&order, site, started_at, error.verdict(), error.to_string());
                return Ok(report.captured(&order, &own, exchange, &self.blobs));
            }
        };
        if response.verdict() != Verdict::Ok {
            self.metrics.renders.with_label_values(&["no_page"]).inc();
            let report = FetchReport::undrawn(&order, &own, &response, started_at);
            return Ok(report.captured(&order, &own, exchange, &self.blobs));
        }
        let drawn = self.let_draw(&own, &response, slot).await;
        let times = (started_at, now_ms());
        let (fetcher, blobs, metrics) = (self.fetcher.clone(), self.blobs.clone(), self.metrics.clone());
        // Reading the links of both forms is CPU work: off the async threads.
        let reading = move || {
            let drawn = drawn.map(|(drawn, again)| {
                let Some(again) = again else { return drawn };
                let agreement = repeatability::difference(&drawn.html, &again);
                metrics.drawn_twice(if agreement.is_some() { "differs" } else { "same" });
                RenderRecord { agreement, ..drawn }
            });
            FetchReport::drawn(&order, &own, (response, exchange), drawn, times, &fetcher, &blobs)
        };
        tokio::task::spawn_blocking(reading).await.context("a drawn page could not be read")
    }

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
                self.metrics.renders.with_label_values(&["start"]).inc();
                return Err(error.to_string());
            }
        };
        let content_type = response.headers.content_type.clone().unwrap_or_else(|| "text/html".to_owned());
        let page = RenderRequest {
            url: own.as_str().to_owned(),
            status: response.status,
            headers: vec![("content-type".to_owned(), content_type)],
            body: response.body.decoded.clone(),
        };
        let supply = self.resources.of_page(&own.to_url()).recorded(self.fetcher.captures);
        let drawn = browser.render(&page, RenderMode::Scripts, &supply).await;
        let twice = drawn.is_ok() && repeatability::is_chosen(&page.url, self.config.twice_every);
        let again = if twice { self.draw_again(own, &page, &mut browser).await } else { None };
        slot.give_back(browser);
        match drawn {
            Ok(drawn) => Ok((self.counted(drawn, &supply), again)),
            Err(error) => {
                self.metrics.renders.with_label_values(&[error.as_str()]).inc();
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
                self.metrics.drawn_twice("failed");
                None
            }
        }
    }

    fn counted(&self, drawn: RenderResult, supply: &PageResourceLoader) -> RenderRecord {
        let (mode, ended) = (drawn.mode.as_str(), drawn.ended.as_str());
        self.metrics.renders.with_label_values(&["drawn"]).inc();
        self.metrics.ended.with_label_values(&[ended]).inc();
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
        RenderRecord { html: drawn.html, mode, ended, millis, requests, denied, leads_to, agreement: None, asked }
    }

    /// Waits for the turn of the address that `url` will be asked at; `None` where that is not known, or no pause is owed.
    async fn address_turn(&self, url: Option<&CanonicalUrl>, pause: Duration) -> Option<AddressPermit> {
        let url = url.filter(|_| !pause.is_zero())?.to_url();
        let ip = self.client.address_of(&url).await?;
        Some(self.addresses.wait(ip, pause).await)
    }

    /// Puts a body into the blob store; false if the part was lost meanwhile.
    async fn put(&self, large: &gristmill_fetcher::OversizedBody, part: &PartitionAssignment) -> anyhow::Result<bool> {
        let Some(store) = self.blobs.store() else { return Ok(true) };
        let put = persist(&part.lost, || store.put(&large.key, large.body.clone())).await;
        Ok(put.context("a body could not be put into the blob store")?.is_some())
    }
}

/// The word that archives have for it: that of the Fetch standard, where it has one.
const fn archived_as(kind: ResourceKind) -> &'static str {
    match kind {
        ResourceKind::Style => "stylesheet",
        ResourceKind::Script => "script",
        ResourceKind::Data => "fetch",
        ResourceKind::Frame => "iframe",
    }
}

/// Counts a page out, however it ends.
struct Leaves<'a>(&'a Metrics);

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        self.0.in_flight.dec();
    }
}
