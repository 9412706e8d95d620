//! Readers: partitions assigned by hand at positions that we name, each with a queue of its own.
//!
//! The readers of a process share few consumers. A consumer holds a partition once, so a second reader of the same partition
//! goes to the next consumer; readers of different partitions share one, with its connections and threads.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use rdkafka::config::FromClientConfigAndContext;
use rdkafka::consumer::base_consumer::PartitionQueue;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::message::Message;
use rdkafka::topic_partition_list::Offset;
use rdkafka::{ClientConfig, TopicPartitionList};
use tokio::sync::Notify;

use super::client::{BrokerHealth, KafkaClientContext, failed, passes};
use super::config::KafkaConfig;
use crate::types::{ConsumerRecord, LogError, LogReader, POLL_BYTES, Positions, RecordOffset};

/// How often a consumer without readers of the main queue looks for events.
const EVENTS_EVERY: Duration = Duration::from_millis(500);

/// Memory for records read ahead of one partition, at least.
const LEAST_AHEAD: usize = 1 << 20;

/// Partitions that may be read at once before the memory for reading ahead grows beyond [`KafkaConfig::buffer_bytes`].
const SHARES_OF_BUFFER: usize = 16;

/// The consumers of a process that read data.
pub(super) struct ConsumerPool {
    client: ClientConfig,
    listener: KafkaClientContext,
    consumers: Mutex<Vec<Arc<Shared>>>,
}

/// One consumer and what its readers hold of it.
struct Shared {
    consumer: Arc<BaseConsumer<KafkaClientContext>>,
    taken: Mutex<BTreeSet<(String, i32)>>,
    stop: Arc<AtomicBool>,
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Release);
    }
}

/// A partition to be read.
pub(super) struct PartitionStart {
    pub(super) topic: &'static str,
    pub(super) name: String,
    pub(super) partition: u32,
    pub(super) position: u64,
}

impl ConsumerPool {
    pub(super) fn new(config: &KafkaConfig, mut client: ClientConfig, listener: KafkaClientContext) -> Self {
        let ahead = (config.buffer_bytes / SHARES_OF_BUFFER).max(LEAST_AHEAD);
        client
            // Assigning by hand needs the name of a group, which nothing is committed for.
            .set("group.id", config.topic("readers"))
            .set("enable.auto.commit", "false")
            .set("enable.auto.offset.store", "false")
            .set("auto.offset.reset", "error")
            .set("isolation.level", "read_committed")
            .set("check.crcs", "true")
            .set("queued.max.messages.kbytes", (ahead / 1024).to_string())
            .set("queued.min.messages", "1000000")
            .set("fetch.message.max.bytes", ahead.to_string())
            .set("fetch.queue.backoff.ms", "5")
            .set("fetch.error.backoff.ms", "100")
            .set("fetch.wait.max.ms", "500");
        Self { client, listener, consumers: Mutex::default() }
    }

    /// A reader of `from`, whose positions are checked.
    pub(super) fn reader(&self, from: Vec<PartitionStart>) -> Result<KafkaReader, LogError> {
        let woken = Arc::new(Notify::new());
        let mut sources = Vec::new();
        for from in from {
            sources.push(self.source(from, &woken)?);
        }
        Ok(KafkaReader { sources, woken, turn: 0, brokers: self.listener.brokers.clone() })
    }

    fn source(&self, from: PartitionStart, woken: &Arc<Notify>) -> Result<Source, LogError> {
        let shared = self.room_for(&(from.name.clone(), from.partition as i32))?;
        // The queue is split off before the assignment, or its first records would go to the common queue.
        let queue = shared.consumer.split_partition_queue(&from.name, from.partition as i32);
        let mut source = Source { shared, queue, from };
        let Some(queue) = &mut source.queue else {
            return Err(LogError::UnknownTopic { topic: source.from.name.clone() });
        };
        let woken = woken.clone();
        queue.set_nonempty_callback(move || woken.notify_one());
        let list = source.list()?;
        source.shared.consumer.incremental_assign(&list).map_err(failed("assign partitions"))?;
        Ok(source)
    }

    /// A consumer that does not hold `partition` yet, which it now does.
    fn room_for(&self, partition: &(String, i32)) -> Result<Arc<Shared>, LogError> {
        let mut consumers = self.consumers.lock().expect("no code panics while it holds this lock");
        for shared in consumers.iter() {
            if shared.taken().insert(partition.clone()) {
                return Ok(shared.clone());
            }
        }
        let shared = Arc::new(Shared::start(&self.client, self.listener.clone())?);
        shared.taken().insert(partition.clone());
        consumers.push(shared.clone());
        Ok(shared)
    }
}

impl Shared {
    fn start(client: &ClientConfig, listener: KafkaClientContext) -> Result<Self, LogError> {
        let listener_brokers = listener.brokers.clone();
        let consumer = BaseConsumer::from_config_and_context(client, listener).map_err(failed("start a client"))?;
        let (consumer, stop) = (Arc::new(consumer), Arc::new(AtomicBool::new(false)));
        let (polled, stopped, brokers) = (consumer.clone(), stop.clone(), listener_brokers);
        let events = move || {
            while !stopped.load(Ordering::Acquire) {
                // No records come here; errors of the client go to its context.
                if let Some(Err(error)) = polled.poll(EVENTS_EVERY) {
                    brokers.note(&error, &error.to_string());
                    tracing::debug!(%error, "a Kafka consumer reports an error");
                }
            }
        };
        let spawned = std::thread::Builder::new().name("kafka-events".into()).spawn(events);
        spawned.map_err(|source| LogError::Kafka {
            doing: "start a thread".into(),
            remedy: "",
            source: Box::new(source),
        })?;
        Ok(Self { consumer, taken: Mutex::default(), stop })
    }

    fn taken(&self) -> MutexGuard<'_, BTreeSet<(String, i32)>> {
        self.taken.lock().expect("no code panics while it holds this lock")
    }
}

/// One partition of a reader.
struct Source {
    shared: Arc<Shared>,
    /// Only `None` while it is being dropped.
    queue: Option<PartitionQueue<KafkaClientContext>>,
    from: PartitionStart,
}

impl Source {
    fn list(&self) -> Result<TopicPartitionList, LogError> {
        let mut list = TopicPartitionList::new();
        let offset = Offset::Offset(self.from.position as i64);
        list.add_partition_offset(&self.from.name, self.from.partition as i32, offset)
            .map_err(failed("name a partition"))?;
        Ok(list)
    }

    /// The next record, if one is here.
    fn next(&mut self) -> Result<Option<ConsumerRecord>, LogError> {
        let queue = self.queue.as_ref().expect("taken only when dropped");
        loop {
            let message = match queue.poll(Duration::ZERO) {
                None => return Ok(None),
                Some(Ok(message)) => message,
                Some(Err(error)) if passes(&error) => continue,
                Some(Err(error)) => return Err(self.refused(error)),
            };
            let position = message.offset() as u64;
            // What was fetched before a seek of an earlier reader; never what this one waits for.
            if position < self.from.position {
                continue;
            }
            self.from.position = position + 1;
            let place = RecordOffset { topic: self.from.topic, partition: self.from.partition, position };
            let key = String::from_utf8_lossy(message.key().unwrap_or_default()).into_owned();
            let payload = message.payload().unwrap_or_default().to_vec();
            return Ok(Some(ConsumerRecord { place, key, payload }));
        }
    }

    fn refused(&self, error: KafkaError) -> LogError {
        match error.rdkafka_error_code() {
            Some(RDKafkaErrorCode::AutoOffsetReset | RDKafkaErrorCode::OffsetOutOfRange) => {
                let (oldest, next) = self.watermarks();
                let (topic, partition) = (self.from.name.clone(), self.from.partition);
                LogError::OutOfRange { topic, partition, wanted: self.from.position, oldest, next }
            }
            _ => failed(format!("read `{}`/{}", self.from.name, self.from.partition))(error),
        }
    }

    fn watermarks(&self) -> (u64, u64) {
        let ask = || {
            let partition = self.from.partition as i32;
            self.shared.consumer.fetch_watermarks(&self.from.name, partition, Duration::from_secs(5))
        };
        // For the message only; zeros where the brokers do not answer.
        tokio::task::block_in_place(ask).map_or((0, 0), |(oldest, next)| (oldest.max(0) as u64, next.max(0) as u64))
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        self.queue = None;
        let unassigned = self.list().map(|list| self.shared.consumer.incremental_unassign(&list));
        if let Ok(Err(error)) = unassigned {
            tracing::debug!(%error, "a partition could not be given back");
        }
        self.shared.taken().remove(&(self.from.name.clone(), self.from.partition as i32));
    }
}

/// Reads its partitions in turn.
pub(super) struct KafkaReader {
    sources: Vec<Source>,
    /// Rung when a queue that was empty is so no more.
    woken: Arc<Notify>,
    /// Where the next poll begins, so that a busy partition cannot starve the others.
    turn: usize,
    brokers: Arc<BrokerHealth>,
}

impl KafkaReader {
    fn take(&mut self, max_records: usize) -> Result<Vec<ConsumerRecord>, LogError> {
        let (mut taken, mut bytes) = (Vec::new(), 0);
        let count = self.sources.len();
        self.turn = (self.turn + 1) % count.max(1);
        for i in 0..count {
            let source = &mut self.sources[(self.turn + i) % count];
            while taken.len() < max_records && bytes <= POLL_BYTES {
                let Some(stored) = source.next()? else { break };
                bytes += stored.payload.len();
                taken.push(stored);
            }
        }
        if !taken.is_empty() {
            self.brokers.heard(true);
        }
        Ok(taken)
    }
}

#[async_trait]
impl LogReader for KafkaReader {
    async fn poll(&mut self, max_records: usize, wait: Duration) -> Result<Vec<ConsumerRecord>, LogError> {
        let deadline = tokio::time::Instant::now() + wait;
        loop {
            let taken = self.take(max_records)?;
            if !taken.is_empty() {
                return Ok(taken);
            }
            if tokio::time::timeout_at(deadline, self.woken.notified()).await.is_err() {
                return Ok(Vec::new());
            }
        }
    }

    fn positions(&self) -> Positions {
        let position = |source: &Source| ((source.from.topic.to_owned(), source.from.partition), source.from.position);
        self.sources.iter().map(position).collect()
    }
}
