//! The loop: take orders, keep many downloads under way, put their records into the log, commit what is done.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use gristmill_fetch::{Client, FetchConfig};
use gristmill_log::{Log, LogError, Place, Reader, Start, Stored};
use gristmill_proto::{Order, Outcome, decode, topics};
use prometheus::Registry;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::{debug, info, warn};

use crate::config::FetcherConfig;
use crate::links::Recent;
use crate::metrics::Metrics;
use crate::progress::Progress;
use crate::report::{Report, fetch};

/// The consumer group of all fetchers.
pub const GROUP: &str = "fetcher";

/// How often progress is committed: what a crash repeats is bounded by outcomes, not by this.
const COMMIT_EVERY: Duration = Duration::from_millis(500);

/// Links remembered as told, some 10 MB.
const RECENT_LINKS: usize = 200_000;

/// Downloads what the scheduler orders.
pub struct Fetcher {
    config: FetcherConfig,
    client: Client,
    log: Arc<dyn Log>,
    metrics: Metrics,
    recent: Arc<Recent>,
}

/// What an earlier run left: orders with outcome, and from where on orders are this run's own.
struct Earlier {
    done: HashSet<u64>,
    /// By partition of `orders`, the position after the last order that an earlier run may have begun.
    begun: Vec<u64>,
}

/// An order whose records are in the log.
struct Finished {
    place: Place,
    outcome_at: u64,
}

impl Fetcher {
    /// Builds the service; nothing is fetched before [`Fetcher::run`].
    ///
    /// # Errors
    /// A setting of `fetch` that breaks a rule, or metrics that are registered already.
    pub fn build(
        config: &FetcherConfig,
        fetch: &FetchConfig,
        log: Arc<dyn Log>,
        registry: &Registry,
    ) -> anyhow::Result<Self> {
        let client = Client::new(fetch).context("could not make the HTTP client")?;
        let metrics = Metrics::register(registry)?;
        Ok(Self { config: config.clone(), client, log, metrics, recent: Arc::new(Recent::new(RECENT_LINKS)) })
    }

    /// Works until `stop`, then finishes the downloads under way and returns.
    ///
    /// # Errors
    /// The log failed: orders that were taken come again at the next start.
    pub async fn run(self, stop: CancellationToken) -> anyhow::Result<()> {
        let (mut progress, earlier) = self.recover().await?;
        let mut orders = self.log.reader(&[topics::ORDERS], Start::Group(GROUP)).await?;
        let mut running: JoinSet<Result<Finished, LogError>> = JoinSet::new();
        let mut commit = tokio::time::interval(COMMIT_EVERY);
        let mut committed = progress.positions();
        info!(known_outcomes = earlier.done.len(), "fetcher started");
        loop {
            let stopping = stop.is_cancelled();
            if stopping && running.is_empty() {
                break;
            }
            let room = self.config.max_in_flight.saturating_sub(running.len());
            tokio::select! {
                Some(finished) = running.join_next() => {
                    let finished = finished.context("a download task failed")??;
                    progress.finish(&finished.place, finished.outcome_at);
                }
                _ = commit.tick() => {
                    let positions = progress.positions();
                    if positions != committed {
                        self.log.commit(GROUP, &positions).await?;
                        committed = positions;
                    }
                }
                taken = self.take(orders.as_mut(), room), if room > 0 && !stopping => {
                    for stored in taken? {
                        self.start(stored, &earlier, &mut progress, &mut running);
                    }
                }
                () = stop.cancelled(), if !stopping => {}
            }
            self.metrics.in_flight.set(running.len() as i64);
        }
        self.log.commit(GROUP, &progress.positions()).await?;
        info!("fetcher stopped");
        Ok(())
    }

    /// Takes orders, but none while the extractor is too far behind.
    async fn take(&self, orders: &mut dyn Reader, room: usize) -> Result<Vec<Stored>, LogError> {
        while self.log.lag("extractor", topics::PAGES).await? > self.config.max_waiting_pages {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        orders.poll(room, Duration::from_secs(1)).await
    }

    /// Reads which orders behind the committed position have their outcome in the log already.
    async fn recover(&self) -> anyhow::Result<(Progress, Earlier)> {
        let mut outcomes = self.log.reader(&[topics::OUTCOMES], Start::Group(GROUP)).await?;
        let orders = self.log.reader(&[topics::ORDERS], Start::Group(GROUP)).await?.positions();
        let mut progress = Progress::default();
        let started = outcomes.positions();
        for ((_, partition), position) in &orders {
            let outcome = started.get(&(topics::OUTCOMES.to_owned(), *partition)).copied().unwrap_or(0);
            progress.start(*partition, *position, outcome);
        }
        let ends = self.log.ends(topics::OUTCOMES).await?;
        let mut done = HashSet::new();
        let behind = |reader: &dyn Reader| {
            reader.positions().iter().any(|((_, partition), position)| ends[*partition as usize] > *position)
        };
        while behind(outcomes.as_ref()) {
            for stored in outcomes.poll(1024, Duration::from_secs(1)).await? {
                match decode::<Outcome>(&stored.payload) {
                    Ok(outcome) => drop(done.insert(outcome.order_id)),
                    Err(error) => warn!(%error, place = ?stored.place, "unreadable outcome passed over"),
                }
            }
        }
        Ok((progress, Earlier { done, begun: self.log.ends(topics::ORDERS).await? }))
    }

    fn start(
        &self,
        stored: Stored,
        earlier: &Earlier,
        progress: &mut Progress,
        running: &mut JoinSet<Result<Finished, LogError>>,
    ) {
        let Stored { place, payload, .. } = stored;
        progress.take(&place);
        let order = match decode::<Order>(&payload) {
            Ok(order) if !earlier.done.contains(&order.id) => order,
            Ok(_) => return progress.pass(&place),
            Err(error) => {
                warn!(%error, ?place, "unreadable order passed over");
                return progress.pass(&place);
            }
        };
        // The run before may have been asking for this page when it died.
        let begun = earlier.begun.get(place.partition as usize).is_some_and(|end| place.position < *end);
        let pause = if begun { Duration::from_millis(order.pause) } else { Duration::ZERO };
        let (client, config, log) = (self.client.clone(), self.config.clone(), self.log.clone());
        let (metrics, recent) = (self.metrics.clone(), self.recent.clone());
        running.spawn(async move {
            tokio::time::sleep(pause).await;
            let (id, attempt, owed) = (order.id, order.attempt, order.pause);
            let Report { records, outcome, memories, cpu } = fetch(&client, order, &config, &recent).await;
            debug!(
                url = outcome.url,
                order = id,
                attempt,
                outcome = outcome.verdict.name(),
                status = outcome.status,
                error = outcome.error,
                "order finished"
            );
            if let Some(own) = records.last() {
                metrics.judge_pace(&own.key, owed, &outcome);
            }
            let places = log.append(records).await?;
            metrics.count(&outcome, memories.len());
            metrics.cpu.inc_by(cpu.as_secs_f64());
            recent.remember(memories);
            let outcome_at = places.last().map_or(0, |place| place.position);
            Ok(Finished { place, outcome_at })
        });
    }
}

impl Metrics {
    fn count(&self, outcome: &Outcome, links: usize) {
        self.fetches.with_label_values(&[outcome.verdict.name()]).inc();
        self.duration.observe(outcome.finished_at.saturating_sub(outcome.started_at) as f64 / 1000.0);
        self.bytes.inc_by(outcome.bytes);
        self.links.inc_by(links as u64);
    }
}
