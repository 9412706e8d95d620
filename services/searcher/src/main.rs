//! The searcher process: answers searches over an index directory until it is told to stop.

use std::path::PathBuf;

use anyhow::Context;
use axum::Router;
use gristmill_runtime::admin::{self, AdminConfig, Health};
use gristmill_runtime::process::DATA;
use gristmill_runtime::telemetry::{self, TelemetryConfig};
use gristmill_runtime::{settings, shutdown};
use gristmill_searcher::{Metrics, Searcher, SearcherConfig, serve};
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;

/// All settings of the process.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Data directory; the index is its folder `index`, the state of the crawl its file `status.json`.
    data: PathBuf,
    searcher: SearcherConfig,
    admin: AdminConfig,
    telemetry: TelemetryConfig,
}

impl Default for Config {
    fn default() -> Self {
        let (searcher, admin, telemetry) = Default::default();
        Self { data: DATA.into(), searcher, admin, telemetry }
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let file = std::env::args_os().nth(1).map(PathBuf::from);
    let config: Config = settings::load(file.as_deref(), &[]).context("could not read the settings")?;
    config.searcher.check().map_err(anyhow::Error::msg)?;
    telemetry::init(&config.telemetry)?;
    gristmill_index::install_panic_hook();
    let stop = shutdown::on_signal()?;
    let registry = prometheus::Registry::new();
    let health = Health::default();

    let metrics = Metrics::new(&registry)?;
    let searcher = Searcher::new(config.data.join("index"), config.data.join("status.json"), &config.searcher, metrics);
    admin::serve(&config.admin, registry, health.clone(), Router::new(), stop.clone()).await?;
    let listener = TcpListener::bind(config.searcher.listen)
        .await
        .with_context(|| format!("`searcher.listen` cannot be bound at {}", config.searcher.listen))?;
    tracing::info!(address = %listener.local_addr()?, "searcher started");
    health.set("searcher", true);
    Ok(serve(listener, searcher, stop).await?)
}
