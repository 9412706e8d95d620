//! The indexer process: writes documents into the index until it is told to stop.
//!
//! It shares its log with the others over Kafka; `gristmill crawl` runs all services in one process.

use std::path::PathBuf;

use anyhow::Context;
use gristmill_index::IndexConfig;
use gristmill_indexer::{Indexer, IndexerConfig};
use gristmill_log::LogConfig;
use gristmill_runtime::admin::AdminConfig;
use gristmill_runtime::process::{DATA, Process, load_settings, shared_log};
use gristmill_runtime::telemetry::TelemetryConfig;
use serde::{Deserialize, Serialize};

/// All settings of the process.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Data directory.
    data: PathBuf,
    log: LogConfig,
    indexer: IndexerConfig,
    index: IndexConfig,
    admin: AdminConfig,
    telemetry: TelemetryConfig,
}

impl Default for Config {
    fn default() -> Self {
        let (indexer, index, log, admin, telemetry) = Default::default();
        Self { data: DATA.into(), indexer, index, log, admin, telemetry }
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    gristmill_index::install_panic_hook();
    let config: Config = load_settings().context("could not read the settings")?;
    let process = Process::start("indexer", &config.telemetry, &config.admin).await?;
    let log = shared_log(&config.data, &config.log).await?;
    let dir = config.data.join("index");
    let indexer = Indexer::build(&config.indexer, &config.index, &dir, log.clone(), &process.registry)?;
    let stop = process.stop.clone();
    process.run(log, indexer.run(stop)).await
}
