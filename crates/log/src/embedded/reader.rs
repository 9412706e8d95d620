//! Reads the partitions of some topics in turn.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use gristmill_verify::is_damage;
use tokio::sync::watch;

use super::{Shared, Topic, read_u64, record_key, store_error};
use crate::types::{ConsumerRecord, LogError, LogReader, POLL_BYTES, Positions, RecordOffset};

/// Up to so many records are looked up one by one: what was just written is in memory, where that is cheaper than to begin a run
/// over all tables of the store.
const FEW: u64 = 16;

pub(super) struct EmbeddedReader {
    shared: Arc<Shared>,
    appended: watch::Receiver<u64>,
    /// Topic, partition, next position.
    next: Vec<(&'static str, u32, u64)>,
    /// Where the next poll begins, so that a busy partition cannot starve the others.
    turn: usize,
}

impl EmbeddedReader {
    pub(super) fn new(shared: Arc<Shared>, next: Vec<(&'static str, u32, u64)>) -> Self {
        Self { appended: shared.appended.subscribe(), shared, next, turn: 0 }
    }

    fn has_more(&self) -> bool {
        self.next.iter().any(|(topic, partition, next)| {
            self.shared.topics.get(topic).is_some_and(|topic| topic.end(*partition) > *next)
        })
    }

    /// Reads on the caller's thread: what is read was mostly just written and is in memory, and handing a few records to
    /// another thread costs more than reading them.
    fn take(&mut self, max_records: usize) -> Result<Vec<ConsumerRecord>, LogError> {
        let taken = take(&self.shared, &mut self.next, self.turn, max_records)?;
        self.turn = (self.turn + 1) % self.next.len().max(1);
        Ok(taken)
    }
}

fn take(
    shared: &Shared,
    next: &mut [(&'static str, u32, u64)],
    turn: usize,
    max_records: usize,
) -> Result<Vec<ConsumerRecord>, LogError> {
    let mut batch = Batch { taken: Vec::new(), bytes: 0, max_records };
    let places = next.len();
    for i in 0..places {
        let (name, partition, position) = &mut next[(turn + i) % places];
        let topic = shared.topic(name)?;
        let mut place = RecordOffset { topic: name, partition: *partition, position: *position };
        let end = topic.end(*partition);
        let read = if end - place.position <= FEW {
            batch.take_each(topic, &mut place, end)
        } else {
            batch.take_run(topic, &mut place, end).or_else(|error| match is_damage(&error) {
                // A block of the store holds several records, and the run ends before all of them: they are asked for one by one.
                true => batch.take_each(topic, &mut place, end),
                false => Err(error),
            })
        };
        *position = place.position;
        read.map_err(store_error(&shared.path))?;
    }
    Ok(batch.taken)
}

/// What a poll has taken so far.
struct Batch {
    taken: Vec<ConsumerRecord>,
    bytes: usize,
    max_records: usize,
}

impl Batch {
    fn is_full(&self) -> bool {
        self.taken.len() >= self.max_records || self.bytes > POLL_BYTES
    }

    /// Takes the record at `place`, which it moves on. One that is not there, or cannot be read, is an empty one: whoever
    /// reads it sees that it is no message, and goes on.
    fn push(&mut self, place: &mut RecordOffset, value: Option<&[u8]>) {
        let (key, payload) = value.and_then(parse).unwrap_or_default();
        self.bytes += payload.len();
        self.taken.push(ConsumerRecord { place: place.clone(), key, payload });
        place.position += 1;
    }

    fn take_run(&mut self, topic: &Topic, place: &mut RecordOffset, end: u64) -> Result<(), fjall::Error> {
        let range = record_key(place.partition, place.position)..record_key(place.partition, end);
        for guard in topic.records.range(range) {
            if self.is_full() {
                return Ok(());
            }
            let (key, value) = guard.into_inner()?;
            let found = read_u64(key.get(4..).unwrap_or_default());
            while place.position < found && !self.is_full() {
                self.push(place, None);
            }
            if place.position == found {
                self.push(place, Some(&value));
            }
        }
        while place.position < end && !self.is_full() {
            self.push(place, None);
        }
        Ok(())
    }

    fn take_each(&mut self, topic: &Topic, place: &mut RecordOffset, end: u64) -> Result<(), fjall::Error> {
        while place.position < end && !self.is_full() {
            match topic.records.get(record_key(place.partition, place.position)) {
                Ok(value) => self.push(place, value.as_deref()),
                Err(error) if is_damage(&error) => self.push(place, None),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Key and payload of a stored record.
fn parse(value: &[u8]) -> Option<(String, Vec<u8>)> {
    let (length, rest) = value.split_first_chunk::<2>()?;
    let (key, payload) = rest.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
    Some((std::str::from_utf8(key).ok()?.to_owned(), payload.to_vec()))
}

#[async_trait]
impl LogReader for EmbeddedReader {
    async fn poll(&mut self, max_records: usize, wait: Duration) -> Result<Vec<ConsumerRecord>, LogError> {
        let deadline = tokio::time::Instant::now() + wait;
        loop {
            self.appended.mark_unchanged();
            if self.has_more() {
                return self.take(max_records);
            }
            match tokio::time::timeout_at(deadline, self.appended.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return Err(LogError::Closed),
                Err(_) => return Ok(Vec::new()),
            }
        }
    }

    fn positions(&self) -> Positions {
        self.next.iter().map(|(topic, partition, next)| ((topic.to_string(), *partition), *next)).collect()
    }
}
