//! Fulfilling an order by a download.

use std::sync::Arc;

use gristmill_fetch::FetchConfig;
use gristmill_log::Log;
use gristmill_proto::{
    FetchKind, FetchOrder, FetchOutcome, Verdict,
    topics::{self, groups},
};
use gristmill_runtime::blobs::Blobs;
use gristmill_urls::CanonicalUrl;
use prometheus::Registry;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tracing::warn;

use crate::config::FetcherConfig;
use crate::executor::{OrderContext, OrderExecutor, OrderTopics};
use crate::memory::Memory;
use crate::metrics::Metrics;
use crate::orders;
use crate::report::{FetchReport, fetch};

/// Where orders for pages come from, and outcomes go to.
const TOPICS: OrderTopics = OrderTopics { group: groups::FETCHER, orders: topics::ORDERS, outcomes: topics::OUTCOMES };

/// Orders that are taken for each download that may be under way: those to one address wait for one another, and in a crawl of many hosts
/// that stand on few addresses most do. What waits costs little memory.
const ORDERS_A_DOWNLOAD: usize = 16;

/// Links remembered as reported, some 10 MB.
const RECENT_LINKS: usize = 200_000;

/// Downloads what the scheduler orders. Clones share their counters and their limits.
#[derive(Clone)]
pub struct Fetcher {
    context: OrderContext,
    config: FetcherConfig,
    metrics: Metrics,
    memory: Arc<Memory>,
    /// One permit for each download under way, over all parts.
    slots: Arc<Semaphore>,
    /// One permit for each body that is read.
    cores: Arc<Semaphore>,
}

impl Fetcher {
    /// Builds the service; nothing is fetched before [`Fetcher::run`].
    ///
    /// # Errors
    /// A setting of `fetch` or `fetcher` that breaks a rule, bodies that nobody could carry, or metrics that are registered already.
    pub fn build(
        config: &FetcherConfig,
        fetch: &FetchConfig,
        blobs: &Blobs,
        log: Arc<dyn Log>,
        registry: &Registry,
    ) -> anyhow::Result<Self> {
        config.check()?;
        let metrics = Metrics::register(registry)?;
        let limits = (config.max_in_flight.saturating_mul(ORDERS_A_DOWNLOAD), config.max_waiting_pages);
        let context = OrderContext::new(TOPICS, limits, fetch, blobs, log, metrics.orders())?;
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        Ok(Self {
            context,
            config: config.clone(),
            metrics,
            memory: Arc::new(Memory::new(RECENT_LINKS)),
            slots: Arc::new(Semaphore::new(config.max_in_flight)),
            cores: Arc::new(Semaphore::new(cores)),
        })
    }

    /// Works until `stop`, then finishes the downloads under way and returns.
    ///
    /// # Errors
    /// The log failed: orders that were taken come again at the next start.
    pub async fn run(self, stop: CancellationToken) -> anyhow::Result<()> {
        orders::run(self, stop).await
    }
}

impl OrderExecutor for Fetcher {
    type Slot = OwnedSemaphorePermit;

    fn context(&self) -> &OrderContext {
        &self.context
    }

    async fn slot(&self) -> Option<OwnedSemaphorePermit> {
        self.slots.clone().acquire_owned().await.ok()
    }

    async fn report(
        &self,
        order: FetchOrder,
        own: CanonicalUrl,
        _slot: OwnedSemaphorePermit,
    ) -> anyhow::Result<FetchReport> {
        let OrderContext { client, blobs, .. } = &self.context;
        Ok(fetch(client, order, own, &self.config, blobs, &self.memory, &self.cores).await)
    }

    fn judge_pace(&self, site: &str, pause: u64, outcome: &FetchOutcome) {
        self.metrics.judge_pace(site, pause, outcome);
    }

    fn count(&self, own: Option<&CanonicalUrl>, report: FetchReport) {
        if report.links_cut {
            self.metrics.link_limits.inc();
            warn!(url = report.outcome.url, "a limit left links out, which `gristmill explain` of this address names");
        }
        self.metrics.nofollow.inc_by(report.nofollow as u64);
        self.metrics.large_bodies.inc_by(report.large.len() as u64);
        self.metrics.large_bytes.inc_by(report.large.iter().map(|large| large.body.len() as u64).sum());
        self.metrics.count(&report.outcome, report.reported.len());
        self.metrics.cpu.inc_by(report.cpu.as_secs_f64());
        if let Some(own) = own {
            self.memory.recent.remember(own, report.reported);
        }
    }
}

impl Metrics {
    fn count(&self, outcome: &FetchOutcome, links: usize) {
        self.fetches.of(outcome.verdict).inc();
        self.pages.inc_by(u64::from(outcome.verdict == Verdict::Ok && outcome.kind == FetchKind::Page));
        self.duration.observe(outcome.finished_at.saturating_sub(outcome.started_at) as f64 / 1000.0);
        self.bytes.inc_by(outcome.bytes);
        self.links.inc_by(links as u64);
    }
}
