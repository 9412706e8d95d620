//! What the scheduler counts.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use gristmill_frontier::{FetchKind, LinkRejection};
use gristmill_proto::topics;
use gristmill_runtime::clock::now_ms;
use gristmill_runtime::decode_errors::DecodeErrorCounter;
use gristmill_runtime::label_values;
use gristmill_runtime::metrics;
use gristmill_runtime::metrics::{Counters, MetricLabel};
use prometheus::{Counter, Histogram, IntCounter, IntGauge, IntGaugeVec};

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

label_values! {
    /// What was done with a copy of a frontier.
    pub(crate) enum SnapshotStep {
        Written = "written",
        Failed = "failed",
        Restored = "restored",
    }
}

metrics! {
    /// Counters and gauges of one scheduler.
    pub struct Metrics {
        /// Orders given, by kind.
        pub(crate) orders: Counters<FetchKind> =
            "gristmill_orders_total", MetricLabel::new("kind", FetchKind::ALL, FetchKind::as_str);
        /// Outcomes by what they did to the frontier.
        pub(crate) outcomes: Counters<AppliedEffect> = "gristmill_outcomes_total", AppliedEffect::label("effect");
        /// Links by what became of them.
        pub(crate) links: Counters<&'static str> = "gristmill_offered_links_total",
            MetricLabel::words("result", &[&["new", "known"][..], &LinkRejection::NAMES].concat());
        /// URLs by state.
        urls: IntGaugeVec = "gristmill_frontier_urls", MetricLabel::words("state",
            &["queued", "in_flight", "done", "failed", "disallowed", "redirected"]);
        /// Commits of the frontier, each of one or more steps.
        pub(crate) commits: IntCounter = "gristmill_frontier_commits_total";
        /// Processor time of the frontier.
        pub(crate) cpu: Counter = "gristmill_frontier_cpu_seconds_total";
        /// Hosts that are being fetched from.
        hosts: IntGauge = "gristmill_frontier_busy_hosts";
        /// From the publication of a page that a watch met as new to the commit that makes it findable.
        pub(crate) publication_to_hit: Histogram = "gristmill_publication_to_hit_seconds",
            &[15.0, 30.0, 60.0, 120.0, 180.0, 300.0, 600.0, 1200.0, 1800.0, 3600.0, 14400.0, 86400.0];
        /// Copies of a frontier in the blob store, by what was done.
        snapshots: Counters<SnapshotStep> = "gristmill_frontier_snapshots_total", SnapshotStep::label("result");
        /// Time of writing one copy.
        snapshot_duration: Histogram =
            "gristmill_frontier_snapshot_duration_seconds", &[0.05, 0.2, 1.0, 5.0, 15.0, 60.0, 300.0];
        /// Bytes of the last copy.
        snapshot_bytes: IntGauge = "gristmill_frontier_snapshot_bytes";
        /// When the part whose newest copy is the oldest was copied; 0 while no part was.
        snapshot_at: IntGauge = "gristmill_frontier_snapshot_timestamp_seconds";
    }
    and(registry) {
        /// Records that could not be read.
        pub(crate) unreadable: DecodeErrorCounter = DecodeErrorCounter::register(topics::groups::SCHEDULER,
            &[topics::ORDERS, topics::RENDERS, topics::OUTCOMES, topics::RENDER_OUTCOMES, topics::LINKS], registry)?;
        /// When each part was copied last, Unix seconds.
        copied: Arc<Mutex<BTreeMap<u32, u64>>> = Arc::default();
        /// The last status of each part, which the gauges are the sum of.
        parts: Arc<Mutex<BTreeMap<u32, CrawlStatus>>> = Arc::default();
    }
}

impl Metrics {
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

    /// The last status of each part.
    pub(crate) fn statuses(&self) -> BTreeMap<u32, CrawlStatus> {
        self.parts.lock().expect("no code panics while it holds this lock").clone()
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
