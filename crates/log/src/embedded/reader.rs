//! Reads the partitions of some topics in turn.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tokio::sync::watch;

use super::{Shared, read_u64, record_key, store_error};
use crate::types::{LogError, POLL_BYTES, Place, Positions, Reader, Stored};

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
    fn take(&mut self, max_records: usize) -> Result<Vec<Stored>, LogError> {
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
) -> Result<Vec<Stored>, LogError> {
    let (mut taken, mut bytes) = (Vec::new(), 0);
    let places = next.len();
    for i in 0..places {
        let (name, partition, position) = &mut next[(turn + i) % places];
        let topic = shared.topic(name)?;
        let end = topic.end(*partition);
        for guard in topic.records.range(record_key(*partition, *position)..record_key(*partition, end)) {
            if taken.len() >= max_records || bytes > POLL_BYTES {
                return Ok(taken);
            }
            let (key, value) = guard.into_inner().map_err(store_error(&shared.path))?;
            let place = Place { topic: name, partition: *partition, position: *position };
            if read_u64(&key[4..]) != *position {
                return Err(damaged(&place));
            }
            let stored = parse(place, &value)?;
            bytes += stored.payload.len();
            taken.push(stored);
            *position += 1;
        }
    }
    Ok(taken)
}

fn parse(place: Place, value: &[u8]) -> Result<Stored, LogError> {
    let split = || {
        let (length, rest) = value.split_first_chunk::<2>()?;
        let (key, payload) = rest.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
        Some((std::str::from_utf8(key).ok()?.to_owned(), payload.to_vec()))
    };
    let (key, payload) = split().ok_or_else(|| damaged(&place))?;
    Ok(Stored { place, key, payload })
}

fn damaged(place: &Place) -> LogError {
    LogError::Damaged { topic: place.topic.into(), partition: place.partition, position: place.position }
}

#[async_trait]
impl Reader for EmbeddedReader {
    async fn poll(&mut self, max_records: usize, wait: Duration) -> Result<Vec<Stored>, LogError> {
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
