//! One order, by whichever way it is fulfilled: wait for its turn, do it, put what came into the log.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use gristmill_fetch::{Client, FetchConfig};
use gristmill_log::{Log, LogError};
use gristmill_proto::topics::{self, groups};
use gristmill_proto::{FetchOrder, FetchOutcome};
use gristmill_runtime::backlog::Backlog;
use gristmill_runtime::blobs::{Blobs, persist};
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use gristmill_runtime::partition_workers::PartitionAssignment;
use gristmill_urls::CanonicalUrl;
use prometheus::{IntCounter, IntGauge};
use tracing::debug;

use crate::address_limiter::{AddressLimiter, AddressPermit};
use crate::body::OversizedBody;
use crate::report::FetchReport;
use crate::site_limiter::{SiteLimiter, SitePermit};

/// How often work that must not begin yet looks whether it may.
const LEASE_POLL: Duration = Duration::from_millis(20);

/// Where orders come from and outcomes go to. Both topics have the same keys, so that an order and its outcome stand in the
/// partition of the same number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OrderTopics {
    /// Consumer group, and name of the service.
    pub(crate) group: &'static str,
    /// Topic of the orders.
    pub(crate) orders: &'static str,
    /// Topic of their outcomes.
    pub(crate) outcomes: &'static str,
}

/// An order to be fulfilled.
pub(crate) struct AssignedOrder {
    /// What is to be done.
    pub(crate) order: FetchOrder,
    /// How long to wait before: the run before may have been asking for this page when it died.
    pub(crate) pause: Duration,
    /// Whose log it is, and for how long it is ours.
    pub(crate) part: PartitionAssignment,
}

/// One way of fulfilling orders, such as by a download. Clones share their limits and counters.
pub(crate) trait OrderExecutor: Clone + Send + Sync + 'static {
    /// The right to work on one order of those that may be worked on at once.
    type Slot: Send;

    /// What it works with, as others do.
    fn context(&self) -> &OrderContext;

    /// Waits for its turn among the orders of this process; `None` when the process ends.
    fn slot(&self) -> impl Future<Output = Option<Self::Slot>> + Send;

    /// Does what an order asks for, at `own`. A failure is an outcome, too.
    fn report(
        &self,
        order: FetchOrder,
        own: CanonicalUrl,
        slot: Self::Slot,
    ) -> impl Future<Output = anyhow::Result<FetchReport>> + Send;

    /// Judges when the site of an order was asked, before it may be asked again: so requests to a site are judged in their order.
    ///
    /// * `pause`: what the site was owed, in milliseconds.
    fn judge_pace(&self, _site: &str, _pause: u64, _outcome: &FetchOutcome) {}

    /// Counts an order whose records are in the log (they are left out of `report`), and remembers what is to be remembered of it.
    ///
    /// * `own`: where it was asked for; none for a URL that nobody can fetch.
    fn count(&self, own: Option<&CanonicalUrl>, report: FetchReport);
}

/// How long a process that stops lets orders wait for their turn.
const STOP_WAIT: Duration = Duration::from_secs(2);

/// What every way of fulfilling orders works with. Clones share their limits and counters.
#[derive(Clone)]
pub(crate) struct OrderContext {
    pub(crate) topics: OrderTopics,
    /// Most orders that are taken at once, with those that wait for their turn.
    pub(crate) most: usize,
    /// Pages that may wait for the extractor before no further order is taken.
    max_waiting_pages: u64,
    pub(crate) client: Client,
    pub(crate) blobs: Blobs,
    pub(crate) log: Arc<dyn Log>,
    pub(crate) counters: OrderCounters,
    turns: SiteLimiter,
    addresses: AddressLimiter,
    backlog: Backlog,
}

/// What is counted of all orders.
#[derive(Clone)]
pub(crate) struct OrderCounters {
    /// Orders under way.
    pub(crate) in_flight: IntGauge,
    /// Orders that a scheduler gave after another one had taken its place.
    pub(crate) stale: IntCounter,
    /// Records of both topics that could not be read.
    pub(crate) unreadable: DecodeErrorCounter,
}

impl OrderContext {
    /// * `most`: most orders that are taken at once, with those that wait for their turn.
    /// * `max_waiting_pages`: pages that may wait for the extractor.
    ///
    /// # Errors
    /// Settings of `fetch` that break a rule, or bodies that nobody could carry.
    pub(crate) fn new(
        topics: OrderTopics,
        (most, max_waiting_pages): (usize, u64),
        fetch: &FetchConfig,
        blobs: &Blobs,
        log: Arc<dyn Log>,
        counters: OrderCounters,
    ) -> anyhow::Result<Self> {
        blobs.check_carries(fetch.max_wire_bytes)?;
        Ok(Self {
            topics,
            most,
            max_waiting_pages,
            client: Client::new(fetch).context("could not make the HTTP client")?,
            blobs: blobs.clone(),
            counters,
            turns: SiteLimiter::default(),
            addresses: AddressLimiter::default(),
            backlog: Backlog::of(log.clone(), groups::EXTRACTOR, topics::PAGES),
            log,
        })
    }

    /// Waits as long as later stages have too much before them.
    pub(crate) async fn ready(&self) -> Result<(), LogError> {
        self.backlog.at_most(self.max_waiting_pages).await
    }

    /// Waits for the turns of an order at its site and at the address of `url`.
    async fn turns_of(
        &self,
        site: &str,
        url: Option<&CanonicalUrl>,
        order: &FetchOrder,
    ) -> (SitePermit, Option<AddressPermit>) {
        let turn = self.turns.take(site, Duration::from_millis(order.pause)).await;
        (turn, self.address_turn(url, Duration::from_millis(order.ip_pause)).await)
    }

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
        Ok(put.context("a body could not be put into the blob store")?.is_some())
    }
}

/// Fulfils an order, and appends all that comes of it with its outcome last; the outcome's position, or `None` if the order was not
/// begun and will not be here.
pub(crate) async fn fulfil<E: OrderExecutor>(executor: &E, given: AssignedOrder) -> anyhow::Result<Option<u64>> {
    let AssignedOrder { order, pause, part } = given;
    let context = executor.context();
    let url = CanonicalUrl::parse(&order.url, None);
    let site = url.as_ref().map_or(order.url.as_str(), CanonicalUrl::registrable_domain).to_owned();
    let wait = async {
        tokio::time::sleep(pause).await;
        let turns = context.turns_of(&site, url.as_ref().ok(), &order).await;
        let slot = executor.slot().await;
        until_held(&part).await;
        (turns, slot)
    };
    let ((turn, ready), slot) = tokio::select! {
        biased;
        () = too_late(&part) => return Ok(None),
        waited = wait => waited,
    };
    let Some(slot) = slot else { return Err(LogError::Closed.into()) };
    let _in_flight = InFlight::of(&context.counters.in_flight);
    let (attempt, pause) = (order.attempt, order.pause);
    let asking = ready.map(AddressPermit::begin);
    let mut report = match &url {
        Ok(own) => executor.report(order, own.clone(), slot).await?,
        Err(error) => FetchReport::bad_url(&order, error),
    };
    executor.judge_pace(&site, pause, &report.outcome);
    drop((turn, asking));
    let outcome = &report.outcome;
    debug!(
        url = outcome.url,
        order = outcome.order_id,
        attempt,
        outcome = outcome.verdict.as_str(),
        status = outcome.status,
        error = outcome.error,
        links = outcome.links,
        "order finished"
    );
    for large in &report.large {
        if !context.put(large, &part).await? {
            return Ok(None);
        }
    }
    let records = std::mem::take(&mut report.records);
    let places = part.log.append_then(records, vec![report.outcome_record()]).await?;
    executor.count(url.as_ref().ok(), report);
    Ok(Some(places.last().map_or(0, |place| place.position)))
}

/// Waits until `part` is surely ours, so that whoever may have it by now does not meet our request at the same server.
async fn until_held(part: &PartitionAssignment) {
    while !part.lease.holds() {
        tokio::time::sleep(LEASE_POLL).await;
    }
}

/// Returns when an order that still waits for its turn is to be left: what is not begun is better begun by the one who has the part next.
/// Where that is this process at its next start, by when the crawl may be paused, most still have their turn.
async fn too_late(part: &PartitionAssignment) {
    part.stop.cancelled().await;
    if part.partition.is_none() {
        tokio::time::sleep(STOP_WAIT).await;
    }
}

/// Counts an order that is under way, and out again, however it ends.
struct InFlight<'a>(&'a IntGauge);

impl InFlight<'_> {
    fn of(gauge: &IntGauge) -> InFlight<'_> {
        gauge.inc();
        InFlight(gauge)
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.dec();
    }
}
