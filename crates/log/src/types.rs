//! The traits, and the values that cross them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;

use crate::membership::{Membership, SingleProcessMembership};

/// A record to append.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProducerRecord {
    pub topic: &'static str,
    /// Decides the partition: the registrable domain, or the URL key.
    pub key: String,
    pub payload: Vec<u8>,
}

/// A record as a reader gets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsumerRecord {
    pub place: RecordOffset,
    pub key: String,
    pub payload: Vec<u8>,
}

/// Where a record stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RecordOffset {
    pub topic: &'static str,
    pub partition: u32,
    pub position: u64,
}

/// The next position to read, by topic and partition; what is absent starts at the beginning.
pub type Positions = BTreeMap<(String, u32), u64>;

/// Where a reader starts.
#[derive(Debug, Clone)]
pub enum StartOffset {
    /// Where the group last committed, or at the oldest record.
    Group(&'static str),
    /// At positions that the caller keeps beside its own state.
    At(Positions),
    /// At the first record that will be appended after this call.
    End,
}

/// What becomes of records that were read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Retention {
    /// Dropped once every named group has committed past them. On Kafka, which knows time and not groups, kept for
    /// `log.kafka.retention`: a group that stays away for longer is refused, never silently moved on.
    UntilCommitted(Vec<&'static str>),
    /// The newest records of each partition stay. On Kafka: those of `log.kafka.retention`.
    Newest(u64),
    /// The newest record of each key stays where the engine can tell (Kafka, by compaction), so that whoever lost what it
    /// made of them reads them again from the beginning; on one machine as [`Retention::UntilCommitted`].
    LatestOfKey(Vec<&'static str>),
}

/// A topic as the pipeline needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopicSpec {
    pub name: &'static str,
    pub retention: Retention,
}

/// Why the log could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    #[error("topic `{topic}` does not exist in this log")]
    UnknownTopic { topic: String },
    #[error("record of {size} bytes for topic `{topic}` exceeds `log.max_record_bytes` ({limit} bytes)")]
    TooLarge { topic: String, size: usize, limit: usize },
    #[error(
        "position {wanted} of `{topic}`/{partition} is outside what the log holds ({oldest}..={next}): \
         the log is damaged and has lost its end, or it and the state that remembers this position are not of one data directory"
    )]
    OutOfRange { topic: String, partition: u32, wanted: u64, oldest: u64, next: u64 },
    #[error(
        "log in `{}` was created with {found} partitions for each topic, not {wanted}: \
         set `log.partitions = {found}`, or start with a new data directory",
        path.display()
    )]
    PartitionCount { path: PathBuf, found: u32, wanted: u32 },
    #[error(
        "topic `{topic}` has {found} partitions on the brokers, not {wanted}: set `log.partitions = {found}`, or another \
         `log.kafka.topic_prefix` for a new set of topics"
    )]
    TopicPartitions { topic: String, found: u32, wanted: u32 },
    #[error("`{key}`: {problem}")]
    Setting { key: &'static str, problem: String },
    #[error(
        "no Kafka broker of `log.kafka.brokers` ({brokers}) answered within `log.kafka.connect_timeout` ({waited:?}): {reason}"
    )]
    Connect { brokers: String, waited: Duration, reason: String },
    #[error(
        "the Kafka brokers `{brokers}` refused to let us in: {reason}; look at `log.kafka.security.protocol`, \
         `log.kafka.security.username` and `log.kafka.security.password`"
    )]
    Authentication { brokers: String, reason: String },
    #[error("group `{group}` has given this process's partitions to another: {reason}")]
    Fenced { group: String, reason: String },
    #[error("Kafka could not {doing}{remedy}")]
    Kafka { doing: String, remedy: &'static str, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("the log in `{}` is in use by another process", path.display())]
    Locked { path: PathBuf },
    #[error("the log in `{}` is damaged", path.display())]
    Damaged { path: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("log is closed: an earlier write failed or the process is stopping")]
    Closed,
    #[error("log store failed in `{}`", path.display())]
    Store { path: PathBuf, source: Box<dyn std::error::Error + Send + Sync> },
}

impl LogError {
    /// Whether it tells of wrong bytes on the disk, which stay wrong.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Damaged { .. } => true,
            Self::Store { source, .. } => source.downcast_ref().is_some_and(gristmill_verify::is_damage),
            _ => false,
        }
    }
}

/// Appends, reads and remembers positions. Shared by all services of a process.
#[async_trait]
pub trait Log: Send + Sync {
    /// Appends the records in order; they are durable and visible when this returns their places.
    ///
    /// All or none, whatever happens, in memory and on one machine. Kafka takes each partition's records in order and gives up
    /// on none of them, but a process that dies in the middle leaves a part: see [`Log::append_then`].
    ///
    /// # Errors
    /// [`LogError::UnknownTopic`] and [`LogError::TooLarge`] before anything is written;
    /// [`LogError::Store`], [`LogError::Kafka`] or [`LogError::Closed`] when the engine fails.
    async fn append(&self, records: Vec<ProducerRecord>) -> Result<Vec<RecordOffset>, LogError>;

    /// Appends `records`, and `last` only when all of them are durable: for a record that says that the others are there.
    /// Returns the places of all, those of `last` at the end.
    ///
    /// # Errors
    /// As [`Log::append`].
    async fn append_then(
        &self,
        mut records: Vec<ProducerRecord>,
        last: Vec<ProducerRecord>,
    ) -> Result<Vec<RecordOffset>, LogError> {
        records.extend(last);
        self.append(records).await
    }

    /// A reader over `partitions` of each of `topics`.
    ///
    /// # Errors
    /// [`LogError::OutOfRange`] if a start position was dropped or never written. Never a silent reset.
    async fn reader_of(
        &self,
        topics: &[&'static str],
        partitions: &[u32],
        start: StartOffset,
    ) -> Result<Box<dyn LogReader>, LogError>;

    /// A reader over all partitions of `topics` that are [ours](Log::owned).
    ///
    /// # Errors
    /// As [`Log::reader_of`].
    async fn reader(&self, topics: &[&'static str], start: StartOffset) -> Result<Box<dyn LogReader>, LogError> {
        self.reader_of(topics, &self.owned(), start).await
    }

    /// Remembers durably where `group` goes on; records below may be dropped, and what they name.
    ///
    /// # Errors
    /// [`LogError::Fenced`] if this process was a member of the group and is none any more.
    async fn commit(&self, group: &'static str, positions: &Positions) -> Result<(), LogError>;

    /// Where `group` goes on in each partition of `topic`; none where it has never committed.
    async fn committed(&self, group: &'static str, topic: &'static str) -> Result<Vec<Option<u64>>, LogError>;

    /// The position after the newest record of each partition.
    async fn ends(&self, topic: &'static str) -> Result<Vec<u64>, LogError>;

    /// Whether a reader of `topics` that stands at `positions` has read everything that is in the log now.
    ///
    /// An empty poll does not say so: it may have been shorter than the way to the brokers.
    ///
    /// # Errors
    /// As [`Log::ends`].
    async fn is_read(&self, topics: &[&'static str], positions: &Positions) -> Result<bool, LogError> {
        for topic in topics {
            for (partition, end) in (0..).zip(self.ends(topic).await?) {
                if positions.get(&((*topic).to_owned(), partition)).is_some_and(|position| *position < end) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Records that `group` has not committed yet.
    async fn lag(&self, group: &'static str, topic: &'static str) -> Result<u64, LogError>;

    /// Partitions of each topic.
    fn partitions(&self) -> u32;

    /// The partitions that a reader of this log covers: all of them, or those of a [`PartitionView`](crate::Share).
    fn owned(&self) -> Vec<u32> {
        (0..self.partitions()).collect()
    }

    /// Whether the log can be written to now. A log that cannot retries by itself; this is for readiness probes.
    fn healthy(&self) -> bool {
        true
    }

    /// Takes part in dividing the partitions among the processes that work for `group`. The partitions of `topic` are what
    /// is divided; every topic has as many. A process joins a group once.
    ///
    /// # Errors
    /// The engine failed, or this process has joined already.
    async fn join(&self, group: &'static str, topic: &'static str) -> Result<Box<dyn Membership>, LogError> {
        let _ = (group, topic);
        Ok(Box::new(SingleProcessMembership::new(self.owned())))
    }
}

/// Reads on from where it stands.
#[async_trait]
pub trait LogReader: Send {
    /// Up to `max_records` records, in order within a partition. Waits up to `wait` for the first one, then takes
    /// what is there; empty after `wait`. Stops early once the payloads exceed 8 MiB, so that memory stays bounded.
    ///
    /// Cancel-safe: a poll that is dropped before it returns loses nothing.
    async fn poll(&mut self, max_records: usize, wait: Duration) -> Result<Vec<ConsumerRecord>, LogError>;

    /// The next position of each partition that this reader covers.
    fn positions(&self) -> Positions;
}

/// Payload bytes after which a poll ends.
pub(crate) const POLL_BYTES: usize = 8 << 20;
