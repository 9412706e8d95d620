//! The scheduler as a process of several: one frontier for each partition that is its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use gristmill_frontier::{Frontier, FrontierConfig, FrontierError};
use gristmill_log::Log;
use gristmill_proto::topics;
use gristmill_runtime::shares::{self, Part};
use prometheus::Registry;
use tokio_util::sync::CancellationToken;

use crate::metrics::Metrics;
use crate::service::{GROUP, Scheduler, SchedulerConfig};

/// Longest wait for another process on the same machine to let go of a frontier.
const UNTIL_FREE: Duration = Duration::from_secs(60);

/// Schedules the partitions that its group gives it.
pub struct Schedulers {
    inner: Arc<Inner>,
    log: Arc<dyn Log>,
}

struct Inner {
    config: SchedulerConfig,
    frontier: FrontierConfig,
    dir: PathBuf,
    metrics: Metrics,
}

impl Schedulers {
    /// Builds the service, whose frontiers lie in `dir`, or below it where partitions are divided.
    ///
    /// # Errors
    /// Metrics that are registered already.
    pub fn build(
        config: &SchedulerConfig,
        frontier: &FrontierConfig,
        dir: &Path,
        log: Arc<dyn Log>,
        registry: &Registry,
    ) -> anyhow::Result<Self> {
        let metrics = Metrics::register(registry)?;
        let inner = Inner { config: config.clone(), frontier: frontier.clone(), dir: dir.to_owned(), metrics };
        Ok(Self { inner: Arc::new(inner), log })
    }

    /// Works until `stop`; with a log of its own also until its frontier is drained.
    ///
    /// # Errors
    /// The log or a store failed; the next start goes on from the last committed step.
    pub async fn run(self, stop: CancellationToken) -> anyhow::Result<()> {
        let inner = self.inner;
        let work = move |part: Part| {
            let inner = inner.clone();
            async move {
                let frontier = inner.open(&part).await?;
                Scheduler::of_part(&inner.config, frontier, &part, inner.metrics.clone()).run(part.stop).await?;
                Ok(())
            }
        };
        shares::run(&self.log, GROUP, topics::LINKS, stop, work).await
    }
}

impl Inner {
    /// Opens the frontier of `part`, waiting for whoever had it before to let go.
    async fn open(&self, part: &Part) -> anyhow::Result<Frontier> {
        let (dir, begun) = (part.dir(&self.dir), Instant::now());
        loop {
            let (path, config) = (dir.clone(), self.frontier.clone());
            let opened = tokio::task::spawn_blocking(move || Frontier::open(&path, config)).await?;
            match opened {
                Err(FrontierError::Locked { .. })
                    if part.partition.is_some() && begun.elapsed() < UNTIL_FREE && !part.stop.is_cancelled() =>
                {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                opened => {
                    return opened.with_context(|| format!("could not open the frontier in `{}`", dir.display()));
                }
            }
        }
    }
}
