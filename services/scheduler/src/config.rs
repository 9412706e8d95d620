//! How much the scheduler does in one step, and how often its state is copied.

use std::time::Duration;

use anyhow::Context;
use gristmill_runtime::blobs::Blobs;
use serde::{Deserialize, Serialize};

use crate::snapshots::Snapshots;

/// How much the scheduler does in one step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SchedulerConfig {
    /// Most records of links and outcomes in one step. No setting: `512`.
    #[serde(skip)]
    pub batch: usize,
    /// Most orders without outcome, over all domains. Default: `1024`.
    pub max_in_flight: u64,
    /// How often the state of each partition is copied to the blob store, and when it is handed over. Whoever has the partition
    /// next and knows less takes the newest copy; the log is told no further position than it covers. `0s`: never.
    /// Default: `0s`.
    #[serde(with = "humantime_serde")]
    pub snapshot_every: Duration,
}

impl Default for SchedulerConfig {
    fn default() -> Self {
        Self { batch: 512, max_in_flight: 1024, snapshot_every: Duration::ZERO }
    }
}

impl SchedulerConfig {
    /// Checks what would let the scheduler wait for ever.
    ///
    /// # Errors
    /// The first setting that cannot work, by its key.
    pub fn check(&self) -> anyhow::Result<()> {
        anyhow::ensure!(self.max_in_flight > 0, "`scheduler.max_in_flight` must be at least 1, or nothing is ordered");
        Ok(())
    }

    /// The snapshots of a part, if any are wanted.
    ///
    /// # Errors
    /// They are wanted and there is no store for them.
    pub(crate) fn snapshots(&self, blobs: &Blobs, partition: Option<u32>) -> anyhow::Result<Option<Snapshots>> {
        if self.snapshot_every.is_zero() {
            return Ok(None);
        }
        let store = blobs.store().context("`scheduler.snapshot_every` needs a blob store: set `blobs.url`")?;
        Ok(Some(Snapshots::of(store.clone(), partition)))
    }
}
