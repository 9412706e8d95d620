//! The loop of each alert: take changes, pick those that it is about, deliver each until it is taken, then commit.
//!
//! Each alert is a consumer group of its own, so one that waits for its receiver holds up nobody else, and what it has not delivered
//! waits in the log and not in memory.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context;
use futures::future::try_join_all;
use gristmill_fetch::FetchConfig;
use gristmill_log::{ConsumerRecord, Log, LogError, LogReader, Positions, StartOffset};
use gristmill_proto::{Change, decode, topics};
use gristmill_runtime::clock::now_ms;
use gristmill_runtime::partition_workers::{self, PartitionAssignment};
use prometheus::Registry;
use tokio_util::sync::CancellationToken;
use tracing::{debug, info, warn};

use super::config::AlertConfig;
use super::metrics::AlertMetrics;
use super::rule::holds;
use super::saved_search::SavedSearch;
use super::webhook::{SendFailure, Webhook};

/// Changes that are taken at once.
const BATCH: usize = 256;
/// Longest wait for changes before it is asked again whether to go on.
const WAIT: Duration = Duration::from_secs(1);
/// Pause before the first new try; each doubles.
const FIRST_BACKOFF: Duration = Duration::from_millis(500);
/// Longest pause before the next try, whatever the receiver asks for.
const MAX_BACKOFF: Duration = Duration::from_secs(300);
/// Pause between two looks whether the index has a document.
const INDEX_PAUSE: Duration = Duration::from_millis(250);

/// Tells receivers of changes, at least once each.
pub struct AlertService {
    alerts: Vec<Arc<Alert>>,
    log: Arc<dyn Log>,
}

struct Alert {
    config: AlertConfig,
    /// Its consumer group.
    group: &'static str,
    webhook: Webhook,
    search: Option<Arc<Mutex<SavedSearch>>>,
    metrics: AlertMetrics,
}

impl AlertService {
    /// Builds the alerts; `index` is the folder of the index that saved searches ask.
    ///
    /// # Errors
    /// As [`AlertConfig::check_all`], a secret that cannot be read, or metrics that are registered already.
    pub fn build(
        configs: &[AlertConfig],
        fetch: &FetchConfig,
        index: &Path,
        log: Arc<dyn Log>,
        registry: &Registry,
    ) -> anyhow::Result<Self> {
        AlertConfig::check_all(configs)?;
        let metrics = AlertMetrics::register(registry)?;
        let alert = |config: &AlertConfig| {
            let is_search = !config.query.trim().is_empty();
            let search = is_search.then(|| Arc::new(Mutex::new(SavedSearch::new(index, &config.query))));
            // Names of groups live as long as the process; there are as many as alerts in the settings.
            let group = Box::leak(format!("alert-{}", config.name).into_boxed_str());
            let (webhook, metrics) = (Webhook::new(config, fetch)?, metrics.clone());
            Ok(Arc::new(Alert { config: config.clone(), group, webhook, search, metrics }))
        };
        Ok(Self { alerts: configs.iter().map(alert).collect::<anyhow::Result<_>>()?, log })
    }

    /// Lets alerts that are new begin with what comes from now on. To be called before what may be missed is appended.
    ///
    /// # Errors
    /// The log failed.
    pub async fn begin(&self) -> anyhow::Result<()> {
        let ends = self.log.ends(topics::CHANGES).await?;
        for alert in &self.alerts {
            let known = self.log.committed(alert.group, topics::CHANGES).await?;
            let fresh = (0u32..).zip(known).filter(|(_, known)| known.is_none()).map(|(partition, _)| partition);
            let begin: Positions =
                fresh.map(|number| ((topics::CHANGES.to_owned(), number), ends[number as usize])).collect();
            if !begin.is_empty() {
                self.log.commit(alert.group, &begin).await?;
            }
        }
        Ok(())
    }

    /// Works until `stop`, then delivers what is in the log as far as receivers take it at once; the rest comes at the next start.
    ///
    /// # Errors
    /// The log or the index failed.
    pub async fn run(self, stop: CancellationToken) -> anyhow::Result<()> {
        let running = self.alerts.into_iter().map(|alert| {
            let (log, stop, group) = (self.log.clone(), stop.clone(), alert.group);
            async move {
                let work = move |part| alert.clone().work_on(part);
                let worked = partition_workers::run(&log, group, topics::CHANGES, stop, work).await;
                worked.with_context(|| format!("`{group}` stopped"))
            }
        });
        try_join_all(running).await.map(drop)
    }
}

impl Alert {
    /// Works on a part until it goes elsewhere.
    async fn work_on(self: Arc<Self>, part: PartitionAssignment) -> anyhow::Result<()> {
        let mut reader = self.reader(&part).await?;
        let mut next = reader.positions();
        info!(alert = self.config.name, positions = ?next, "alert started");
        loop {
            let stopping = part.stop.is_cancelled();
            let records = tokio::select! {
                records = reader.poll(BATCH, if stopping { partition_workers::DRAIN_WAIT } else { WAIT }) => records?,
                () = part.stop.cancelled(), if !stopping => continue,
            };
            for record in &records {
                let Some(is_delivered) = self.handle(record, &part).await? else { return Ok(()) };
                next.insert((topics::CHANGES.to_owned(), record.place.partition), record.place.position + 1);
                if is_delivered {
                    part.log.commit(self.group, &next).await?;
                }
            }
            if !records.is_empty() {
                part.log.commit(self.group, &next).await?;
            } else if stopping && part.is_drained(&[topics::CHANGES], &next).await? {
                info!(alert = self.config.name, "alert stopped");
                return Ok(());
            }
        }
    }

    /// A reader from where the alert was. What the log has dropped since then is lost, which is told.
    async fn reader(&self, part: &PartitionAssignment) -> anyhow::Result<Box<dyn LogReader>> {
        let committed = part.log.committed(self.group, topics::CHANGES).await?;
        let known = (0u32..).zip(committed).filter_map(|(partition, known)| Some((partition, known?)));
        let mut start: Positions =
            known.map(|(partition, position)| ((topics::CHANGES.to_owned(), partition), position)).collect();
        loop {
            match part.log.reader(&[topics::CHANGES], StartOffset::At(start.clone())).await {
                Err(LogError::OutOfRange { partition, wanted, oldest, .. }) if wanted < oldest => {
                    self.lost(oldest - wanted);
                    start.insert((topics::CHANGES.to_owned(), partition), oldest);
                }
                opened => return Ok(opened?),
            }
        }
    }

    fn lost(&self, count: u64) {
        warn!(alert = self.config.name, count, "the log no longer holds changes that were not looked at");
        self.metrics.changes.of("lost").inc_by(count);
    }

    /// Delivers a change that the alert is about. Whether it did; none where the alert must end before that is done.
    async fn handle(&self, record: &ConsumerRecord, part: &PartitionAssignment) -> anyhow::Result<Option<bool>> {
        let Ok(change) = decode::<Change>(&record.payload) else {
            // A record that was dropped while it waited reads as an empty one.
            self.lost(1);
            return Ok(Some(false));
        };
        if !holds(&self.config, &change) {
            return Ok(Some(false));
        }
        match self.is_found(&change, record.place.partition, part).await? {
            Some(true) => Ok(self.deliver(&change, part).await.then_some(true)),
            not_found => Ok(not_found),
        }
    }

    /// Whether the saved search finds the page; none when the alert must end before the index has it.
    async fn is_found(
        &self,
        change: &Change,
        partition: u32,
        part: &PartitionAssignment,
    ) -> anyhow::Result<Option<bool>> {
        let Some(search) = &self.search else { return Ok(Some(true)) };
        loop {
            let stopping = part.stop.is_cancelled();
            let (search, change) = (Arc::clone(search), change.clone());
            let asked = tokio::task::spawn_blocking(move || {
                let mut search = search.lock().unwrap_or_else(PoisonError::into_inner);
                search.finds(&change, partition, (now_ms() / 1000) as i64)
            });
            let found = asked.await?.context("the index of a saved search cannot be read")?;
            if found.is_some() || stopping {
                return Ok(found);
            }
            tokio::select! {
                () = tokio::time::sleep(INDEX_PAUSE) => {}
                () = part.stop.cancelled() => {}
            }
        }
    }

    /// Sends a change until it is taken; false when the alert must end before. Then it is sent a few times more: a crawl may come to
    /// its end while its receiver is busy for a moment.
    async fn deliver(&self, change: &Change, part: &PartitionAssignment) -> bool {
        const LAST_TRIES: u32 = 3;
        const LAST_PAUSE: Duration = Duration::from_secs(1);
        let (mut tries, mut last_tries) = (0, 0);
        while part.is_ours().await {
            let failure = match self.webhook.send(change, now_ms() / 1000).await {
                Ok(()) => {
                    debug!(alert = self.config.name, id = change.id, "change delivered");
                    self.metrics.changes.of("delivered").inc();
                    return true;
                }
                Err(failure) => failure,
            };
            let pause = pause(tries, &failure);
            tries += 1;
            let (alert, SendFailure { cause, reason, .. }) = (&self.config.name, failure);
            self.metrics.retries.of(cause).inc();
            warn!(alert, id = change.id, tries, retry_in = ?pause, error = reason, "changes wait for their receiver");
            if part.stop.is_cancelled() {
                if last_tries == LAST_TRIES {
                    return false;
                }
                last_tries += 1;
                tokio::time::sleep(pause.min(LAST_PAUSE)).await;
                continue;
            }
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = part.stop.cancelled() => {}
            }
        }
        false
    }
}

/// Twice the last pause, or what the receiver asks for.
fn pause(tries: u32, failure: &SendFailure) -> Duration {
    let doubled = FIRST_BACKOFF.saturating_mul(1 << tries.min(20));
    failure.after.unwrap_or_default().max(doubled).min(MAX_BACKOFF)
}
