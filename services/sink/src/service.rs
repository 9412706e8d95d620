//! The loop: take documents, hand them on, commit when all targets have them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use gristmill_log::{ConsumerRecord, Log, ProducerRecord, StartOffset};
use gristmill_proto::{
    Reject, RejectCause, encode,
    topics::{self, groups},
};
use gristmill_runtime::clock::now_ms;
use gristmill_runtime::partition_workers::{self, PartitionAssignment};
use gristmill_urls::CanonicalUrl;
use prometheus::Registry;
use tokio_util::sync::CancellationToken;
use tracing::{debug, info, warn};

use crate::bulk::{BulkClient, RejectedDocument};
use crate::config::SinkConfig;
use crate::convert::{self, ActionBatch, IndexAction};
use crate::metrics::Metrics;
use crate::topic;

/// The consumer group of all sinks.
pub const GROUP: &str = groups::SINK;

/// Longest wait for documents before it is asked again whether to go on.
const WAIT: Duration = Duration::from_secs(1);

/// Hands documents on. Clones share their counters and connections.
#[derive(Clone)]
pub struct Sink {
    config: Arc<SinkConfig>,
    bulk: Option<BulkClient>,
    log: Arc<dyn Log>,
    metrics: Metrics,
}

impl Sink {
    /// Builds the service; connects to nothing.
    ///
    /// # Errors
    /// As [`SinkConfig::check`], certificates that cannot be read, or metrics that are registered already.
    pub fn build(config: &SinkConfig, log: Arc<dyn Log>, registry: &Registry) -> anyhow::Result<Self> {
        config.check()?;
        let metrics = Metrics::register(registry)?;
        let bulk = match config.bulk.url.is_empty() {
            true => None,
            false => Some(BulkClient::new(&config.bulk, config.batch_bytes, metrics.clone())?),
        };
        Ok(Self { config: Arc::new(config.clone()), bulk, log, metrics })
    }

    /// Works until `stop`. A batch under way is finished if its targets take it at once; else it comes again.
    ///
    /// # Errors
    /// The log failed, or an engine refuses everything ([`SinkError`](crate::SinkError)): what is not committed comes again.
    pub async fn run(self, stop: CancellationToken) -> anyhow::Result<()> {
        let log = self.log.clone();
        partition_workers::run(&log, GROUP, topics::DOCUMENTS, stop, move |part| self.clone().work_on(part)).await
    }

    /// Works on a part until it goes elsewhere.
    async fn work_on(self, part: PartitionAssignment) -> anyhow::Result<()> {
        let mut reader = part.log.reader(&[topics::DOCUMENTS], StartOffset::Group(GROUP)).await?;
        info!(positions = ?reader.positions(), "sink started");
        while !part.stop.is_cancelled() {
            let messages = tokio::select! {
                messages = reader.poll(self.config.batch_documents, WAIT) => messages?,
                () = part.stop.cancelled() => break,
            };
            if messages.is_empty() {
                continue;
            }
            let count = messages.len();
            if !self.hand_on(messages, &part).await? {
                info!(count, "sink ends before its batch was taken; it comes again");
                break;
            }
            part.log.commit(GROUP, &reader.positions()).await?;
        }
        info!("sink stopped");
        Ok(())
    }

    /// Hands a batch to every target; false when it was given up.
    async fn hand_on(&self, messages: Vec<ConsumerRecord>, part: &PartitionAssignment) -> anyhow::Result<bool> {
        let unreadable = self.metrics.unreadable.clone();
        let mut batch = tokio::task::spawn_blocking(move || convert::read(&messages, &unreadable)).await?;
        self.count(&batch);
        let mut rejects = std::mem::take(&mut batch.unreadable);
        if let Some(bulk) = &self.bulk {
            let (begun, kept) = (Instant::now(), |action: &&IndexAction| bulk.removes() || !action.is_removal());
            let left_out = batch.actions.iter().filter(|action| !kept(action)).count();
            let Some(refused) = bulk.send(batch.actions.iter().filter(kept), part).await? else { return Ok(false) };
            self.metrics.passed_over.of("removal").inc_by(left_out as u64);
            self.metrics.duration.with_label_values(&["bulk"]).observe(begun.elapsed().as_secs_f64());
            rejects.extend(refused.iter().map(|refused| self.reject("bulk", refused)));
        }
        if self.config.topic {
            let begun = Instant::now();
            let refused =
                topic::append(part.log.as_ref(), &batch.actions).await.context("could not write documents")?;
            self.count_topic(&batch, &refused);
            self.metrics.duration.with_label_values(&["topic"]).observe(begun.elapsed().as_secs_f64());
            rejects.extend(refused.iter().map(|refused| self.reject("topic", refused)));
        }
        if !rejects.is_empty() {
            part.log.append(rejects).await.context("could not write rejects")?;
        }
        for action in &batch.actions {
            debug!(url = action.url, removal = action.is_removal(), "document handed on");
        }
        Ok(true)
    }

    fn count(&self, batch: &ActionBatch) {
        for (reason, count) in [("unreadable", batch.unreadable.len() as u64), ("superseded", batch.superseded)] {
            self.metrics.passed_over.of(reason).inc_by(count);
        }
    }

    fn count_topic(&self, batch: &ActionBatch, refused: &[RejectedDocument<'_>]) {
        let removed = batch.actions.iter().filter(|action| action.is_removal()).count();
        let sent = batch.actions.len() - removed - refused.len();
        for (result, count) in [("sent", sent), ("removed", removed)] {
            self.metrics.documents.of("topic", result).inc_by(count as u64);
        }
    }

    fn reject(&self, target: &'static str, refused: &RejectedDocument<'_>) -> ProducerRecord {
        let RejectedDocument { action, reason } = refused;
        warn!(url = action.url, target, reason, "document refused");
        self.metrics.documents.of(target, "refused").inc();
        let key = CanonicalUrl::parse(&action.url, None)
            .map_or_else(|_| action.key.clone(), |url| url.registrable_domain().to_owned());
        let reason = RejectCause::Refused.with(format!("{target}: {reason}"));
        let message = Reject { url: action.url.clone(), stage: GROUP.into(), reason, at: now_ms() };
        ProducerRecord { topic: topics::REJECTS, key, payload: encode(&message) }
    }
}
