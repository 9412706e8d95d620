//! A log that lives as long as the process: the reference for the others, and the engine of small tests.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::watch;

use crate::partition::partition_of;
use crate::types::{
    ConsumerRecord, Log, LogError, LogReader, POLL_BYTES, Positions, ProducerRecord, RecordOffset, StartOffset,
    TopicSpec,
};

/// Holds every record in memory and drops none.
#[derive(Clone)]
pub struct MemoryLog {
    shared: Arc<Shared>,
}

struct Shared {
    partitions: u32,
    max_record_bytes: usize,
    state: Mutex<State>,
    /// Counts appends, so that waiting readers wake.
    appended: watch::Sender<u64>,
}

/// Key and payload of each record of one partition.
type Partition = Vec<(String, Vec<u8>)>;

struct State {
    /// By topic, then partition.
    records: BTreeMap<&'static str, Vec<Partition>>,
    groups: BTreeMap<&'static str, Positions>,
}

impl MemoryLog {
    /// An empty log with `partitions` partitions for each of `topics`.
    pub fn new(topics: &[TopicSpec], partitions: u32, max_record_bytes: usize) -> Self {
        let empty = || vec![Vec::new(); partitions as usize];
        let state =
            State { records: topics.iter().map(|topic| (topic.name, empty())).collect(), groups: BTreeMap::new() };
        let appended = watch::Sender::new(0);
        Self { shared: Arc::new(Shared { partitions, max_record_bytes, state: Mutex::new(state), appended }) }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no code panics while it holds this lock")
    }
}

impl State {
    fn topic(&self, topic: &str) -> Result<&Vec<Partition>, LogError> {
        self.records.get(topic).ok_or_else(|| LogError::UnknownTopic { topic: topic.into() })
    }
}

#[async_trait]
impl Log for MemoryLog {
    async fn append(&self, records: Vec<ProducerRecord>) -> Result<Vec<RecordOffset>, LogError> {
        let mut state = self.shared.lock();
        for record in &records {
            state.topic(record.topic)?;
            check_size(record, self.shared.max_record_bytes)?;
        }
        let mut places = Vec::with_capacity(records.len());
        for ProducerRecord { topic, key, payload } in records {
            let partition = partition_of(key.as_bytes(), self.shared.partitions);
            let stored = &mut state.records.get_mut(topic).expect("checked above")[partition as usize];
            places.push(RecordOffset { topic, partition, position: stored.len() as u64 });
            stored.push((key, payload));
        }
        drop(state);
        self.shared.appended.send_modify(|n| *n += 1);
        Ok(places)
    }

    async fn reader_of(
        &self,
        topics: &[&'static str],
        partitions: &[u32],
        start: StartOffset,
    ) -> Result<Box<dyn LogReader>, LogError> {
        let state = self.shared.lock();
        let mut next = BTreeMap::new();
        for topic in topics {
            for (partition, records) in state.topic(topic)?.iter().enumerate() {
                let (partition, end) = (partition as u32, records.len() as u64);
                if !partitions.contains(&partition) {
                    continue;
                }
                let at = |positions: &Positions| positions.get(&(topic.to_string(), partition)).copied().unwrap_or(0);
                let position = match &start {
                    StartOffset::Group(group) => state.groups.get(group).map_or(0, at),
                    StartOffset::At(positions) => at(positions),
                    StartOffset::End => end,
                };
                if position > end {
                    let topic = topic.to_string();
                    return Err(LogError::OutOfRange { topic, partition, wanted: position, oldest: 0, next: end });
                }
                next.insert((*topic, partition), position);
            }
        }
        drop(state);
        Ok(Box::new(MemoryReader { shared: self.shared.clone(), seen: self.shared.appended.subscribe(), next }))
    }

    async fn commit(&self, group: &'static str, positions: &Positions) -> Result<(), LogError> {
        let mut state = self.shared.lock();
        for (topic, _) in positions.keys() {
            state.topic(topic)?;
        }
        let group = state.groups.entry(group).or_default();
        group.extend(positions.iter().map(|(key, position)| (key.clone(), *position)));
        Ok(())
    }

    async fn committed(&self, group: &'static str, topic: &'static str) -> Result<Vec<Option<u64>>, LogError> {
        let state = self.shared.lock();
        state.topic(topic)?;
        let of_group = state.groups.get(group);
        let at = |partition| of_group.and_then(|positions| positions.get(&(topic.to_owned(), partition)).copied());
        Ok((0..self.shared.partitions).map(at).collect())
    }

    async fn ends(&self, topic: &'static str) -> Result<Vec<u64>, LogError> {
        Ok(self.shared.lock().topic(topic)?.iter().map(|records| records.len() as u64).collect())
    }

    async fn lag(&self, group: &'static str, topic: &'static str) -> Result<u64, LogError> {
        let ends = self.ends(topic).await?;
        let state = self.shared.lock();
        let committed = |partition: u32| {
            let key = (topic.to_string(), partition);
            state.groups.get(group).and_then(|positions| positions.get(&key)).copied().unwrap_or(0)
        };
        Ok(ends.iter().zip(0..).map(|(end, partition)| end.saturating_sub(committed(partition))).sum())
    }

    fn partitions(&self) -> u32 {
        self.shared.partitions
    }
}

/// Refuses what is over the limit; both engines ask before they write anything.
pub(crate) fn check_size(record: &ProducerRecord, limit: usize) -> Result<(), LogError> {
    let size = record.payload.len() + record.key.len();
    if size > limit { Err(LogError::TooLarge { topic: record.topic.into(), size, limit }) } else { Ok(()) }
}

struct MemoryReader {
    shared: Arc<Shared>,
    seen: watch::Receiver<u64>,
    next: BTreeMap<(&'static str, u32), u64>,
}

impl MemoryReader {
    fn take(&mut self, max_records: usize) -> Result<Vec<ConsumerRecord>, LogError> {
        let state = self.shared.lock();
        let (mut taken, mut bytes) = (Vec::new(), 0);
        for ((topic, partition), next) in &mut self.next {
            let records = &state.topic(topic)?[*partition as usize];
            for (key, payload) in &records[*next as usize..] {
                if taken.len() >= max_records || bytes > POLL_BYTES {
                    return Ok(taken);
                }
                bytes += payload.len();
                let place = RecordOffset { topic, partition: *partition, position: *next };
                taken.push(ConsumerRecord { place, key: key.clone(), payload: payload.clone() });
                *next += 1;
            }
        }
        Ok(taken)
    }
}

#[async_trait]
impl LogReader for MemoryReader {
    async fn poll(&mut self, max_records: usize, wait: Duration) -> Result<Vec<ConsumerRecord>, LogError> {
        let deadline = tokio::time::Instant::now() + wait;
        loop {
            self.seen.mark_unchanged();
            let taken = self.take(max_records)?;
            if !taken.is_empty() {
                return Ok(taken);
            }
            match tokio::time::timeout_at(deadline, self.seen.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return Err(LogError::Closed),
                Err(_) => return Ok(Vec::new()),
            }
        }
    }

    fn positions(&self) -> Positions {
        self.next.iter().map(|((topic, partition), next)| ((topic.to_string(), *partition), *next)).collect()
    }
}
