//! Who works on which partition: changes of ownership as they come, and the proof that it still holds.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use async_trait::async_trait;
use tokio::sync::oneshot;

use crate::types::LogError;

/// A change of what this process works on.
#[derive(Debug)]
pub enum Rebalance {
    /// These partitions are ours now; nobody else works on them.
    Assigned(Vec<u32>),
    /// These go to another process as soon as `drained` is sent or dropped: until then they are still ours.
    Revoked { partitions: Vec<u32>, drained: oneshot::Sender<()> },
    /// These went to another process already: what is under way must end and must not be told.
    Lost(Vec<u32>),
}

/// One process's part in a group.
#[async_trait]
pub trait Membership: Send {
    /// Waits for the next change. The first one is the first assignment. Cancel-safe.
    ///
    /// # Errors
    /// The group takes this process no more, for instance because another one has its `log.kafka.instance`.
    async fn change(&mut self) -> Result<Rebalance, LogError>;

    /// The proof that what was assigned still belongs to this process.
    fn lease(&self) -> PartitionLease;

    /// Whether partitions may go to other processes, so that each is worked on apart.
    fn divides(&self) -> bool {
        false
    }
}

/// Says whether ownership is proved recently enough that nobody else can have it.
///
/// The group gives a partition away when it has not heard of its owner for the session timeout. Each time the group answers,
/// the lease starts anew, counted from *before* the question; it ends a margin earlier than the session. A process that
/// was frozen finds its lease ended when it wakes: both the monotonic clock, which runs on while a process is stopped,
/// and the wall clock, which runs on while the machine sleeps, are asked.
#[derive(Clone)]
pub struct PartitionLease {
    /// `None` for a lease that never ends.
    state: Option<Arc<LeaseState>>,
}

struct LeaseState {
    lasts: Duration,
    born: Instant,
    /// Milliseconds from `born` to the last proof, plus one; 0 when there is none.
    proven: AtomicU64,
    /// Unix milliseconds of the last proof.
    proven_wall: AtomicU64,
}

impl PartitionLease {
    /// A lease of one who shares with nobody.
    pub fn eternal() -> Self {
        Self { state: None }
    }

    /// A lease that lasts for `lasts` from each proof on, and has none yet.
    pub fn lasting(lasts: Duration) -> Self {
        let state = LeaseState { lasts, born: Instant::now(), proven: 0.into(), proven_wall: 0.into() };
        Self { state: Some(Arc::new(state)) }
    }

    /// Ownership was proved by an answer to a question asked at `asked`.
    pub fn prove(&self, asked: Instant) {
        if let Some(state) = &self.state {
            let since_born = asked.saturating_duration_since(state.born).as_millis() as u64 + 1;
            let wall = unix_ms().saturating_sub(asked.elapsed().as_millis() as u64);
            state.proven.fetch_max(since_born, Ordering::AcqRel);
            state.proven_wall.store(wall, Ordering::Release);
        }
    }

    /// Ownership is gone.
    pub fn end(&self) {
        if let Some(state) = &self.state {
            state.proven.store(0, Ordering::Release);
        }
    }

    /// Whether the last proof is recent enough.
    pub fn holds(&self) -> bool {
        let Some(state) = &self.state else { return true };
        let proven = state.proven.load(Ordering::Acquire);
        if proven == 0 {
            return false;
        }
        let monotonic = state.born.elapsed().saturating_sub(Duration::from_millis(proven - 1));
        let wall = Duration::from_millis(unix_ms().saturating_sub(state.proven_wall.load(Ordering::Acquire)));
        monotonic < state.lasts && wall < state.lasts
    }
}

fn unix_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64
}

/// The membership of an engine that no second process can open: everything is ours, for ever.
pub(crate) struct SingleProcessMembership {
    partitions: Option<Vec<u32>>,
}

impl SingleProcessMembership {
    pub(crate) fn new(partitions: Vec<u32>) -> Self {
        Self { partitions: Some(partitions) }
    }
}

#[async_trait]
impl Membership for SingleProcessMembership {
    async fn change(&mut self) -> Result<Rebalance, LogError> {
        match self.partitions.take() {
            Some(partitions) => Ok(Rebalance::Assigned(partitions)),
            None => std::future::pending().await,
        }
    }

    fn lease(&self) -> PartitionLease {
        PartitionLease::eternal()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_counts_from_before_the_question_and_ends() {
        let lease = PartitionLease::lasting(Duration::from_millis(60));
        assert!(!lease.holds(), "nothing is proved yet");
        lease.prove(Instant::now());
        assert!(lease.holds());
        std::thread::sleep(Duration::from_millis(70));
        assert!(!lease.holds(), "too long ago");
        lease.prove(Instant::now());
        lease.end();
        assert!(!lease.holds());
        assert!(PartitionLease::eternal().holds());
    }

    #[test]
    fn an_answer_that_took_too_long_proves_nothing() {
        let lease = PartitionLease::lasting(Duration::from_millis(20));
        let asked = Instant::now();
        std::thread::sleep(Duration::from_millis(30));
        lease.prove(asked);
        assert!(!lease.holds());
    }
}
