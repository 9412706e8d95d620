//! The loop: take orders, keep many downloads under way, put their records into the log, commit what is done.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use gristmill_fetch::{Client, FetchConfig};
use gristmill_log::{Log, LogError, LogReader, Place, Start, Stored};
use gristmill_proto::{
    Epochs, FetchKind, Instruction, Order, Outcome, Verdict, decode,
    topics::{self, groups},
};
use gristmill_runtime::backlog::Backlog;
use gristmill_runtime::blobs::{Blobs, persist};
use gristmill_runtime::epochs;
use gristmill_runtime::shares::{self, Part};
use gristmill_urls::CanonicalUrl;
use prometheus::Registry;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::{debug, info};

use crate::addresses::{Addresses, Ready};
use crate::body::Large;
use crate::config::FetcherConfig;
use crate::links::Recent;
use crate::metrics::Metrics;
use crate::progress::Progress;
use crate::report::{Report, fetch};
use crate::turns::Turns;

/// The consumer group of all fetchers.
pub const GROUP: &str = groups::FETCHER;

/// How often progress is committed: what a crash repeats is bounded by outcomes, not by this.
const COMMIT_EVERY: Duration = Duration::from_millis(500);

/// Links remembered as reported, some 10 MB.
const RECENT_LINKS: usize = 200_000;

/// Longest wait for the next order before the loop looks around.
const ORDER_WAIT: Duration = Duration::from_secs(1);

/// How often a download that must not begin yet looks whether it may.
const LEASE_POLL: Duration = Duration::from_millis(20);

/// Downloads what the scheduler orders. Clones share their counters and their limits.
#[derive(Clone)]
pub struct Fetcher {
    config: FetcherConfig,
    client: Client,
    blobs: Blobs,
    log: Arc<dyn Log>,
    metrics: Metrics,
    recent: Arc<Recent>,
    /// One permit for each download under way, over all parts.
    slots: Arc<Semaphore>,
    /// One permit for each body that is read.
    cores: Arc<Semaphore>,
    turns: Turns,
    addresses: Addresses,
    backlog: Backlog,
}

/// What an earlier run left: orders with outcome, and from where on orders are this run's own.
struct Earlier {
    /// Ids, with the position of the outcome.
    done: HashMap<u64, u64>,
    /// By partition of `orders`, the position after the last order that an earlier run may have begun.
    begun: Vec<u64>,
    /// By partition, whose orders count.
    epochs: BTreeMap<u32, Epochs>,
}

/// How a download ended for the one who keeps the books.
enum Ended {
    /// Its records are in the log, the outcome at this position.
    Reported { place: Place, outcome_at: u64 },
    /// There is nothing to download: the order at this position cannot be read, and that is told.
    Unreadable { place: Place },
    /// It was not begun, and will not be here.
    GivenUp,
}

type Downloads = JoinSet<anyhow::Result<Ended>>;

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
        let recent = Arc::new(Recent::new(RECENT_LINKS));
        let (config, blobs, turns, addresses) = (config.clone(), blobs.clone(), Turns::default(), Addresses::default());
        Ok(Self { config, client, blobs, log, metrics, recent, slots, cores, turns, addresses, backlog })
    }

    /// Works until `stop`, then finishes the downloads under way and returns.
    ///
    /// # Errors
    /// The log failed: orders that were taken come again at the next start.
    pub async fn run(self, stop: CancellationToken) -> anyhow::Result<()> {
        let log = self.log.clone();
        shares::run(&log, GROUP, topics::ORDERS, stop, move |part| self.clone().work_on(part)).await
    }

    /// Works on a part until it goes elsewhere, finishing what is under way; when it is lost, giving that up.
    async fn work_on(self, part: Part) -> anyhow::Result<()> {
        let (mut progress, mut earlier) = recover(part.log.as_ref(), &self.metrics).await?;
        let mut orders = part.log.reader(&[topics::ORDERS], Start::Group(GROUP)).await?;
        let mut running = Downloads::new();
        let mut commit = tokio::time::interval(COMMIT_EVERY);
        let mut committed = progress.positions();
        info!(known_outcomes = earlier.done.len(), "fetcher started");
        loop {
            let stopping = part.stop.is_cancelled();
            if stopping && running.is_empty() {
                break;
            }
            let room = self.config.max_in_flight.saturating_sub(running.len());
            tokio::select! {
                Some(ended) = running.join_next() => {
                    match ended.context("a download task failed")?? {
                        Ended::Reported { place, outcome_at } => progress.finish(&place, outcome_at),
                        Ended::Unreadable { place } => progress.pass(&place, None),
                        Ended::GivenUp => {}
                    }
                }
                _ = commit.tick() => {
                    let positions = progress.positions();
                    if positions != committed {
                        part.log.commit(GROUP, &positions).await?;
                        committed = positions;
                    }
                }
                taken = self.take(orders.as_mut(), room), if room > 0 && !stopping => {
                    for stored in taken? {
                        self.start(stored, &mut earlier, &mut progress, &mut running, &part);
                    }
                }
                () = part.stop.cancelled(), if !stopping => {}
                () = part.lost.cancelled() => {
                    running.shutdown().await;
                    break;
                }
            }
        }
        if !part.lost.is_cancelled() {
            part.log.commit(GROUP, &progress.positions()).await?;
        }
        info!("fetcher stopped");
        Ok(())
    }

    /// Takes orders, but none while the extractor is too far behind.
    async fn take(&self, orders: &mut dyn LogReader, room: usize) -> Result<Vec<Stored>, LogError> {
        self.backlog.at_most(self.config.max_waiting_pages).await?;
        orders.poll(room, ORDER_WAIT).await
    }

    fn start(
        &self,
        stored: Stored,
        earlier: &mut Earlier,
        progress: &mut Progress,
        running: &mut Downloads,
        part: &Part,
    ) {
        let place = stored.place.clone();
        progress.take(&place);
        let order = match Instruction::read(&stored.payload) {
            Ok(instruction) => {
                let counts = earlier.epochs.entry(place.partition).or_default().take(&instruction);
                match instruction {
                    Instruction::Order(_) if !counts => {
                        self.metrics.stale_orders.inc();
                        return progress.pass(&place, None);
                    }
                    Instruction::Order(order) => match earlier.done.get(&order.id) {
                        Some(outcome) => return progress.pass(&place, Some(*outcome)),
                        None => *order,
                    },
                    Instruction::Claim(_) => return progress.pass(&place, None),
                }
            }
            Err(error) => {
                let (log, reject) = (part.log.clone(), self.metrics.unreadable.note(&stored, &error));
                running.spawn(async move {
                    log.append(vec![reject]).await.context("could not write rejects")?;
                    Ok(Ended::Unreadable { place })
                });
                return;
            }
        };
        // The run before may have been asking for this page when it died.
        let begun = earlier.begun.get(place.partition as usize).is_some_and(|end| place.position < *end);
        let pause = if begun { Duration::from_millis(order.pause) } else { Duration::ZERO };
        running.spawn(self.clone().download(order, place, pause, part.clone()));
    }

    async fn download(self, order: Order, place: Place, pause: Duration, part: Part) -> anyhow::Result<Ended> {
        tokio::time::sleep(pause).await;
        let url = CanonicalUrl::parse(&order.url, None);
        let site = url.as_ref().map_or(order.url.as_str(), CanonicalUrl::registrable_domain);
        let turn = self.turns.take(site, Duration::from_millis(order.pause)).await;
        let ready = self.address_turn(url.as_ref().ok(), Duration::from_millis(order.ip_pause)).await;
        let Ok(_slot) = self.slots.acquire().await else { return Err(LogError::Closed.into()) };
        // Whoever may have this part by now must not meet our request at the same server.
        while !part.lease.holds() {
            if part.stop.is_cancelled() {
                return Ok(Ended::GivenUp);
            }
            tokio::time::sleep(LEASE_POLL).await;
        }
        // Where partitions are divided, what is not begun is better begun by the one who has them next.
        if part.partition.is_some() && part.stop.is_cancelled() {
            return Ok(Ended::GivenUp);
        }
        self.metrics.in_flight.inc();
        let _leaves = Leaves(&self.metrics);
        let (id, attempt, owed) = (order.id, order.attempt, order.pause);
        let asking = ready.map(Ready::begin);
        let Report { records, outcome_record, large, outcome, reported, cpu, share } = match &url {
            Ok(own) => {
                let own = own.clone();
                fetch(&self.client, order, own, &self.config, &self.blobs, &self.recent, &self.cores).await
            }
            Err(error) => Report::bad_url(&order, error),
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
        for large in &large {
            if !self.put(large, &part).await? {
                return Ok(Ended::GivenUp);
            }
        }
        let places = part.log.append_then(records, vec![outcome_record]).await?;
        drop(share);
        self.metrics.count(&outcome, reported.len());
        self.metrics.cpu.inc_by(cpu.as_secs_f64());
        if let Ok(own) = &url {
            self.recent.remember(own, reported);
        }
        let outcome_at = places.last().map_or(0, |place| place.position);
        Ok(Ended::Reported { place, outcome_at })
    }
}

impl Fetcher {
    /// Waits for the turn of the address that `url` will be asked at; `None` where that is not known, or no pause is owed.
    async fn address_turn(&self, url: Option<&CanonicalUrl>, pause: Duration) -> Option<Ready> {
        let url = url.filter(|_| !pause.is_zero())?.to_url();
        let ip = self.client.address_of(&url).await?;
        Some(self.addresses.wait(ip, pause).await)
    }

    /// Puts a body into the blob store; false if the part was lost meanwhile.
    async fn put(&self, large: &Large, part: &Part) -> anyhow::Result<bool> {
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

/// Reads which orders behind the committed position have their outcome in the log already.
async fn recover(log: &dyn Log, metrics: &Metrics) -> anyhow::Result<(Progress, Earlier)> {
    let mut outcomes = log.reader(&[topics::OUTCOMES], Start::Group(GROUP)).await?;
    let orders = log.reader(&[topics::ORDERS], Start::Group(GROUP)).await?.positions();
    let begun = log.ends(topics::ORDERS).await?;
    let mut progress = Progress::default();
    let started = outcomes.positions();
    for ((_, partition), position) in &orders {
        let outcome = started.get(&(topics::OUTCOMES.to_owned(), *partition)).copied().unwrap_or(0);
        let begun = begun.get(*partition as usize).copied().unwrap_or(0);
        progress.start(*partition, *position, outcome, begun);
    }
    let ends = log.ends(topics::OUTCOMES).await?;
    let mut done = HashMap::new();
    let behind = |reader: &dyn LogReader| {
        reader.positions().iter().any(|((_, partition), position)| ends[*partition as usize] > *position)
    };
    while behind(outcomes.as_ref()) {
        for stored in outcomes.poll(1024, Duration::from_secs(1)).await? {
            match decode::<Outcome>(&stored.payload) {
                Ok(outcome) => drop(done.insert(outcome.order_id, stored.place.position)),
                Err(error) => drop(log.append(vec![metrics.unreadable.note(&stored, &error)]).await?),
            }
        }
    }
    let epochs = epochs::before(log, &orders).await?;
    Ok((progress, Earlier { done, begun, epochs }))
}

impl Metrics {
    fn count(&self, outcome: &Outcome, links: usize) {
        self.fetches.with_label_values(&[outcome.verdict.as_str()]).inc();
        self.pages.inc_by(u64::from(outcome.verdict == Verdict::Ok && outcome.kind == FetchKind::Page));
        self.duration.observe(outcome.finished_at.saturating_sub(outcome.started_at) as f64 / 1000.0);
        self.bytes.inc_by(outcome.bytes);
        self.links.inc_by(links as u64);
    }
}
