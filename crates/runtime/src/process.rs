//! What all services share as processes: logs, metrics, the log, and an end.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use gristmill_log::{EmbeddedLog, KafkaLog, Log, LogConfig, LogEngine, Retention, TopicSpec};
use gristmill_proto::topics::{TABLE, TopicRetention};
use prometheus::Registry;
use tokio_util::sync::CancellationToken;

use crate::admin::{self, AdminConfig, ProcessHealth};
use crate::lag_gauges::LagGauges;
use crate::shutdown;
use crate::telemetry::{self, TelemetryConfig, tell};

/// Where the corpus lives unless a setting says otherwise.
pub const DATA: &str = "gristmill-data";

/// The topics of the pipeline, each kept until all who need it have read it.
pub fn topic_specs() -> Vec<TopicSpec> {
    let retention = |kept: TopicRetention| match kept {
        TopicRetention::UntilCommittedBy(groups) => Retention::UntilCommitted(groups.to_vec()),
        TopicRetention::LatestOfKey(groups) => Retention::LatestOfKey(groups.to_vec()),
        TopicRetention::Newest(n) => Retention::Newest(n),
    };
    TABLE.iter().map(|topic| TopicSpec { name: topic.name, retention: retention(topic.kept) }).collect()
}

/// Opens the log: the one in the data directory, which one process at a time can, so that on one machine the services
/// share a process; or the one on Kafka brokers.
///
/// # Errors
/// A setting breaks a rule, another process has it open, it cannot be read, or the brokers do not answer or refuse us.
pub async fn open_log(data: &Path, config: &LogConfig) -> anyhow::Result<Arc<dyn Log>> {
    config.check()?;
    if config.engine == LogEngine::Kafka {
        let kafka = config.kafka.clone();
        let log = KafkaLog::open(&topic_specs(), config.partitions, config.max_record_bytes, kafka).await;
        return Ok(Arc::new(log.context("could not open the log on Kafka")?));
    }
    let path = data.join("log");
    Ok(Arc::new(EmbeddedLog::open(&path, &topic_specs(), config.embedded())?))
}

/// Opens the log that services in processes of their own share: one on Kafka brokers.
///
/// # Errors
/// The settings name another, the brokers do not answer or refuse us.
pub async fn shared_log(data: &Path, config: &LogConfig) -> anyhow::Result<Arc<dyn Log>> {
    anyhow::ensure!(
        config.engine == LogEngine::Kafka,
        "services in processes of their own need `log.engine = \"kafka\"`; on one machine use `gristmill crawl`"
    );
    open_log(data, config).await.context("could not start")
}

/// How often the log is asked whether it can be written to.
const LOG_WATCH: Duration = Duration::from_millis(500);

/// Longest time from being told to stop to the end: a log that is gone would hold the process for ever.
const LONGEST_END: Duration = Duration::from_secs(90);

/// Says that the process is not ready while the log is not.
pub fn watch_log(log: Arc<dyn Log>, health: ProcessHealth) -> tokio::task::JoinHandle<()> {
    tokio::spawn(async move {
        loop {
            health.set("log", log.healthy());
            tokio::time::sleep(LOG_WATCH).await;
        }
    })
}

async fn too_late(stop: &CancellationToken) {
    stop.cancelled().await;
    tokio::time::sleep(LONGEST_END).await;
}

/// A service process that is up.
pub struct ServiceProcess {
    pub registry: Registry,
    pub stop: CancellationToken,
    name: &'static str,
    health: ProcessHealth,
}

impl ServiceProcess {
    /// Starts logging, the signal handlers and the admin port; not ready before [`ServiceProcess::run`].
    ///
    /// * `routes`: what the admin port answers besides.
    ///
    /// # Errors
    /// A log filter that does not parse, or an admin address that is taken.
    pub async fn start(
        name: &'static str,
        telemetry: &TelemetryConfig,
        admin: &AdminConfig,
        routes: axum::Router,
    ) -> anyhow::Result<Self> {
        telemetry::init(telemetry)?;
        let (registry, stop, health) =
            (Registry::new(), shutdown::on_signal("what is under way is finished first")?, ProcessHealth::default());
        health.set(name, false);
        let address = admin::serve(admin, registry.clone(), health.clone(), routes, stop.clone()).await?;
        tell(&format!("{name}: metrics at http://{address}/metrics; Ctrl-C ends"));
        Ok(Self { registry, stop, name, health })
    }

    /// Says that the service is ready as long as its log is, and waits for its end.
    ///
    /// # Errors
    /// What the service failed with, or that it did not end in time after it was told to.
    pub async fn run<T>(
        self,
        log: Arc<dyn Log>,
        service: impl Future<Output = anyhow::Result<T>>,
    ) -> anyhow::Result<T> {
        self.health.set(self.name, true);
        let _gauges = LagGauges::watch(log.clone(), &self.registry, self.name)?;
        let watching = watch_log(log, self.health.clone());
        let ended = tokio::select! {
            ended = service => ended.with_context(|| format!("the {} stopped", self.name)),
            () = too_late(&self.stop) => {
                Err(anyhow::anyhow!("the {} did not end within {LONGEST_END:?}; what it had begun comes again", self.name))
            }
        };
        watching.abort();
        ended
    }
}
