//! What waits before each stage, as gauges for dashboards, alerts and autoscalers.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use gristmill_log::Log;
use gristmill_proto::topics::{Topic, work_of};
use prometheus::{IntGauge, Opts, Registry};
use tokio::task::JoinHandle;

/// How often the log is asked.
const EVERY: Duration = Duration::from_secs(1);

/// Gauges `gristmill_log_lag_records{group,topic}`, renewed until this is dropped.
#[must_use = "the gauges stand still when this is dropped"]
pub struct LagGauges {
    task: JoinHandle<()>,
}

impl LagGauges {
    /// Registers a gauge for each topic that `service` reads, and keeps it at what its group has not committed. It covers
    /// all partitions, so every process of a service shows the same: take the maximum over them, not the sum.
    ///
    /// Must be called within a tokio runtime. One question to the log for each topic and second.
    ///
    /// # Errors
    /// The gauges of `service` are registered already.
    pub fn watch(log: Arc<dyn Log>, registry: &Registry, service: &'static str) -> anyhow::Result<Self> {
        Self::watch_every(EVERY, log, registry, service)
    }

    fn watch_every(
        every: Duration,
        log: Arc<dyn Log>,
        registry: &Registry,
        service: &'static str,
    ) -> anyhow::Result<Self> {
        let mut gauges = Vec::new();
        for Topic { name, .. } in work_of(service) {
            let gauge = register(registry, service, name).with_context(|| format!("lag of `{name}`"))?;
            gauges.push((*name, gauge));
        }
        let task = tokio::spawn(async move {
            loop {
                for (topic, gauge) in &gauges {
                    match log.lag(service, topic).await {
                        Ok(lag) => gauge.set(lag as i64),
                        Err(error) => tracing::debug!(%error, service, topic, "lag not known"),
                    }
                }
                tokio::time::sleep(every).await;
            }
        });
        Ok(Self { task })
    }
}

impl Drop for LagGauges {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn register(registry: &Registry, group: &str, topic: &str) -> prometheus::Result<IntGauge> {
    // Constant labels, so that services that share a process can register one after another.
    let opts = Opts::new("gristmill_log_lag_records", "Records that a group has not committed, by topic.")
        .const_label("group", group)
        .const_label("topic", topic);
    let gauge = IntGauge::with_opts(opts)?;
    registry.register(Box::new(gauge.clone()))?;
    Ok(gauge)
}

#[cfg(test)]
mod tests {
    use gristmill_log::{MemoryLog, Positions, ProducerRecord};
    use gristmill_proto::topics::{self, groups};

    use super::*;
    use crate::process::topic_specs;

    fn shown(registry: &Registry) -> Vec<(String, f64)> {
        let families = registry.gather();
        let metrics = families.iter().flat_map(|family| family.get_metric());
        metrics.map(|metric| (metric.get_label()[1].value().to_owned(), metric.get_gauge().get_value())).collect()
    }

    /// Waits until the lags add up to `sum`.
    async fn until(registry: &Registry, sum: f64) -> Vec<(String, f64)> {
        for _ in 0..2000 {
            let lags = shown(registry);
            if lags.iter().map(|(_, lag)| lag).sum::<f64>() == sum {
                return lags;
            }
            tokio::time::sleep(SOON).await;
        }
        panic!("the lags never add up to {sum}: {:?}", shown(registry));
    }

    const SOON: Duration = Duration::from_millis(5);

    #[tokio::test]
    async fn services_of_one_process_show_what_waits_for_each_of_them() {
        let log: Arc<dyn Log> = Arc::new(MemoryLog::new(&topic_specs(), 2, 1 << 20));
        let registry = Registry::new();
        let watching =
            groups::ALL.map(|service| LagGauges::watch_every(SOON, log.clone(), &registry, service).unwrap());
        let record = |n: u8| ProducerRecord { topic: topics::PAGES, key: n.to_string(), payload: vec![n] };
        log.append((0..5).map(record).collect()).await.unwrap();
        let lags = until(&registry, 5.0).await;
        let lag = |topic: &str| lags.iter().find(|(name, _)| name == topic).unwrap().1;
        assert_eq!((lags.len(), lag("pages"), lag("documents")), (9, 5.0, 0.0), "{lags:?}");

        let ends = (0u32..).zip(log.ends(topics::PAGES).await.unwrap());
        let positions: Positions = ends.map(|(partition, end)| ((topics::PAGES.to_owned(), partition), end)).collect();
        log.commit("extractor", &positions).await.unwrap();
        until(&registry, 0.0).await;
        drop(watching);
    }
}
