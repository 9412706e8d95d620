//! Membership in a consumer group: which partitions are ours, told as it changes, proved as long as it lasts.
//!
//! A consumer subscribes to one topic and reads nothing of it: its assignment is only the list of numbers that
//! this process works on. A thread serves it ([`serve`]). A handover stops that thread until the workers are done, which is
//! what keeps the group from giving the partitions on; heartbeats go on meanwhile.

mod events;
mod serve;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use tokio::sync::{RwLock, mpsc};

use self::events::GroupAssignment;
use self::serve::{CurrentConsumer, GroupJoiner};
use super::Inner;
use super::client::{BrokerHealth, fenced};
use super::offsets::{self, Offsets, ask};
use crate::membership::{Membership, PartitionLease, Rebalance};
use crate::types::LogError;

/// The lease ends when so many parts of the session timeout, of [`SESSION_PARTS`], have passed since the last proof.
const LEASE_PARTS: u32 = 4;
/// The group is asked for a proof when one part has passed.
const PROOF_PARTS: u32 = 1;
const SESSION_PARTS: u32 = 6;

/// This process's part in one group.
pub(super) struct GroupMember {
    /// As the brokers know it.
    group: String,
    consumer: Arc<CurrentConsumer>,
    seat: Arc<GroupAssignment>,
    /// Held to write while positions are committed again as a proof, so that they cannot undo a step forward.
    proving: RwLock<()>,
    /// What was committed last.
    committed: Mutex<Offsets>,
}

/// Joins `group`, whose members divide the partitions of `topic`.
pub(super) fn join(
    inner: &Inner,
    group: &'static str,
    topic: &'static str,
) -> Result<(Arc<GroupMember>, KafkaMembership), LogError> {
    let (config, topic) = (&inner.config, inner.name(topic)?);
    let group = config.topic(group);
    let mut client = inner.client.clone();
    let poll_interval = config.handover_timeout + config.session_timeout;
    client
        .set("group.id", &group)
        .set("enable.auto.commit", "false")
        .set("enable.auto.offset.store", "false")
        .set("partition.assignment.strategy", "cooperative-sticky")
        .set("session.timeout.ms", config.session_timeout.as_millis().to_string())
        .set("heartbeat.interval.ms", (config.session_timeout / 10).as_millis().to_string())
        .set("max.poll.interval.ms", poll_interval.as_millis().to_string());
    if !config.instance.is_empty() {
        client.set("group.instance.id", &config.instance);
    }
    let (sender, changes) = mpsc::unbounded_channel();
    let seat = Arc::new(GroupAssignment {
        listener: inner.listener.clone(),
        topic: topic.clone(),
        assigned: AtomicBool::new(false),
        lease: PartitionLease::lasting(config.session_timeout * LEASE_PARTS / SESSION_PARTS),
        owned: Mutex::default(),
        handing_over: AtomicBool::new(false),
        changes: sender,
        handover_timeout: config.handover_timeout,
    });
    let besides = inner.topics.iter().map(|name| config.topic(name)).find(|name| *name != topic);
    let besides = besides.filter(|_| !config.instance.is_empty());
    let joining = GroupJoiner { client, seat: seat.clone(), besides, session_timeout: config.session_timeout };
    let stop = Arc::new(AtomicBool::new(false));
    let (consumer, thread) = joining.serve(stop.clone())?;
    let (proving, committed) = Default::default();
    let member = Arc::new(GroupMember { group, consumer, seat, proving, committed });
    let proofs = tokio::spawn(prove(Arc::downgrade(&member), topic, config.session_timeout));
    Ok((member.clone(), KafkaMembership { member, changes, stop, thread: Some(thread), proofs }))
}

/// Asks the group for a proof whenever the last one grows old.
async fn prove(member: std::sync::Weak<GroupMember>, topic: String, session_timeout: Duration) {
    let every = session_timeout * PROOF_PARTS / SESSION_PARTS;
    let mut tick = tokio::time::interval(every / 2);
    let mut last: Option<Instant> = None;
    loop {
        tick.tick().await;
        let Some(member) = member.upgrade() else { return };
        let lease_is_young = last.is_some_and(|at| at.elapsed() < every) && member.seat.lease.holds();
        if lease_is_young || member.seat.owned().is_empty() {
            continue;
        }
        let asked = Instant::now();
        match member.commit_again(&topic).await {
            Ok(()) => last = Some(asked),
            Err(error) => tracing::debug!(%error, "ownership could not be proved"),
        }
    }
}

impl GroupMember {
    fn brokers(&self) -> &BrokerHealth {
        &self.seat.listener.brokers
    }

    /// Commits `offsets` of partitions that are ours.
    pub(super) async fn commit(&self, offsets: Offsets) -> Result<(), LogError> {
        let _steps_forward = self.proving.read().await;
        self.commit_now(offsets).await
    }

    async fn commit_now(&self, offsets: Offsets) -> Result<(), LogError> {
        let offsets = Arc::new(offsets);
        let mut pause = Duration::from_millis(10);
        loop {
            self.check_owned(&offsets)?;
            let (consumer, now) = (self.consumer.get(), offsets.clone());
            let asked = Instant::now();
            // While the group divides anew, a commit of the generation before is refused although nothing is lost: then it
            // is tried again, until it succeeds or the group tells what is lost.
            let question = move || match offsets::commit(&consumer, &now) {
                Err(error) if fenced(&error) => Ok(Err(error.to_string())),
                other => other.map(Ok),
            };
            let Err(reason) = ask(self.brokers(), "commit positions", question).await? else {
                self.seat.lease.prove(asked);
                let mut committed = self.committed.lock().expect("no code panics while it holds this lock");
                committed.extend(offsets.iter().map(|(key, offset)| (key.clone(), *offset)));
                return Ok(());
            };
            // A handover waits for this very worker, and the group for the handover: nothing will change.
            if self.seat.handing_over.load(Ordering::Acquire) {
                return Err(LogError::Fenced { group: self.group.clone(), reason });
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_millis(250));
        }
    }

    fn check_owned(&self, offsets: &Offsets) -> Result<(), LogError> {
        let owned = self.seat.owned();
        match offsets.keys().find(|(_, partition)| !owned.contains(&(*partition as u32))) {
            None => Ok(()),
            Some((topic, partition)) => {
                let reason = format!("`{topic}`/{partition} is not ours any more");
                Err(LogError::Fenced { group: self.group.clone(), reason })
            }
        }
    }

    /// Commits a position of `topic` that is committed already: the group takes it only from a member in good standing.
    async fn commit_again(&self, topic: &str) -> Result<(), LogError> {
        let _nobody_steps_forward = self.proving.write().await;
        let Some(partition) = self.seat.owned().first().copied() else { return Ok(()) };
        let key = (topic.to_owned(), partition as i32);
        let known = self.committed.lock().expect("no code panics while it holds this lock").get(&key).copied();
        let offset = match known {
            Some(offset) => offset,
            None => self.ask_committed(topic, partition).await?,
        };
        self.commit_now(Offsets::from([(key, offset)])).await
    }

    /// What is committed, or else the oldest position, which is what nothing committed means.
    async fn ask_committed(&self, topic: &str, partition: u32) -> Result<u64, LogError> {
        let (consumer, topics) = (self.consumer.get(), [topic.to_owned()]);
        let question = move || {
            let committed = offsets::committed(&consumer, &topics, &[partition])?;
            if let Some(offset) = committed.into_values().next() {
                return Ok(offset);
            }
            let oldest = offsets::sides(&consumer, &topics, &[partition], offsets::PartitionEnd::Oldest)?;
            Ok(oldest.into_values().next().unwrap_or(0))
        };
        ask(self.brokers(), "read committed positions", question).await
    }
}

/// [`Membership`] in a consumer group. Dropping it leaves the group, unless `log.kafka.instance` keeps the place.
pub(super) struct KafkaMembership {
    member: Arc<GroupMember>,
    changes: mpsc::UnboundedReceiver<Result<Rebalance, LogError>>,
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
    proofs: tokio::task::JoinHandle<()>,
}

#[async_trait]
impl Membership for KafkaMembership {
    async fn change(&mut self) -> Result<Rebalance, LogError> {
        match self.changes.recv().await {
            Some(Err(LogError::Fenced { reason, .. })) => {
                Err(LogError::Fenced { group: self.member.group.clone(), reason })
            }
            Some(change) => change,
            None => Err(LogError::Closed),
        }
    }

    fn lease(&self) -> PartitionLease {
        self.member.seat.lease.clone()
    }

    fn divides(&self) -> bool {
        true
    }
}

impl Drop for KafkaMembership {
    fn drop(&mut self) {
        self.proofs.abort();
        self.changes.close();
        // A handover that nobody took from the queue holds the thread until it is dropped.
        while self.changes.try_recv().is_ok() {}
        self.stop.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was printed by itself.
            let _ = thread.join();
        }
    }
}
