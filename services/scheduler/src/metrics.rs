//! What the scheduler counts.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use gristmill_frontier::LinkRejection;
use gristmill_proto::topics;
use gristmill_runtime::clock::now_ms;
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use prometheus::{Counter, Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry};

use crate::snapshots::SnapshotTransfer;
use crate::status::CrawlStatus;

/// Counters and gauges of one scheduler.
#[derive(Clone)]
pub struct Metrics {
    /// Orders by kind.
    pub orders: IntCounterVec,
    /// Outcomes by what they did to the frontier.
    pub outcomes: IntCounterVec,
    /// Links by what became of them.
    pub links: IntCounterVec,
    /// Records that could not be read.
    pub unreadable: DecodeErrorCounter,
    /// URLs by state.
    pub urls: IntGaugeVec,
    /// Commits of the frontier.
    pub commits: IntCounter,
    /// Processor time of the frontier.
    pub cpu: Counter,
    /// Hosts that are being fetched from.
    pub hosts: IntGauge,
    /// Copies of a frontier in the blob store, by what was done.
    pub snapshots: IntCounterVec,
    /// Time of one copy.
    pub snapshot_duration: Histogram,
    /// Bytes of the last copy.
    pub snapshot_bytes: IntGauge,
    /// When the part whose newest copy is the oldest was copied; 0 while no part was.
    pub snapshot_at: IntGauge,
    /// When each part was copied last, Unix seconds.
    copied: Arc<Mutex<BTreeMap<u32, u64>>>,
    /// The last status of each part, which the gauges are the sum of.
    parts: Arc<Mutex<BTreeMap<u32, CrawlStatus>>>,
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
                Opts::new("gristmill_outcomes_total", "Outcomes by what they did to the frontier."),
                &["effect"],
            )?,
            links: IntCounterVec::new(
                Opts::new("gristmill_offered_links_total", "Links by what became of them."),
                &["result"],
            )?,
            unreadable: DecodeErrorCounter::register(
                topics::groups::SCHEDULER,
                &[topics::ORDERS, topics::RENDERS, topics::OUTCOMES, topics::RENDER_OUTCOMES, topics::LINKS],
                registry,
            )?,
            urls: IntGaugeVec::new(Opts::new("gristmill_frontier_urls", "URLs by state."), &["state"])?,
            commits: IntCounter::new(
                "gristmill_frontier_commits_total",
                "Commits of the frontier, each of one or more steps.",
            )?,
            cpu: Counter::new("gristmill_frontier_cpu_seconds_total", "Processor time of the frontier.")?,
            hosts: IntGauge::new("gristmill_frontier_busy_hosts", "Hosts that are being fetched from.")?,
            snapshots: IntCounterVec::new(
                Opts::new(
                    "gristmill_frontier_snapshots_total",
                    "Copies of a frontier in the blob store, by what was done.",
                ),
                &["result"],
            )?,
            snapshot_duration: Histogram::with_opts(
                HistogramOpts::new("gristmill_frontier_snapshot_duration_seconds", "Time of writing one copy.")
                    .buckets(vec![0.05, 0.2, 1.0, 5.0, 15.0, 60.0, 300.0]),
            )?,
            snapshot_bytes: IntGauge::new("gristmill_frontier_snapshot_bytes", "Bytes of the last copy.")?,
            snapshot_at: IntGauge::new(
                "gristmill_frontier_snapshot_timestamp_seconds",
                "When the part whose newest copy is the oldest was copied.",
            )?,
            copied: Arc::default(),
            parts: Arc::default(),
        };
        for result in ["written", "failed", "restored"] {
            metrics.snapshots.with_label_values(&[result]);
        }
        for kind in ["page", "robots", "sitemap", "feed", "render"] {
            metrics.orders.with_label_values(&[kind]);
        }
        for effect in ["final", "retry", "stale", "unreadable", "lost"] {
            metrics.outcomes.with_label_values(&[effect]);
        }
        for result in ["new", "known"].into_iter().chain(LinkRejection::NAMES) {
            metrics.links.with_label_values(&[result]);
        }
        metrics.show(0, &CrawlStatus::default());
        registry.register(Box::new(metrics.orders.clone()))?;
        registry.register(Box::new(metrics.outcomes.clone()))?;
        registry.register(Box::new(metrics.links.clone()))?;
        registry.register(Box::new(metrics.urls.clone()))?;
        registry.register(Box::new(metrics.commits.clone()))?;
        registry.register(Box::new(metrics.cpu.clone()))?;
        registry.register(Box::new(metrics.hosts.clone()))?;
        registry.register(Box::new(metrics.snapshots.clone()))?;
        registry.register(Box::new(metrics.snapshot_duration.clone()))?;
        registry.register(Box::new(metrics.snapshot_bytes.clone()))?;
        registry.register(Box::new(metrics.snapshot_at.clone()))?;
        Ok(metrics)
    }

    /// `part` was copied to the blob store.
    pub(crate) fn copied(&self, part: u32, moved: &SnapshotTransfer) {
        self.snapshots.with_label_values(&["written"]).inc();
        self.snapshot_duration.observe(moved.took.as_secs_f64());
        self.snapshot_bytes.set(moved.bytes as i64);
        self.note_copied(|copied| _ = copied.insert(part, now_ms() / 1000));
    }

    /// A part could not be copied.
    pub(crate) fn not_copied(&self) {
        self.snapshots.with_label_values(&["failed"]).inc();
    }

    /// A part was made anew from a copy.
    pub(crate) fn restored(&self, moved: &SnapshotTransfer) {
        self.snapshots.with_label_values(&["restored"]).inc();
        self.snapshot_bytes.set(moved.bytes as i64);
    }

    fn note_copied(&self, note: impl FnOnce(&mut BTreeMap<u32, u64>)) {
        let mut copied = self.copied.lock().expect("no code panics while it holds this lock");
        note(&mut copied);
        self.snapshot_at.set(copied.values().min().copied().unwrap_or(0) as i64);
    }

    /// Sets the gauges, now that `part` stands at `status`.
    pub(crate) fn show(&self, part: u32, status: &CrawlStatus) {
        let mut parts = self.parts.lock().expect("no code panics while it holds this lock");
        parts.insert(part, status.clone());
        self.set(&parts);
    }

    /// `part` is not ours any more.
    pub(crate) fn forget(&self, part: u32) {
        self.note_copied(|copied| _ = copied.remove(&part));
        let mut parts = self.parts.lock().expect("no code panics while it holds this lock");
        if parts.len() > 1 {
            parts.remove(&part);
            self.set(&parts);
        }
    }

    fn set(&self, parts: &BTreeMap<u32, CrawlStatus>) {
        let sum = |count: fn(&CrawlStatus) -> u64| parts.values().map(count).sum::<u64>();
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
