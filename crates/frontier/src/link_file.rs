//! Files of the link log: blocks one after the other, each packed on its own.
//!
//! ```text
//! links/<number of its first block, 16 hex digits>   block…, and once it is full: place…, their number u32, XXH3-64 of these
//! block: number u64 | length u32, as packed u32 | XXH3-64 of these and what follows | LZ4
//! place: number after that of the file u32 | where the block begins u32
//! meta: "links", number of the first block, u64 big-endian → bytes of blocks
//! ```
//!
//! Numbers are little-endian but for the last. Bytes are durable before the commit that counts them; what is behind them belongs to a
//! commit that never came. A file is never changed but at its end, and never deleted.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use xxhash_rust::xxh3::xxh3_64;

use crate::error::{FrontierError, disk};
use crate::seen_file::{create_folder, remove_others};
use crate::table::StoreTable;

/// Bytes after which a file is full; places have 32 bits.
const FULL: u64 = if cfg!(test) { 4 << 10 } else { 128 << 20 };

/// Bytes of a block before what is packed.
const HEAD: usize = 24;

/// Longest block as it was: 64 entries of the longest URL and title are a twentieth.
const MAX_BLOCK: usize = 4 << 20;

/// Bytes behind the places of a full file.
const TRAILER: usize = 12;

/// In the keys of rows.
pub(crate) const PREFIX: &[u8] = b"links";

/// Where a block is in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BlockPlace {
    number: u32,
    offset: u32,
}

struct LinkFile {
    /// The number of its first block.
    first: u64,
    /// Bytes of its blocks, those that are not written too.
    length: u64,
    unwritten: Vec<u8>,
    file: OnceLock<File>,
    /// Read when it is first needed.
    places: OnceLock<Vec<BlockPlace>>,
}

/// All files, by their first blocks.
pub(crate) struct LinkFiles {
    folder: PathBuf,
    files: Vec<LinkFile>,
}

impl LinkFiles {
    /// The files as `rows` counts them.
    pub(crate) fn open(folder: &Path, rows: &StoreTable) -> Result<Self, FrontierError> {
        let mut files = Vec::new();
        for entry in rows.iter_from(PREFIX, PREFIX) {
            let (key, value) = entry?;
            let read = || {
                let first = u64::from_be_bytes(key.get(PREFIX.len()..)?.try_into().ok()?);
                Some((first, u64::from_le_bytes(value.as_slice().try_into().ok()?)))
            };
            let (first, length) =
                read().filter(|(_, length)| *length < FULL + 2 * MAX_BLOCK as u64).ok_or_else(|| rows.damaged(&key))?;
            files.push(LinkFile::new(first, length));
        }
        Ok(Self { folder: folder.to_owned(), files })
    }

    /// The same files as of the last commit, for another reader.
    pub(crate) fn moment(&self) -> Self {
        let committed = |file: &LinkFile| {
            let length = file.written();
            (length > 0).then(|| LinkFile::new(file.first, length))
        };
        Self { folder: self.folder.clone(), files: self.files.iter().filter_map(committed).collect() }
    }

    /// The names of all files, with the bytes that each has: all of a full one, and of the last those that were committed.
    pub(crate) fn lengths(&self) -> Result<Vec<(String, u64)>, FrontierError> {
        let length = |(at, file): (usize, &LinkFile)| {
            let is_full = at + 1 < self.files.len() || file.length >= FULL;
            let length =
                if is_full { file.open(&self.folder)?.metadata().map_err(disk)?.len() } else { file.written() };
            Ok((format!("{:016x}", file.first), length))
        };
        self.files.iter().enumerate().map(length).collect()
    }

    /// Refuses a store of which a file is missing or cut off.
    pub(crate) fn check_lengths(&self) -> Result<(), FrontierError> {
        for file in &self.files {
            if file.open(&self.folder)?.metadata().map_err(disk)?.len() < file.length {
                return Err(file.damaged(file.length));
            }
        }
        Ok(())
    }

    /// Cuts off and deletes what no commit counted.
    pub(crate) fn remove_leftovers(&self) -> Result<(), FrontierError> {
        remove_others(&self.folder, |first| self.files.iter().any(|file| file.first == first)).map_err(disk)?;
        let Some(last) = self.files.last() else { return Ok(()) };
        if last.listed_places(&self.folder)?.is_some() {
            return Ok(());
        }
        let file = last.open(&self.folder)?;
        let found = file.metadata().map_err(disk)?.len();
        if found > last.length { file.set_len(last.length).map_err(disk) } else { Ok(()) }
    }

    /// Adds a block, whose number must be larger than all before. It is on the disk after [`LinkFiles::write`].
    pub(crate) fn push(&mut self, number: u64, block: &[u8]) {
        let fits = |file: &LinkFile| file.length < FULL && u32::try_from(number - file.first).is_ok();
        if !self.files.last().is_some_and(fits) {
            self.files.push(LinkFile { places: OnceLock::from(Vec::new()), ..LinkFile::new(number, 0) });
        }
        let Some(file) = self.files.last_mut() else { return };
        let place = BlockPlace { number: (number - file.first) as u32, offset: file.length as u32 };
        // Places that were not needed so far are read with the others.
        if let Some(places) = file.places.get_mut() {
            places.push(place);
        }
        let start = file.unwritten.len();
        pack(number, block, &mut file.unwritten);
        file.length += (file.unwritten.len() - start) as u64;
    }

    /// Bytes of blocks that are not on the disk.
    pub(crate) fn n_unwritten(&self) -> usize {
        self.files.iter().rev().map(|file| file.unwritten.len()).take_while(|length| *length > 0).sum()
    }

    /// Makes all blocks durable; the commit of the rows follows.
    pub(crate) fn write(&mut self, rows: &mut StoreTable) -> Result<(), FrontierError> {
        let n_files = self.files.len();
        for (at, file) in self.files.iter_mut().enumerate().rev() {
            if file.unwritten.is_empty() {
                break;
            }
            let is_full = at + 1 < n_files || file.length >= FULL;
            file.write(&self.folder, is_full)?;
            rows.put([PREFIX, &file.first.to_be_bytes()].concat(), file.length.to_le_bytes().to_vec());
        }
        Ok(())
    }

    /// The block of that number.
    pub(crate) fn get(&self, number: u64) -> Result<Option<Vec<u8>>, FrontierError> {
        let after = self.files.partition_point(|file| file.first <= number);
        let Some(file) = after.checked_sub(1).map(|at| &self.files[at]) else { return Ok(None) };
        let Ok(relative) = u32::try_from(number - file.first) else { return Ok(None) };
        let places = file.places(&self.folder)?;
        match places.binary_search_by_key(&relative, |place| place.number) {
            Ok(at) => file.block(&self.folder, places, at).map(|(_, block)| Some(block)),
            Err(_) => Ok(None),
        }
    }

    /// All blocks from `number` on, with their numbers.
    pub(crate) fn blocks_from(&self, number: u64) -> impl Iterator<Item = Result<(u64, Vec<u8>), FrontierError>> + '_ {
        let first = self.files.partition_point(|file| file.first <= number).saturating_sub(1);
        self.files[first..].iter().flat_map(move |file| {
            let (places, error) = match file.places(&self.folder) {
                Ok(places) => (places, None),
                Err(error) => (&[][..], Some(Err(error))),
            };
            let start = places.partition_point(|place| file.first + u64::from(place.number) < number);
            let blocks = (start..places.len()).map(move |at| file.block(&self.folder, places, at));
            error.into_iter().chain(blocks)
        })
    }
}

impl LinkFile {
    fn new(first: u64, length: u64) -> Self {
        Self { first, length, unwritten: Vec::new(), file: OnceLock::new(), places: OnceLock::new() }
    }

    fn written(&self) -> u64 {
        self.length - self.unwritten.len() as u64
    }

    fn open(&self, folder: &Path) -> Result<&File, FrontierError> {
        if let Some(file) = self.file.get() {
            return Ok(file);
        }
        let path = folder.join(format!("{:016x}", self.first));
        // A file is new when none of it was committed.
        let is_new = self.written() == 0;
        if is_new {
            create_folder(folder).map_err(disk)?;
        }
        let file = OpenOptions::new().read(true).write(true).create(is_new).truncate(is_new).open(path);
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => self.damaged(0),
            _ => disk(error),
        })?;
        if is_new {
            File::open(folder).and_then(|folder| folder.sync_all()).map_err(disk)?;
        }
        Ok(self.file.get_or_init(|| file))
    }

    fn write(&mut self, folder: &Path, is_full: bool) -> Result<(), FrontierError> {
        let file = self.open(folder)?;
        file.write_all_at(&self.unwritten, self.written()).map_err(disk)?;
        if is_full {
            file.write_all_at(&encode_places(self.places(folder)?), self.length).map_err(disk)?;
        }
        file.sync_data().map_err(disk)?;
        self.unwritten.clear();
        Ok(())
    }

    fn places(&self, folder: &Path) -> Result<&[BlockPlace], FrontierError> {
        if let Some(places) = self.places.get() {
            return Ok(places);
        }
        let listed = self.listed_places(folder)?;
        let places = listed.map_or_else(|| self.scan(folder), Ok)?;
        Ok(self.places.get_or_init(|| places))
    }

    /// The places as they are listed behind the blocks of a full file.
    fn listed_places(&self, folder: &Path) -> Result<Option<Vec<BlockPlace>>, FrontierError> {
        let file = self.open(folder)?;
        let end = file.metadata().map_err(disk)?.len();
        let Some(length) = end.checked_sub(self.written()).filter(|length| *length > TRAILER as u64) else {
            return Ok(None);
        };
        let mut trailer = [0; TRAILER];
        file.read_exact_at(&mut trailer, end - TRAILER as u64).map_err(disk)?;
        let [n0, n1, n2, n3, ..] = trailer;
        if length != u64::from(u32::from_le_bytes([n0, n1, n2, n3])) * 8 + TRAILER as u64 {
            return Ok(None);
        }
        let mut bytes = vec![0; length as usize];
        file.read_exact_at(&mut bytes, self.written()).map_err(disk)?;
        Ok(decode_places(&bytes))
    }

    /// The places by the heads of the blocks.
    fn scan(&self, folder: &Path) -> Result<Vec<BlockPlace>, FrontierError> {
        let (mut places, mut offset) = (Vec::<BlockPlace>::new(), 0);
        while offset < self.length {
            let mut head = [0; HEAD];
            self.read(folder, offset, &mut head)?;
            let (number, _, packed) = read_head(&head);
            let relative = number.checked_sub(self.first).and_then(|number| u32::try_from(number).ok());
            let rises = |number: &u32| places.last().is_none_or(|last| last.number < *number);
            let number = relative.filter(rises).ok_or_else(|| self.damaged(offset))?;
            places.push(BlockPlace { number, offset: offset as u32 });
            offset += (HEAD + packed as usize) as u64;
        }
        if offset == self.length { Ok(places) } else { Err(self.damaged(offset)) }
    }

    /// A block with its number.
    fn block(&self, folder: &Path, places: &[BlockPlace], at: usize) -> Result<(u64, Vec<u8>), FrontierError> {
        let place = places[at];
        let end = places.get(at + 1).map_or(self.length, |next| next.offset.into());
        let length = usize::try_from(end.saturating_sub(place.offset.into())).unwrap_or(usize::MAX);
        if length > 2 * MAX_BLOCK {
            return Err(self.damaged(place.offset.into()));
        }
        let mut bytes = vec![0; length];
        self.read(folder, place.offset.into(), &mut bytes)?;
        let number = self.first + u64::from(place.number);
        let block = unpack(number, &bytes).ok_or_else(|| self.damaged(place.offset.into()))?;
        Ok((number, block))
    }

    fn read(&self, folder: &Path, offset: u64, bytes: &mut [u8]) -> Result<(), FrontierError> {
        if let Some(start) = offset.checked_sub(self.written()) {
            let unwritten = self.unwritten.get(start as usize..).and_then(|rest| rest.get(..bytes.len()));
            bytes.copy_from_slice(unwritten.ok_or_else(|| self.damaged(offset))?);
            return Ok(());
        }
        self.open(folder)?.read_exact_at(bytes, offset).map_err(disk)
    }

    fn damaged(&self, offset: u64) -> FrontierError {
        FrontierError::Damaged { table: "links", key: format!("{:016x} at byte {offset}", self.first) }
    }
}

fn pack(number: u64, block: &[u8], to: &mut Vec<u8>) {
    let start = to.len();
    to.resize(start + HEAD + lz4_flex::block::get_maximum_output_size(block.len()), 0);
    let (head, body) = to[start..].split_at_mut(HEAD);
    // It cannot fail, as there is room for the worst case.
    let packed = lz4_flex::block::compress_into(block, body).unwrap_or(0);
    head[..8].copy_from_slice(&number.to_le_bytes());
    head[8..12].copy_from_slice(&(block.len() as u32).to_le_bytes());
    head[12..16].copy_from_slice(&(packed as u32).to_le_bytes());
    let check = checksum(head, &body[..packed]);
    head[16..].copy_from_slice(&check.to_le_bytes());
    to.truncate(start + HEAD + packed);
}

/// `None` when it is not the block of that number as it was written.
fn unpack(number: u64, bytes: &[u8]) -> Option<Vec<u8>> {
    let (head, body) = bytes.split_first_chunk::<HEAD>()?;
    let (found, length, packed) = read_head(head);
    let fits = found == number && packed as usize == body.len() && length as usize <= MAX_BLOCK;
    let is_whole = fits && checksum(head, body).to_le_bytes() == head[16..];
    if !is_whole {
        return None;
    }
    lz4_flex::block::decompress(body, length as usize).ok()
}

/// Number, length, and length as packed.
fn read_head(head: &[u8; HEAD]) -> (u64, u32, u32) {
    let number = |at: usize| u32::from_le_bytes(std::array::from_fn(|byte| head[at + byte]));
    (u64::from(number(4)) << 32 | u64::from(number(0)), number(8), number(12))
}

/// Of the lengths and the number of a block, and of what is packed.
fn checksum(head: &[u8], body: &[u8]) -> u64 {
    xxh3_64(body) ^ xxh3_64(&head[..16])
}

fn encode_places(places: &[BlockPlace]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(places.len() * 8 + TRAILER);
    for place in places {
        bytes.extend_from_slice(&place.number.to_le_bytes());
        bytes.extend_from_slice(&place.offset.to_le_bytes());
    }
    bytes.extend_from_slice(&(places.len() as u32).to_le_bytes());
    bytes.extend_from_slice(&xxh3_64(&bytes).to_le_bytes());
    bytes
}

fn decode_places(bytes: &[u8]) -> Option<Vec<BlockPlace>> {
    let (bytes, check) = bytes.split_last_chunk::<8>()?;
    let (places, number) = bytes.split_last_chunk::<4>()?;
    let (places, rest) = places.as_chunks::<8>();
    let is_whole = xxh3_64(bytes).to_le_bytes() == *check && rest.is_empty();
    let fits = is_whole && places.len() == u32::from_le_bytes(*number) as usize;
    let read = |[n0, n1, n2, n3, o0, o1, o2, o3]: &[u8; 8]| BlockPlace {
        number: u32::from_le_bytes([*n0, *n1, *n2, *n3]),
        offset: u32::from_le_bytes([*o0, *o1, *o2, *o3]),
    };
    fits.then(|| places.iter().map(read).collect())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use fjall::Database;

    use super::*;
    use crate::table::testing::{commit, open};

    /// Texts that do not pack well, so that files become full.
    fn block(number: u64) -> Vec<u8> {
        (0..300).map(|at| xxh3_64(&[number.to_le_bytes(), u64::to_le_bytes(at)].concat()) as u8).collect()
    }

    fn write(db: &Database, rows: &mut StoreTable, files: &mut LinkFiles, numbers: impl Iterator<Item = u64>) {
        numbers.for_each(|number| files.push(number, &block(number)));
        files.write(rows).unwrap();
        commit(db, rows);
    }

    fn numbers(files: &LinkFiles) -> Vec<u64> {
        let read = |entry: Result<(u64, Vec<u8>), FrontierError>| {
            let (number, bytes) = entry.unwrap();
            assert_eq!(bytes, block(number));
            number
        };
        files.blocks_from(0).map(read).collect()
    }

    #[test]
    fn blocks_are_found_in_full_files_and_in_the_last_whether_they_are_listed_or_not() {
        let dir = tempfile::tempdir().unwrap();
        let (db, mut rows) = open(dir.path());
        let folder = dir.path().join("links");
        let mut files = LinkFiles::open(&folder, &rows).unwrap();
        for turn in 0..20 {
            write(&db, &mut rows, &mut files, (turn * 9..turn * 9 + 7).map(|number| number * 3));
            if turn % 4 == 3 {
                files = LinkFiles::open(&folder, &rows).unwrap();
                files.remove_leftovers().unwrap();
            }
        }
        assert!(files.files.len() > 5, "{} files", files.files.len());
        let all: Vec<u64> = (0..20).flat_map(|turn| (turn * 9..turn * 9 + 7).map(|number| number * 3)).collect();
        for is_listed in [true, false] {
            let files = LinkFiles::open(&folder, &rows).unwrap();
            assert_eq!(numbers(&files), all);
            for number in 0..600 {
                let expected = all.contains(&number).then(|| block(number));
                assert_eq!(files.get(number).unwrap(), expected, "{number}");
            }
            assert_eq!(files.files[0].listed_places(&folder).unwrap().is_some(), is_listed);
            for file in &files.files {
                file.open(&folder).unwrap().set_len(file.length).unwrap();
            }
        }
    }

    #[test]
    fn a_moment_stays_as_it_was_and_what_no_commit_counted_is_cut_off() {
        let dir = tempfile::tempdir().unwrap();
        let (db, mut rows) = open(dir.path());
        let folder = dir.path().join("links");
        let mut files = LinkFiles::open(&folder, &rows).unwrap();
        write(&db, &mut rows, &mut files, 0..5);
        let moment = files.moment();
        files.push(5, &block(5));
        let early = files.moment();
        write(&db, &mut rows, &mut files, 6..40);
        assert_eq!((numbers(&moment), numbers(&early)), ((0..5).collect(), (0..5).collect()));
        // Written, and then no commit.
        (40..80).for_each(|number| files.push(number, &block(number)));
        files.write(&mut StoreTable::new("t", rows.keyspace().clone())).unwrap();
        let mut files = LinkFiles::open(&folder, &rows).unwrap();
        files.remove_leftovers().unwrap();
        assert_eq!(numbers(&files), (0..40).collect::<Vec<_>>());
        let on_disk: u64 = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
        write(&db, &mut rows, &mut files, 90..100);
        assert_eq!(numbers(&LinkFiles::open(&folder, &rows).unwrap()).len(), 50);
        let after: u64 = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
        assert!(after - on_disk < 5_000, "{on_disk} and {after} bytes");
    }

    #[test]
    fn every_flipped_byte_of_a_block_and_every_missing_end_is_damage() {
        let dir = tempfile::tempdir().unwrap();
        let (db, mut rows) = open(dir.path());
        let folder = dir.path().join("links");
        let mut files = LinkFiles::open(&folder, &rows).unwrap();
        write(&db, &mut rows, &mut files, 7..9);
        let path = folder.join(format!("{:016x}", 7));
        let whole = fs::read(&path).unwrap();
        let read = || LinkFiles::open(&folder, &rows)?.blocks_from(0).collect::<Result<Vec<_>, _>>();
        assert_eq!(read().unwrap().len(), 2);
        for at in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[at] ^= 1;
            fs::write(&path, flipped).unwrap();
            assert!(read().unwrap_err().is_damage(), "byte {at}");
            fs::write(&path, &whole[..at]).unwrap();
            assert!(read().unwrap_err().is_damage(), "cut at {at}");
        }
        fs::remove_file(&path).unwrap();
        assert!(read().unwrap_err().is_damage());
    }
}
