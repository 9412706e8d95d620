//! `gristmill run SERVICE` and `gristmill seed`: a crawl as processes of their own, over Kafka.

use std::sync::{Arc, OnceLock};

use anyhow::Context;
use axum::Router;
use gristmill_runtime::clock::now_ms;
use gristmill_runtime::process::{ServiceProcess, shared_log};
use gristmill_runtime::telemetry;
use gristmill_scheduler::control::{self, LogSlot};
use gristmill_scheduler::seeds::seed;
use gristmill_sink::{AlertService, Sink};
use tokio_util::sync::CancellationToken;

use crate::admin_client;
use crate::cli::{SeedArgs, Service};
use crate::seeds::seeds;
use crate::serve;
use crate::settings::Settings;
use crate::wiring::Wiring;

/// Runs one service until it is told to stop.
pub async fn run(service: Service, settings: Settings) -> anyhow::Result<()> {
    let (name, settings) = (service.name(), &settings);
    match service {
        Service::Scheduler => scheduler(settings).await,
        Service::Fetcher => on_log(name, settings, Wiring::fetcher, |it, stop| it.run(stop)).await,
        Service::Renderer => {
            let browsers = settings.rendering().browsers().await.context("pages cannot be drawn")?;
            on_log(name, settings, |wiring| wiring.renderer(browsers), |it, stop| it.run(stop)).await
        }
        Service::Extractor => on_log(name, settings, Wiring::extractor, |it, stop| it.run(stop)).await,
        Service::Indexer => on_log(name, settings, Wiring::indexer, |it, stop| it.run(stop)).await,
        Service::Sink => {
            if settings.alerts.is_empty() {
                settings.sink.check()?;
            }
            let build = |wiring: &Wiring<'_>| Ok((wiring.sink()?, wiring.alerts()?));
            on_log(name, settings, build, |(sink, alerts), stop| hand_on(sink, alerts, stop)).await
        }
        Service::Archiver => on_log(name, settings, Wiring::archiver, |it, stop| it.run(stop)).await,
        Service::Searcher => {
            telemetry::init(&settings.telemetry)?;
            serve::run(settings.clone()).await
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

/// Runs schedulers, whose admin port takes commands and tells how the crawl stands.
async fn scheduler(settings: &Settings) -> anyhow::Result<()> {
    let (log, statuses) = (LogSlot::default(), Arc::new(OnceLock::new()));
    let token = admin_client::token(settings)?;
    let routes = control::routes(log.clone(), &token).merge(control::status_routes(statuses.clone(), &token));
    let build = |wiring: &Wiring<'_>| {
        _ = log.set(wiring.log.clone());
        let schedulers = wiring.schedulers()?;
        _ = statuses.set(schedulers.statuses());
        Ok(schedulers)
    };
    on_log_with(Service::Scheduler.name(), settings, routes, build, |it, stop| it.run(stop)).await
}

/// Runs a service that works on the shared log.
async fn on_log<'s, S, F: Future<Output = anyhow::Result<()>>>(
    name: &'static str,
    settings: &'s Settings,
    build: impl FnOnce(&Wiring<'s>) -> anyhow::Result<S>,
    run: impl FnOnce(S, CancellationToken) -> F,
) -> anyhow::Result<()> {
    on_log_with(name, settings, Router::new(), build, run).await
}

/// As [`on_log`], with more that the admin port answers.
async fn on_log_with<'s, S, F: Future<Output = anyhow::Result<()>>>(
    name: &'static str,
    settings: &'s Settings,
    routes: Router,
    build: impl FnOnce(&Wiring<'s>) -> anyhow::Result<S>,
    run: impl FnOnce(S, CancellationToken) -> F,
) -> anyhow::Result<()> {
    let process = ServiceProcess::start(name, &settings.telemetry, &settings.admin, routes).await?;
    let log = shared_log(&settings.data, &settings.log).await?;
    let service = build(&Wiring::new(settings, log.clone(), &process.registry))?;
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
