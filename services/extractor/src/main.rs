//! The extractor process: turns pages into documents until it is told to stop.
//!
//! It shares its log with the others over Kafka; `gristmill crawl` runs all services in one process.

use std::path::PathBuf;

use anyhow::Context;
use gristmill_extractor::{Extractor, ExtractorConfig, RecordsConfig};
use gristmill_log::LogConfig;
use gristmill_robots::Agent;
use gristmill_runtime::admin::AdminConfig;
use gristmill_runtime::blobs::{Blobs, BlobsConfig};
use gristmill_runtime::process::{DATA, Process, load_settings, shared_log};
use gristmill_runtime::telemetry::TelemetryConfig;
use serde::{Deserialize, Serialize};

/// All settings of the process.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Data directory.
    data: PathBuf,
    /// Product token.
    agent: Agent,
    log: LogConfig,
    blobs: BlobsConfig,
    extractor: ExtractorConfig,
    records: RecordsConfig,
    admin: AdminConfig,
    telemetry: TelemetryConfig,
}

impl Default for Config {
    fn default() -> Self {
        let (agent, extractor, records, blobs, log, admin, telemetry) = Default::default();
        Self { data: DATA.into(), agent, extractor, records, blobs, log, admin, telemetry }
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut config: Config = load_settings().context("could not read the settings")?;
    config.extractor.agent = config.agent.clone();
    let process = Process::start("extractor", &config.telemetry, &config.admin).await?;
    let blobs = Blobs::open(&config.data, &config.blobs, &config.log)?;
    let log = shared_log(&config.data, &config.log).await?;
    let extractor = Extractor::build(&config.extractor, &config.records, &blobs, log.clone(), &process.registry)?;
    let stop = process.stop.clone();
    process.run(log, extractor.run(stop)).await
}
