//! All services in one process over one embedded log, and the order in which they end.

use std::future::Future;
use std::sync::Arc;

use anyhow::Context;
use gristmill_archiver::Archiver;
use gristmill_extractor::Extractor;
use gristmill_fetcher::{BrowserPool, Fetcher, Renderer};
use gristmill_indexer::Indexer;
use gristmill_log::{Log, PartitionView, ProducerRecord};
use gristmill_proto::{LinkSource, Outlink, OutlinkBatch, encode, topics};
use gristmill_runtime::admin::ProcessHealth;
use gristmill_runtime::blobs::Blobs;
use gristmill_runtime::process::open_log;
use gristmill_scheduler::{CrawlStatus, Explainer, Scheduler, SchedulerExit};
use gristmill_sink::AlertService;
use prometheus::Registry;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::seeds::Seed;
use crate::settings::Settings;

/// The services, built and not yet running.
pub struct Pipeline {
    pub log: Arc<dyn Log>,
    pub status: watch::Receiver<CrawlStatus>,
    pub explainer: Explainer,
    scheduler: Scheduler,
    fetcher: Fetcher,
    /// Where browsers draw pages.
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
    /// * `browsers`: those that draw pages. Without them, pages that need one are counted, and those asked for before wait.
    ///
    /// # Errors
    /// A store that cannot be opened, or a setting that breaks a rule.
    pub async fn build(
        settings: &Settings,
        browsers: Option<BrowserPool>,
        registry: &Registry,
    ) -> anyhow::Result<Self> {
        let blobs = Blobs::open(&settings.data, &settings.blobs, &settings.log)?;
        // All partitions are this process's own, on Kafka too: it ends when nothing is left, which no member of a group
        // could know.
        let log = open_log(&settings.data, &settings.log).await?;
        let log = PartitionView::of(log.clone(), log.owned());
        let (config, mut frontier) = (&settings.scheduler, settings.frontier.clone());
        if browsers.is_none() {
            frontier.max_renders = 0;
        }
        let mut scheduler =
            Scheduler::build(config, &frontier, settings.frontier_dir(), &blobs, log.clone(), registry).await?;
        scheduler.awaits_readings(true);
        let mut extractor = Extractor::build(&settings.extractor, &settings.records, &blobs, log.clone(), registry)?;
        if browsers.is_none() {
            extractor = extractor.without_browser();
        }
        let renderer = browsers
            .map(|browsers| Renderer::build(&settings.rendering(), browsers, &blobs, log.clone(), registry))
            .transpose()?;
        let (config, s3, data) = (&settings.archiver, &settings.blobs.s3, &settings.data);
        let archiver =
            settings.fetcher.captures.then(|| Archiver::build(config, s3, data, &blobs, log.clone(), registry));
        let alerts = settings.alert_service(&log, registry)?;
        if let Some(alerts) = &alerts {
            alerts.begin().await?;
        }
        Ok(Self {
            alerts,
            archiver: archiver.transpose()?,
            status: scheduler.status(),
            explainer: scheduler.explainer(),
            scheduler,
            fetcher: Fetcher::build(&settings.fetcher, &settings.fetch, &blobs, log.clone(), registry)?,
            renderer,
            extractor,
            indexer: Indexer::build(&settings.indexer, &settings.index, &settings.index_dir(), log.clone(), registry)?,
            log,
        })
    }

    /// Runs until the scheduler ends or `stop`; then each stage drains before the next one ends.
    ///
    /// # Errors
    /// The first stage that failed; the others are stopped.
    pub async fn run(self, health: &ProcessHealth, stop: CancellationToken) -> anyhow::Result<SchedulerExit> {
        let [fetching, rendering, extracting, indexing, archiving, telling] =
            [(); 6].map(|()| CancellationToken::new());
        let alerts = self.alerts.map(|alerts| stage("alerts", health, &stop, alerts.run(telling.clone())));
        let archiver = self.archiver.map(|archiver| stage("archiver", health, &stop, archiver.run(archiving.clone())));
        let indexer = stage("indexer", health, &stop, self.indexer.run(indexing.clone()));
        let extractor = stage("extractor", health, &stop, self.extractor.run(extracting.clone()));
        let fetcher = stage("fetcher", health, &stop, self.fetcher.run(fetching.clone()));
        let renderer = self.renderer.map(|renderer| stage("renderer", health, &stop, renderer.run(rendering.clone())));
        let scheduler = stage("scheduler", health, &stop, self.scheduler.run(stop.clone()));
        let ended = ended(scheduler).await;
        let mut failed = Ok(());
        let feeding = [(fetching, fetcher)].into_iter().chain(renderer.map(|renderer| (rendering, renderer)));
        let reading = [(extracting, extractor), (indexing, indexer)].into_iter();
        let handing_on = archiver.map(|archiver| (archiving, archiver)).into_iter();
        let handing_on = handing_on.chain(alerts.map(|alerts| (telling, alerts)));
        for (token, stage) in feeding.chain(reading).chain(handing_on) {
            token.cancel();
            let outcome = self::ended(stage).await;
            failed = failed.and(outcome);
        }
        // A stage that fails stops the scheduler, so its own error says more than "stopped".
        failed?;
        ended
    }
}

/// The stages that read pages, for those that no fetcher brings.
pub struct ImportStages {
    pub extractor: Extractor,
    pub indexer: Indexer,
}

impl ImportStages {
    /// Runs until `feeding` ends; then what is in the log is extracted and indexed.
    ///
    /// # Errors
    /// A stage that failed, which also cancels `stop`, or else what `feeding` failed with.
    pub async fn run<T>(
        self,
        feeding: impl Future<Output = anyhow::Result<T>>,
        stop: &CancellationToken,
    ) -> anyhow::Result<T> {
        let [extracting, indexing] = [(); 2].map(|()| CancellationToken::new());
        let health = ProcessHealth::default();
        let indexer = stage("indexer", &health, stop, self.indexer.run(indexing.clone()));
        let extractor = stage("extractor", &health, stop, self.extractor.run(extracting.clone()));
        let fed = feeding.await;
        for (token, stage) in [(extracting, extractor), (indexing, indexer)] {
            token.cancel();
            ended(stage).await?;
        }
        fed
    }
}

/// Starts a stage; if it fails or panics, the whole pipeline is told to stop.
fn stage<T: Send + 'static>(
    name: &'static str,
    health: &ProcessHealth,
    stop: &CancellationToken,
    work: impl Future<Output = anyhow::Result<T>> + Send + 'static,
) -> JoinHandle<anyhow::Result<T>> {
    let (health, guard) = (health.clone(), stop.clone().drop_guard());
    health.set(name, true);
    tokio::spawn(async move {
        let outcome = work.await.with_context(|| format!("the {name} stopped"));
        health.set(name, false);
        if outcome.is_ok() {
            guard.disarm();
        }
        outcome
    })
}

async fn ended<T>(stage: JoinHandle<anyhow::Result<T>>) -> anyhow::Result<T> {
    stage.await.context("a stage panicked")?
}

/// Puts the start URLs into the log, where the scheduler finds them like any link.
///
/// # Errors
/// The log failed.
pub async fn seed(log: &dyn Log, seeds: &[Seed], now: u64) -> anyhow::Result<()> {
    let record = |seed: &Seed| {
        let link = Outlink {
            url: seed.url.as_str().to_owned(),
            kind: seed.kind,
            source: LinkSource::Seed,
            depth: 0,
            hops: 0,
            anchor: None,
            modified_at: None,
        };
        let message = OutlinkBatch { from: String::new(), found_at: now, links: vec![link] };
        ProducerRecord {
            topic: topics::LINKS,
            key: seed.url.registrable_domain().to_owned(),
            payload: encode(&message),
        }
    };
    log.append(seeds.iter().map(record).collect()).await?;
    Ok(())
}
