//! The seen set: which URLs are known, and what is known of them without their records.
//!
//! Fingerprints are split into 256 ranges. Each range has its newest ones in a map in memory, the *tail*, and all others in sorted
//! buckets on disk with a filter in memory before them. So a new URL is decided without the disk, and a known one by one bucket.
//! Commits merge the ranges in turn, a few each, such that all have been merged once there are an eighth more URLs: an entry is
//! written some eight times in all, whatever their number. The tail is no table of its own: after a crash it is read from the
//! end of the link log.
//!
//! ```text
//! range u8              → merged up to (sequence), length of the range, bits of its buckets, filter
//! range u8 | bucket u16 → entry…, ascending: rest of the fingerprint (15 bytes), place and summary (8 bytes, big-endian)
//! ```
//!
//! Lee, Leonard, Wang and Loguinov: IRLbot: Scaling to 6 Billion Pages and Beyond (2009), has such merges in its DRUM.

use std::collections::HashMap;

use gristmill_urls::UrlKey;

use crate::codec::{RecordDecoder, RecordEncoder};
use crate::error::FrontierError;
use crate::fingerprint::{ByFingerprint, N_RANGES, SUFFIX, UrlFingerprint};
use crate::seen_filter::SeenFilter;
use crate::table::StoreTable;

/// Bytes of an entry in a bucket.
const ENTRY: usize = SUFFIX + 8;

/// Entries that buckets have at most in the mean.
const BUCKET: usize = 64;

/// All ranges are merged while this part of the URLs known already comes in.
const TURN_PART: u64 = 8;

/// Bytes that are asked for before it is known that there are so many.
const MOST_AT_ONCE: usize = 64 << 20;

/// Bits of [`SeenUrl`] that say where the record is.
const PLACE_SHIFT: u32 = 24;

/// Where the link log has a URL, and a summary of its record in the lower 24 bits; the place has 40.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SeenUrl(u64);

impl SeenUrl {
    pub(crate) fn new(place: u64, summary: u32) -> Self {
        Self(place << PLACE_SHIFT | u64::from(summary) & ((1 << PLACE_SHIFT) - 1))
    }

    pub(crate) fn place(self) -> u64 {
        self.0 >> PLACE_SHIFT
    }

    pub(crate) fn summary(self) -> u32 {
        self.0 as u32 & ((1 << PLACE_SHIFT) - 1)
    }
}

pub(crate) struct SeenSet {
    pub(crate) table: StoreTable,
    store_key: u64,
    /// URLs, at least, that come in while all ranges are merged.
    least_turn: u64,
    ranges: Vec<SeenRange>,
    /// The range that is merged next.
    next: usize,
    n_merged: u64,
    /// New entries since the last merge.
    n_since: u64,
}

#[derive(Default)]
struct SeenRange {
    tail: HashMap<UrlFingerprint, SeenUrl, ByFingerprint>,
    filter: SeenFilter,
    n_merged: usize,
    /// Its buckets are numbered by so many bits.
    bits: u8,
    /// All links of lower sequences are in its buckets.
    merged_to: u64,
}

impl SeenSet {
    /// The ranges as they are on disk, without tails; 1.5 bytes are read for each URL.
    pub(crate) fn open(table: StoreTable, store_key: u64, least_turn: u64) -> Result<Self, FrontierError> {
        let read = |range: usize| Ok(table.get(&[range as u8], SeenRange::decode)?.unwrap_or_default());
        let ranges: Vec<SeenRange> = (0..N_RANGES).map(read).collect::<Result<_, FrontierError>>()?;
        let n_merged = ranges.iter().fold(0, |sum: u64, range| sum.saturating_add(range.n_merged as u64));
        let next = (0..N_RANGES).min_by_key(|range| ranges[*range].merged_to).unwrap_or(0);
        Ok(Self { table, store_key, least_turn: least_turn.max(1), ranges, next, n_merged, n_since: 0 })
    }

    /// The sequence from which on the link log has entries that are in no bucket yet.
    pub(crate) fn merged_to(&self) -> u64 {
        self.ranges.iter().map(|range| range.merged_to).min().unwrap_or(0)
    }

    /// Puts an entry of the link log back into its tail, unless it is in a bucket already.
    pub(crate) fn replay(&mut self, sequence: u64, key: UrlKey, seen: SeenUrl) {
        if sequence >= self.ranges[UrlFingerprint::of(key, self.store_key).range()].merged_to {
            self.insert(key, seen);
        }
    }

    /// After the last entry was put back: these are merged in their turn, not all by the next commit.
    pub(crate) fn replayed(&mut self) {
        self.n_since = 0;
    }

    /// What is known of a URL; `None` for a new one, mostly without the disk.
    pub(crate) fn find(&self, key: UrlKey) -> Result<Option<SeenUrl>, FrontierError> {
        let fingerprint = UrlFingerprint::of(key, self.store_key);
        let number = fingerprint.range();
        let range = &self.ranges[number];
        if let Some(seen) = range.tail.get(&fingerprint) {
            return Ok(Some(*seen));
        }
        if !range.filter.may_have(fingerprint) {
            return Ok(None);
        }
        let suffix = fingerprint.suffix();
        let bucket = bucket_key(number, bucket_of(suffix, range.bits));
        self.table.get(&bucket, |bytes| find_in(bytes, suffix))?.ok_or_else(|| self.table.damaged(&bucket))
    }

    /// Enters a URL, or what is known of it now. It must be in the link log too.
    pub(crate) fn insert(&mut self, key: UrlKey, seen: SeenUrl) {
        let fingerprint = UrlFingerprint::of(key, self.store_key);
        if self.ranges[fingerprint.range()].tail.insert(fingerprint, seen).is_none() {
            self.n_since += 1;
        }
    }

    /// In how many links all ranges are merged.
    pub(crate) fn turn(&self) -> u64 {
        self.least_turn.max(self.n_merged / TURN_PART)
    }

    /// Merges as many ranges as are due, before a commit after which no link gets a sequence below `sequence`.
    pub(crate) fn merge_due(&mut self, sequence: u64) -> Result<(), FrontierError> {
        let turn = self.turn();
        let n_ranges = self.n_since * N_RANGES as u64 / turn;
        for _ in 0..n_ranges.min(N_RANGES as u64) {
            self.merge(self.next, sequence)?;
            self.next = (self.next + 1) % N_RANGES;
        }
        self.n_since = self.n_since.saturating_sub(n_ranges * turn / N_RANGES as u64);
        Ok(())
    }

    /// Entries that came in since the last merges.
    pub(crate) fn n_unmerged(&self) -> u64 {
        self.n_since
    }

    /// Merges all ranges.
    pub(crate) fn merge_all(&mut self, sequence: u64) -> Result<(), FrontierError> {
        (0..N_RANGES).try_for_each(|range| self.merge(range, sequence))?;
        self.n_since = 0;
        Ok(())
    }

    fn merge(&mut self, number: usize, sequence: u64) -> Result<(), FrontierError> {
        let range = &mut self.ranges[number];
        let mut newer: Vec<_> = std::mem::take(&mut range.tail).into_iter().collect();
        newer.sort_unstable_by_key(|(fingerprint, _)| *fingerprint);
        let older = read_range(&self.table, number, range)?;
        let entries = merged(&older, &newer);
        let n_entries = entries.len() / ENTRY;
        self.n_merged = self.n_merged.saturating_sub(range.n_merged as u64) + n_entries as u64;
        let bits = n_entries.div_ceil(BUCKET).next_power_of_two().ilog2().min(16) as u8;
        *range =
            SeenRange { bits: bits.max(range.bits), n_merged: n_entries, merged_to: sequence, ..Default::default() };
        range.filter = SeenFilter::for_len(n_entries);
        write_range(&mut self.table, number, range, &entries);
        Ok(())
    }
}

impl SeenRange {
    fn encode(&self) -> Vec<u8> {
        let mut writer = RecordEncoder::default();
        writer.number(self.merged_to).number(self.n_merged as u64).number(u64::from(self.bits));
        self.filter.encode(&mut writer.0);
        writer.0
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = RecordDecoder(bytes);
        let (merged_to, n_merged) = (reader.number()?, reader.small()?);
        let bits = reader.small().filter(|bits| *bits <= 16)?;
        Some(Self { tail: HashMap::default(), filter: SeenFilter::decode(reader.0)?, n_merged, bits, merged_to })
    }
}

/// Whether an entry of the table can be read.
pub(crate) fn is_readable(key: &[u8], value: &[u8]) -> bool {
    match key.len() {
        1 => SeenRange::decode(value).is_some(),
        3 => value.len().is_multiple_of(ENTRY),
        _ => false,
    }
}

fn bucket_key(range: usize, bucket: u16) -> [u8; 3] {
    let [high, low] = bucket.to_be_bytes();
    [range as u8, high, low]
}

fn bucket_of(suffix: [u8; SUFFIX], bits: u8) -> u16 {
    let first = u32::from(u16::from_be_bytes([suffix[0], suffix[1]]));
    (first >> (16 - u32::from(bits.min(16)))) as u16
}

/// The inner `None` is an entry that is not there.
#[expect(clippy::option_option, reason = "the outer one says whether the bucket can be read")]
fn find_in(bytes: &[u8], suffix: [u8; SUFFIX]) -> Option<Option<SeenUrl>> {
    let (entries, rest) = bytes.as_chunks::<ENTRY>();
    if !rest.is_empty() {
        return None;
    }
    let found = entries.binary_search_by(|entry| entry[..SUFFIX].cmp(&suffix));
    Some(found.ok().map(|place| seen_in(&entries[place])))
}

fn seen_in(entry: &[u8; ENTRY]) -> SeenUrl {
    let value = entry[SUFFIX..].iter().fold(0, |value: u64, byte| value << 8 | u64::from(*byte));
    SeenUrl(value)
}

/// All entries of the range on disk, ascending.
fn read_range(table: &StoreTable, number: usize, range: &SeenRange) -> Result<Vec<u8>, FrontierError> {
    let mut entries = Vec::with_capacity(range.n_merged.saturating_mul(ENTRY).min(MOST_AT_ONCE));
    if range.n_merged == 0 {
        return Ok(entries);
    }
    for bucket in 0..1_u32 << range.bits {
        let key = bucket_key(number, bucket as u16);
        table.get(&key, |bytes| {
            entries.extend_from_slice(bytes);
            bytes.len().is_multiple_of(ENTRY).then_some(())
        })?;
    }
    // A bucket less, and its URLs would be new once more.
    let is_whole = entries.len() / ENTRY == range.n_merged;
    if is_whole { Ok(entries) } else { Err(table.damaged(&[number as u8])) }
}

/// The entries of both; where both have one, the newer.
fn merged(older: &[u8], newer: &[(UrlFingerprint, SeenUrl)]) -> Vec<u8> {
    let mut entries = Vec::with_capacity(older.len() + newer.len() * ENTRY);
    let (mut older, _) = older.as_chunks::<ENTRY>();
    for (fingerprint, seen) in newer {
        let suffix = fingerprint.suffix();
        let (before, rest) = older.split_at(n_below(older, &suffix));
        entries.extend_from_slice(before.as_flattened());
        older = rest;
        if let Some((same, rest)) = rest.split_first()
            && same[..SUFFIX] == suffix
        {
            older = rest;
        }
        entries.extend_from_slice(&suffix);
        entries.extend_from_slice(&seen.0.to_be_bytes());
    }
    entries.extend_from_slice(older.as_flattened());
    entries
}

/// How many entries are below `suffix`; there are few, so the first ones are looked at first.
fn n_below(entries: &[[u8; ENTRY]], suffix: &[u8; SUFFIX]) -> usize {
    let is_below = |entry: &[u8; ENTRY]| entry[..SUFFIX] < suffix[..];
    let mut end = 1;
    while entries.get(end - 1).is_some_and(is_below) {
        end *= 2;
    }
    let start = end / 2;
    start + entries[start..end.min(entries.len())].partition_point(is_below)
}

/// Fills the filter of the range, and puts filter and buckets into the pending changes.
fn write_range(table: &mut StoreTable, number: usize, range: &mut SeenRange, entries: &[u8]) {
    let (mut rest, _) = entries.as_chunks::<ENTRY>();
    for bucket in 0..1_u32 << range.bits {
        let suffix_of = |entry: &[u8; ENTRY]| -> [u8; SUFFIX] { std::array::from_fn(|at| entry[at]) };
        let end = rest.partition_point(|entry| u32::from(bucket_of(suffix_of(entry), range.bits)) <= bucket);
        let (own, later) = rest.split_at(end);
        own.iter().for_each(|entry| range.filter.insert(UrlFingerprint::in_range(number, suffix_of(entry))));
        table.put(bucket_key(number, bucket as u16).to_vec(), own.as_flattened().to_vec());
        rest = later;
    }
    table.put(vec![number as u8], range.encode());
}

#[cfg(test)]
mod tests {
    use fjall::Database;

    use super::*;
    use crate::table::testing::{commit, open};

    const TURN: u64 = 1 << 16;

    fn key(n: u64) -> UrlKey {
        UrlKey::of(&format!("http://mill.example/{n}"))
    }

    /// Commits what the set has pending, and opens it anew.
    fn turned_over(db: &Database, mut set: SeenSet) -> SeenSet {
        commit(db, &mut set.table);
        let table = StoreTable::new("seen", set.table.keyspace().clone());
        SeenSet::open(table, set.store_key, set.least_turn).unwrap()
    }

    #[test]
    fn what_was_entered_is_found_and_nothing_else_through_merges_and_reopening() {
        const N: u64 = 60_000;
        let dir = tempfile::tempdir().unwrap();
        let (db, table) = open(dir.path());
        let mut set = SeenSet::open(table, 7, TURN).unwrap();
        for round in 0..3 {
            for n in round * N / 3..(round + 1) * N / 3 {
                set.insert(key(n), SeenUrl::new(n, 1));
            }
            set.insert(key(0), SeenUrl::new(0, 2 + round as u32));
            (0..N_RANGES).for_each(|range| set.merge(range, round + 1).unwrap());
            set = turned_over(&db, set);
            assert_eq!((set.merged_to(), set.n_merged), (round + 1, (round + 1) * N / 3));
        }
        assert_eq!(set.find(key(0)).unwrap(), Some(SeenUrl::new(0, 4)), "the newest holds");
        assert!((1..N).all(|n| set.find(key(n)).unwrap() == Some(SeenUrl::new(n, 1))));
        let taken_in = |n: &u64| {
            let fingerprint = UrlFingerprint::of(key(*n), 7);
            set.ranges[fingerprint.range()].filter.may_have(fingerprint)
        };
        let n_wrong = (N..2 * N).filter(taken_in).count();
        assert!((1..1_000).contains(&n_wrong), "{n_wrong} of {N} new URLs pass the filter");
        assert!((N..2 * N).all(|n| set.find(key(n)).unwrap().is_none()), "and none of them is taken for a known one");
    }

    #[test]
    fn only_what_no_bucket_has_is_replayed() {
        let dir = tempfile::tempdir().unwrap();
        let (db, table) = open(dir.path());
        let mut set = SeenSet::open(table, 7, TURN).unwrap();
        let range = UrlFingerprint::of(key(1), 7).range();
        set.insert(key(1), SeenUrl::new(1, 9));
        set.merge(range, 2).unwrap();
        set = turned_over(&db, set);
        assert_eq!(set.merged_to(), 0, "the other ranges were not merged");
        set.replay(1, key(1), SeenUrl::new(1, 5));
        assert_eq!(set.find(key(1)).unwrap(), Some(SeenUrl::new(1, 9)));
        set.replay(2, key(1), SeenUrl::new(1, 5));
        assert_eq!(set.find(key(1)).unwrap(), Some(SeenUrl::new(1, 5)));
    }

    #[test]
    fn a_bucket_that_is_missing_is_damage_and_makes_no_url_new() {
        let dir = tempfile::tempdir().unwrap();
        let (db, table) = open(dir.path());
        let mut set = SeenSet::open(table, 7, TURN).unwrap();
        set.insert(key(1), SeenUrl::new(1, 9));
        set.merge_all(2).unwrap();
        let range = UrlFingerprint::of(key(1), 7).range();
        set.table.delete(bucket_key(range, 0).to_vec());
        set = turned_over(&db, set);
        assert!(set.find(key(1)).unwrap_err().is_damage());
        assert!(set.merge(range, 3).unwrap_err().is_damage());
    }

    #[test]
    fn all_ranges_are_merged_while_the_set_grows_by_a_part() {
        let dir = tempfile::tempdir().unwrap();
        let (_db, table) = open(dir.path());
        let mut set = SeenSet::open(table, 7, TURN).unwrap();
        for n in 0..TURN {
            set.insert(key(n), SeenUrl::new(n, 1));
            if n % 1_000 == 999 {
                set.merge_due(n + 1).unwrap();
            }
        }
        set.merge_due(TURN).unwrap();
        assert!(set.ranges.iter().all(|range| range.merged_to > 0));
        let in_tails: usize = set.ranges.iter().map(|range| range.tail.len()).sum();
        assert!(in_tails < TURN as usize * 6 / 10, "{in_tails}");
    }
}
