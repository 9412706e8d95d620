//! All services in one process over one embedded log, and the order in which they end.

use std::sync::Arc;

use gristmill_archiver::Archiver;
use gristmill_extractor::Extractor;
use gristmill_fetcher::{BrowserPool, Fetcher, Renderer};
use gristmill_indexer::Indexer;
use gristmill_log::{Log, PartitionView};
use gristmill_runtime::admin::ProcessHealth;
use gristmill_runtime::process::open_log;
use gristmill_scheduler::{CrawlStatus, Explainer, Scheduler, SchedulerExit};
use gristmill_sink::AlertService;
use prometheus::Registry;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::settings::Settings;
use crate::wiring::{Stages, Wiring};

/// The services, built and not yet running.
pub struct Pipeline {
    pub log: Arc<dyn Log>,
    pub status: watch::Receiver<CrawlStatus>,
    pub explainer: Explainer,
    scheduler: Scheduler,
    fetcher: Fetcher,
    /// Where browsers render pages.
    renderer: Option<Renderer>,
    extractor: Extractor,
    indexer: Indexer,
    /// Where captures are written.
    archiver: Option<Archiver>,
    /// Where somebody is told of changes.
    alerts: Option<AlertService>,
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
        let extractor = wiring.extractor()?;
        let alerts = wiring.alerts()?;
        if let Some(alerts) = &alerts {
            alerts.begin().await?;
        }
        Ok(Self {
            alerts,
            archiver: settings.fetcher.captures.then(|| wiring.archiver()).transpose()?,
            status: scheduler.status(),
            explainer: scheduler.explainer(),
            scheduler,
            fetcher: wiring.fetcher()?,
            extractor: if browsers.is_some() { extractor } else { extractor.without_browser() },
            renderer: browsers.map(|browsers| wiring.renderer(browsers)).transpose()?,
            indexer: wiring.indexer()?,
            log: wiring.log,
        })
    }

    /// Runs until the scheduler ends or `stop`; then each stage drains before the next one ends.
    ///
    /// # Errors
    /// The first stage that failed; the others are stopped.
    pub async fn run(self, health: &ProcessHealth, stop: CancellationToken) -> anyhow::Result<SchedulerExit> {
        let mut stages = Stages::new(health, &stop);
        if let Some(alerts) = self.alerts {
            stages.start("alerts", |stop| alerts.run(stop));
        }
        if let Some(archiver) = self.archiver {
            stages.start("archiver", |stop| archiver.run(stop));
        }
        stages.start("indexer", |stop| self.indexer.run(stop));
        stages.start("extractor", |stop| self.extractor.run(stop));
        if let Some(renderer) = self.renderer {
            stages.start("renderer", |stop| renderer.run(stop));
        }
        stages.start("fetcher", |stop| self.fetcher.run(stop));
        let ended = stages.feed("scheduler", self.scheduler.run(stop.clone())).await;
        // A stage that fails stops the scheduler, so its own error says more than "stopped".
        stages.drain().await?;
        ended
    }
}
