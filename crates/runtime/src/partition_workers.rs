//! A service as workers: one for each share of the partitions that its group gives to this process.
//!
//! ```text
//! assigned ─▶ a worker starts          revoked ─▶ the worker drains, commits, ends ─▶ the group is told
//!                                      lost    ─▶ the worker is told to drop what it has
//! ```
//! A log that only one process can use gives one share with everything, for ever.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use futures::future::join_all;
use gristmill_log::{Log, LogError, Membership, PartitionLease, PartitionView, Positions, Rebalance};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

/// From the refusal of a worker to its new start.
const REFUSED_PAUSE: Duration = Duration::from_secs(1);

/// How long a worker that drains waits for the next records.
pub const DRAIN_WAIT: Duration = Duration::from_millis(10);

/// How often it is asked whether a part is still ours.
const LEASE_CHECK: Duration = Duration::from_millis(50);

/// What one worker works on.
#[derive(Clone)]
pub struct PartitionAssignment {
    /// The log, whose readers cover this part.
    pub log: Arc<dyn Log>,
    /// The one partition, or `None` for all of them.
    pub partition: Option<u32>,
    /// Cancelled when the worker should drain and end.
    pub stop: CancellationToken,
    /// Cancelled when the part belongs to somebody else already: nothing more may be done for it.
    pub lost: CancellationToken,
    /// Whether the part is surely ours at this moment.
    pub lease: PartitionLease,
}

impl PartitionAssignment {
    /// All partitions of `log`, shared with nobody.
    pub fn whole(log: Arc<dyn Log>, stop: CancellationToken) -> Self {
        Self { log, partition: None, stop, lost: CancellationToken::new(), lease: PartitionLease::eternal() }
    }

    /// Whether a worker that was told to drain may end, when its reader of `topics` stands at `positions`: whoever has a
    /// partition next goes on with it, but an undivided log is emptied first.
    ///
    /// # Errors
    /// As [`Log::ends`].
    pub async fn is_drained(&self, topics: &[&'static str], positions: &Positions) -> Result<bool, LogError> {
        Ok(self.partition.is_some() || self.log.is_read(topics, positions).await?)
    }

    /// Waits until it is sure that the part is ours; false when it is not, or when the worker should end.
    pub async fn is_ours(&self) -> bool {
        while !self.lease.holds() {
            tokio::select! {
                () = tokio::time::sleep(LEASE_CHECK) => {}
                () = self.stop.cancelled() => return false,
            }
        }
        !self.lost.is_cancelled()
    }

    /// Where this part's state lives below the folder `base` of its service: `base` itself when it is the whole.
    pub fn dir(&self, base: &Path) -> PathBuf {
        match self.partition {
            None => base.to_owned(),
            Some(number) => base.join(format!("p{number:04}")),
        }
    }
}

/// A worker that runs.
struct Running {
    part: PartitionAssignment,
    handle: JoinHandle<()>,
}

/// Runs `work` for each part that `group` gives to this process, until `stop`, or until the only worker of an undivided
/// log has ended. Then the workers drain, and the group is left. `topic` is the one whose partitions are divided.
///
/// # Errors
/// The first worker that failed; the others drain first. A worker that failed because its part was lost does not count.
pub async fn run<W, F>(
    log: &Arc<dyn Log>,
    group: &'static str,
    topic: &'static str,
    stop: CancellationToken,
    work: W,
) -> anyhow::Result<()>
where
    W: Fn(PartitionAssignment) -> F + Send + Sync + 'static,
    F: Future<Output = anyhow::Result<()>> + Send + 'static,
{
    let membership = log.join(group, topic).await.with_context(|| format!("could not join group `{group}`"))?;
    run_as(membership, log, stop, work).await
}

/// The same for a group that is joined.
async fn run_as<W, F>(
    membership: Box<dyn Membership>,
    log: &Arc<dyn Log>,
    stop: CancellationToken,
    work: W,
) -> anyhow::Result<()>
where
    W: Fn(PartitionAssignment) -> F + Send + Sync + 'static,
    F: Future<Output = anyhow::Result<()>> + Send + 'static,
{
    let (ended, mut endings) = mpsc::unbounded_channel();
    let mut shares = Shares { log, lease: membership.lease(), work: Arc::new(work), ended, running: BTreeMap::new() };
    let outcome = shares.serve(membership, &mut endings, stop).await;
    let drained = shares.end_all(&mut endings).await;
    outcome.and(drained)
}

struct Shares<'a, W> {
    log: &'a Arc<dyn Log>,
    lease: PartitionLease,
    work: Arc<W>,
    ended: mpsc::UnboundedSender<anyhow::Result<()>>,
    /// By partition; the whole stands under its first one.
    running: BTreeMap<u32, Running>,
}

impl<W, F> Shares<'_, W>
where
    W: Fn(PartitionAssignment) -> F + Send + Sync + 'static,
    F: Future<Output = anyhow::Result<()>> + Send + 'static,
{
    async fn serve(
        &mut self,
        mut membership: Box<dyn Membership>,
        endings: &mut mpsc::UnboundedReceiver<anyhow::Result<()>>,
        stop: CancellationToken,
    ) -> anyhow::Result<()> {
        let divided = membership.divides();
        loop {
            let change = tokio::select! {
                // What is ours already is drained even if the stop came first: a log may be filled before its worker begins.
                biased;
                change = membership.change() => change.context("this process is no member of its group any more")?,
                Some(ending) = endings.recv() => {
                    ending?;
                    if !divided {
                        return Ok(());
                    }
                    continue;
                }
                () = stop.cancelled() => {
                    // While the group is told to wait nobody else begins.
                    self.cancel(&self.numbers());
                    self.wait_for(&self.numbers()).await;
                    return Ok(());
                }
            };
            match change {
                Rebalance::Assigned(partitions) if divided => {
                    for number in partitions {
                        self.start(Some(number), vec![number]).await;
                    }
                }
                Rebalance::Assigned(partitions) => self.start(None, partitions).await,
                Rebalance::Revoked { partitions, drained } => {
                    self.cancel(&partitions);
                    self.wait_for(&partitions).await;
                    // The group may have stopped waiting.
                    let _ = drained.send(());
                }
                Rebalance::Lost(partitions) => {
                    for number in &partitions {
                        if let Some(running) = self.running.get(number) {
                            running.part.lost.cancel();
                        }
                    }
                    self.cancel(&partitions);
                }
            }
        }
    }

    async fn start(&mut self, partition: Option<u32>, partitions: Vec<u32>) {
        let Some(first) = partitions.first().copied() else { return };
        // A worker of the same part that lost it may still be at its last breath.
        self.wait_for(&partitions).await;
        let part = PartitionAssignment {
            log: PartitionView::of(self.log.clone(), partitions.clone()),
            partition,
            stop: CancellationToken::new(),
            lost: CancellationToken::new(),
            lease: self.lease.clone(),
        };
        info!(?partitions, "worker starts");
        let (work, ended, its) = (self.work.clone(), self.ended.clone(), part.clone());
        let handle = tokio::spawn(async move {
            let Some(outcome) = until_ended(work.as_ref(), its).await else { return };
            info!(?partitions, "worker ended");
            // Nobody listens any more when the service has failed.
            let _ = ended.send(outcome);
        });
        self.running.insert(first, Running { part, handle });
    }

    fn numbers(&self) -> Vec<u32> {
        self.running.keys().copied().collect()
    }

    fn cancel(&self, partitions: &[u32]) {
        for running in partitions.iter().filter_map(|number| self.running.get(number)) {
            running.part.stop.cancel();
        }
    }

    async fn wait_for(&mut self, partitions: &[u32]) {
        let ending = partitions.iter().filter_map(|number| self.running.remove(number)).map(|running| running.handle);
        for outcome in join_all(ending).await {
            if let Err(panic) = outcome {
                // The service fails: what a worker that panicked has done is not known.
                let _ = self.ended.send(Err(anyhow::Error::new(panic).context("a worker panicked")));
            }
        }
    }

    async fn end_all(&mut self, endings: &mut mpsc::UnboundedReceiver<anyhow::Result<()>>) -> anyhow::Result<()> {
        let numbers = self.numbers();
        self.cancel(&numbers);
        self.wait_for(&numbers).await;
        let mut outcome = Ok(());
        while let Ok(ending) = endings.try_recv() {
            outcome = outcome.and(ending);
        }
        outcome
    }
}

/// Runs the worker of a part, again where it was refused; `None` when the part went to somebody else.
async fn until_ended<F>(
    work: &impl Fn(PartitionAssignment) -> F,
    part: PartitionAssignment,
) -> Option<anyhow::Result<()>>
where
    F: Future<Output = anyhow::Result<()>>,
{
    loop {
        let error = match work(part.clone()).await {
            Err(error) if part.lost.is_cancelled() || is_fenced(&error) => error,
            outcome => return Some(outcome),
        };
        let partition = part.partition;
        if part.lost.is_cancelled() || part.stop.is_cancelled() {
            warn!(?partition, error = format!("{error:#}"), "worker ends: its part is somebody else's");
            return None;
        }
        warn!(?partition, error = format!("{error:#}"), "worker refused, and nobody says that its part is lost");
        tokio::select! {
            () = tokio::time::sleep(REFUSED_PAUSE) => {}
            () = part.lost.cancelled() => return None,
            () = part.stop.cancelled() => return None,
        }
    }
}

/// Whether a worker failed because somebody else owns its part.
fn is_fenced(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| matches!(cause.downcast_ref::<LogError>(), Some(LogError::Fenced { .. })))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU32, Ordering};

    use async_trait::async_trait;
    use gristmill_log::{MemoryLog, Retention, TopicSpec};
    use tokio::sync::oneshot;

    use super::*;

    /// A group that says what a test wants.
    struct ScriptedMembership(mpsc::UnboundedReceiver<Rebalance>);

    #[async_trait]
    impl Membership for ScriptedMembership {
        async fn change(&mut self) -> Result<Rebalance, LogError> {
            match self.0.recv().await {
                Some(change) => Ok(change),
                None => std::future::pending().await,
            }
        }

        fn lease(&self) -> PartitionLease {
            PartitionLease::eternal()
        }

        fn divides(&self) -> bool {
            true
        }
    }

    fn memory() -> MemoryLog {
        MemoryLog::new(&[TopicSpec { name: "work", retention: Retention::Newest(1) }], 4, 1000)
    }

    /// A group, and what it is told to say.
    fn scripted() -> (Box<dyn Membership>, mpsc::UnboundedSender<Rebalance>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        (Box::new(ScriptedMembership(receiver)), sender)
    }

    async fn serve<W, F>(group: Box<dyn Membership>, stop: CancellationToken, work: W) -> anyhow::Result<()>
    where
        W: Fn(PartitionAssignment) -> F + Send + Sync + 'static,
        F: Future<Output = anyhow::Result<()>> + Send + 'static,
    {
        let log: Arc<dyn Log> = Arc::new(memory());
        run_as(group, &log, stop, work).await
    }

    #[tokio::test]
    async fn a_partition_is_given_on_only_when_its_worker_has_ended() {
        let (group, changes) = scripted();
        let told = Arc::new(Mutex::new(Vec::new()));
        let stop = CancellationToken::new();
        let (notes, service_stop) = (told.clone(), stop.clone());
        let service = tokio::spawn(async move {
            let work = move |part: PartitionAssignment| {
                let notes = notes.clone();
                async move {
                    part.stop.cancelled().await;
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    notes.lock().unwrap().push(part.partition.unwrap());
                    Ok(())
                }
            };
            serve(group, service_stop, work).await
        });
        changes.send(Rebalance::Assigned(vec![1, 3])).unwrap();
        let (drained, done) = oneshot::channel();
        changes.send(Rebalance::Revoked { partitions: vec![3], drained }).unwrap();
        done.await.unwrap();
        assert_eq!(*told.lock().unwrap(), [3], "the worker of 3 ended before, the one of 1 works on");
        stop.cancel();
        service.await.unwrap().unwrap();
        assert_eq!(*told.lock().unwrap(), [3, 1]);
    }

    fn fenced() -> anyhow::Error {
        let fenced = LogError::Fenced { group: "group".into(), reason: "late".into() };
        anyhow::Error::new(fenced).context("could not commit")
    }

    #[tokio::test]
    async fn a_worker_that_lost_its_part_is_no_failure_and_any_other_is() {
        let (group, changes) = scripted();
        let work = |part: PartitionAssignment| async move {
            if part.partition == Some(0) {
                part.stop.cancelled().await;
                return Err(fenced());
            }
            anyhow::bail!("the disk is full")
        };
        let service = tokio::spawn(async move { serve(group, CancellationToken::new(), work).await });
        changes.send(Rebalance::Assigned(vec![0])).unwrap();
        changes.send(Rebalance::Lost(vec![0])).unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(!service.is_finished(), "fenced is not failed");
        changes.send(Rebalance::Assigned(vec![1])).unwrap();
        assert!(service.await.unwrap().unwrap_err().to_string().contains("disk is full"));
    }

    #[tokio::test]
    async fn a_worker_that_was_refused_starts_again_as_long_as_its_part_is_ours() {
        let (group, changes) = scripted();
        let (begun, stop) = (Arc::new(AtomicU32::new(0)), CancellationToken::new());
        let (count, service_stop) = (begun.clone(), stop.clone());
        let work = move |part: PartitionAssignment| {
            let before = count.fetch_add(1, Ordering::Relaxed);
            async move {
                if before == 0 {
                    return Err(fenced());
                }
                part.stop.cancelled().await;
                Ok(())
            }
        };
        let service = tokio::spawn(async move { serve(group, service_stop, work).await });
        changes.send(Rebalance::Assigned(vec![0])).unwrap();
        tokio::time::sleep(REFUSED_PAUSE * 3 / 2).await;
        assert_eq!(begun.load(Ordering::Relaxed), 2);
        stop.cancel();
        service.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn an_undivided_log_is_drained_although_the_stop_came_before_its_worker() {
        let log: Arc<dyn Log> = Arc::new(memory());
        for round in 0..30 {
            let (begun, stop) = (Arc::new(AtomicU32::new(0)), CancellationToken::new());
            stop.cancel();
            let count = begun.clone();
            let work = move |part: PartitionAssignment| {
                count.fetch_add(1, Ordering::Relaxed);
                async move {
                    part.stop.cancelled().await;
                    Ok(())
                }
            };
            run(&log, "group", "work", stop, work).await.unwrap();
            assert_eq!(begun.load(Ordering::Relaxed), 1, "round {round}");
        }
    }

    #[tokio::test]
    async fn an_undivided_log_has_one_worker_and_ends_with_it() {
        let log: Arc<dyn Log> = Arc::new(memory());
        let work = |part: PartitionAssignment| async move {
            assert_eq!((part.partition, part.log.owned()), (None, vec![0, 1, 2, 3]));
            assert_eq!(part.dir(Path::new("index")), Path::new("index"));
            Ok(())
        };
        run(&log, "group", "work", CancellationToken::new(), work).await.unwrap();
    }
}
