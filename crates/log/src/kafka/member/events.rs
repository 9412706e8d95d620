//! What a group tells of partitions, as changes for the workers.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use rdkafka::TopicPartitionList;
use rdkafka::client::ClientContext;
use rdkafka::config::RDKafkaLogLevel;
use rdkafka::consumer::{BaseConsumer, Consumer, ConsumerContext};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::topic_partition_list::Offset;
use rdkafka::types::RDKafkaRespErr;
use tokio::sync::{mpsc, oneshot};

use crate::kafka::client::{KafkaClientContext, tell};
use crate::membership::{PartitionLease, Rebalance};
use crate::types::LogError;

/// How often a handover looks whether the workers are done.
const HANDOVER_POLL: Duration = Duration::from_millis(5);

/// What the group gave to this process, which outlives the consumers that ask for it.
pub(super) struct GroupAssignment {
    pub(super) listener: KafkaClientContext,
    /// The topic whose partitions count.
    pub(super) topic: String,
    /// Whether the consumer of now got an assignment.
    pub(super) assigned: AtomicBool,
    pub(super) lease: PartitionLease,
    pub(super) owned: Mutex<BTreeSet<u32>>,
    /// Whether the thread waits for workers, so that it cannot join the group again.
    pub(super) handing_over: AtomicBool,
    pub(super) changes: mpsc::UnboundedSender<Result<Rebalance, LogError>>,
    pub(super) handover_timeout: Duration,
}

/// What the group tells a consumer, turned into changes.
pub(super) struct RebalanceListener(pub(super) Arc<GroupAssignment>);

impl GroupAssignment {
    pub(super) fn owned(&self) -> MutexGuard<'_, BTreeSet<u32>> {
        self.owned.lock().expect("no code panics while it holds this lock")
    }

    fn numbers(&self, list: &TopicPartitionList) -> Vec<u32> {
        let elements = list.elements();
        let ours = elements.iter().filter(|element| element.topic() == self.topic);
        ours.filter_map(|element| u32::try_from(element.partition()).ok()).collect()
    }

    fn take(&self, consumer: &BaseConsumer<RebalanceListener>, list: &mut TopicPartitionList) {
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
        let _ = self.changes.send(Ok(Rebalance::Assigned(partitions)));
    }

    fn give_back(&self, consumer: &BaseConsumer<RebalanceListener>, list: &TopicPartitionList) {
        let partitions = self.numbers(list);
        if consumer.assignment_lost() {
            self.lost(partitions);
        } else if !partitions.is_empty() {
            self.hand_over(consumer, partitions);
        }
        if let Err(error) = consumer.incremental_unassign(list) {
            tracing::error!(%error, "an assignment could not be given back");
        }
    }

    /// These are not ours any more, whatever their workers are doing.
    pub(super) fn lost(&self, partitions: Vec<u32>) {
        if partitions.is_empty() {
            return;
        }
        tracing::warn!(?partitions, "partitions lost: the group has gone on without this process");
        self.lease.end();
        self.owned().retain(|number| !partitions.contains(number));
        let _ = self.changes.send(Ok(Rebalance::Lost(partitions)));
    }

    /// Everything is lost.
    pub(super) fn lost_all(&self) {
        let partitions = self.owned().iter().copied().collect();
        self.lease.end();
        self.lost(partitions);
    }

    /// Waits until the workers of `partitions` are done, or the group has forgotten this process.
    fn hand_over(&self, consumer: &BaseConsumer<RebalanceListener>, partitions: Vec<u32>) {
        let (begun, (drained, mut done)) = (Instant::now(), oneshot::channel());
        tracing::info!(?partitions, "partitions go to another process");
        self.handing_over.store(true, Ordering::Release);
        let told = Ok(Rebalance::Revoked { partitions: partitions.clone(), drained });
        if self.changes.send(told).is_ok() {
            while matches!(done.try_recv(), Err(oneshot::error::TryRecvError::Empty)) {
                let late = begun.elapsed() > self.handover_timeout;
                if late {
                    tracing::error!(?partitions, "workers did not end within `log.kafka.handover_timeout`");
                }
                if late || consumer.assignment_lost() || consumer.client().fatal_error().is_some() {
                    self.lost(partitions.clone());
                    break;
                }
                std::thread::sleep(HANDOVER_POLL);
            }
        }
        self.handing_over.store(false, Ordering::Release);
        self.owned().retain(|number| !partitions.contains(number));
        tracing::info!(?partitions, seconds = begun.elapsed().as_secs_f64(), "partitions handed over");
    }
}

impl ClientContext for RebalanceListener {
    fn log(&self, level: RDKafkaLogLevel, facility: &str, message: &str) {
        tell(level, facility, message);
    }

    fn error(&self, error: KafkaError, reason: &str) {
        self.0.listener.error(error, reason);
    }
}

impl ConsumerContext for RebalanceListener {
    fn rebalance(&self, consumer: &BaseConsumer<Self>, event: RDKafkaRespErr, list: &mut TopicPartitionList) {
        match event {
            RDKafkaRespErr::RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS => self.0.take(consumer, list),
            RDKafkaRespErr::RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS => self.0.give_back(consumer, list),
            _ => {
                tracing::error!(event = ?RDKafkaErrorCode::from(event), "the group could not divide the partitions");
                self.0.lost_all();
                // Nothing better is left when this fails too.
                let _ = consumer.unassign();
            }
        }
    }
}
