//! The one thread that writes: gathers what waits, commits it as one batch, syncs once, answers all.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use fjall::{Database, Keyspace, OwnedWriteBatch, PersistMode};
use tokio::sync::{mpsc, oneshot};

use super::{Shared, Topic, end_key, group_key, record_key, store_error};
use crate::partition::partition_of;
use crate::types::{LogError, Positions, ProducerRecord, RecordOffset, Retention};

pub(super) type Reply<T> = oneshot::Sender<Result<T, LogError>>;

pub(super) enum WriterCommand {
    Append { records: Vec<ProducerRecord>, reply: Reply<Vec<RecordOffset>> },
    Commit { group: &'static str, positions: Positions, reply: Reply<()> },
}

/// A batch ends at this many commands or payload bytes.
const BATCH_COMMANDS: usize = 512;
const BATCH_BYTES: usize = 4 << 20;

/// Longest wait for company before a batch is written.
const LONGEST_GATHER: Duration = Duration::from_millis(1);

/// Records are dropped in runs of at least this many, since each drop writes a tombstone.
const TRIM_RUN: u64 = 64;

pub(super) struct LogWriter {
    database: Database,
    ends: Keyspace,
    shared: Arc<Shared>,
}

impl LogWriter {
    /// Starts the thread; it ends when every handle to the log is gone, or at the first failed write.
    pub(super) fn spawn(
        database: Database,
        ends: Keyspace,
        shared: Arc<Shared>,
        inbox: mpsc::Receiver<WriterCommand>,
    ) -> std::io::Result<()> {
        let writer = Self { database, ends, shared };
        std::thread::Builder::new().name("log-writer".into()).spawn(move || writer.run(inbox))?;
        Ok(())
    }

    fn run(self, mut inbox: mpsc::Receiver<WriterCommand>) {
        let mut patience = Duration::ZERO;
        while let Some(first) = inbox.blocking_recv() {
            let commands = gather(first, &mut inbox, patience);
            // Positions wait for the disk as records do: what lies below them may be deleted as soon as they are stored.
            let sync = self.shared.config.sync;
            let mut step = Step::new(&self);
            let answers: Vec<_> = commands.into_iter().map(|command| step.take(command)).collect();
            let begun = Instant::now();
            let outcome = step.commit(sync);
            patience = next_patience(patience, sync.then(|| begun.elapsed()));
            let failed = outcome.is_err();
            if let Err(error) = &outcome {
                tracing::error!(%error, cause = ?std::error::Error::source(error), "log could not be written");
                let _ = self.shared.failure.set(root_cause(error));
            }
            for answer in answers {
                answer.send(if failed { Err(self.shared.closed()) } else { Ok(()) });
            }
            if failed {
                // fjall refuses further writes after a failed sync; so do we, and the services stop with an error.
                return;
            }
        }
    }
}

/// A batch waits for company as long as the last one took to sync: fewer syncs, and no caller waits longer for company than
/// for the disk. On a slow disk the next batch gathers while the last one is written.
fn next_patience(last: Duration, synced: Option<Duration>) -> Duration {
    synced.map_or(last, |took| took.min(LONGEST_GATHER))
}

/// Takes what is waiting, and what comes within `patience`.
fn gather(first: WriterCommand, inbox: &mut mpsc::Receiver<WriterCommand>, patience: Duration) -> Vec<WriterCommand> {
    let mut bytes = first.bytes();
    let mut commands = vec![first];
    let mut waited = patience.is_zero();
    while commands.len() < BATCH_COMMANDS && bytes < BATCH_BYTES {
        match inbox.try_recv() {
            Ok(command) => {
                bytes += command.bytes();
                commands.push(command);
            }
            Err(_) if waited => break,
            Err(_) => {
                std::thread::sleep(patience);
                waited = true;
            }
        }
    }
    commands
}

impl WriterCommand {
    fn bytes(&self) -> usize {
        match self {
            Self::Append { records, .. } => records.iter().map(|record| record.payload.len()).sum(),
            Self::Commit { .. } => 0,
        }
    }
}

/// What the innermost error says: those around it name the store.
fn root_cause(error: &LogError) -> String {
    let mut innermost: &dyn std::error::Error = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

enum Answer {
    Places(Reply<Vec<RecordOffset>>, Vec<RecordOffset>),
    Done(Reply<()>),
}

impl Answer {
    fn send(self, outcome: Result<(), LogError>) {
        // A caller that went away wants no answer.
        match self {
            Self::Places(reply, places) => drop(reply.send(outcome.map(|()| places))),
            Self::Done(reply) => drop(reply.send(outcome)),
        }
    }
}

/// One atomic batch in the making.
struct Step<'a> {
    writer: &'a LogWriter,
    batch: OwnedWriteBatch,
    /// New ends, published only after the batch is durable.
    ends: BTreeMap<(&'static str, u32), u64>,
    /// Commits of this batch, before the store knows them.
    committed: BTreeMap<(&'static str, String, u32), u64>,
    oldest: Vec<(&'static str, u32, u64)>,
}

impl<'a> Step<'a> {
    fn new(writer: &'a LogWriter) -> Self {
        let batch = writer.database.batch();
        Self { writer, batch, ends: BTreeMap::new(), committed: BTreeMap::new(), oldest: Vec::new() }
    }

    fn take(&mut self, command: WriterCommand) -> Answer {
        match command {
            WriterCommand::Append { records, reply } => {
                let places = records.into_iter().map(|record| self.append(record)).collect();
                Answer::Places(reply, places)
            }
            WriterCommand::Commit { group, positions, reply } => {
                for ((topic, partition), position) in positions {
                    self.batch.insert(
                        &self.writer.shared.groups,
                        group_key(group, &topic, partition),
                        position.to_be_bytes(),
                    );
                    self.committed.insert((group, topic, partition), position);
                }
                Answer::Done(reply)
            }
        }
    }

    fn append(&mut self, record: ProducerRecord) -> RecordOffset {
        let shared = &self.writer.shared;
        let topic = &shared.topics[record.topic];
        let partition = partition_of(record.key.as_bytes(), shared.config.partitions);
        let end = self.ends.entry((record.topic, partition)).or_insert_with(|| topic.end(partition));
        let position = *end;
        *end += 1;
        let key = record.key.as_bytes();
        let key = &key[..key.len().min(usize::from(u16::MAX))];
        let mut value = Vec::with_capacity(2 + key.len() + record.payload.len());
        value.extend_from_slice(&(key.len() as u16).to_le_bytes());
        value.extend_from_slice(key);
        value.extend_from_slice(&record.payload);
        self.batch.insert(&topic.records, record_key(partition, position), value);
        RecordOffset { topic: record.topic, partition, position }
    }

    fn commit(mut self, sync: bool) -> Result<(), LogError> {
        for ((topic, partition), end) in &self.ends {
            self.batch.insert(&self.writer.ends, end_key(topic, *partition), end.to_be_bytes());
        }
        self.trim()?;
        let mode = if sync { PersistMode::SyncData } else { PersistMode::Buffer };
        let shared = &self.writer.shared;
        self.batch.durability(Some(mode)).commit().map_err(store_error(&shared.path))?;
        for (topic, partition, oldest) in self.oldest {
            shared.topics[topic].oldest[partition as usize].store(oldest, Ordering::Release);
        }
        let publishing = shared.publishing.write().expect("nothing under this lock panics");
        for ((topic, partition), end) in &self.ends {
            shared.topics[topic].ends[*partition as usize].store(*end, Ordering::Release);
        }
        drop(publishing);
        if !self.ends.is_empty() {
            shared.appended.send_modify(|n| *n += 1);
        }
        Ok(())
    }

    /// Drops what nobody needs any more of the partitions that this batch touched.
    fn trim(&mut self) -> Result<(), LogError> {
        let shared = &self.writer.shared;
        let mut touched: Vec<(&'static str, u32)> = self.ends.keys().copied().collect();
        for (_, topic, partition) in self.committed.keys() {
            if let Some((name, _)) = shared.topics.get_key_value(topic.as_str()) {
                touched.push((name, *partition));
            }
        }
        touched.sort_unstable();
        touched.dedup();
        for (name, partition) in touched {
            let topic = &shared.topics[name];
            let oldest = topic.oldest[partition as usize].load(Ordering::Acquire);
            let keep_from = self.keep_from(name, topic, partition)?;
            if keep_from < oldest + TRIM_RUN {
                continue;
            }
            for position in oldest..keep_from {
                self.batch.remove(&topic.records, record_key(partition, position));
            }
            self.oldest.push((name, partition, keep_from));
        }
        Ok(())
    }

    fn keep_from(&self, name: &'static str, topic: &Topic, partition: u32) -> Result<u64, LogError> {
        // Only what was durable before this batch may go: a reader may be between the two.
        let end = topic.end(partition);
        match &topic.retention {
            Retention::Newest(count) => Ok(end.saturating_sub(*count)),
            Retention::UntilCommitted(groups) | Retention::LatestOfKey(groups) => {
                let mut lowest = end;
                for group in groups {
                    let here = self.committed.get(&(*group, name.to_string(), partition)).copied();
                    let committed = match here {
                        Some(position) => position,
                        None => self.writer.shared.committed(group, name, partition)?.unwrap_or(0),
                    };
                    lowest = lowest.min(committed);
                }
                Ok(lowest)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_that_waits_for_no_disk_waits_for_no_company_either() {
        assert_eq!(next_patience(Duration::ZERO, None), Duration::ZERO);
        let quick = Duration::from_micros(300);
        assert_eq!(next_patience(Duration::ZERO, Some(quick)), quick);
        assert_eq!(next_patience(quick, Some(Duration::from_secs(1))), LONGEST_GATHER);
    }

    #[test]
    fn what_waits_already_is_taken_without_a_pause() {
        let (send, mut inbox) = mpsc::channel(8);
        let command = || WriterCommand::Append { records: Vec::new(), reply: oneshot::channel().0 };
        for _ in 0..3 {
            send.try_send(command()).ok().unwrap();
        }
        assert_eq!(gather(command(), &mut inbox, Duration::ZERO).len(), 4);
    }
}
