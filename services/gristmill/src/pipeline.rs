//! All services in one process over one embedded log.

use std::sync::Arc;

use gristmill_fetcher::BrowserPool;
use gristmill_log::{Log, PartitionView};
use gristmill_runtime::admin::ProcessHealth;
use gristmill_runtime::process::open_log;
use gristmill_scheduler::{CrawlStatus, Explainer, Scheduler, SchedulerExit};
use prometheus::Registry;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::settings::Settings;
use crate::wiring::{Stages, Wiring, ended, spawn};

/// The services, built and not yet running.
pub struct Pipeline {
    pub log: Arc<dyn Log>,
    pub status: watch::Receiver<CrawlStatus>,
    pub explainer: Explainer,
    scheduler: Scheduler,
    stages: Stages,
}

impl Pipeline {
    /// Opens the stores of the data directory and builds every service over them.
    ///
    /// * `browsers`: those that render pages. Without them, pages that need one are counted, and those asked for before wait.
    ///
    /// # Errors
    /// A store that cannot be opened, or a setting that breaks a rule.
    pub async fn build(
        settings: &Settings,
        browsers: Option<BrowserPool>,
        registry: &Registry,
    ) -> anyhow::Result<Self> {
        // All partitions are this process's own, on Kafka too: it ends when nothing is left, which no member of a group
        // could know.
        let log = open_log(&settings.data, &settings.log).await?;
        let wiring = Wiring::new(settings, PartitionView::of(log.clone(), log.owned()), registry);
        let mut scheduler = wiring.scheduler(browsers.is_some()).await?;
        scheduler.awaits_readings(true);
        let mut stages = Stages::default();
        if let Some(alerts) = wiring.alerts()? {
            alerts.begin().await?;
            stages.add("alerts", |stop| alerts.run(stop));
        }
        if settings.fetcher.captures {
            let archiver = wiring.archiver()?;
            stages.add("archiver", |stop| archiver.run(stop));
        }
        let (indexer, extractor, fetcher) = (wiring.indexer()?, wiring.extractor()?, wiring.fetcher()?);
        let extractor = if browsers.is_some() { extractor } else { extractor.without_browser() };
        stages.add("indexer", |stop| indexer.run(stop));
        stages.add("extractor", |stop| extractor.run(stop));
        if let Some(browsers) = browsers {
            let renderer = wiring.renderer(browsers)?;
            stages.add("renderer", |stop| renderer.run(stop));
        }
        stages.add("fetcher", |stop| fetcher.run(stop));
        let (status, explainer) = (scheduler.status(), scheduler.explainer());
        Ok(Self { log: wiring.log, status, explainer, scheduler, stages })
    }

    /// Runs until the scheduler ends or `stop`; then each stage drains before the next one ends.
    ///
    /// # Errors
    /// The first stage that failed; the others are stopped.
    pub async fn run(self, health: &ProcessHealth, stop: CancellationToken) -> anyhow::Result<SchedulerExit> {
        let scheduling = async { ended(spawn("scheduler", health, &stop, self.scheduler.run(stop.clone()))).await };
        self.stages.run_while(scheduling, health, &stop).await
    }
}
