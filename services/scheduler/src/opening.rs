//! Opening a part's frontier: what is here, or the newest snapshot when that knows more.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use gristmill_frontier::{Frontier, FrontierConfig, FrontierError};
use gristmill_log::Positions;
use gristmill_proto::topics;
use gristmill_runtime::blobs::persist;
use tokio_util::sync::CancellationToken;
use tracing::warn;

use crate::metrics::Metrics;
use crate::snapshots::{Name, Snapshots, Unreadable};

/// Longest wait for another process on the same machine to let go of a frontier.
const UNTIL_FREE: Duration = Duration::from_secs(60);

/// Opens one frontier.
pub(crate) struct Opening<'a> {
    pub(crate) dir: PathBuf,
    pub(crate) config: &'a FrontierConfig,
    pub(crate) snapshots: Option<&'a Snapshots>,
    /// Whether somebody else may have had it, and may still have it open.
    pub(crate) shared: bool,
    pub(crate) stop: &'a CancellationToken,
    pub(crate) metrics: &'a Metrics,
}

/// A frontier, and which snapshots there are of it.
pub(crate) struct Opened {
    pub(crate) frontier: Frontier,
    /// The newest first.
    pub(crate) names: Vec<Name>,
    /// What the newest readable one covers.
    pub(crate) covered: Positions,
}

impl Opening<'_> {
    /// Opens the frontier in the folder, or makes a new one there; before, takes the newest snapshot if there is no
    /// frontier, or one that knows less.
    ///
    /// # Errors
    /// The frontier cannot be opened; or there is none, and none of its snapshots can be read.
    pub(crate) async fn run(&self) -> anyhow::Result<Opened> {
        let mut local = if self.dir.is_dir() || self.snapshots.is_none() { Some(self.local().await?) } else { None };
        let (mut names, mut covered, mut unread) = (Vec::new(), Positions::new(), 0);
        if let Some(snapshots) = self.snapshots {
            names = self.ask(|| snapshots.list()).await?;
            for name in names.iter().copied() {
                match self.take(snapshots, name, &mut local).await {
                    Ok(positions) => {
                        covered = positions;
                        break;
                    }
                    Err(error) => {
                        let error = format!("{error:#}");
                        warn!(epoch = name.epoch, number = name.number, error, "a snapshot cannot be used");
                        unread += 1;
                    }
                }
            }
        }
        let here = local.is_some() || self.dir.is_dir();
        anyhow::ensure!(
            here || unread == 0 || unread < names.len(),
            "there is no frontier in `{}`, and none of its {unread} snapshots can be read",
            self.dir.display()
        );
        let frontier = match local {
            Some(frontier) => frontier,
            None => self.local().await?,
        };
        Ok(Opened { frontier, names, covered })
    }

    /// Restores the snapshot `name` if it knows more than `local`. Returns what it covers.
    async fn take(&self, snapshots: &Snapshots, name: Name, local: &mut Option<Frontier>) -> anyhow::Result<Positions> {
        let positions = self.read(|| snapshots.positions(name)).await?;
        if local.as_ref().is_some_and(|local| !knows_more(&positions, local.positions())) {
            return Ok(positions);
        }
        *local = None;
        let restored = self.read(|| snapshots.restore(name, &self.dir, self.config)).await?;
        self.metrics.restored(&restored);
        Ok(positions)
    }

    /// Reads a snapshot, waiting for a store that is away.
    async fn read<T, F>(&self, read: impl Fn() -> F) -> anyhow::Result<T>
    where
        F: Future<Output = Result<T, Unreadable>>,
    {
        let read = &read;
        let answer = self.ask(|| async move {
            match read().await {
                Err(Unreadable::Store(error)) => Err(error),
                answer => Ok(answer),
            }
        });
        Ok(answer.await??)
    }

    async fn ask<T, F>(&self, ask: impl Fn() -> F) -> anyhow::Result<T>
    where
        F: Future<Output = Result<T, gristmill_blobs::BlobError>>,
    {
        let answer = persist(self.stop, ask).await?;
        answer.context("told to stop while the blob store did not answer")
    }

    /// Opens what is in the folder, waiting for whoever had it before to let go.
    async fn local(&self) -> anyhow::Result<Frontier> {
        let begun = Instant::now();
        loop {
            let (path, config) = (self.dir.clone(), self.config.clone());
            let opened = tokio::task::spawn_blocking(move || Frontier::open(&path, config)).await?;
            match opened {
                Err(FrontierError::Locked { .. })
                    if self.shared && begun.elapsed() < UNTIL_FREE && !self.stop.is_cancelled() =>
                {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                opened => return opened.with_context(|| told(&self.dir)),
            }
        }
    }
}

fn told(dir: &Path) -> String {
    format!("could not open the frontier in `{}`", dir.display())
}

/// Whether a state at `other` has seen more than one at `own`: more orders first, since an order that is not known may be
/// given twice, then more of everything. Any state is a sound start, so this only saves reading.
fn knows_more(other: &Positions, own: &Positions) -> bool {
    let orders = |positions: &Positions| {
        positions.iter().filter(|((topic, _), _)| topic == topics::ORDERS).map(|(_, at)| *at).sum::<u64>()
    };
    let all = |positions: &Positions| positions.values().sum::<u64>();
    (orders(other), all(other)) > (orders(own), all(own))
}
