//! Fulfilling an order by a download: wait for its turn, ask, put what came into the log.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use gristmill_fetch::{Client, FetchConfig};
use gristmill_log::{Log, LogError};
use gristmill_proto::{
    FetchKind, FetchOutcome, Verdict,
    topics::{self, groups},
};
use gristmill_runtime::backlog::Backlog;
use gristmill_runtime::blobs::{Blobs, persist};
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use gristmill_runtime::partition_workers::PartitionAssignment;
use gristmill_urls::CanonicalUrl;
use prometheus::{IntCounter, Registry};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tracing::{debug, warn};

use crate::address_limiter::{AddressLimiter, AddressPermit};
use crate::body::OversizedBody;
use crate::config::FetcherConfig;
use crate::memory::Memory;
use crate::metrics::Metrics;
use crate::orders::{self, AssignedOrder, OrderExecutor, OrderTopics};
use crate::report::{FetchReport, fetch};
use crate::site_limiter::SiteLimiter;

/// The consumer group of all fetchers.
pub const GROUP: &str = groups::FETCHER;

/// Links remembered as reported, some 10 MB.
const RECENT_LINKS: usize = 200_000;

/// Downloads what the scheduler orders. Clones share their counters and their limits.
#[derive(Clone)]
pub struct Fetcher {
    config: FetcherConfig,
    client: Client,
    blobs: Blobs,
    log: Arc<dyn Log>,
    metrics: Metrics,
    memory: Arc<Memory>,
    /// One permit for each download under way, over all parts.
    slots: Arc<Semaphore>,
    /// One permit for each body that is read.
    cores: Arc<Semaphore>,
    turns: SiteLimiter,
    addresses: AddressLimiter,
    backlog: Backlog,
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
        blobs.check_carries(fetch.max_wire_bytes)?;
        let client = Client::new(fetch).context("could not make the HTTP client")?;
        let metrics = Metrics::register(registry)?;
        let slots = Arc::new(Semaphore::new(config.max_in_flight));
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        let cores = Arc::new(Semaphore::new(cores));
        let backlog = Backlog::of(log.clone(), groups::EXTRACTOR, topics::PAGES);
        let memory = Arc::new(Memory::new(RECENT_LINKS));
        let (config, blobs, turns, addresses) =
            (config.clone(), blobs.clone(), SiteLimiter::default(), AddressLimiter::default());
        Ok(Self { config, client, blobs, log, metrics, memory, slots, cores, turns, addresses, backlog })
    }

    /// Works until `stop`, then finishes the downloads under way and returns.
    ///
    /// # Errors
    /// The log failed: orders that were taken come again at the next start.
    pub async fn run(self, stop: CancellationToken) -> anyhow::Result<()> {
        let log = self.log.clone();
        orders::run(self, &log, stop).await
    }
}

impl OrderExecutor for Fetcher {
    fn channel(&self) -> OrderTopics {
        OrderTopics { group: GROUP, orders: topics::ORDERS, outcomes: topics::OUTCOMES }
    }

    fn most(&self) -> usize {
        self.config.max_in_flight
    }

    fn stale(&self) -> &IntCounter {
        &self.metrics.stale_orders
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
        let ready = self.address_turn(url.as_ref().ok(), Duration::from_millis(order.ip_pause)).await;
        let Ok(_slot) = self.slots.acquire().await else { return Err(LogError::Closed.into()) };
        if !orders::may_begin(&part).await {
            return Ok(None);
        }
        self.metrics.in_flight.inc();
        let _leaves = Leaves(&self.metrics);
        let (id, attempt, owed) = (order.id, order.attempt, order.pause);
        let asking = ready.map(AddressPermit::begin);
        let FetchReport { records, outcome_record, large, outcome, reported, links_cut, cpu, share, .. } = match &url {
            Ok(own) => {
                let own = own.clone();
                fetch(&self.client, order, own, &self.config, &self.blobs, &self.memory, &self.cores).await
            }
            Err(error) => FetchReport::bad_url(&order, error),
        };
        drop((turn, asking));
        debug!(
            url = outcome.url,
            order = id,
            attempt,
            outcome = outcome.verdict.as_str(),
            status = outcome.status,
            error = outcome.error,
            "order finished"
        );
        self.metrics.judge_pace(&outcome_record.key, owed, &outcome);
        if links_cut {
            self.metrics.link_limits.inc();
            warn!(url = outcome.url, "a limit left links out");
        }
        for large in &large {
            if !self.put(large, &part).await? {
                return Ok(None);
            }
        }
        let places = part.log.append_then(records, vec![outcome_record]).await?;
        drop(share);
        self.metrics.count(&outcome, reported.len());
        self.metrics.cpu.inc_by(cpu.as_secs_f64());
        if let Ok(own) = &url {
            self.memory.recent.remember(own, reported);
        }
        Ok(Some(places.last().map_or(0, |place| place.position)))
    }
}

impl Fetcher {
    /// Waits for the turn of the address that `url` will be asked at; `None` where that is not known, or no pause is owed.
    async fn address_turn(&self, url: Option<&CanonicalUrl>, pause: Duration) -> Option<AddressPermit> {
        let url = url.filter(|_| !pause.is_zero())?.to_url();
        let ip = self.client.address_of(&url).await?;
        Some(self.addresses.wait(ip, pause).await)
    }

    /// Puts a body into the blob store; false if the part was lost meanwhile.
    async fn put(&self, large: &OversizedBody, part: &PartitionAssignment) -> anyhow::Result<bool> {
        let Some(store) = self.blobs.store() else { return Ok(true) };
        let put = persist(&part.lost, || store.put(&large.key, large.body.clone())).await;
        let put = put.context("a body could not be put into the blob store")?;
        if put.is_some() {
            self.metrics.large_bodies.inc();
            self.metrics.large_bytes.inc_by(large.body.len() as u64);
        }
        Ok(put.is_some())
    }
}

/// Counts a download out, however it ends.
struct Leaves<'a>(&'a Metrics);

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        self.0.in_flight.dec();
    }
}

impl Metrics {
    fn count(&self, outcome: &FetchOutcome, links: usize) {
        self.fetches.with_label_values(&[outcome.verdict.as_str()]).inc();
        self.pages.inc_by(u64::from(outcome.verdict == Verdict::Ok && outcome.kind == FetchKind::Page));
        self.duration.observe(outcome.finished_at.saturating_sub(outcome.started_at) as f64 / 1000.0);
        self.bytes.inc_by(outcome.bytes);
        self.links.inc_by(links as u64);
    }
}
