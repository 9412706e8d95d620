//! Every service, built of the settings: for a process of its own (`run`), for all in one (`crawl`), for some of them (`import`).

use std::pin::Pin;
use std::sync::{Arc, OnceLock};

use anyhow::Context;
use gristmill_archiver::Archiver;
use gristmill_extractor::Extractor;
use gristmill_fetcher::{BrowserPool, Fetcher, Renderer};
use gristmill_indexer::Indexer;
use gristmill_log::Log;
use gristmill_runtime::admin::ProcessHealth;
use gristmill_runtime::blobs::Blobs;
use gristmill_scheduler::{PartitionedScheduler, Scheduler};
use gristmill_sink::{AlertService, Sink};
use prometheus::Registry;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::settings::Settings;

/// What services are built of. Each of its functions builds one, and fails where a setting breaks a rule, a store cannot be opened, or
/// its metrics are registered already.
pub struct Wiring<'s> {
    settings: &'s Settings,
    pub log: Arc<dyn Log>,
    registry: Registry,
    blobs: OnceLock<Blobs>,
}

impl<'s> Wiring<'s> {
    pub fn new(settings: &'s Settings, log: Arc<dyn Log>, registry: &Registry) -> Wiring<'s> {
        Wiring { settings, log, registry: registry.clone(), blobs: OnceLock::new() }
    }

    /// The blob store, opened by the first who needs it.
    pub fn blobs(&self) -> anyhow::Result<&Blobs> {
        if let Some(blobs) = self.blobs.get() {
            return Ok(blobs);
        }
        let Settings { data, blobs, log, .. } = self.settings;
        let opened = Blobs::open(data, blobs, log)?;
        Ok(self.blobs.get_or_init(|| opened))
    }

    /// The scheduler of all partitions.
    ///
    /// * `has_browsers`: without any, pages that were given to them wait.
    pub async fn scheduler(&self, has_browsers: bool) -> anyhow::Result<Scheduler> {
        let (config, dir, mut frontier) =
            (&self.settings.scheduler, self.settings.frontier_dir(), self.settings.frontier_config()?);
        if !has_browsers {
            frontier.max_renders = 0;
        }
        Scheduler::build(config, &frontier, dir, self.blobs()?, self.log.clone(), &self.registry).await
    }

    /// Schedulers of the partitions that this process is given.
    pub fn schedulers(&self) -> anyhow::Result<PartitionedScheduler> {
        let (dir, frontier) = (self.settings.frontier_dir(), self.settings.frontier_config()?);
        PartitionedScheduler::build(
            &self.settings.scheduler,
            &frontier,
            &dir,
            self.blobs()?,
            self.log.clone(),
            &self.registry,
        )
    }

    pub fn fetcher(&self) -> anyhow::Result<Fetcher> {
        let Settings { fetcher, fetch, .. } = self.settings;
        Fetcher::build(fetcher, fetch, self.blobs()?, self.log.clone(), &self.registry)
    }

    pub fn renderer(&self, browsers: BrowserPool) -> anyhow::Result<Renderer> {
        Renderer::build(&self.settings.rendering(), browsers, self.blobs()?, self.log.clone(), &self.registry)
    }

    pub fn extractor(&self) -> anyhow::Result<Extractor> {
        let Settings { extractor, records, .. } = self.settings;
        Extractor::build(extractor, records, self.blobs()?, self.log.clone(), &self.registry)
    }

    pub fn indexer(&self) -> anyhow::Result<Indexer> {
        let Settings { indexer, index, frontier, .. } = self.settings;
        let indexer = Indexer::build(indexer, index, &self.settings.index_dir(), self.log.clone(), &self.registry)?;
        Ok(indexer.telling_of_new(frontier.recrawl.enabled))
    }

    pub fn archiver(&self) -> anyhow::Result<Archiver> {
        let Settings { archiver, blobs, data, .. } = self.settings;
        Archiver::build(archiver, &blobs.s3, data, self.blobs()?, self.log.clone(), &self.registry)
    }

    /// Who hands documents on; none where nobody takes them.
    pub fn sink(&self) -> anyhow::Result<Option<Sink>> {
        let build = || Sink::build(&self.settings.sink, self.log.clone(), &self.registry);
        self.settings.has_sink().then(build).transpose()
    }

    /// Who tells of changes; none where nobody is told.
    pub fn alerts(&self) -> anyhow::Result<Option<AlertService>> {
        let Settings { alerts, fetch, .. } = self.settings;
        let dir = self.settings.index_dir();
        let build = || AlertService::build(alerts, fetch, &dir, self.log.clone(), &self.registry);
        (!alerts.is_empty()).then(build).transpose()
    }
}

/// A stage, to be run until the token is cancelled.
type Stage = Box<dyn FnOnce(CancellationToken) -> Pin<Box<dyn Future<Output = anyhow::Result<()>> + Send>> + Send>;

/// Services of one process, built and not yet running. Each reads what those added behind it append.
#[derive(Default)]
pub struct Stages(Vec<(&'static str, Stage)>);

impl Stages {
    pub fn add<F>(&mut self, name: &'static str, run: impl FnOnce(CancellationToken) -> F + Send + 'static)
    where
        F: Future<Output = anyhow::Result<()>> + Send + 'static,
    {
        self.0.push((name, Box::new(|stop| Box::pin(run(stop)))));
    }

    /// Runs all until `feeding` ends; then each ends when it has taken what those behind it have left.
    ///
    /// # Errors
    /// The first stage that failed, which also cancels `stop`, or else what `feeding` failed with.
    pub async fn run_while<T>(
        self,
        feeding: impl Future<Output = anyhow::Result<T>>,
        health: &ProcessHealth,
        stop: &CancellationToken,
    ) -> anyhow::Result<T> {
        let mut running = Vec::new();
        for (name, stage) in self.0 {
            let token = CancellationToken::new();
            running.push((token.clone(), spawn(name, health, stop, stage(token))));
        }
        let fed = feeding.await;
        let mut failed = Ok(());
        for (token, stage) in running.into_iter().rev() {
            token.cancel();
            let outcome = ended(stage).await;
            failed = failed.and(outcome);
        }
        // A stage that fails stops who feeds it, so its own error says more than "stopped".
        failed.and(fed)
    }
}

/// Starts a stage; if it fails or panics, all are told to stop.
pub fn spawn<T: Send + 'static>(
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

/// Waits for the end of a stage.
pub async fn ended<T>(stage: JoinHandle<anyhow::Result<T>>) -> anyhow::Result<T> {
    stage.await.context("a stage panicked")?
}
