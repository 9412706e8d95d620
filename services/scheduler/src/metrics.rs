//! What the scheduler counts.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use gristmill_frontier::{FetchKind, LinkRejection, OutcomeEffect};
use gristmill_proto::topics;
use gristmill_runtime::clock::now_ms;
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use gristmill_runtime::label_values;
use gristmill_runtime::metrics::{Counters, Label, MetricRegistrar};
use prometheus::{Counter, Histogram, IntCounter, IntGauge, IntGaugeVec, Registry};

use crate::snapshots::SnapshotTransfer;
use crate::status::CrawlStatus;

label_values! {
    /// What an outcome did to the frontier.
    pub(crate) enum AppliedEffect {
        /// The last state of its URL.
        Final = "final",
        /// The URL is tried again.
        Retry = "retry",
        /// It was applied before.
        Stale = "stale",
        /// It cannot be read.
        Unreadable = "unreadable",
        /// Its order is given again, since it or the outcome cannot be read.
        Lost = "lost",
    }
}

impl From<OutcomeEffect> for AppliedEffect {
    fn from(effect: OutcomeEffect) -> Self {
        match effect {
            OutcomeEffect::Final => Self::Final,
            OutcomeEffect::Retry => Self::Retry,
            OutcomeEffect::Stale => Self::Stale,
        }
    }
}

label_values! {
    /// What was done with a copy of a frontier.
    pub(crate) enum SnapshotStep {
        Written = "written",
        Failed = "failed",
        Restored = "restored",
    }
}

/// Counters and gauges of one scheduler.
#[derive(Clone)]
pub struct Metrics {
    /// Orders by kind.
    pub(crate) orders: Counters<FetchKind>,
    /// Outcomes by what they did to the frontier.
    pub(crate) outcomes: Counters<AppliedEffect>,
    /// Links by what became of them.
    pub(crate) links: Counters<&'static str>,
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
    snapshots: Counters<SnapshotStep>,
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
        let registrar = MetricRegistrar(registry);
        let links: Vec<&str> = ["new", "known"].into_iter().chain(LinkRejection::NAMES).collect();
        let metrics = Self {
            orders: registrar.counters(
                "gristmill_orders_total",
                "Orders given, by kind.",
                &Label::new("kind", FetchKind::ALL, FetchKind::as_str),
            )?,
            outcomes: registrar.counters(
                "gristmill_outcomes_total",
                "Outcomes by what they did to the frontier.",
                &AppliedEffect::label("effect"),
            )?,
            links: registrar.counters(
                "gristmill_offered_links_total",
                "Links by what became of them.",
                &Label::words("result", &links),
            )?,
            unreadable: DecodeErrorCounter::register(
                topics::groups::SCHEDULER,
                &[topics::ORDERS, topics::RENDERS, topics::OUTCOMES, topics::RENDER_OUTCOMES, topics::LINKS],
                registry,
            )?,
            urls: registrar.gauges("gristmill_frontier_urls", "URLs by state.", "state")?,
            commits: registrar
                .counter("gristmill_frontier_commits_total", "Commits of the frontier, each of one or more steps.")?,
            cpu: registrar.seconds("gristmill_frontier_cpu_seconds_total", "Processor time of the frontier.")?,
            hosts: registrar.gauge("gristmill_frontier_busy_hosts", "Hosts that are being fetched from.")?,
            snapshots: registrar.counters(
                "gristmill_frontier_snapshots_total",
                "Copies of a frontier in the blob store, by what was done.",
                &SnapshotStep::label("result"),
            )?,
            snapshot_duration: registrar.histogram(
                "gristmill_frontier_snapshot_duration_seconds",
                "Time of writing one copy.",
                &[0.05, 0.2, 1.0, 5.0, 15.0, 60.0, 300.0],
            )?,
            snapshot_bytes: registrar.gauge("gristmill_frontier_snapshot_bytes", "Bytes of the last copy.")?,
            snapshot_at: registrar.gauge(
                "gristmill_frontier_snapshot_timestamp_seconds",
                "When the part whose newest copy is the oldest was copied.",
            )?,
            copied: Arc::default(),
            parts: Arc::default(),
        };
        metrics.show(0, &CrawlStatus::default());
        Ok(metrics)
    }

    /// `part` was copied to the blob store.
    pub(crate) fn copied(&self, part: u32, moved: &SnapshotTransfer) {
        self.snapshots.of(SnapshotStep::Written).inc();
        self.snapshot_duration.observe(moved.took.as_secs_f64());
        self.snapshot_bytes.set(moved.bytes as i64);
        self.note_copied(|copied| _ = copied.insert(part, now_ms() / 1000));
    }

    /// A part could not be copied.
    pub(crate) fn not_copied(&self) {
        self.snapshots.of(SnapshotStep::Failed).inc();
    }

    /// A part was made anew from a copy.
    pub(crate) fn restored(&self, moved: &SnapshotTransfer) {
        self.snapshots.of(SnapshotStep::Restored).inc();
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
