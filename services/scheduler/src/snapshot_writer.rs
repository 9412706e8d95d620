//! When a frontier is copied to the blob store, and how far the newest copy reaches.

use std::time::{Duration, Instant};

use gristmill_frontier::Frontier;
use gristmill_log::Positions;
use tokio::task::JoinHandle;
use tracing::{info, warn};

use crate::frontier_opener::OpenedFrontier;
use crate::metrics::Metrics;
use crate::snapshots::{SnapshotId, SnapshotTransfer, Snapshots};

/// Longest pause after a snapshot that failed.
const AGAIN: Duration = Duration::from_secs(30);

/// Longest time for the last snapshot of a part that goes elsewhere: others wait for it.
const LAST: Duration = Duration::from_secs(60);

/// Copies one frontier now and then.
pub(crate) struct SnapshotWriter {
    snapshots: Snapshots,
    every: Duration,
    /// Number of the part in the metrics.
    part: u32,
    metrics: Metrics,
    names: Vec<SnapshotId>,
    /// Under which name the next one goes.
    next: SnapshotId,
    due: Instant,
    writing: Option<Writing>,
    /// What the newest one covers.
    covered: Positions,
}

struct Writing {
    covers: Positions,
    task: JoinHandle<anyhow::Result<SnapshotTransfer>>,
}

impl Drop for Writing {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl SnapshotWriter {
    pub(crate) fn new(
        snapshots: Snapshots,
        every: Duration,
        part: u32,
        opened: &OpenedFrontier,
        metrics: Metrics,
    ) -> Self {
        let due = if opened.covered.is_empty() { Instant::now() } else { Instant::now() + every };
        let next = SnapshotId { epoch: 0, number: 0 };
        let (names, covered) = (opened.names.clone(), opened.covered.clone());
        Self { snapshots, every, part, metrics, names, next, due, writing: None, covered }
    }

    /// Snapshots belong to `epoch` from now on.
    pub(crate) fn begin(&mut self, epoch: u64) {
        let last = self.names.iter().filter(|name| name.epoch == epoch).map(|name| name.number).max();
        self.next = SnapshotId { epoch, number: last.map_or(0, |number| number + 1) };
    }

    /// How far the group may be told that we are: what lies behind it in the log is needed no more, whoever comes next.
    pub(crate) fn covered(&self) -> &Positions {
        &self.covered
    }

    /// Takes a snapshot of the last commit if one is due, and notices when one is done. Whether `covered` moved on.
    pub(crate) async fn turn(&mut self, frontier: &mut Frontier) -> bool {
        let mut moved = false;
        if self.writing.as_ref().is_some_and(|writing| writing.task.is_finished()) {
            moved = self.wait().await;
        }
        if self.writing.is_none() && Instant::now() >= self.due {
            if frontier.positions() == &self.covered {
                self.due = Instant::now() + self.every;
            } else {
                self.start(frontier);
            }
        }
        moved
    }

    fn start(&mut self, frontier: &mut Frontier) {
        let (snapshots, name, snapshot) = (self.snapshots.clone(), self.next, frontier.snapshot());
        self.next.number += 1;
        let covers = snapshot.positions().clone();
        self.writing =
            Some(Writing { covers, task: tokio::spawn(async move { snapshots.write(name, snapshot).await }) });
    }

    /// Waits for the snapshot under way. Whether it came to be.
    async fn wait(&mut self) -> bool {
        let Some(mut writing) = self.writing.take() else { return false };
        let outcome = (&mut writing.task).await.unwrap_or_else(|error| Err(error.into()));
        match outcome {
            Ok(moved) => {
                info!(bytes = moved.bytes, took = ?moved.took, "frontier copied to the blob store");
                self.metrics.copied(self.part, &moved);
                self.covered.clone_from(&writing.covers);
                self.due = Instant::now() + self.every;
                true
            }
            Err(error) => {
                warn!(error = format!("{error:#}"), "the frontier could not be copied to the blob store");
                self.metrics.not_copied();
                self.due = Instant::now() + self.every.min(AGAIN);
                false
            }
        }
    }

    /// Takes a last snapshot, unless that takes too long: then the one before it stands. Whether `covered` moved on.
    pub(crate) async fn finish(&mut self, frontier: &mut Frontier) -> bool {
        let all = async {
            let moved = self.wait().await;
            if frontier.positions() == &self.covered {
                return moved;
            }
            self.start(frontier);
            self.wait().await || moved
        };
        match tokio::time::timeout(LAST, all).await {
            Ok(moved) => moved,
            Err(_) => {
                warn!(limit = ?LAST, "the last copy of the frontier took too long; the one before it stands");
                self.metrics.not_copied();
                false
            }
        }
    }
}
