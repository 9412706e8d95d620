//! What the scheduler counts.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use prometheus::{Counter, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry};

use crate::status::Status;

/// Counters and gauges of one scheduler.
#[derive(Clone)]
pub struct Metrics {
    /// Orders by kind.
    pub orders: IntCounterVec,
    /// Outcomes by what they did to the frontier.
    pub outcomes: IntCounterVec,
    /// Links by what became of them.
    pub links: IntCounterVec,
    /// URLs by state.
    pub urls: IntGaugeVec,
    /// Steps committed.
    pub commits: IntCounter,
    /// Processor time of the frontier.
    pub cpu: Counter,
    /// Hosts that are being fetched from.
    pub hosts: IntGauge,
    /// The last status of each part, which the gauges are the sum of.
    parts: Arc<Mutex<BTreeMap<u32, Status>>>,
}

impl Metrics {
    /// Registers all of them, every label at 0.
    ///
    /// # Errors
    /// A metric of the same name is registered already.
    pub fn register(registry: &Registry) -> prometheus::Result<Self> {
        let metrics = Self {
            orders: IntCounterVec::new(Opts::new("gristmill_orders_total", "Orders given, by kind."), &["kind"])?,
            outcomes: IntCounterVec::new(
                Opts::new("gristmill_outcomes_total", "Outcomes by what they did: final, retry, stale."),
                &["effect"],
            )?,
            links: IntCounterVec::new(
                Opts::new("gristmill_offered_links_total", "Links by what became of them."),
                &["result"],
            )?,
            urls: IntGaugeVec::new(Opts::new("gristmill_frontier_urls", "URLs by state."), &["state"])?,
            commits: IntCounter::new("gristmill_frontier_commits_total", "Steps committed.")?,
            cpu: Counter::new("gristmill_frontier_cpu_seconds_total", "Processor time of the frontier.")?,
            hosts: IntGauge::new("gristmill_frontier_busy_hosts", "Hosts that are being fetched from.")?,
            parts: Arc::default(),
        };
        for kind in ["page", "robots", "sitemap", "feed"] {
            metrics.orders.with_label_values(&[kind]);
        }
        for effect in ["final", "retry", "stale", "unreadable"] {
            metrics.outcomes.with_label_values(&[effect]);
        }
        for result in ["new", "known", "rejected"] {
            metrics.links.with_label_values(&[result]);
        }
        metrics.show(0, &Status::default());
        registry.register(Box::new(metrics.orders.clone()))?;
        registry.register(Box::new(metrics.outcomes.clone()))?;
        registry.register(Box::new(metrics.links.clone()))?;
        registry.register(Box::new(metrics.urls.clone()))?;
        registry.register(Box::new(metrics.commits.clone()))?;
        registry.register(Box::new(metrics.cpu.clone()))?;
        registry.register(Box::new(metrics.hosts.clone()))?;
        Ok(metrics)
    }

    /// Sets the gauges, now that `part` stands at `status`.
    pub(crate) fn show(&self, part: u32, status: &Status) {
        let mut parts = self.parts.lock().expect("no code panics while it holds this lock");
        parts.insert(part, status.clone());
        self.set(&parts);
    }

    /// `part` is not ours any more.
    pub(crate) fn forget(&self, part: u32) {
        let mut parts = self.parts.lock().expect("no code panics while it holds this lock");
        if parts.len() > 1 {
            parts.remove(&part);
            self.set(&parts);
        }
    }

    fn set(&self, parts: &BTreeMap<u32, Status>) {
        let sum = |count: fn(&Status) -> u64| parts.values().map(count).sum::<u64>();
        let states = [
            ("queued", sum(|status| status.queued)),
            ("in_flight", sum(|status| status.in_flight)),
            ("done", sum(|status| status.done)),
            ("failed", sum(|status| status.failed)),
            ("disallowed", sum(|status| status.disallowed)),
            ("redirected", sum(|status| status.redirected)),
        ];
        for (state, count) in states {
            self.urls.with_label_values(&[state]).set(count as i64);
        }
        self.hosts.set(sum(|status| status.hosts.len() as u64) as i64);
    }
}
