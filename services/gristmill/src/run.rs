//! `gristmill run SERVICE` and `gristmill seed`: a crawl as processes of their own, over Kafka.

use std::sync::Arc;

use anyhow::Context;
use gristmill_archiver::Archiver;
use gristmill_extractor::Extractor;
use gristmill_fetcher::{Fetcher, Renderer};
use gristmill_indexer::Indexer;
use gristmill_log::Log;
use gristmill_runtime::blobs::Blobs;
use gristmill_runtime::clock::now_ms;
use gristmill_runtime::process::{ServiceProcess, shared_log};
use gristmill_runtime::telemetry;
use gristmill_scheduler::PartitionedScheduler;
use gristmill_sink::{AlertService, Sink};
use tokio_util::sync::CancellationToken;

use crate::cli::{SeedArgs, Service};
use crate::pipeline::seed;
use crate::seeds::seeds;
use crate::serve;
use crate::settings::Settings;

/// Runs one service until it is told to stop.
pub async fn run(service: Service, settings: Settings) -> anyhow::Result<()> {
    let (name, blobs) = (service.name(), || Blobs::open(&settings.data, &settings.blobs, &settings.log));
    match service {
        Service::Scheduler => {
            let (config, dir) = (&settings.scheduler, settings.frontier_dir());
            let build = |log, own: &ServiceProcess| {
                PartitionedScheduler::build(config, &settings.frontier, &dir, &blobs()?, log, &own.registry)
            };
            on_log(name, &settings, build, |schedulers, stop| schedulers.run(stop)).await
        }
        Service::Fetcher => {
            let (config, fetch) = (&settings.fetcher, &settings.fetch);
            let build = |log, own: &ServiceProcess| Fetcher::build(config, fetch, &blobs()?, log, &own.registry);
            on_log(name, &settings, build, |fetcher, stop| fetcher.run(stop)).await
        }
        Service::Renderer => {
            let parts = settings.rendering();
            let browsers = parts.browsers().await.context("pages cannot be drawn")?;
            let build = |log, own: &ServiceProcess| Renderer::build(&parts, browsers, &blobs()?, log, &own.registry);
            on_log(name, &settings, build, |renderer, stop| renderer.run(stop)).await
        }
        Service::Extractor => {
            let (config, records) = (&settings.extractor, &settings.records);
            let build = |log, own: &ServiceProcess| Extractor::build(config, records, &blobs()?, log, &own.registry);
            on_log(name, &settings, build, |extractor, stop| extractor.run(stop)).await
        }
        Service::Indexer => {
            let (config, dir) = (&settings.indexer, settings.index_dir());
            let build = |log, own: &ServiceProcess| Indexer::build(config, &settings.index, &dir, log, &own.registry);
            on_log(name, &settings, build, |indexer, stop| indexer.run(stop)).await
        }
        Service::Sink => {
            if settings.alerts.is_empty() {
                settings.sink.check()?;
            }
            let build = |log: Arc<dyn Log>, own: &ServiceProcess| {
                let alerts = settings.alert_service(&log, &own.registry)?;
                let build = || Sink::build(&settings.sink, log, &own.registry);
                Ok((settings.has_sink().then(build).transpose()?, alerts))
            };
            on_log(name, &settings, build, |(sink, alerts), stop| hand_on(sink, alerts, stop)).await
        }
        Service::Archiver => {
            let (config, s3) = (&settings.archiver, &settings.blobs.s3);
            let build =
                |log, own: &ServiceProcess| Archiver::build(config, s3, &settings.data, &blobs()?, log, &own.registry);
            on_log(name, &settings, build, |archiver, stop| archiver.run(stop)).await
        }
        Service::Searcher => {
            telemetry::init(&settings.telemetry)?;
            serve::run(settings).await
        }
    }
}

/// Runs the sink and the alerts, as far as the settings ask for them.
async fn hand_on(sink: Option<Sink>, alerts: Option<AlertService>, stop: CancellationToken) -> anyhow::Result<()> {
    let told = async {
        let Some(alerts) = alerts else { return Ok(()) };
        alerts.begin().await?;
        alerts.run(stop.clone()).await
    };
    let sunk = async {
        match sink {
            Some(sink) => sink.run(stop.clone()).await,
            None => Ok(()),
        }
    };
    tokio::try_join!(told, sunk).map(drop)
}

/// Runs a service that works on the shared log.
async fn on_log<S, F: Future<Output = anyhow::Result<()>>>(
    name: &'static str,
    settings: &Settings,
    build: impl FnOnce(Arc<dyn Log>, &ServiceProcess) -> anyhow::Result<S>,
    run: impl FnOnce(S, CancellationToken) -> F,
) -> anyhow::Result<()> {
    let process = ServiceProcess::start(name, &settings.telemetry, &settings.admin).await?;
    let log = shared_log(&settings.data, &settings.log).await?;
    let service = build(log.clone(), &process)?;
    let stop = process.stop.clone();
    process.run(log, run(service, stop)).await
}

/// Puts URLs into the log, where the schedulers find them like any link.
pub async fn seed_log(args: &SeedArgs, settings: Settings) -> anyhow::Result<()> {
    let seeds = seeds(&args.start)?;
    anyhow::ensure!(!seeds.is_empty(), "no URL to start from: give some, or a list with `--urls FILE`");
    let log = shared_log(&settings.data, &settings.log).await?;
    seed(log.as_ref(), &seeds, now_ms()).await?;
    tell!("{} URLs given to the schedulers", seeds.len());
    Ok(())
}
