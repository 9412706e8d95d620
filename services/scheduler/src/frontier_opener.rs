//! Opening a part's frontier: what is here, or the newest snapshot when that knows more.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use gristmill_frontier::{Frontier, FrontierConfig, FrontierError};
use gristmill_log::Positions;
use gristmill_proto::topics;
use gristmill_runtime::blobs::persist;
use gristmill_runtime::clock::now_ms;
use tokio_util::sync::CancellationToken;
use tracing::warn;

use crate::metrics::Metrics;
use crate::snapshots::{SnapshotError, SnapshotId, Snapshots};

/// Longest wait for another process on the same machine to let go of a frontier.
const UNTIL_FREE: Duration = Duration::from_secs(60);

/// Opens one frontier.
pub(crate) struct FrontierOpener<'a> {
    pub(crate) dir: PathBuf,
    pub(crate) config: &'a FrontierConfig,
    pub(crate) snapshots: Option<&'a Snapshots>,
    /// Whether somebody else may have had it, and may still have it open.
    pub(crate) shared: bool,
    pub(crate) stop: &'a CancellationToken,
    pub(crate) metrics: &'a Metrics,
}

/// A frontier, and which snapshots there are of it.
pub(crate) struct OpenedFrontier {
    pub(crate) frontier: Frontier,
    /// The newest first.
    pub(crate) names: Vec<SnapshotId>,
    /// What the newest readable one covers.
    pub(crate) covered: Positions,
}

impl FrontierOpener<'_> {
    /// Opens the frontier in the folder, or makes a new one there; before, takes the newest snapshot if there is no
    /// frontier, or one that knows less.
    ///
    /// # Errors
    /// The frontier cannot be opened; or there is none, and none of its snapshots can be read.
    pub(crate) async fn run(&self) -> anyhow::Result<OpenedFrontier> {
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
        let mut frontier = match local {
            Some(frontier) => frontier,
            None => self.local().await?,
        };
        // The settings may ask for visits that they did not ask for before.
        let begin = move || frontier.begin_visits(now_ms()).map(|()| frontier);
        let frontier = tokio::task::spawn_blocking(begin).await?.with_context(|| told(&self.dir))?;
        Ok(OpenedFrontier { frontier, names, covered })
    }

    /// Restores the snapshot `name` if it knows more than `local`. Returns what it covers.
    async fn take(
        &self,
        snapshots: &Snapshots,
        name: SnapshotId,
        local: &mut Option<Frontier>,
    ) -> anyhow::Result<Positions> {
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
        F: Future<Output = Result<T, SnapshotError>>,
    {
        let read = &read;
        let answer = self.ask(|| async move {
            match read().await {
                Err(SnapshotError::Store(error)) => Err(error),
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

#[cfg(test)]
mod tests {
    use gristmill_blobs::BlobStore;
    use gristmill_frontier::{FetchKind, LinkSource, Outlink};
    use gristmill_urls::{ScopeConfig, ScopeRule};
    use prometheus::Registry;

    use super::*;

    struct Bed {
        dir: tempfile::TempDir,
        snapshots: Snapshots,
    }

    fn config() -> FrontierConfig {
        let scope = Some(ScopeConfig { rule: ScopeRule::Any, ..ScopeConfig::default() });
        FrontierConfig { scope, ..FrontierConfig::default() }
    }

    /// A frontier in `dir` that knows `urls` URLs and has given as many orders.
    fn frontier(dir: &Path, urls: u64) -> Frontier {
        let mut frontier = Frontier::open(dir, config()).unwrap();
        for n in 0..urls {
            let url = format!("http://a.test/{n}");
            let (kind, source) = (FetchKind::Page, LinkSource::Anchor);
            frontier.offer(&Outlink { url: &url, kind, source, depth: 1, hops: 0, anchor_title: None }, 1).unwrap();
        }
        let at = |topic: &str| ((topic.to_owned(), 3), urls);
        frontier.commit(&Positions::from([at(topics::ORDERS), at(topics::LINKS)])).unwrap();
        frontier
    }

    impl Bed {
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            let snapshots = Snapshots::of(BlobStore::local(&dir.path().join("blobs")).unwrap(), Some(3));
            Self { dir, snapshots }
        }

        async fn snapshot(&self, epoch: u64, number: u32, urls: u64) {
            let dir = self.dir.path().join(format!("made-{epoch}-{number}"));
            let snapshot = frontier(&dir, urls).snapshot();
            self.snapshots.write(SnapshotId { epoch, number }, snapshot).await.unwrap();
        }

        fn damage(&self, epoch: u64, number: u32) {
            let file = self.dir.path().join(format!("blobs/frontier/p0003/{epoch:020}-{number:08}"));
            let mut bytes = std::fs::read(&file).unwrap();
            let middle = bytes.len() - 20;
            bytes[middle] ^= 1;
            std::fs::write(file, bytes).unwrap();
        }

        fn here(&self) -> PathBuf {
            self.dir.path().join("frontier/p0003")
        }

        /// How many URLs the frontier knows that is opened.
        async fn open(&self) -> anyhow::Result<u64> {
            let metrics = Metrics::register(&Registry::new()).unwrap();
            let (config, stop) = (config(), CancellationToken::new());
            let snapshots = Some(&self.snapshots);
            let opening = FrontierOpener {
                dir: self.here(),
                config: &config,
                snapshots,
                shared: true,
                stop: &stop,
                metrics: &metrics,
            };
            Ok(opening.run().await?.frontier.stats().pages.known)
        }
    }

    #[tokio::test]
    async fn who_has_nothing_or_knows_less_takes_the_newest_and_who_knows_more_keeps_its_own() {
        let bed = Bed::new();
        assert_eq!(bed.open().await.unwrap(), 0, "nothing anywhere is a new frontier");
        bed.snapshot(1, 0, 5).await;
        bed.snapshot(1, 1, 7).await;
        assert_eq!(bed.open().await.unwrap(), 7);
        drop(frontier(&bed.here(), 9));
        assert_eq!(bed.open().await.unwrap(), 9);
        std::fs::remove_dir_all(bed.here()).unwrap();
        assert_eq!(bed.open().await.unwrap(), 7);
    }

    #[tokio::test]
    async fn what_an_old_owner_writes_late_never_wins() {
        let bed = Bed::new();
        bed.snapshot(2, 0, 4).await;
        bed.snapshot(1, 99, 50).await;
        assert_eq!(bed.open().await.unwrap(), 4);
    }

    #[tokio::test]
    async fn only_the_newest_two_are_kept_and_the_older_one_serves_when_the_newest_is_damaged() {
        let bed = Bed::new();
        for number in 0..4 {
            bed.snapshot(1, number, 10 + u64::from(number)).await;
        }
        let names = bed.snapshots.list().await.unwrap();
        assert_eq!(names, [SnapshotId { epoch: 1, number: 3 }, SnapshotId { epoch: 1, number: 2 }]);
        bed.damage(1, 3);
        assert_eq!(bed.open().await.unwrap(), 12);
        std::fs::remove_dir_all(bed.here()).unwrap();
        bed.damage(1, 2);
        let refused = bed.open().await.unwrap_err().to_string();
        assert!(refused.contains("none of its 2 snapshots"), "{refused}");
        drop(frontier(&bed.here(), 3));
        assert_eq!(bed.open().await.unwrap(), 3, "what is here is better than nothing");
    }
}
