//! The URLs as they were met, in this order: what is known of one until it is fetched.
//!
//! A sequence is the place of an entry. Each 64 are one block of a file that only grows (see `link_file.rs`), so that a new link costs
//! no row of its own, and nothing is merged. A record that changes goes to the table `urls`, and is found there first.
//!
//! ```text
//! block, sequence / 64 → time (Unix milliseconds), entry…
//! link: place in the block u8 | kind and flags u8 | priority u8 | depth | hops | time, as a zigzag difference | URL | title
//! summary: place in the block u8 | 128 | URL key (16 bytes) | place of its link | summary
//! ```

use std::path::Path;

use gristmill_terms::FetchKind;
use gristmill_urls::UrlKey;

use crate::codec::{RecordDecoder, RecordEncoder, unzigzag, zigzag};
use crate::error::FrontierError;
use crate::link_file::LinkFiles;
use crate::seen::SeenUrl;
use crate::table::StoreTable;
use crate::url_record::UrlRecord;

/// Sequences of one block.
pub(crate) const BLOCK: u64 = 64;

/// In the second byte of an entry, beside a kind.
const IS_SEED: u8 = 8;
const HOME_TITLE: u8 = 16;
const SUMMARY: u8 = 128;

/// One entry of the log.
pub(crate) enum LinkEntry<'a> {
    /// A URL that was new, as it stood in its host's queue.
    Link(NewUrl<'a>),
    /// What is known of a URL now, in place of what the seen set had of it.
    Summary(UrlKey, SeenUrl),
}

/// What is kept of a new URL.
pub(crate) struct NewUrl<'a> {
    pub(crate) url: &'a str,
    pub(crate) kind: FetchKind,
    pub(crate) priority: u8,
    pub(crate) depth: u16,
    pub(crate) is_seed: bool,
    pub(crate) home_title: bool,
    pub(crate) anchor_title: Option<&'a str>,
    hops: u8,
    first_seen: u64,
}

impl NewUrl<'_> {
    /// The record of the URL, which waits in `place`.
    pub(crate) fn record(&self, place: u64) -> UrlRecord {
        UrlRecord {
            place,
            depth: self.depth,
            hops: self.hops,
            is_seed: self.is_seed,
            home_title: self.home_title,
            anchor_title: self.anchor_title.map(str::to_owned),
            ..UrlRecord::new(self.url.to_owned(), self.kind, self.priority, self.first_seen)
        }
    }
}

/// A block as it is stored, with its number.
pub(crate) struct LinkBlock(u64, Vec<u8>);

impl LinkBlock {
    /// The entries with their sequences, up to the first that cannot be read: that is `None`.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Option<(u64, LinkEntry<'_>)>> {
        read_block(self.0, &self.1)
    }

    pub(crate) fn damaged(&self) -> FrontierError {
        damaged(self.0.saturating_mul(BLOCK))
    }

    /// The first sequence after the block.
    pub(crate) fn end(&self) -> u64 {
        self.0.saturating_add(1).saturating_mul(BLOCK)
    }
}

pub(crate) struct LinkLog {
    files: LinkFiles,
    /// The block to which entries are added: its number, its first time, and its bytes.
    open: Option<(u64, u64, Vec<u8>)>,
}

impl LinkLog {
    /// The log whose files are in `folder`, as `rows` counts them.
    pub(crate) fn open(folder: &Path, rows: &StoreTable) -> Result<Self, FrontierError> {
        Ok(Self { files: LinkFiles::open(folder, rows)?, open: None })
    }

    /// Deletes what belongs to a commit that never came.
    pub(crate) fn remove_leftovers(&self) -> Result<(), FrontierError> {
        self.files.remove_leftovers()
    }

    /// As [`LinkFiles::check_lengths`].
    pub(crate) fn check_lengths(&self) -> Result<(), FrontierError> {
        self.files.check_lengths()
    }

    /// The log as of the last commit, for another reader.
    pub(crate) fn moment(&self) -> LinkFiles {
        self.files.moment()
    }

    /// Adds a whole block, as [`LinkFiles::blocks_from`] gave it.
    pub(crate) fn import(&mut self, number: u64, block: &[u8]) {
        self.files.push(number, block);
    }

    /// Bytes of closed blocks that are not on the disk.
    pub(crate) fn n_unwritten(&self) -> usize {
        self.files.n_unwritten()
    }

    /// Makes all closed blocks durable; the commit of the rows follows.
    pub(crate) fn write(&mut self, rows: &mut StoreTable) -> Result<(), FrontierError> {
        self.files.write(rows)
    }

    /// Adds a URL under the sequence `record.place`, which must be larger than all before. Only what a URL has that is new is kept.
    pub(crate) fn push(&mut self, record: &UrlRecord) {
        let mut writer = RecordEncoder(Vec::with_capacity(record.url.len() + 48));
        let flags = if record.is_seed { IS_SEED } else { 0 } | if record.home_title { HOME_TITLE } else { 0 };
        let base = self.open_block(record.place, record.first_seen);
        writer.0.extend([(record.place % BLOCK) as u8, record.kind as u8 | flags, record.priority]);
        writer
            .number(u64::from(record.depth))
            .number(u64::from(record.hops))
            .number(zigzag(record.first_seen.wrapping_sub(base)))
            .text(&record.url)
            .optional_text(record.anchor_title.as_deref());
        self.append(&writer.0);
    }

    /// Adds what is known of a URL now, under `sequence`.
    pub(crate) fn push_summary(&mut self, sequence: u64, key: UrlKey, seen: SeenUrl) {
        self.open_block(sequence, 0);
        let mut writer = RecordEncoder(vec![(sequence % BLOCK) as u8, SUMMARY]);
        writer.0.extend_from_slice(&key.to_bytes());
        writer.number(seen.place()).number(u64::from(seen.summary()));
        self.append(&writer.0);
    }

    /// The URL of that sequence, as it was new.
    pub(crate) fn get(&self, sequence: u64) -> Result<Option<UrlRecord>, FrontierError> {
        let number = sequence / BLOCK;
        let find = |bytes: &[u8]| {
            for entry in read_block(number, bytes) {
                match entry? {
                    (place, LinkEntry::Link(link)) if place == sequence => return Some(Some(link.record(place))),
                    _ => {}
                }
            }
            Some(None)
        };
        let damaged = || damaged(sequence);
        match &self.open {
            Some((open, _, bytes)) if *open == number => find(bytes).ok_or_else(damaged),
            _ => {
                let block = self.files.get(number)?;
                block.map_or(Ok(None), |bytes| find(&bytes).ok_or_else(damaged))
            }
        }
    }

    /// The blocks from that of `sequence` on.
    pub(crate) fn blocks_from(&self, sequence: u64) -> impl Iterator<Item = Result<LinkBlock, FrontierError>> + '_ {
        let first = sequence / BLOCK;
        let open = self.open.as_ref().filter(move |(number, ..)| *number >= first);
        let open = open.map(|(number, _, bytes)| Ok((*number, bytes.clone())));
        let blocks = self.files.blocks_from(first).chain(open);
        blocks.map(|block| block.map(|(number, bytes)| LinkBlock(number, bytes)))
    }

    /// Ends the last block. No sequence of it may be used again: answers the first of the next.
    pub(crate) fn close_block(&mut self, next_sequence: u64) -> u64 {
        let Some((number, _, bytes)) = self.open.take() else { return next_sequence };
        self.files.push(number, &bytes);
        next_sequence.next_multiple_of(BLOCK)
    }

    /// Makes the block of `sequence` the one that is added to; answers its time, which is `time` where it is new.
    fn open_block(&mut self, sequence: u64, time: u64) -> u64 {
        let number = sequence / BLOCK;
        if let Some((open, base, _)) = &self.open
            && *open == number
        {
            return *base;
        }
        self.close_block(sequence);
        let mut writer = RecordEncoder::default();
        writer.number(time);
        self.open = Some((number, time, writer.0));
        time
    }

    fn append(&mut self, entry: &[u8]) {
        if let Some((_, _, bytes)) = &mut self.open {
            bytes.extend_from_slice(entry);
        }
    }
}

/// What the log has under `sequence` cannot be read.
pub(crate) fn damaged(sequence: u64) -> FrontierError {
    FrontierError::Damaged { table: "links", key: sequence.to_string() }
}

/// Whether a block can be read.
pub(crate) fn is_readable(bytes: &[u8]) -> bool {
    read_block(0, bytes).all(|entry| entry.is_some())
}

fn read_block(number: u64, bytes: &[u8]) -> impl Iterator<Item = Option<(u64, LinkEntry<'_>)>> {
    let mut reader = RecordDecoder(bytes);
    let mut base = reader.number();
    let mut is_first = true;
    std::iter::from_fn(move || {
        let is_over = reader.0.is_empty() || base.is_none();
        if is_over && !(is_first && base.is_none()) {
            return None;
        }
        is_first = false;
        let entry = base.and_then(|base| read_entry(number, base, &mut reader));
        base = base.filter(|_| entry.is_some());
        Some(entry)
    })
}

fn read_entry<'a>(number: u64, base: u64, reader: &mut RecordDecoder<'a>) -> Option<(u64, LinkEntry<'a>)> {
    let ([place, head], rest) = reader.0.split_first_chunk()?;
    let sequence = number.checked_mul(BLOCK)?.checked_add(u64::from(*place).min(BLOCK - 1))?;
    reader.0 = rest;
    if head & SUMMARY != 0 {
        let (key, rest) = reader.0.split_first_chunk()?;
        reader.0 = rest;
        let seen = SeenUrl::new(reader.number()?, reader.small()?);
        return Some((sequence, LinkEntry::Summary(UrlKey::from_bytes(*key), seen)));
    }
    let (&priority, rest) = reader.0.split_first()?;
    reader.0 = rest;
    let link = NewUrl {
        kind: FetchKind::from_byte(head & 7).filter(|kind| !kind.is_wish())?,
        priority,
        depth: reader.small()?,
        hops: reader.small()?,
        first_seen: base.wrapping_add(unzigzag(reader.number()?)),
        url: std::str::from_utf8(reader.bytes()?).ok()?,
        anchor_title: Some(std::str::from_utf8(reader.bytes()?).ok()?).filter(|title| !title.is_empty()),
        is_seed: head & IS_SEED != 0,
        home_title: head & HOME_TITLE != 0,
    };
    Some((sequence, LinkEntry::Link(link)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::table::testing::{commit, open};

    fn link(sequence: u64, pick: u8) -> UrlRecord {
        let url = format!("http://mill.example/{sequence}");
        let kind = [FetchKind::Page, FetchKind::Sitemap, FetchKind::Feed][usize::from(pick % 3)];
        let mut record = UrlRecord::new(url, kind, pick, 1_000_000 - u64::from(pick) * 7);
        (record.depth, record.hops, record.place) = (u16::from(pick) * 200, pick % 5, sequence);
        (record.is_seed, record.home_title) = (pick.is_multiple_of(2), pick.is_multiple_of(7));
        record.anchor_title = (!pick.is_multiple_of(4)).then(|| "Flour".repeat(pick.into()));
        record
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn links_are_read_by_their_sequence_and_in_a_row_across_commits(
            steps in prop::collection::vec((0u64..40, any::<u8>()), 1..200),
        ) {
            let dir = tempfile::tempdir().unwrap();
            let (db, mut rows) = open(dir.path());
            let folder = dir.path().join("links");
            let mut log = LinkLog::open(&folder, &rows).unwrap();
            let (mut next, mut links, mut n_summaries) = (1, Vec::new(), 0);
            for (gap, pick) in steps {
                next += gap;
                match pick % 16 {
                    0 => {
                        next = log.close_block(next);
                        log.write(&mut rows).unwrap();
                        commit(&db, &mut rows);
                        if gap % 2 == 0 {
                            log = LinkLog::open(&folder, &rows).unwrap();
                            log.remove_leftovers().unwrap();
                        }
                    }
                    1 => {
                        log.push_summary(next, UrlKey::of("u"), SeenUrl::new(3, 4));
                        (next, n_summaries) = (next + 1, n_summaries + 1);
                    }
                    _ => {
                        let record = link(next, pick);
                        log.push(&record);
                        links.push(record);
                        next += 1;
                    }
                }
            }
            for record in &links {
                let read = log.get(record.place).unwrap();
                prop_assert_eq!(read.as_ref(), Some(record));
            }
            prop_assert_eq!(log.get(next).unwrap(), None);
            let from = links.get(links.len() / 2).map_or(0, |record| record.place / BLOCK * BLOCK);
            let (mut read, mut summaries) = (Vec::new(), 0);
            for block in log.blocks_from(0).map(Result::unwrap) {
                for (sequence, entry) in block.entries().map(Option::unwrap) {
                    prop_assert!(sequence < block.end());
                    match entry {
                        LinkEntry::Link(link) if sequence >= from => read.push(link.record(sequence)),
                        LinkEntry::Link(_) => {}
                        LinkEntry::Summary(key, seen) => {
                            prop_assert!(key == UrlKey::of("u") && seen == SeenUrl::new(3, 4));
                            summaries += 1;
                        }
                    }
                }
            }
            prop_assert_eq!(summaries, n_summaries);
            links.retain(|record| record.place >= from);
            prop_assert_eq!(read, links);
        }

        #[test]
        fn damaged_blocks_are_refused_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let _ = is_readable(&bytes);
        }
    }
}
