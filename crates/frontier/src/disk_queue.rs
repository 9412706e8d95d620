//! A priority queue on disk with its first entries in memory.

use crate::error::FrontierError;
use crate::table::StoreTable;

/// Most entries in memory. A pop costs a range scan of the store only once in so many.
const FRONT: usize = 32;

/// Entries that a queue keeps in memory while nothing is popped from it: most hosts wait most of the time,
/// and there are many.
const IDLE_FRONT: usize = 4;

/// What orders a queue: smaller first. `(priority, sequence)` in a host's queue, `(due time, sequence)` in `later`.
pub(crate) type Rank = (u64, u64);

/// The entries of one table under one prefix, ordered by rank.
///
/// Scanning an LSM tree from the start of a queue would pass over the tombstone of everything ever popped.
/// So the smallest entries stand in memory, and a refill starts at `floor`, below which there is nothing left.
pub(crate) struct DiskQueue {
    prefix: QueuePrefix,
    /// The smallest entries, in descending order: the last is the first to go.
    front: Vec<(Rank, Vec<u8>)>,
    /// Entries that are on disk only, all larger than those in `front`.
    rest: u64,
    /// No entry of the rest is smaller.
    floor: Rank,
}

/// At most 8 bytes, in place: there are two queues for each host.
#[derive(Clone, Copy)]
struct QueuePrefix {
    bytes: [u8; 8],
    length: u8,
}

impl QueuePrefix {
    fn of(prefix: &[u8]) -> Self {
        let mut bytes = [0; 8];
        let length = prefix.len().min(bytes.len());
        bytes[..length].copy_from_slice(&prefix[..length]);
        Self { bytes, length: length as u8 }
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

impl DiskQueue {
    /// The queue below `prefix`, which has at most 8 bytes and holds `length` entries on disk.
    pub(crate) fn new(prefix: &[u8], length: u64) -> Self {
        let prefix = QueuePrefix::of(prefix);
        Self { prefix, front: Vec::new(), rest: length, floor: (0, 0) }
    }

    pub(crate) fn len(&self) -> u64 {
        self.front.len() as u64 + self.rest
    }

    pub(crate) fn push(&mut self, table: &mut StoreTable, rank: Rank, value: Vec<u8>) {
        table.put(self.key(rank), value.clone());
        let is_last = self.front.first().is_none_or(|(last, _)| rank > *last);
        if is_last && (self.rest > 0 || self.front.len() >= IDLE_FRONT) {
            self.floor = if self.rest == 0 { rank } else { self.floor.min(rank) };
            self.rest += 1;
            return;
        }
        let place = self.front.partition_point(|(other, _)| *other > rank);
        self.front.insert(place, (rank, value));
        if self.front.len() > FRONT {
            let (spilled, _) = self.front.remove(0);
            self.floor = if self.rest == 0 { spilled } else { self.floor.min(spilled) };
            self.rest += 1;
        }
    }

    /// The smallest entry.
    pub(crate) fn peek(&mut self, table: &StoreTable) -> Result<Option<(Rank, &[u8])>, FrontierError> {
        if self.front.is_empty() && self.rest > 0 {
            self.refill(table)?;
        }
        Ok(self.front.last().map(|(rank, value)| (*rank, value.as_slice())))
    }

    pub(crate) fn pop(&mut self, table: &mut StoreTable) -> Result<Option<(Rank, Vec<u8>)>, FrontierError> {
        self.peek(table)?;
        let Some((rank, value)) = self.front.pop() else { return Ok(None) };
        table.delete(self.key(rank));
        Ok(Some((rank, value)))
    }

    /// Takes out the entry of `rank`, which must be in the queue.
    pub(crate) fn remove(&mut self, table: &mut StoreTable, rank: Rank) {
        table.delete(self.key(rank));
        match self.front.iter().position(|(other, _)| *other == rank) {
            Some(place) => _ = self.front.remove(place),
            None => self.rest = self.rest.saturating_sub(1),
        }
    }

    /// Whether the entry of `rank` is in the queue.
    pub(crate) fn has(&self, table: &StoreTable, rank: Rank) -> Result<bool, FrontierError> {
        let is_near = self.front.iter().any(|(other, _)| *other == rank);
        Ok(is_near || self.rest > 0 && table.get(&self.key(rank), |_| Some(()))?.is_some())
    }

    fn refill(&mut self, table: &StoreTable) -> Result<(), FrontierError> {
        let prefix = self.prefix.bytes();
        let entries = table.scan(prefix, &self.key(self.floor), FRONT)?;
        for (key, value) in entries {
            let rank = read_rank(&key[prefix.len()..]).ok_or_else(|| table.damaged(&key))?;
            self.front.push((rank, value));
        }
        match self.front.last() {
            Some(&((major, minor), _)) => self.floor = (major, minor.saturating_add(1)),
            // The count was wrong; the entries on disk are what there is.
            None => self.rest = 0,
        }
        self.rest = self.rest.saturating_sub(self.front.len() as u64);
        self.front.reverse();
        Ok(())
    }

    fn key(&self, (major, minor): Rank) -> Vec<u8> {
        let prefix = self.prefix.bytes();
        let mut key = Vec::with_capacity(prefix.len() + 16);
        key.extend_from_slice(prefix);
        key.extend_from_slice(&major.to_be_bytes());
        key.extend_from_slice(&minor.to_be_bytes());
        key
    }
}

fn read_rank(bytes: &[u8]) -> Option<Rank> {
    let (major, minor) = bytes.split_first_chunk::<8>()?;
    Some((u64::from_be_bytes(*major), u64::from_be_bytes(minor.try_into().ok()?)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::table::testing::{commit, open};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn a_queue_behaves_as_a_sorted_map_across_commits_and_reopening(
            steps in prop::collection::vec((0u8..10, 0u64..6, any::<u8>()), 1..600),
        ) {
            let dir = tempfile::tempdir().unwrap();
            let (db, mut table) = open(dir.path());
            let mut neighbour = DiskQueue::new(&[2], 0);
            neighbour.push(&mut table, (0, 0), vec![99]);
            let mut queue = DiskQueue::new(&[1], 0);
            let mut model = BTreeMap::new();
            for (sequence, (step, major, pick)) in steps.into_iter().enumerate() {
                match step {
                    0..=5 => {
                        let rank = (major, sequence as u64);
                        queue.push(&mut table, rank, vec![pick]);
                        model.insert(rank, vec![pick]);
                    }
                    6 | 7 => prop_assert_eq!(queue.pop(&mut table).unwrap(), model.pop_first()),
                    8 => {
                        let chosen = model.keys().nth(usize::from(pick) % model.len().max(1)).copied();
                        if let Some(rank) = chosen {
                            queue.remove(&mut table, rank);
                            model.remove(&rank);
                        }
                    }
                    _ => {
                        commit(&db, &mut table);
                        if pick % 2 == 0 {
                            queue = DiskQueue::new(&[1], model.len() as u64);
                        }
                    }
                }
                prop_assert_eq!(queue.len(), model.len() as u64);
            }
            while let Some(entry) = queue.pop(&mut table).unwrap() {
                prop_assert_eq!(Some(entry), model.pop_first());
            }
            prop_assert!(model.is_empty());
        }
    }
}
