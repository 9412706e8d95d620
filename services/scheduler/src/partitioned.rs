//! The scheduler as a process of several: one frontier for each partition that is its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gristmill_frontier::FrontierConfig;
use gristmill_log::Log;
use gristmill_proto::topics;
use gristmill_runtime::blobs::Blobs;
use gristmill_runtime::partition_workers::{self, PartitionAssignment};
use prometheus::Registry;
use tokio_util::sync::CancellationToken;

use crate::config::SchedulerConfig;
use crate::metrics::Metrics;
use crate::service::{GROUP, Scheduler};
use crate::status::CrawlStatus;

/// Schedules the partitions that its group gives it.
pub struct PartitionedScheduler {
    inner: Arc<Inner>,
    log: Arc<dyn Log>,
}

/// How the frontiers of a process stand.
#[derive(Clone)]
pub struct PartitionStatuses(Metrics);

impl PartitionStatuses {
    /// The status of each partition that the process works on now.
    pub fn now(&self) -> BTreeMap<u32, CrawlStatus> {
        self.0.statuses()
    }
}

struct Inner {
    config: SchedulerConfig,
    frontier: FrontierConfig,
    dir: PathBuf,
    blobs: Blobs,
    metrics: Metrics,
}

impl PartitionedScheduler {
    /// Builds the service, whose frontiers lie in `dir`, or below it where partitions are divided.
    ///
    /// # Errors
    /// Metrics that are registered already, or snapshots without a store.
    pub fn build(
        config: &SchedulerConfig,
        frontier: &FrontierConfig,
        dir: &Path,
        blobs: &Blobs,
        log: Arc<dyn Log>,
        registry: &Registry,
    ) -> anyhow::Result<Self> {
        let metrics = Metrics::register(registry)?;
        config.snapshots(blobs, None)?;
        let (config, frontier, dir, blobs) = (config.clone(), frontier.clone(), dir.to_owned(), blobs.clone());
        let inner = Inner { config, frontier, dir, blobs, metrics };
        Ok(Self { inner: Arc::new(inner), log })
    }

    /// A way to ask how its frontiers stand while it runs.
    pub fn statuses(&self) -> PartitionStatuses {
        PartitionStatuses(self.inner.metrics.clone())
    }

    /// Works until `stop`; with a log of its own also until its frontier is drained.
    ///
    /// # Errors
    /// The log or a store failed; the next start goes on from the last committed step.
    pub async fn run(self, stop: CancellationToken) -> anyhow::Result<()> {
        let inner = self.inner;
        let work = move |part: PartitionAssignment| {
            let inner = inner.clone();
            async move {
                let Inner { config, frontier, dir, blobs, metrics } = inner.as_ref();
                let dir = part.dir(dir);
                let scheduler = Scheduler::open(config, frontier, dir, blobs, &part, metrics.clone()).await?;
                scheduler.run(part.stop).await.map(drop)
            }
        };
        partition_workers::run(&self.log, GROUP, topics::LINKS, stop, work).await
    }
}
