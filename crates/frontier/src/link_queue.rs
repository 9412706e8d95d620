//! The new URLs of one host that wait: the newest in memory, the others in rows of up to 64 on disk.
//!
//! ```text
//! host id | 2⁶², u64 | rank of the first, u64 → the further ones, each by what it is beyond the one before:
//!     sequence, at least 1                                        of the same priority
//!     0 | priority | sequence, as a zigzag difference             of a later priority
//! ```
//!
//! A rank is priority and sequence; the URL itself is in the link log under its sequence. A row ascends. Where many of one priority come
//! at once they have rows of their own; few of several priorities share one, as a row costs more than what it holds. So rows may
//! overlap, and all that begin before an entry are in memory when it is taken out. The newest entries need no row of their own:
//! after a crash they are read from the end of the link log.
//!
//! Entries on disk whose URL has left the queue stay, and so do those of a row that was used in part, should the store be opened anew:
//! who takes one out asks its record.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::codec::{RecordDecoder, RecordEncoder, unzigzag, zigzag};
use crate::disk_queue::Rank;
use crate::error::FrontierError;
use crate::table::StoreTable;

/// Most entries of a row.
const ROW: usize = 64;

/// Fewer of one priority share a row with others.
const OWN_ROW: usize = 16;

/// In the keys of the queues, what sets the new URLs of a host apart from its others.
const LINKS: u64 = 1 << 62;

/// Bits of a sequence in a packed rank; the priority is above.
const SEQUENCE_BITS: u32 = 56;

/// Where a queue's rows are, and how many entries they hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LinkRows {
    pub(crate) n_entries: u64,
    /// Packed; no row begins before it.
    pub(crate) least: u64,
    /// Whether one begins there.
    pub(crate) is_exact: bool,
}

impl LinkRows {
    pub(crate) fn encode(self, writer: &mut RecordEncoder) {
        writer.number(self.n_entries).number(self.least).flag(self.is_exact);
    }

    pub(crate) fn decode(reader: &mut RecordDecoder<'_>) -> Option<Self> {
        Some(Self { n_entries: reader.number()?, least: reader.number()?, is_exact: reader.flag()? })
    }
}

pub(crate) struct LinkQueue {
    /// Packed ranks that no row has.
    tail: BinaryHeap<Reverse<u64>>,
    prefix: [u8; 8],
    /// Packed ranks of the rows in memory, in descending order, each with the first of its row.
    front: Vec<(u64, u64)>,
    /// The rows in memory, which stay on disk until they are used up.
    loaded: Vec<LoadedRow>,
    /// The other rows.
    rest: LinkRows,
}

struct LoadedRow {
    first: u64,
    n_entries: u64,
    n_left: u64,
}

impl LinkQueue {
    pub(crate) fn new(host: u64, rows: LinkRows) -> Self {
        let prefix = (host | LINKS).to_be_bytes();
        let (front, loaded) = (Vec::new(), Vec::new());
        Self { prefix, tail: BinaryHeap::new(), front, loaded, rest: rows }
    }

    /// How many entries it has, with those whose URL left the queue.
    pub(crate) fn len(&self) -> u64 {
        (self.tail.len() + self.front.len()) as u64 + self.rest.n_entries
    }

    /// Whether all entries have rows.
    pub(crate) fn is_flushed(&self) -> bool {
        self.tail.is_empty()
    }

    pub(crate) fn push(&mut self, rank: Rank) {
        self.tail.push(Reverse(pack(rank)));
    }

    /// The smallest entry.
    pub(crate) fn peek(&mut self, table: &StoreTable) -> Result<Option<Rank>, FrontierError> {
        loop {
            let near = self.nearest();
            if self.rest.n_entries == 0 || near.is_some_and(|near| near < self.rest.least) {
                return Ok(near.map(unpack));
            }
            if self.rest.is_exact {
                return Ok(Some(unpack(self.rest.least)));
            }
            self.load_row(table)?;
        }
    }

    /// Takes the smallest entry out.
    pub(crate) fn pop(&mut self, table: &mut StoreTable) -> Result<Option<Rank>, FrontierError> {
        loop {
            let Some(head) = self.peek(table)? else { return Ok(None) };
            let packed = pack(head);
            if let Some((_, row)) = self.front.pop_if(|(rank, _)| *rank == packed) {
                self.use_up(table, row);
                return Ok(Some(head));
            }
            if self.tail.peek() == Some(&Reverse(packed)) {
                self.tail.pop();
                return Ok(Some(head));
            }
            self.load_row(table)?;
        }
    }

    /// Takes the entry of `rank` out if it is in memory or the first. Else it stays in its row, and its URL's record tells that it
    /// waits no more.
    pub(crate) fn remove(&mut self, table: &mut StoreTable, rank: Rank) -> Result<(), FrontierError> {
        let packed = pack(rank);
        if self.peek(table)? == Some(rank) {
            self.pop(table)?;
        } else if let Some(place) = self.front.iter().position(|(other, _)| *other == packed) {
            let (_, row) = self.front.remove(place);
            self.use_up(table, row);
        } else {
            self.tail.retain(|Reverse(other)| *other != packed);
        }
        Ok(())
    }

    /// Gives all entries rows. The host's record must then be written with [`LinkQueue::rows`], in the same commit.
    pub(crate) fn flush(&mut self, table: &mut StoreTable) {
        let mut tail: Vec<u64> = std::mem::take(&mut self.tail).into_iter().map(|Reverse(rank)| rank).collect();
        tail.sort_unstable();
        let mut few = Vec::new();
        for row in
            tail.chunk_by(|one, other| one >> SEQUENCE_BITS == other >> SEQUENCE_BITS).flat_map(|of| of.chunks(ROW))
        {
            if row.len() < OWN_ROW {
                few.extend_from_slice(row);
            } else {
                table.put(self.key(row[0]), encode_row(row));
            }
        }
        few.chunks(ROW).for_each(|row| table.put(self.key(row[0]), encode_row(row)));
        let Some(&first) = tail.first() else { return };
        if self.rest.n_entries == 0 || first < self.rest.least {
            (self.rest.least, self.rest.is_exact) = (first, true);
        }
        self.rest.n_entries += tail.len() as u64;
    }

    /// All rows that are on disk, those in memory too.
    pub(crate) fn rows(&self) -> LinkRows {
        let n_entries = self.rest.n_entries + self.loaded.iter().map(|row| row.n_entries).sum::<u64>();
        match self.loaded.iter().map(|row| row.first).min() {
            Some(least) if self.rest.n_entries == 0 || least < self.rest.least => {
                LinkRows { n_entries, least, is_exact: true }
            }
            _ => LinkRows { n_entries, ..self.rest },
        }
    }

    /// The smallest entry in memory, packed.
    fn nearest(&self) -> Option<u64> {
        let tail = self.tail.peek().map(|Reverse(rank)| *rank);
        self.front.last().map(|(rank, _)| *rank).into_iter().chain(tail).min()
    }

    /// Brings the first row that is not in memory there.
    fn load_row(&mut self, table: &StoreTable) -> Result<(), FrontierError> {
        let start = self.key(self.rest.least);
        let mut is_loaded = false;
        for entry in table.iter_from(&self.prefix, &start) {
            let (key, value) = entry?;
            let row = read_row(&key, &value).ok_or_else(|| table.damaged(&key))?;
            let (first, n_entries) = (row[0], row.len() as u64);
            if self.loaded.iter().any(|loaded| loaded.first == first) {
                continue;
            }
            if is_loaded {
                (self.rest.least, self.rest.is_exact) = (first, true);
                return Ok(());
            }
            self.front.extend(row.into_iter().map(|rank| (rank, first)));
            // Two runs, of which one is reversed: this sort is linear there.
            self.front.sort_by(|one, other| other.cmp(one));
            self.loaded.push(LoadedRow { first, n_entries, n_left: n_entries });
            self.rest.n_entries = self.rest.n_entries.saturating_sub(n_entries);
            is_loaded = true;
        }
        // If the count was wrong, the rows on disk are what there is.
        self.rest.n_entries = 0;
        Ok(())
    }

    /// Counts an entry of the row in memory that begins with `first` as used, and takes the row off the disk with the last of them.
    fn use_up(&mut self, table: &mut StoreTable, first: u64) {
        let place = self.loaded.iter().position(|row| row.first == first);
        let Some(place) = place else { return };
        let row = &mut self.loaded[place];
        row.n_left -= 1;
        if row.n_left == 0 {
            self.loaded.swap_remove(place);
            table.delete(self.key(first));
        }
    }

    fn key(&self, rank: u64) -> Vec<u8> {
        [self.prefix, rank.to_be_bytes()].concat()
    }
}

fn pack((priority, sequence): Rank) -> u64 {
    priority << SEQUENCE_BITS | sequence & ((1 << SEQUENCE_BITS) - 1)
}

fn unpack(rank: u64) -> Rank {
    (rank >> SEQUENCE_BITS, rank & ((1 << SEQUENCE_BITS) - 1))
}

fn encode_row(row: &[u64]) -> Vec<u8> {
    let mut writer = RecordEncoder::default();
    for ((priority, sequence), (next_priority, next_sequence)) in
        row.windows(2).map(|two| (unpack(two[0]), unpack(two[1])))
    {
        if priority == next_priority {
            writer.number(next_sequence - sequence);
        } else {
            writer.number(0).number(next_priority - priority).number(zigzag(next_sequence.wrapping_sub(sequence)));
        }
    }
    writer.0
}

/// The ranks of a row, ascending; at least one.
fn read_row(key: &[u8], value: &[u8]) -> Option<Vec<u64>> {
    let first = u64::from_be_bytes(key.get(8..)?.try_into().ok()?);
    let (mut row, mut reader) = (vec![first], RecordDecoder(value));
    let mut last = first;
    while !reader.0.is_empty() {
        let step = reader.number()?;
        let next = if step > 0 {
            last.checked_add(step)?
        } else {
            let (priority, sequence) = unpack(last);
            let priority =
                priority.checked_add(reader.number()?).filter(|priority| *priority < 1 << (64 - SEQUENCE_BITS))?;
            pack((priority, sequence.wrapping_add(unzigzag(reader.number()?))))
        };
        if next <= last {
            return None;
        }
        last = next;
        row.push(last);
    }
    (row.len() <= ROW).then_some(row)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::table::testing::{commit, open};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn new_urls_come_in_order_and_none_is_missing_across_flushes_commits_and_reopening(
            steps in prop::collection::vec((0u8..12, 0u64..4, any::<u8>()), 1..900),
        ) {
            let dir = tempfile::tempdir().unwrap();
            let (db, mut table) = open(dir.path());
            let mut neighbour = LinkQueue::new(2, LinkRows::default());
            neighbour.push((0, 1));
            neighbour.flush(&mut table);
            let mut queue = LinkQueue::new(1, LinkRows::default());
            // What waits, and what the disk may still have of what does not.
            let (mut waiting, mut gone) = (BTreeSet::new(), BTreeSet::new());
            for (sequence, (step, priority, pick)) in steps.into_iter().enumerate() {
                match step {
                    0..=6 => {
                        let rank = (priority, sequence as u64);
                        queue.push(rank);
                        waiting.insert(rank);
                    }
                    7 | 8 => loop {
                        let head = queue.peek(&table).unwrap();
                        prop_assert_eq!(queue.pop(&mut table).unwrap(), head);
                        let is_gone = head.is_some_and(|head| gone.contains(&head));
                        if !is_gone {
                            prop_assert_eq!(head, waiting.pop_first());
                            gone.extend(head);
                            break;
                        }
                    },
                    9 => {
                        let chosen = waiting.iter().nth(usize::from(pick) % waiting.len().max(1)).copied();
                        if let Some(rank) = chosen {
                            queue.remove(&mut table, rank).unwrap();
                            waiting.remove(&rank);
                            gone.insert(rank);
                        }
                    }
                    _ => {
                        queue.flush(&mut table);
                        commit(&db, &mut table);
                        if pick % 2 == 0 {
                            queue = LinkQueue::new(1, queue.rows());
                        }
                    }
                }
                prop_assert!(queue.len() >= waiting.len() as u64);
            }
            while let Some(rank) = queue.pop(&mut table).unwrap() {
                prop_assert!(gone.contains(&rank) || Some(rank) == waiting.pop_first());
            }
            prop_assert!(waiting.is_empty() && queue.rows().n_entries == 0);
            prop_assert!(table.scan(&queue.prefix, &queue.prefix, 1).unwrap().is_empty(), "used rows leave the disk");
        }

        #[test]
        fn damaged_rows_are_refused_without_panic(key in prop::collection::vec(any::<u8>(), 0..20), value: Vec<u8>) {
            let _ = read_row(&key, &value);
        }
    }
}
