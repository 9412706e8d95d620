//! Finds journals of a fjall database that are damaged before their end.
//!
//! A journal is a row of batches. fjall 3 writes a batch as a start (`1`, number of items as u32, sequence number as u64), its items
//! (`2`, type, compression, keyspace as u64, length of the key as u16, of the value and of its stored form as u32, key, stored value)
//! or clearings (`4`, keyspace as u64), and an end (`3`, XXH3-64 of the items as u64, `FJL` 3). Numbers are little-endian.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use memchr::memmem;
use xxhash_rust::xxh3::Xxh3Default;

/// A journal with a broken batch that others follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenBatch {
    pub path: PathBuf,
    /// Where the batch begins.
    pub offset: u64,
}

impl std::fmt::Display for BrokenBatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the journal `{}` is damaged in the batch at byte {}", self.path.display(), self.offset)
    }
}

impl std::error::Error for BrokenBatch {}

const ITEM: u8 = 2;
const END: u8 = 3;
const CLEAR: u8 = 4;
/// The end of one batch and the beginning of the next.
const SEAM: &[u8] = b"FJL\x03\x01";
const MAGIC: &[u8] = b"FJL\x03";

/// The first broken batch of the journals in `dir` that is not the last of its journal; `None` when there is no such folder.
///
/// Call it before the database is opened: fjall takes most broken batches for one that a crash cut off, and cuts the journal
/// there, with all batches behind it. The last batch may indeed be cut off, so it is left to fjall. A batch that another process
/// is writing is none: it is read again once another follows it.
///
/// One pass over the journals (a few files of 64 MiB) in pieces of 64 KiB.
///
/// # Errors
/// The disk does not answer.
pub fn broken_batch(dir: &Path) -> io::Result<Option<BrokenBatch>> {
    let entries = match std::fs::read_dir(dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        entries => entries?,
    };
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "jnl") {
            continue;
        }
        match Journal::open(&path).and_then(Journal::broken) {
            Ok(Some(offset)) => return Ok(Some(BrokenBatch { path, offset })),
            Ok(None) => {}
            // Another process has done with it.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

struct Journal {
    reader: BufReader<File>,
    /// The sequence number of the last whole batch: they never fall, and no checksum covers them.
    sequence: u64,
}

impl Journal {
    fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { reader: BufReader::with_capacity(1 << 16, File::open(path)?), sequence: 0 })
    }

    fn broken(mut self) -> io::Result<Option<u64>> {
        loop {
            let offset = self.reader.stream_position()?;
            if self.batch()? {
                continue;
            }
            self.reader.seek(SeekFrom::Start(offset))?;
            if !self.seam_follows()? {
                return Ok(None);
            }
            self.reader.seek(SeekFrom::Start(offset))?;
            if !self.batch()? {
                return Ok(Some(offset));
            }
        }
    }

    /// Reads over one batch; whether it is whole.
    fn batch(&mut self) -> io::Result<bool> {
        match self.read_batch() {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
            other => other,
        }
    }

    fn read_batch(&mut self) -> io::Result<bool> {
        let [1, n0, n1, n2, n3, sequence @ ..] = self.bytes::<13>()? else { return Ok(false) };
        let sequence = u64::from_le_bytes(sequence);
        if sequence < self.sequence {
            return Ok(false);
        }
        let mut hasher = Xxh3Default::new();
        for _ in 0..u32::from_le_bytes([n0, n1, n2, n3]) {
            let [tag] = self.bytes()?;
            hasher.update(&[tag]);
            let whole = match tag {
                ITEM => self.item(&mut hasher)?,
                CLEAR => self.pass(8, &mut hasher).map(|()| true)?,
                _ => false,
            };
            if !whole {
                return Ok(false);
            }
        }
        let [END, end @ ..] = self.bytes::<13>()? else { return Ok(false) };
        let (checksum, magic) = end.split_at(8);
        let whole = checksum == hasher.digest().to_le_bytes() && magic == MAGIC;
        if whole {
            self.sequence = sequence;
        }
        Ok(whole)
    }

    fn item(&mut self, hasher: &mut Xxh3Default) -> io::Result<bool> {
        let head = self.bytes::<20>()?;
        hasher.update(&head);
        let [_, compression, _, _, _, _, _, _, _, _, k0, k1, value @ ..] = head;
        let (length, stored) = value.split_at(4);
        if compression == 0 && length != stored {
            return Ok(false);
        }
        let stored = stored.try_into().map_or(0, u32::from_le_bytes);
        self.pass(u64::from(u16::from_le_bytes([k0, k1])) + u64::from(stored), hasher)?;
        Ok(true)
    }

    fn bytes<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.reader.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    /// Hashes the next `length` bytes.
    fn pass(&mut self, mut length: u64, hasher: &mut Xxh3Default) -> io::Result<()> {
        while length > 0 {
            let piece = self.reader.fill_buf()?;
            if piece.is_empty() {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            let taken = usize::try_from(length).unwrap_or(usize::MAX).min(piece.len());
            hasher.update(&piece[..taken]);
            self.reader.consume(taken);
            length -= taken as u64;
        }
        Ok(())
    }

    /// Whether some batch ends behind here and another begins.
    fn seam_follows(&mut self) -> io::Result<bool> {
        let finder = memmem::Finder::new(SEAM);
        let (mut window, mut kept) = (vec![0; 1 << 16], 0);
        loop {
            let read = self.reader.read(&mut window[kept..])?;
            if read == 0 {
                return Ok(false);
            }
            let filled = kept + read;
            if finder.find(&window[..filled]).is_some() {
                return Ok(true);
            }
            kept = filled.min(SEAM.len() - 1);
            window.copy_within(filled - kept..filled, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use fjall::{Database, KeyspaceCreateOptions, PersistMode};

    use super::*;

    /// A database of 40 batches, and its journal up to the last of them.
    fn written(dir: &Path) -> (PathBuf, Vec<u8>) {
        let database = Database::builder(dir).open().unwrap();
        let words = database.keyspace("words", KeyspaceCreateOptions::default).unwrap();
        for n in 0..40u32 {
            let mut batch = database.batch().durability(Some(PersistMode::SyncData));
            batch.insert(&words, n.to_be_bytes(), "long enough to be packed ".repeat(400));
            batch.insert(&words, [n.to_be_bytes(), [0; 4]].concat(), format!("short {n}"));
            batch.remove(&words, [9; 9]);
            batch.commit().unwrap();
        }
        drop((words, database));
        let path = dir.join("0.jnl");
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.truncate(bytes.iter().rposition(|byte| *byte != 0).unwrap() + 1);
        (path, bytes)
    }

    #[test]
    fn every_flipped_bit_before_the_last_batches_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let (path, good) = written(dir.path());
        assert_eq!(broken_batch(dir.path()).unwrap(), None);
        let starts: Vec<usize> = memmem::find_iter(&good, SEAM).map(|at| at + MAGIC.len()).collect();
        assert!(starts.len() >= 39, "{}", starts.len());
        let [.., middle, after, _, _] = starts[..] else { panic!("few batches") };
        for at in middle..after {
            // Of the sequence number, which no checksum covers, only what makes it fall is found.
            let number = (middle + 5..middle + 13).contains(&at);
            for bit in 0..8 {
                let mut flipped = good.clone();
                flipped[at] ^= 1 << bit;
                if number && flipped[at] > good[at] {
                    continue;
                }
                std::fs::write(&path, &flipped).unwrap();
                let found = broken_batch(dir.path()).unwrap();
                assert_eq!(found.map(|found| found.offset), Some(middle as u64), "bit {bit} of byte {at}");
            }
        }
    }

    #[test]
    fn a_last_batch_that_is_cut_off_is_no_damage() {
        let dir = tempfile::tempdir().unwrap();
        let (path, good) = written(dir.path());
        let last = memmem::rfind(&good, SEAM).unwrap() + MAGIC.len();
        for end in (last..good.len()).step_by(7) {
            let mut cut = good[..end].to_vec();
            std::fs::write(&path, &cut).unwrap();
            assert_eq!(broken_batch(dir.path()).unwrap(), None, "cut at {end}");
            cut.resize(1 << 20, 0);
            std::fs::write(&path, &cut).unwrap();
            assert_eq!(broken_batch(dir.path()).unwrap(), None, "zeros from {end}");
        }
        assert_eq!(broken_batch(&dir.path().join("nowhere")).unwrap(), None);
    }

    /// What is written while it is read is never damage.
    #[test]
    fn a_database_in_use_is_sound_at_every_moment() {
        let dir = tempfile::tempdir().unwrap();
        let database = Database::builder(dir.path()).open().unwrap();
        let words = database.keyspace("words", KeyspaceCreateOptions::default).unwrap();
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                for n in 0..3_000u32 {
                    words.insert(n.to_be_bytes(), "x".repeat(n as usize % 5_000)).unwrap();
                }
            });
            while !writer.is_finished() {
                assert_eq!(broken_batch(dir.path()).unwrap(), None);
            }
        });
    }
}
