//! The seen set: which URLs are known, and what is known of them without their records.
//!
//! Fingerprints are split into 256 ranges. Each range has its newest ones in a map in memory, the *tail*, and all others sorted in
//! sections of files: one *base*, and up to 16 *recent* ones. One filter in memory is for all sections, and each recent one has its own:
//! see `seen_file.rs`. So a new URL is decided without the disk, and a known one by one bucket. Commits write the tails of some ranges
//! in turn, such that all have their turn while a 64th more URLs come in; each eighth time all sections of a range become its base. So
//! an entry is written some nine times in all, whatever their number, and few are in a tail: it is no table of its own, but after a
//! crash is read from the end of the link log.
//!
//! A file is durable before the commit that names it, and is deleted once no range and no snapshot has a section of it.
//!
//! ```text
//! meta: "seen", range u8 → written up to (sequence), number of sections, base first, and of each: file, where it begins, entries, room
//! ```
//!
//! Lee, Leonard, Wang and Loguinov: IRLbot: Scaling to 6 Billion Pages and Beyond (2009), has such merges in its DRUM.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use gristmill_urls::UrlKey;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::codec::{RecordDecoder, RecordEncoder};
use crate::error::{FrontierError, disk};
use crate::fingerprint::{ByFingerprint, N_RANGES, UrlFingerprint};
use crate::seen_file::{ENTRY, SeenFile, SeenFileWriter, SeenFolder, SeenPlace, SeenSection, damaged, remove_others};
use crate::seen_merge::all_entries;
use crate::seen_moment::{HeldSection, SeenMoment};
use crate::table::StoreTable;

/// All tails are written while this part of the URLs known already comes in.
const TURN_PART: u64 = 64;

/// Ranges whose tails are written together, into one file: more files would be asked for one after the other.
const GROUP: u64 = 16;

/// Turns in which all sections of a range become one.
const TURNS: usize = 8;

/// More sections make one at once: turns are counted from the opening of the store on.
const MOST_RECENT: usize = 16;

/// New URLs get rows in the queues of their hosts once this part of the URLs known already came in, or so many.
const ROWS_PART: u64 = 8;
const MOST_WITHOUT_ROWS: u64 = 1 << 21;

/// Bits of [`SeenUrl`] that say where the record is.
const PLACE_SHIFT: u32 = 24;

/// In the keys of rows.
pub(crate) const PREFIX: &[u8] = b"seen";

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
    folder: Arc<SeenFolder>,
    store_key: u64,
    /// URLs, at least, that come in while all ranges are merged.
    least_turn: u64,
    ranges: Vec<SeenRange>,
    /// The range whose tail is written next.
    next: usize,
    /// Turns since the store was opened.
    n_turns: usize,
    n_merged: u64,
    /// New entries since the last merge.
    n_since: u64,
    next_file: u64,
    /// The file of the merges since the last commit.
    writing: Option<SeenFileWriter>,
    /// Files of sections that the next commit gives up.
    replaced: Vec<Arc<SeenFile>>,
}

#[derive(Default)]
struct SeenRange {
    tail: HashMap<UrlFingerprint, SeenUrl, ByFingerprint>,
    /// Its filter has the entries of the recent sections, too.
    base: Option<SeenSection>,
    /// Later ones hold; none without a base.
    recent: Vec<SeenSection>,
    /// All links of lower sequences are in its sections.
    merged_to: u64,
}

impl SeenSet {
    /// The ranges as `rows` names them, without tails; some 4 bytes are read for each URL.
    pub(crate) fn open(
        folder: &Path,
        rows: &StoreTable,
        store_key: u64,
        least_turn: u64,
    ) -> Result<Self, FrontierError> {
        let (folder, mut files) = (SeenFolder::new(folder), HashMap::new());
        let mut ranges = Vec::with_capacity(N_RANGES);
        for number in 0..N_RANGES {
            let row = rows.get(&row_key(number), read_row)?;
            let range = row.map(|row| SeenRange::open(&folder, number, row, &mut files)).transpose()?;
            ranges.push(range.unwrap_or_default());
        }
        let n_merged = ranges.iter().map(|range| range.n_merged() as u64).sum();
        let next = (0..N_RANGES).min_by_key(|range| ranges[*range].merged_to).unwrap_or(0);
        Ok(Self {
            folder,
            store_key,
            least_turn: least_turn.max(1),
            ranges,
            next,
            n_turns: 0,
            n_merged,
            n_since: 0,
            next_file: files.keys().max().map_or(1, |last| last + 1),
            writing: None,
            replaced: Vec::new(),
        })
    }

    /// Deletes files that no range has.
    pub(crate) fn remove_leftovers(&self) -> Result<(), FrontierError> {
        remove_others(&self.folder.path, |number| self.uses(number)).map_err(disk)
    }

    /// The sequence from which on the link log has entries that are in no section yet.
    pub(crate) fn merged_to(&self) -> u64 {
        self.ranges.iter().map(|range| range.merged_to).min().unwrap_or(0)
    }

    /// Puts an entry of the link log back into its tail, unless it is in a section already.
    pub(crate) fn replay(&mut self, sequence: u64, key: UrlKey, seen: SeenUrl) {
        if sequence >= self.ranges[UrlFingerprint::of(key, self.store_key).range()].merged_to {
            self.insert(key, seen);
        }
    }

    /// After the last entry was put back: these are merged in their turn, not all by the next commit.
    pub(crate) fn replayed(&mut self) {
        self.n_since = 0;
    }

    /// A hash of a text under the store's own key.
    pub(crate) fn keyed(&self, text: &str) -> u64 {
        xxh3_64_with_seed(text.as_bytes(), self.store_key)
    }

    /// What is known of a URL; `None` for a new one, mostly without the disk.
    pub(crate) fn find(&self, key: UrlKey) -> Result<Option<SeenUrl>, FrontierError> {
        let fingerprint = UrlFingerprint::of(key, self.store_key);
        let range = &self.ranges[fingerprint.range()];
        if let Some(seen) = range.tail.get(&fingerprint) {
            return Ok(Some(*seen));
        }
        let Some(base) = range.base.as_ref().filter(|base| base.may_have(fingerprint)) else { return Ok(None) };
        let recent = range.recent.iter().rev().filter(|section| section.may_have(fingerprint));
        for section in recent.chain([base]) {
            let found = section.find(fingerprint.suffix()).map_err(disk)?;
            let found = found.ok_or_else(|| damaged(fingerprint.range()))?;
            if found.is_some() {
                return Ok(found.map(SeenUrl));
            }
        }
        Ok(None)
    }

    /// Enters a URL, or what is known of it now. It must be in the link log too.
    pub(crate) fn insert(&mut self, key: UrlKey, seen: SeenUrl) {
        let fingerprint = UrlFingerprint::of(key, self.store_key);
        if self.ranges[fingerprint.range()].tail.insert(fingerprint, seen).is_none() {
            self.n_since += 1;
        }
    }

    /// In how many links all tails are written.
    fn turn(&self) -> u64 {
        self.least_turn.max(self.n_merged / TURN_PART)
    }

    /// How many new URLs wait in memory for rows in the queues of their hosts: each host then has several at once.
    pub(crate) fn turn_of_rows(&self) -> u64 {
        self.least_turn.max((self.n_merged / ROWS_PART).min(MOST_WITHOUT_ROWS))
    }

    /// Writes as many tails as are due, before a commit after which no link gets a sequence below `sequence`.
    pub(crate) fn merge_due(&mut self, sequence: u64, rows: &mut StoreTable) -> Result<(), FrontierError> {
        let turn = self.turn();
        let n_ranges = self.n_since * N_RANGES as u64 / turn / GROUP * GROUP;
        for _ in 0..n_ranges.min(N_RANGES as u64) {
            let range = &self.ranges[self.next];
            let is_due = (self.n_turns + self.next).is_multiple_of(TURNS) || range.recent.len() >= MOST_RECENT;
            if is_due || range.base.is_none() {
                self.merge(self.next, sequence, rows)?;
            } else {
                self.write_tail(self.next, sequence, rows)?;
            }
            self.next = (self.next + 1) % N_RANGES;
            self.n_turns += usize::from(self.next == 0);
        }
        self.n_since = self.n_since.saturating_sub(n_ranges * turn / N_RANGES as u64);
        Ok(())
    }

    /// Entries that came in since the last were written.
    pub(crate) fn n_unmerged(&self) -> u64 {
        self.n_since
    }

    /// Merges all ranges.
    pub(crate) fn merge_all(&mut self, sequence: u64, rows: &mut StoreTable) -> Result<(), FrontierError> {
        (0..N_RANGES).try_for_each(|range| self.merge(range, sequence, rows))?;
        self.n_since = 0;
        Ok(())
    }

    /// Makes one section of all of a range, with its tail.
    fn merge(&mut self, number: usize, sequence: u64, rows: &mut StoreTable) -> Result<(), FrontierError> {
        let range = &mut self.ranges[number];
        let tail = range.take_tail();
        let entries = all_entries(number, range.base.as_ref(), &range.recent, tail)?;
        self.put_base(number, sequence, &entries, rows)
    }

    /// Makes a recent section of the tail of a range that has a base.
    fn write_tail(&mut self, number: usize, sequence: u64, rows: &mut StoreTable) -> Result<(), FrontierError> {
        let tail = self.ranges[number].take_tail();
        let n_entries = tail.len() / ENTRY;
        let section = (n_entries > 0).then(|| self.write(number, &tail, n_entries)).transpose()?;
        let range = &mut self.ranges[number];
        range.recent.extend(section);
        if let Some(base) = &mut range.base {
            base.note(number, &tail);
        }
        range.merged_to = sequence;
        self.n_merged += n_entries as u64;
        rows.put(row_key(number), range.encode());
        Ok(())
    }

    /// Gives a range the `entries`, which ascend, and no others.
    pub(crate) fn put_base(
        &mut self,
        number: usize,
        merged_to: u64,
        entries: &[u8],
        rows: &mut StoreTable,
    ) -> Result<(), FrontierError> {
        let room = entries.len() / ENTRY + TURNS * self.turn() as usize / N_RANGES;
        let base = if entries.is_empty() { None } else { Some(self.write(number, entries, room)?) };
        let range = &mut self.ranges[number];
        let n_before = range.n_merged() as u64;
        let replaced = std::mem::replace(&mut range.base, base).into_iter().chain(range.recent.drain(..));
        self.replaced.extend(replaced.map(|section| Arc::clone(section.file())));
        range.merged_to = merged_to;
        self.n_merged = self.n_merged.saturating_sub(n_before) + range.n_merged() as u64;
        rows.put(row_key(number), range.encode());
        Ok(())
    }

    fn write(&mut self, number: usize, entries: &[u8], room: usize) -> Result<SeenSection, FrontierError> {
        let writer = match &mut self.writing {
            Some(writer) => writer,
            none => {
                let writer = SeenFileWriter::create(&self.folder, self.next_file).map_err(disk)?;
                self.next_file += 1;
                none.insert(writer)
            }
        };
        writer.write(number, entries, room).map_err(disk)
    }

    /// Makes what was merged durable; the commit of the rows follows.
    pub(crate) fn finish_file(&mut self) -> Result<(), FrontierError> {
        self.writing.take().map_or(Ok(()), SeenFileWriter::finish).map_err(disk)
    }

    /// After the commit: what it replaced is needed no more.
    pub(crate) fn committed(&mut self) {
        for file in std::mem::take(&mut self.replaced) {
            if !self.uses(file.number) {
                file.retire();
            }
        }
    }

    fn uses(&self, file: u64) -> bool {
        self.ranges.iter().flat_map(SeenRange::sections).any(|section| section.place.file == file)
    }

    /// The sections as of the last commit.
    pub(crate) fn moment(&self) -> SeenMoment {
        let held = |section: &SeenSection| -> HeldSection { (Arc::clone(section.file()), section.place) };
        let of = |range: &SeenRange| range.sections().map(held).collect();
        SeenMoment(self.ranges.iter().map(of).collect())
    }
}

impl SeenRange {
    fn open(
        folder: &Arc<SeenFolder>,
        number: usize,
        (merged_to, places): (u64, Vec<SeenPlace>),
        files: &mut HashMap<u64, Arc<SeenFile>>,
    ) -> Result<Self, FrontierError> {
        let mut sections = Vec::with_capacity(places.len());
        for place in places {
            let section = open_section(folder, place, files).map_err(disk)?;
            sections.push(section.ok_or_else(|| damaged(number))?);
        }
        let mut sections = sections.into_iter();
        let mut range = Self { base: sections.next(), recent: sections.collect(), merged_to, ..Self::default() };
        for section in &range.recent {
            let entries = section.entries().map_err(disk)?.ok_or_else(|| damaged(number))?;
            range.base.as_mut().into_iter().for_each(|base| base.note(number, &entries));
        }
        Ok(range)
    }

    /// The oldest first.
    fn sections(&self) -> impl Iterator<Item = &SeenSection> {
        self.base.iter().chain(&self.recent)
    }

    fn n_merged(&self) -> usize {
        self.sections().map(SeenSection::n_entries).sum()
    }

    /// What is in memory only, as entries that ascend.
    fn take_tail(&mut self) -> Vec<u8> {
        let mut tail: Vec<_> = std::mem::take(&mut self.tail).into_iter().collect();
        tail.sort_unstable_by_key(|(fingerprint, _)| *fingerprint);
        let mut entries = Vec::with_capacity(tail.len() * ENTRY);
        for (fingerprint, seen) in tail {
            entries.extend_from_slice(&fingerprint.suffix());
            entries.extend_from_slice(&seen.0.to_be_bytes());
        }
        entries
    }

    fn encode(&self) -> Vec<u8> {
        let mut writer = RecordEncoder::default();
        writer.number(self.merged_to).number(self.sections().count() as u64);
        self.sections().for_each(|section| section.place.encode(&mut writer));
        writer.0
    }
}

/// Up to which sequence a range is written, and its sections.
fn read_row(bytes: &[u8]) -> Option<(u64, Vec<SeenPlace>)> {
    let mut reader = RecordDecoder(bytes);
    let (merged_to, n_sections) = (reader.number()?, reader.number()?);
    Some((merged_to, (0..n_sections).map(|_| SeenPlace::decode(&mut reader)).collect::<Option<_>>()?))
}

fn row_key(range: usize) -> Vec<u8> {
    [PREFIX, &[range as u8]].concat()
}

/// `None` when it is damaged, or its file is missing.
fn open_section(
    folder: &Arc<SeenFolder>,
    place: SeenPlace,
    files: &mut HashMap<u64, Arc<SeenFile>>,
) -> io::Result<Option<SeenSection>> {
    let file = files.entry(place.file).or_insert_with(|| SeenFile::new(folder, place.file));
    match SeenSection::open(Arc::clone(file), place) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof) => Ok(None),
        section => section,
    }
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

    /// A new set in `dir`, with its database and rows. Its filters have little room to spare.
    fn new_set(dir: &Path) -> (Database, StoreTable, SeenSet) {
        let (db, rows) = open(dir);
        let set = SeenSet::open(&dir.join("seen"), &rows, 7, 1).unwrap();
        (db, rows, set)
    }

    /// Commits what the set has pending, and opens it anew.
    fn turned_over(db: &Database, rows: &mut StoreTable, mut set: SeenSet) -> SeenSet {
        set.finish_file().unwrap();
        commit(db, rows);
        set.committed();
        reopened(rows, &set).unwrap()
    }

    fn reopened(rows: &StoreTable, set: &SeenSet) -> Result<SeenSet, FrontierError> {
        SeenSet::open(&set.folder.path, rows, set.store_key, set.least_turn)
    }

    #[test]
    fn what_was_entered_is_found_and_nothing_else_through_merges_and_reopening() {
        const N: u64 = 60_000;
        let dir = tempfile::tempdir().unwrap();
        let (db, mut rows, mut set) = new_set(dir.path());
        for round in 0..3 {
            for n in round * N / 3..(round + 1) * N / 3 {
                set.insert(key(n), SeenUrl::new(n, 1));
            }
            set.insert(key(0), SeenUrl::new(0, 2 + round as u32));
            set.merge_all(round + 1, &mut rows).unwrap();
            set = turned_over(&db, &mut rows, set);
            assert_eq!((set.merged_to(), set.n_merged), (round + 1, (round + 1) * N / 3));
            assert_eq!(std::fs::read_dir(&set.folder.path).unwrap().count(), 1, "files that were replaced are gone");
        }
        assert_eq!(set.find(key(0)).unwrap(), Some(SeenUrl::new(0, 4)), "the newest holds");
        assert!((1..N).all(|n| set.find(key(n)).unwrap() == Some(SeenUrl::new(n, 1))));
        let taken_in = |n: &u64| {
            let fingerprint = UrlFingerprint::of(key(*n), 7);
            set.ranges[fingerprint.range()].base.as_ref().unwrap().may_have(fingerprint)
        };
        let n_wrong = (N..2 * N).filter(taken_in).count();
        assert!((1..1_000).contains(&n_wrong), "{n_wrong} of {N} new URLs pass the filter");
        assert!((N..2 * N).all(|n| set.find(key(n)).unwrap().is_none()), "and none of them is taken for a known one");
    }

    #[test]
    fn only_what_no_section_has_is_replayed() {
        let dir = tempfile::tempdir().unwrap();
        let (db, mut rows, mut set) = new_set(dir.path());
        let range = UrlFingerprint::of(key(1), 7).range();
        set.insert(key(1), SeenUrl::new(1, 9));
        set.merge(range, 2, &mut rows).unwrap();
        set = turned_over(&db, &mut rows, set);
        assert_eq!(set.merged_to(), 0, "the other ranges were not merged");
        set.replay(1, key(1), SeenUrl::new(1, 5));
        assert_eq!(set.find(key(1)).unwrap(), Some(SeenUrl::new(1, 9)));
        set.replay(2, key(1), SeenUrl::new(1, 5));
        assert_eq!(set.find(key(1)).unwrap(), Some(SeenUrl::new(1, 5)));
    }

    #[test]
    fn a_commit_that_never_came_leaves_the_old_files_and_its_own_is_deleted() {
        let dir = tempfile::tempdir().unwrap();
        let (db, mut rows, mut set) = new_set(dir.path());
        set.insert(key(1), SeenUrl::new(1, 9));
        set.merge_all(2, &mut rows).unwrap();
        set = turned_over(&db, &mut rows, set);
        set.insert(key(2), SeenUrl::new(2, 9));
        set.merge_all(3, &mut rows).unwrap();
        set.finish_file().unwrap();
        let folder = set.folder.path.clone();
        drop(set);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
        let rows = StoreTable::new("t", rows.keyspace().clone());
        let set = SeenSet::open(&folder, &rows, 7, TURN).unwrap();
        set.remove_leftovers().unwrap();
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        assert_eq!((set.find(key(1)).unwrap().is_some(), set.find(key(2)).unwrap()), (true, None));
    }

    #[test]
    fn a_moment_stays_as_it_was_and_its_files_go_with_it() {
        let dir = tempfile::tempdir().unwrap();
        let (db, mut rows, mut set) = new_set(dir.path());
        (0..20_000).for_each(|n| set.insert(key(n), SeenUrl::new(n, 1)));
        set.merge_all(5, &mut rows).unwrap();
        set = turned_over(&db, &mut rows, set);
        let (moment, folder) = (set.moment(), set.folder.path.clone());
        let files = moment.lengths().unwrap();
        set.insert(key(20_000), SeenUrl::new(20_000, 1));
        set.merge_all(6, &mut rows).unwrap();
        drop(turned_over(&db, &mut rows, set));
        assert_eq!((moment.lengths().unwrap(), moment.check().unwrap()), (files.clone(), 20_000));
        drop(moment);
        assert!(!files.is_empty() && files.iter().all(|(name, _)| !folder.join(name).exists()));
    }

    #[test]
    fn every_flipped_byte_is_damage_and_makes_no_url_new() {
        let dir = tempfile::tempdir().unwrap();
        let (db, mut rows, mut set) = new_set(dir.path());
        set.insert(key(1), SeenUrl::new(1, 9));
        set.merge_all(2, &mut rows).unwrap();
        set = turned_over(&db, &mut rows, set);
        let file = std::fs::read_dir(&set.folder.path).unwrap().next().unwrap().unwrap().path();
        let whole = std::fs::read(&file).unwrap();
        for at in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[at] ^= 1;
            std::fs::write(&file, flipped).unwrap();
            let found = reopened(&rows, &set).and_then(|set| set.find(key(1)));
            assert!(found.unwrap_err().is_damage(), "byte {at}");
        }
        std::fs::write(&file, &whole[..whole.len() - 1]).unwrap();
        let set = reopened(&rows, &set).unwrap();
        assert!(set.find(key(1)).unwrap_err().is_damage());
        std::fs::remove_file(&file).unwrap();
        assert!(reopened(&rows, &set).err().unwrap().is_damage());
    }

    #[test]
    fn all_ranges_are_merged_while_the_set_grows_by_a_part() {
        let dir = tempfile::tempdir().unwrap();
        let (_db, mut rows) = open(dir.path());
        let mut set = SeenSet::open(&dir.path().join("seen"), &rows, 7, TURN).unwrap();
        for n in 0..TURN {
            set.insert(key(n), SeenUrl::new(n, 1));
            if n % 1_000 == 999 {
                set.merge_due(n + 1, &mut rows).unwrap();
            }
        }
        set.merge_due(TURN, &mut rows).unwrap();
        assert!(set.ranges.iter().all(|range| range.merged_to > 0));
        let in_tails: usize = set.ranges.iter().map(|range| range.tail.len()).sum();
        assert!(in_tails < TURN as usize * 6 / 10, "{in_tails}");
    }

    #[test]
    fn recent_sections_are_asked_before_older_ones_and_become_one_in_time() {
        const STEP: u64 = 1_000;
        let dir = tempfile::tempdir().unwrap();
        let (db, mut rows, _) = new_set(dir.path());
        let open = |rows: &StoreTable| SeenSet::open(&dir.path().join("seen"), rows, 7, STEP).unwrap();
        let (mut set, mut most_recent) = (open(&rows), 0);
        for turn in 0..50 {
            for n in turn * STEP..(turn + 1) * STEP {
                set.insert(key(n), SeenUrl::new(n, 1));
            }
            for n in 0..20 {
                set.insert(key(n), SeenUrl::new(n, 2 + turn as u32));
            }
            set.merge_due((turn + 1) * STEP, &mut rows).unwrap();
            set.finish_file().unwrap();
            commit(&db, &mut rows);
            set.committed();
            most_recent = set.ranges.iter().map(|range| range.recent.len()).max().unwrap().max(most_recent);
            let is_known = |n: &u64| set.find(key(*n)).unwrap().is_some();
            assert!((0..(turn + 1) * STEP).all(|n| is_known(&n)) && !(50_000..50_500).any(|n| is_known(&n)));
            assert!((0..20).all(|n| set.find(key(n)).unwrap() == Some(SeenUrl::new(n, 2 + turn as u32))));
            if turn % 20 > 12 {
                // What is in tails would come from the link log.
                let tails: Vec<_> = set.ranges.iter_mut().map(|range| std::mem::take(&mut range.tail)).collect();
                set = open(&rows);
                set.ranges.iter_mut().zip(tails).for_each(|(range, tail)| range.tail = tail);
            }
        }
        assert!((TURNS - 1..=MOST_RECENT).contains(&most_recent), "{most_recent}");
    }
}
