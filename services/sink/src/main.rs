//! The sink process: hands documents on to other engines until it is told to stop.

use std::path::PathBuf;

use anyhow::Context;
use gristmill_log::{Engine, LogConfig};
use gristmill_runtime::admin::AdminConfig;
use gristmill_runtime::process::{DATA, Process, load_settings, shared_log};
use gristmill_runtime::telemetry::TelemetryConfig;
use gristmill_sink::{Sink, SinkConfig};
use serde::{Deserialize, Serialize};

/// All settings of the process.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Data directory; the sink keeps nothing in it.
    data: PathBuf,
    log: LogConfig,
    sink: SinkConfig,
    admin: AdminConfig,
    telemetry: TelemetryConfig,
}

impl Default for Config {
    fn default() -> Self {
        let (sink, log, admin, telemetry) = Default::default();
        Self { data: DATA.into(), sink, log, admin, telemetry }
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let config: Config = load_settings().context("could not read the settings")?;
    anyhow::ensure!(config.log.engine == Engine::Kafka, "the sink needs `log.engine = \"kafka\"`");
    config.sink.check()?;
    let process = Process::start("sink", &config.telemetry, &config.admin).await?;
    let log = shared_log(&config.data, &config.log).await?;
    let sink = Sink::build(&config.sink, log.clone(), &process.registry)?;
    let stop = process.stop.clone();
    process.run(log, sink.run(stop)).await
}
