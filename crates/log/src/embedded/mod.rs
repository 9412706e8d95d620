//! The log on one machine: every topic in one `fjall` database, written by one thread.
//!
//! ```text
//! keyspace topic.<name>   partition u32 BE │ position u64 BE  →  key length u16 LE │ key │ payload
//! keyspace ends           topic │ 0 │ partition u32 BE        →  next position u64 BE
//! keyspace groups         group │ 0 │ topic │ 0 │ partition   →  next position u64 BE
//! keyspace meta           "partitions"                        →  u32 BE
//! ```
//! Appends of all services meet in the writer thread, which puts what is waiting into one atomic batch and syncs once
//! (group commit). `ends` survives although records are dropped, so that positions never start anew.

mod reader;
mod writer;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, RwLock};

use async_trait::async_trait;
use fjall::{Database, Keyspace, KeyspaceCreateOptions};
use gristmill_verify::{TableCheckReport, is_damage};
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot, watch};

use crate::memory::check_size;
use crate::types::{
    Log, LogError, LogReader, Positions, ProducerRecord, RecordOffset, Retention, StartOffset, TopicSpec,
};
use reader::EmbeddedReader;
use writer::{LogWriter, WriterCommand};

/// The log that one machine keeps for itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EmbeddedConfig {
    /// Partitions of each topic, fixed when the data directory is made. Default: `4`.
    pub partitions: u32,
    /// Largest record, key included. Must hold a page as it came, `fetch.max_wire_bytes`. Default: `16777216` (16 MiB).
    pub max_record_bytes: usize,
    /// Whether each batch waits for the disk. `false` survives a killed process but may lose the last second when the
    /// machine loses power. Default: `true`.
    pub sync: bool,
    /// Memory for cached blocks. Default: `33554432` (32 MiB).
    pub cache_bytes: u64,
}

impl Default for EmbeddedConfig {
    fn default() -> Self {
        Self { partitions: 4, max_record_bytes: 16 << 20, sync: true, cache_bytes: 32 << 20 }
    }
}

impl EmbeddedConfig {
    pub(crate) fn check(&self) -> Result<(), LogError> {
        match self.partitions {
            0 => Err(LogError::Setting { key: "log.partitions", problem: "must be at least 1, got 0".to_owned() }),
            _ => Ok(()),
        }
    }
}

/// A [`Log`] in a directory. Clones share the one database.
#[derive(Clone)]
pub struct EmbeddedLog {
    shared: Arc<Shared>,
    commands: mpsc::Sender<WriterCommand>,
}

/// What writer and readers hold in common.
struct Shared {
    path: PathBuf,
    config: EmbeddedConfig,
    topics: BTreeMap<&'static str, Topic>,
    groups: Keyspace,
    ends: Keyspace,
    /// Counts batches, so that waiting readers wake.
    appended: watch::Sender<u64>,
    /// Written while the ends of a batch are: who has seen one of them and asks for the ends of a topic sees them all.
    publishing: RwLock<()>,
    /// Why a write failed, after which there are no more: whoever asks then is told, too.
    failure: OnceLock<String>,
}

struct Topic {
    records: Keyspace,
    retention: Retention,
    /// By partition: first position still held, and the position after the last durable record.
    oldest: Vec<AtomicU64>,
    ends: Vec<AtomicU64>,
}

impl EmbeddedLog {
    /// Opens or creates the log in `path`. Call it from within a tokio runtime or without one.
    ///
    /// # Errors
    /// [`LogError::Setting`] without partitions; [`LogError::PartitionCount`] if the directory was made with another count;
    /// [`LogError::Locked`] when another process has it open; [`LogError::Damaged`]; [`LogError::Store`] otherwise.
    pub fn open(path: &Path, topics: &[TopicSpec], config: EmbeddedConfig) -> Result<Self, LogError> {
        config.check()?;
        if let Some(broken) = gristmill_verify::broken_batch(path).map_err(store_error(path))? {
            return Err(LogError::Damaged { path: path.to_owned(), source: Box::new(broken) });
        }
        let failed = |error| open_error(path, error);
        let open =
            |path: &Path| Database::builder(path).cache_size(config.cache_bytes).max_journaling_size(192 << 20).open();
        let database = gristmill_verify::open_whole(path, open).map_err(failed)?;
        let keyspace = |name: &str| database.keyspace(name, KeyspaceCreateOptions::default).map_err(failed);
        check_partition_count(path, &keyspace("meta")?, config.partitions)?;
        let ends = keyspace("ends")?;
        let mut opened = BTreeMap::new();
        for spec in topics {
            let options = || KeyspaceCreateOptions::default().max_memtable_size(16 << 20);
            let records = database.keyspace(&format!("topic.{}", spec.name), options).map_err(failed)?;
            opened.insert(spec.name, Topic::load(path, spec, records, &ends, config.partitions)?);
        }
        let shared = Arc::new(Shared {
            path: path.to_owned(),
            config,
            topics: opened,
            groups: keyspace("groups")?,
            ends: ends.clone(),
            appended: watch::Sender::new(0),
            publishing: RwLock::default(),
            failure: OnceLock::new(),
        });
        let (commands, inbox) = mpsc::channel(1024);
        LogWriter::spawn(database, ends, shared.clone(), inbox).map_err(store_error(path))?;
        Ok(Self { shared, commands })
    }

    /// The folder that it was opened in.
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    /// Reads every table of the log, records that were dropped included, and compares checksums.
    ///
    /// # Errors
    /// The disk does not answer. Damage is no error here.
    pub fn check(&self) -> Result<TableCheckReport, LogError> {
        let records = self.shared.topics.iter().map(|(name, topic)| (*name, topic.records.clone()));
        let others = [("groups", self.shared.groups.clone()), ("ends", self.shared.ends.clone())];
        gristmill_verify::tables(records.chain(others)).map_err(store_error(&self.shared.path))
    }

    async fn send<T>(&self, command: impl FnOnce(writer::Reply<T>) -> WriterCommand) -> Result<T, LogError> {
        let (reply, answer) = oneshot::channel();
        self.commands.send(command(reply)).await.map_err(|_| self.shared.closed())?;
        answer.await.map_err(|_| self.shared.closed())?
    }
}

fn check_partition_count(path: &Path, meta: &Keyspace, wanted: u32) -> Result<(), LogError> {
    let failed = store_error(path);
    match meta.get("partitions").map_err(&failed)? {
        None => meta.insert("partitions", wanted.to_be_bytes()).map_err(&failed),
        Some(bytes) => {
            let found = bytes[..].try_into().map(u32::from_be_bytes).unwrap_or(0);
            if found == wanted {
                return Ok(());
            }
            Err(LogError::PartitionCount { path: path.to_owned(), found, wanted })
        }
    }
}

impl Topic {
    fn load(
        path: &Path,
        spec: &TopicSpec,
        records: Keyspace,
        ends: &Keyspace,
        partitions: u32,
    ) -> Result<Self, LogError> {
        let failed = |error| open_error(path, error);
        let mut topic = Self { records, retention: spec.retention.clone(), oldest: vec![], ends: vec![] };
        for partition in 0..partitions {
            let end = ends.get(end_key(spec.name, partition)).map_err(failed)?.map_or(0, |bytes| read_u64(&bytes));
            let oldest = topic.first_position(partition, end).map_err(failed)?;
            topic.oldest.push(AtomicU64::new(oldest));
            topic.ends.push(AtomicU64::new(end));
        }
        Ok(topic)
    }

    /// The position of the first record, or `end` where there is none.
    fn first_position(&self, partition: u32, end: u64) -> Result<u64, fjall::Error> {
        let first = self.records.range(record_key(partition, 0)..record_key(partition, u64::MAX)).next();
        match first.map(fjall::Guard::key) {
            None => Ok(end),
            Some(Ok(key)) => Ok(read_u64(key.get(4..).unwrap_or_default())),
            // What is dropped stands before all that is held, so the border is found without the damaged part.
            Some(Err(error)) if is_damage(&error) => {
                let (mut dropped, mut held) = (0, end);
                while dropped < held {
                    let middle = dropped + (held - dropped) / 2;
                    match self.records.get(record_key(partition, middle)) {
                        Ok(None) => dropped = middle + 1,
                        _ => held = middle,
                    }
                }
                Ok(held)
            }
            Some(Err(error)) => Err(error),
        }
    }

    fn end(&self, partition: u32) -> u64 {
        self.ends[partition as usize].load(Ordering::Acquire)
    }
}

impl Shared {
    /// Why nothing is written any more.
    fn closed(&self) -> LogError {
        match self.failure.get() {
            Some(reason) => LogError::Store { path: self.path.clone(), source: reason.clone().into() },
            None => LogError::Closed,
        }
    }

    fn topic(&self, name: &str) -> Result<&Topic, LogError> {
        self.topics.get(name).ok_or_else(|| LogError::UnknownTopic { topic: name.into() })
    }

    fn committed(&self, group: &str, topic: &str, partition: u32) -> Result<Option<u64>, LogError> {
        let bytes = self.groups.get(group_key(group, topic, partition)).map_err(store_error(&self.path))?;
        Ok(bytes.map(|bytes| read_u64(&bytes)))
    }
}

#[async_trait]
impl Log for EmbeddedLog {
    async fn append(&self, records: Vec<ProducerRecord>) -> Result<Vec<RecordOffset>, LogError> {
        for record in &records {
            self.shared.topic(record.topic)?;
            check_size(record, self.shared.config.max_record_bytes)?;
        }
        if records.is_empty() {
            return Ok(Vec::new());
        }
        self.send(|reply| WriterCommand::Append { records, reply }).await
    }

    async fn reader_of(
        &self,
        topics: &[&'static str],
        partitions: &[u32],
        start: StartOffset,
    ) -> Result<Box<dyn LogReader>, LogError> {
        let mut next = Vec::new();
        for name in topics {
            let topic = self.shared.topic(name)?;
            for partition in partitions.iter().copied().filter(|number| *number < self.shared.config.partitions) {
                let (oldest, end) = (topic.oldest[partition as usize].load(Ordering::Acquire), topic.end(partition));
                let wanted = match &start {
                    StartOffset::Group(group) => self.shared.committed(group, name, partition)?,
                    StartOffset::At(positions) => positions.get(&(name.to_string(), partition)).copied(),
                    StartOffset::End => Some(end),
                };
                let position = wanted.unwrap_or(oldest);
                if position < oldest || position > end {
                    let topic = name.to_string();
                    return Err(LogError::OutOfRange { topic, partition, wanted: position, oldest, next: end });
                }
                next.push((*name, partition, position));
            }
        }
        Ok(Box::new(EmbeddedReader::new(self.shared.clone(), next)))
    }

    async fn commit(&self, group: &'static str, positions: &Positions) -> Result<(), LogError> {
        for ((topic, partition), position) in positions {
            let end = self.shared.topic(topic)?.end(*partition);
            if *position > end {
                let (topic, partition) = (topic.clone(), *partition);
                return Err(LogError::OutOfRange { topic, partition, wanted: *position, oldest: 0, next: end });
            }
        }
        let positions = positions.clone();
        self.send(|reply| WriterCommand::Commit { group, positions, reply }).await
    }

    async fn committed(&self, group: &'static str, topic: &'static str) -> Result<Vec<Option<u64>>, LogError> {
        self.shared.topic(topic)?;
        (0..self.shared.config.partitions).map(|partition| self.shared.committed(group, topic, partition)).collect()
    }

    async fn ends(&self, topic: &'static str) -> Result<Vec<u64>, LogError> {
        let topic = self.shared.topic(topic)?;
        let _whole_batches = self.shared.publishing.read().expect("nothing under this lock panics");
        Ok((0..self.shared.config.partitions).map(|partition| topic.end(partition)).collect())
    }

    async fn lag(&self, group: &'static str, topic: &'static str) -> Result<u64, LogError> {
        let mut lag = 0;
        for (partition, end) in (0u32..).zip(self.ends(topic).await?) {
            lag += end - self.shared.committed(group, topic, partition)?.unwrap_or(0).min(end);
        }
        Ok(lag)
    }

    fn partitions(&self) -> u32 {
        self.shared.config.partitions
    }
}

fn record_key(partition: u32, position: u64) -> [u8; 12] {
    let mut key = [0; 12];
    key[..4].copy_from_slice(&partition.to_be_bytes());
    key[4..].copy_from_slice(&position.to_be_bytes());
    key
}

fn end_key(topic: &str, partition: u32) -> Vec<u8> {
    [topic.as_bytes(), &[0], &partition.to_be_bytes()].concat()
}

fn group_key(group: &str, topic: &str, partition: u32) -> Vec<u8> {
    [group.as_bytes(), &[0], topic.as_bytes(), &[0], &partition.to_be_bytes()].concat()
}

/// Reads a stored position; a value of the wrong length is one that this crate never wrote, and reads as 0.
fn read_u64(bytes: &[u8]) -> u64 {
    bytes.try_into().map(u64::from_be_bytes).unwrap_or(0)
}

fn store_error<E: std::error::Error + Send + Sync + 'static>(path: &Path) -> impl Fn(E) -> LogError {
    move |source| LogError::Store { path: path.to_owned(), source: Box::new(source) }
}

/// What an error of the store at its opening means.
fn open_error(path: &Path, error: fjall::Error) -> LogError {
    let path = path.to_owned();
    match error {
        fjall::Error::Locked => LogError::Locked { path },
        error if is_damage(&error) => LogError::Damaged { path, source: Box::new(error) },
        error => LogError::Store { path, source: Box::new(error) },
    }
}
