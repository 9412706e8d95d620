//! Ends, beginnings and committed positions: questions to the brokers, asked off the async threads until they are answered.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use rdkafka::TopicPartitionList;
use rdkafka::consumer::{BaseConsumer, CommitMode, Consumer, ConsumerContext};
use rdkafka::error::{KafkaError, KafkaResult};
use rdkafka::topic_partition_list::Offset;

use super::client::{BrokerHealth, failed, fenced, passes};
use crate::types::LogError;

/// Longest wait for one answer; then the question is asked again.
const PATIENCE: Duration = Duration::from_secs(10);

/// Pause before a question is asked again, doubled up to a second.
const FIRST_PAUSE: Duration = Duration::from_millis(25);

/// The position of each partition, by name of the topic on the brokers.
pub(super) type Offsets = BTreeMap<(String, i32), u64>;

/// Which end of a partition.
#[derive(Clone, Copy)]
pub(super) enum PartitionEnd {
    Oldest,
    End,
}

/// Asks until there is an answer: an outage is waited out, any other error is told.
pub(super) async fn ask<T: Send + 'static>(
    brokers: &BrokerHealth,
    doing: &str,
    question: impl Fn() -> KafkaResult<T> + Send + Clone + 'static,
) -> Result<T, LogError> {
    let mut pause = FIRST_PAUSE;
    loop {
        let question = question.clone();
        match tokio::task::spawn_blocking(question).await.map_err(|_| LogError::Closed)? {
            Ok(answer) => {
                brokers.heard(true);
                return Ok(answer);
            }
            Err(error) if passes(&error) => {
                tracing::debug!(%error, doing, "asking the Kafka brokers again");
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(Duration::from_secs(1));
            }
            Err(error) => return Err(failed(doing)(error)),
        }
    }
}

/// One end of each of `partitions` of `topics`.
pub(super) fn sides<C: ConsumerContext>(
    consumer: &BaseConsumer<C>,
    topics: &[String],
    partitions: &[u32],
    side: PartitionEnd,
) -> KafkaResult<Offsets> {
    // A timestamp of -1 or -2 asks for the end or the beginning, of all partitions in one request to each broker.
    let asked = match side {
        PartitionEnd::End => Offset::End,
        PartitionEnd::Oldest => Offset::Beginning,
    };
    let mut list = TopicPartitionList::new();
    for topic in topics {
        for partition in partitions {
            list.add_partition_offset(topic, *partition as i32, asked)?;
        }
    }
    let answers = consumer.offsets_for_times(list, PATIENCE)?;
    let mut offsets = Offsets::new();
    for element in answers.elements() {
        element.error()?;
        let Offset::Offset(offset) = element.offset() else {
            return Err(KafkaError::OffsetFetch(rdkafka::types::RDKafkaErrorCode::InProgress));
        };
        offsets.insert((element.topic().to_owned(), element.partition()), offset.max(0) as u64);
    }
    Ok(offsets)
}

/// What the consumer's group has committed of `partitions` of `topics`; absent where it never did.
pub(super) fn committed<C: ConsumerContext>(
    consumer: &BaseConsumer<C>,
    topics: &[String],
    partitions: &[u32],
) -> KafkaResult<Offsets> {
    let mut list = TopicPartitionList::new();
    for topic in topics {
        for partition in partitions {
            list.add_partition(topic, *partition as i32);
        }
    }
    let mut offsets = Offsets::new();
    for element in consumer.committed_offsets(list, PATIENCE)?.elements() {
        element.error()?;
        if let Offset::Offset(offset) = element.offset() {
            offsets.insert((element.topic().to_owned(), element.partition()), offset.max(0) as u64);
        }
    }
    Ok(offsets)
}

/// Commits `offsets` for the consumer's group, and waits for the answer.
pub(super) fn commit<C: ConsumerContext>(consumer: &BaseConsumer<C>, offsets: &Offsets) -> KafkaResult<()> {
    let mut list = TopicPartitionList::new();
    for ((topic, partition), offset) in offsets {
        list.add_partition_offset(topic, *partition, Offset::Offset(*offset as i64))?;
    }
    consumer.commit(&list, CommitMode::Sync)
}

/// Commits until the group has taken it; [`LogError::Fenced`] when it refuses us.
pub(super) async fn commit_until_taken<C: ConsumerContext + 'static>(
    brokers: &BrokerHealth,
    group: &str,
    consumer: Arc<BaseConsumer<C>>,
    offsets: Offsets,
) -> Result<(), LogError> {
    let offsets = Arc::new(offsets);
    let question = move || match commit(&consumer, &offsets) {
        Err(error) if fenced(&error) => Ok(Err(error.to_string())),
        other => other.map(Ok),
    };
    let refused = |reason| LogError::Fenced { group: group.to_owned(), reason };
    ask(brokers, "commit positions", question).await?.map_err(refused)
}
