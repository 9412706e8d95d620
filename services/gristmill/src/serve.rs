//! `gristmill serve`: the search page and the JSON API over a data directory.

use anyhow::Context;
use gristmill_runtime::admin::{self, ProcessHealth};
use gristmill_runtime::listen::Listen;
use gristmill_runtime::shutdown;
use gristmill_searcher::{ExtractService, Metrics, Searcher};
use prometheus::Registry;
use tokio::net::TcpListener;

use crate::settings::Settings;

/// Serves until a signal comes.
pub async fn run(settings: Settings) -> anyhow::Result<()> {
    settings.searcher.check().map_err(anyhow::Error::msg)?;
    if !settings.data.is_dir() && !settings.searcher.extract.enabled {
        let data = settings.data.display();
        tell!(
            "gristmill: there is no `{data}`: nothing can be found until a crawl fills it; `--data` names another directory"
        );
    }
    let stop = shutdown::on_signal()?;
    let registry = Registry::new();
    let metrics = Metrics::register(&registry)?;
    let health = ProcessHealth::default();
    let admin = admin::serve(&settings.admin, registry, health.clone(), axum::Router::new(), stop.clone()).await?;
    let extraction = settings.searcher.extract.enabled.then(|| extraction(&settings, metrics.clone())).transpose()?;
    let searcher = Searcher::new(settings.index_dir(), settings.status_file(), &settings.searcher, metrics);
    let listener = bind(&settings.searcher.listen).await?;
    health.set("searcher", true);
    say!("search page and API: http://{}/", listener.local_addr()?);
    tell!("metrics: http://{admin}/metrics; Ctrl-C ends");
    gristmill_searcher::serve(listener, searcher, extraction, stop).await.context("the web server failed")
}

/// Pages are read as the extractor of a crawl reads them.
fn extraction(settings: &Settings, metrics: Metrics) -> anyhow::Result<ExtractService> {
    let reader = gristmill_extractor::page_reader(&settings.extractor, &settings.records)?;
    Ok(ExtractService::new(&settings.searcher.extract, reader, &settings.fetch, metrics)?)
}

async fn bind(listen: &Listen) -> anyhow::Result<TcpListener> {
    listen
        .bind()
        .await
        .with_context(|| format!("cannot listen on {listen} (`--listen` or `searcher.listen` sets another address)"))
}
