//! The fetcher process: downloads what is ordered until it is told to stop.
//!
//! With the embedded log it is alone on its data directory; `gristmill crawl` runs all services in one process.

use std::path::PathBuf;

use anyhow::Context;
use gristmill_fetch::FetchConfig;
use gristmill_fetcher::{Fetcher, FetcherConfig};
use gristmill_log::EmbeddedConfig;
use gristmill_runtime::admin::AdminConfig;
use gristmill_runtime::process::{DATA, Process, load_settings, open_log};
use gristmill_runtime::telemetry::TelemetryConfig;
use serde::{Deserialize, Serialize};

/// All settings of the process.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Data directory.
    data: PathBuf,
    log: EmbeddedConfig,
    fetcher: FetcherConfig,
    fetch: FetchConfig,
    admin: AdminConfig,
    telemetry: TelemetryConfig,
}

impl Default for Config {
    fn default() -> Self {
        let (fetcher, fetch, log, admin, telemetry) = Default::default();
        Self { data: DATA.into(), fetcher, fetch, log, admin, telemetry }
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let config: Config = load_settings().context("could not read the settings")?;
    let process = Process::start("fetcher", &config.telemetry, &config.admin).await?;
    let log = open_log(&config.data, &config.log)?;
    let fetcher = Fetcher::build(&config.fetcher, &config.fetch, log, &process.registry)?;
    let stop = process.stop.clone();
    process.run(fetcher.run(stop)).await
}
