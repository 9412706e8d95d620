//! Membership in a consumer group: which partitions are ours, told as it changes, proved as long as it lasts.
//!
//! A consumer subscribes to one topic and reads nothing of it: its assignment is only the list of numbers that
//! this process works on. A thread serves it. A handover stops that thread until the workers are done, which is
//! what keeps the group from giving the partitions on; heartbeats go on meanwhile.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use rdkafka::TopicPartitionList;
use rdkafka::client::ClientContext;
use rdkafka::config::{FromClientConfigAndContext, RDKafkaLogLevel};
use rdkafka::consumer::{BaseConsumer, Consumer, ConsumerContext};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::topic_partition_list::Offset;
use rdkafka::types::RDKafkaRespErr;
use tokio::sync::{RwLock, mpsc, oneshot};

use super::Inner;
use super::client::{Brokers, Listener, failed, fenced, tell};
use super::offsets::{self, Offsets, ask};
use crate::membership::{Change, Lease, Membership};
use crate::types::LogError;

/// The lease ends when so many parts of the session timeout, of [`SESSION_PARTS`], have passed since the last proof.
const LEASE_PARTS: u32 = 4;
/// The group is asked for a proof when one part has passed.
const PROOF_PARTS: u32 = 1;
const SESSION_PARTS: u32 = 6;

/// How often the thread looks whether it should end.
const POLL: Duration = Duration::from_millis(100);

/// How often a handover looks whether the workers are done.
const HANDOVER_POLL: Duration = Duration::from_millis(5);

/// This process's part in one group.
pub(super) struct Member {
    /// As the brokers know it.
    group: String,
    consumer: Arc<BaseConsumer<Events>>,
    /// Held to write while positions are committed again as a proof, so that they cannot undo a step forward.
    proving: RwLock<()>,
    /// What was committed last.
    committed: Mutex<Offsets>,
}

/// What the group tells, turned into changes.
struct Events {
    listener: Listener,
    /// The topic whose partitions count.
    topic: String,
    /// Whether an assignment came.
    assigned: AtomicBool,
    lease: Lease,
    owned: Mutex<BTreeSet<u32>>,
    changes: mpsc::UnboundedSender<Result<Change, LogError>>,
    handover_timeout: Duration,
}

impl Events {
    fn owned(&self) -> MutexGuard<'_, BTreeSet<u32>> {
        self.owned.lock().expect("no code panics while it holds this lock")
    }

    fn numbers(&self, list: &TopicPartitionList) -> Vec<u32> {
        let elements = list.elements();
        let ours = elements.iter().filter(|element| element.topic() == self.topic);
        ours.filter_map(|element| u32::try_from(element.partition()).ok()).collect()
    }

    fn assigned(&self, consumer: &BaseConsumer<Self>, list: &mut TopicPartitionList) {
        // From the end and paused: the records of this topic are read elsewhere.
        let assigned = list
            .set_all_offsets(Offset::End)
            .and_then(|()| consumer.incremental_assign(list))
            .and_then(|()| consumer.pause(list));
        if let Err(error) = assigned {
            tracing::error!(%error, "an assignment could not be taken");
        }
        let partitions = self.numbers(list);
        self.assigned.store(true, Ordering::Release);
        if !partitions.is_empty() {
            self.owned().extend(&partitions);
            tracing::info!(?partitions, "partitions assigned");
        }
        // Who listened may be gone. An empty list tells a new member that the group has nothing for it.
        let _ = self.changes.send(Ok(Change::Assigned(partitions)));
    }

    fn revoked(&self, consumer: &BaseConsumer<Self>, list: &TopicPartitionList) {
        let partitions = self.numbers(list);
        if consumer.assignment_lost() {
            self.lost(partitions);
        } else if !partitions.is_empty() {
            self.hand_over(partitions);
        }
        if let Err(error) = consumer.incremental_unassign(list) {
            tracing::error!(%error, "an assignment could not be given back");
        }
    }

    fn lost(&self, partitions: Vec<u32>) {
        tracing::warn!(?partitions, "partitions lost: the group did not hear of this process in time");
        self.lease.end();
        self.owned().retain(|number| !partitions.contains(number));
        let _ = self.changes.send(Ok(Change::Lost(partitions)));
    }

    /// Waits until the workers of `partitions` are done.
    fn hand_over(&self, partitions: Vec<u32>) {
        let (begun, (drained, mut done)) = (Instant::now(), oneshot::channel());
        tracing::info!(?partitions, "partitions go to another process");
        let told = Ok(Change::Revoked { partitions: partitions.clone(), drained });
        if self.changes.send(told).is_ok() {
            while matches!(done.try_recv(), Err(oneshot::error::TryRecvError::Empty)) {
                if begun.elapsed() > self.handover_timeout {
                    tracing::error!(?partitions, "workers did not end within `log.kafka.handover_timeout`");
                    self.lease.end();
                    break;
                }
                std::thread::sleep(HANDOVER_POLL);
            }
        }
        self.owned().retain(|number| !partitions.contains(number));
        tracing::info!(?partitions, seconds = begun.elapsed().as_secs_f64(), "partitions handed over");
    }
}

impl ClientContext for Events {
    fn log(&self, level: RDKafkaLogLevel, facility: &str, message: &str) {
        tell(level, facility, message);
    }

    fn error(&self, error: KafkaError, reason: &str) {
        self.listener.error(error, reason);
    }
}

impl ConsumerContext for Events {
    fn rebalance(&self, consumer: &BaseConsumer<Self>, event: RDKafkaRespErr, list: &mut TopicPartitionList) {
        match event {
            RDKafkaRespErr::RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS => self.assigned(consumer, list),
            RDKafkaRespErr::RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS => self.revoked(consumer, list),
            _ => {
                tracing::error!(event = ?RDKafkaErrorCode::from(event), "the group could not divide the partitions");
                self.lost(self.owned().iter().copied().collect());
                // Nothing better is left when this fails too.
                let _ = consumer.unassign();
            }
        }
    }
}

/// Joins `group`, whose members divide the partitions of `topic`.
pub(super) fn join(
    inner: &Inner,
    group: &'static str,
    topic: &'static str,
) -> Result<(Arc<Member>, KafkaMembership), LogError> {
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
    let lease = Lease::lasting(config.session_timeout * LEASE_PARTS / SESSION_PARTS);
    let events = Events {
        listener: inner.listener.clone(),
        topic: topic.clone(),
        assigned: AtomicBool::new(false),
        lease: lease.clone(),
        owned: Mutex::default(),
        changes: sender,
        handover_timeout: config.handover_timeout,
    };
    let consumer = BaseConsumer::from_config_and_context(&client, events).map_err(failed("start a client"))?;
    let besides = inner.topics.iter().map(|name| config.topic(name)).find(|name| *name != topic);
    let besides = besides.filter(|_| !config.instance.is_empty());
    let subscribed: Vec<&str> = [&topic].into_iter().chain(&besides).map(String::as_str).collect();
    consumer.subscribe(&subscribed).map_err(failed(format!("join group `{group}`")))?;
    let (consumer, stop) = (Arc::new(consumer), Arc::new(AtomicBool::new(false)));
    let (proving, committed) = Default::default();
    let member = Arc::new(Member { group, consumer: consumer.clone(), proving, committed });
    let thread = serve(consumer, stop.clone(), besides.is_some())?;
    let proofs = tokio::spawn(prove(Arc::downgrade(&member), topic, config.session_timeout));
    Ok((member.clone(), KafkaMembership { member, changes, lease, stop, thread: Some(thread), proofs }))
}

/// Serves the consumer: its rebalances run on this thread.
///
/// `asks_again` is for a member with a name of its own. When it died between the two rounds of a cooperative division, the
/// brokers give it back the result of the first round, and nobody begins the second one: what it was handing over
/// would belong to nobody for ever. So it begins with one topic more, and gives that up after the first
/// assignment, which makes the group divide anew; where everything has an owner, nothing moves.
fn serve(
    consumer: Arc<BaseConsumer<Events>>,
    stop: Arc<AtomicBool>,
    mut asks_again: bool,
) -> Result<std::thread::JoinHandle<()>, LogError> {
    let work = move || {
        while !stop.load(Ordering::Acquire) {
            let events = consumer.context();
            if asks_again && events.assigned.load(Ordering::Acquire) {
                asks_again = false;
                if let Err(error) = consumer.subscribe(&[&events.topic]) {
                    tracing::error!(%error, "the group could not be asked to divide anew");
                }
            }
            match consumer.poll(POLL) {
                // A member that was forgotten joins again by itself; one whose name somebody else has cannot.
                Some(Err(error))
                    if error.rdkafka_error_code() == Some(RDKafkaErrorCode::FencedInstanceId)
                        || consumer.client().fatal_error().is_some() =>
                {
                    let events = consumer.context();
                    events.lease.end();
                    let (group, reason) = (String::new(), error.to_string());
                    let _ = events.changes.send(Err(LogError::Fenced { group, reason }));
                    return;
                }
                Some(Err(error)) => tracing::debug!(%error, "a member of a group reports an error"),
                _ => {}
            }
        }
    };
    let spawned = std::thread::Builder::new().name("kafka-member".into()).spawn(work);
    spawned.map_err(|source| LogError::Kafka { doing: "start a thread".into(), remedy: "", source: Box::new(source) })
}

/// Asks the group for a proof whenever the last one grows old.
async fn prove(member: std::sync::Weak<Member>, topic: String, session_timeout: Duration) {
    let every = session_timeout * PROOF_PARTS / SESSION_PARTS;
    let mut tick = tokio::time::interval(every / 2);
    let mut last: Option<Instant> = None;
    loop {
        tick.tick().await;
        let Some(member) = member.upgrade() else { return };
        let lease_is_young = last.is_some_and(|at| at.elapsed() < every) && member.consumer.context().lease.holds();
        if lease_is_young || member.consumer.context().owned().is_empty() {
            continue;
        }
        let asked = Instant::now();
        match member.commit_again(&topic).await {
            Ok(()) => last = Some(asked),
            Err(error) => tracing::debug!(%error, "ownership could not be proved"),
        }
    }
}

impl Member {
    fn brokers(&self) -> &Brokers {
        &self.consumer.context().listener.brokers
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
            let (consumer, now) = (self.consumer.clone(), offsets.clone());
            let asked = Instant::now();
            // While the group divides anew, a commit of the generation before is refused although nothing is lost: then it
            // is tried again, until it succeeds or the group tells what is lost.
            let question = move || match offsets::commit(&consumer, &now) {
                Err(error) if fenced(&error) && consumer.client().fatal_error().is_none() => Ok(false),
                other => other.map(|()| true),
            };
            if ask(self.brokers(), "commit positions", question).await? {
                self.consumer.context().lease.prove(asked);
                let mut committed = self.committed.lock().expect("no code panics while it holds this lock");
                committed.extend(offsets.iter().map(|(key, offset)| (key.clone(), *offset)));
                return Ok(());
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(Duration::from_millis(250));
        }
    }

    fn check_owned(&self, offsets: &Offsets) -> Result<(), LogError> {
        let owned = self.consumer.context().owned();
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
        let Some(partition) = self.consumer.context().owned().first().copied() else { return Ok(()) };
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
        let (consumer, topics) = (self.consumer.clone(), [topic.to_owned()]);
        let question = move || {
            let committed = offsets::committed(&consumer, &topics, &[partition])?;
            if let Some(offset) = committed.into_values().next() {
                return Ok(offset);
            }
            let oldest = offsets::sides(&consumer, &topics, &[partition], offsets::Side::Oldest)?;
            Ok(oldest.into_values().next().unwrap_or(0))
        };
        ask(self.brokers(), "read committed positions", question).await
    }
}

/// [`Membership`] in a consumer group. Dropping it leaves the group, unless `log.kafka.instance` keeps the place.
pub(super) struct KafkaMembership {
    member: Arc<Member>,
    changes: mpsc::UnboundedReceiver<Result<Change, LogError>>,
    lease: Lease,
    stop: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
    proofs: tokio::task::JoinHandle<()>,
}

#[async_trait]
impl Membership for KafkaMembership {
    async fn change(&mut self) -> Result<Change, LogError> {
        match self.changes.recv().await {
            Some(Err(LogError::Fenced { reason, .. })) => {
                Err(LogError::Fenced { group: self.member.group.clone(), reason })
            }
            Some(change) => change,
            None => Err(LogError::Closed),
        }
    }

    fn lease(&self) -> Lease {
        self.lease.clone()
    }

    fn divides(&self) -> bool {
        true
    }
}

impl Drop for KafkaMembership {
    fn drop(&mut self) {
        self.proofs.abort();
        self.changes.close();
        self.stop.store(true, Ordering::Release);
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was printed by itself.
            let _ = thread.join();
        }
    }
}
