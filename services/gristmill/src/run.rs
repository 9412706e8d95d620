//! `gristmill run SERVICE` and `gristmill seed`: a crawl as processes of their own, over Kafka.

use gristmill_extractor::Extractor;
use gristmill_fetcher::Fetcher;
use gristmill_indexer::Indexer;
use gristmill_runtime::blobs::Blobs;
use gristmill_runtime::clock::now_ms;
use gristmill_runtime::process::{Process, shared_log};
use gristmill_scheduler::Schedulers;
use gristmill_sink::Sink;

use crate::cli::{SeedArgs, Service};
use crate::pipeline::seed;
use crate::seeds::seeds;
use crate::settings::Settings;

/// Runs one service until it is told to stop.
pub async fn run(service: Service, settings: Settings) -> anyhow::Result<()> {
    if let Service::Sink = service {
        settings.sink.check()?;
    }
    let process = Process::start(service.name(), &settings.telemetry, &settings.admin).await?;
    let blobs = || Blobs::open(&settings.data, &settings.blobs, &settings.log);
    let log = shared_log(&settings.data, &settings.log).await?;
    let (stop, registry) = (process.stop.clone(), process.registry.clone());
    let service: Box<dyn Future<Output = anyhow::Result<()>> + Send + Unpin> = match service {
        Service::Scheduler => {
            let (config, dir) = (&settings.scheduler, settings.frontier_dir());
            let schedulers = Schedulers::build(config, &settings.frontier, &dir, &blobs()?, log.clone(), &registry)?;
            Box::new(Box::pin(schedulers.run(stop)))
        }
        Service::Fetcher => {
            let fetcher = Fetcher::build(&settings.fetcher, &settings.fetch, &blobs()?, log.clone(), &registry)?;
            Box::new(Box::pin(fetcher.run(stop)))
        }
        Service::Extractor => Box::new(Box::pin(
            Extractor::build(&settings.extractor, &settings.records, &blobs()?, log.clone(), &registry)?.run(stop),
        )),
        Service::Indexer => {
            let (config, dir) = (&settings.indexer, settings.index_dir());
            Box::new(Box::pin(Indexer::build(config, &settings.index, &dir, log.clone(), &registry)?.run(stop)))
        }
        Service::Sink => Box::new(Box::pin(Sink::build(&settings.sink, log.clone(), &registry)?.run(stop))),
    };
    process.run(log, service).await
}

/// Puts URLs into the log, where the schedulers find them like any link.
pub async fn seed_log(args: &SeedArgs, settings: Settings) -> anyhow::Result<()> {
    let seeds = seeds(&args.start)?;
    anyhow::ensure!(!seeds.is_empty(), "no URL to start from: give some, or a list with `--urls FILE`");
    let log = shared_log(&settings.data, &settings.log).await?;
    seed(log.as_ref(), &seeds, now_ms()).await?;
    eprintln!("{} URLs given to the schedulers", seeds.len());
    Ok(())
}
