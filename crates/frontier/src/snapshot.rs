//! A frontier's whole store as one stream of bytes, and back.
//!
//! ```text
//! GMFR | format u32 | table… | 0 u8 | xxh3-64 of all before
//! table: length u8, name | entry… | 0 u32
//! entry: 1 + length of the key u32 | length of the value u32 | key | value      keys ascend
//! ```
//! The link log is the table `links`, with the number of a block, big-endian, as its key; the seen set is the table `seen`.
//! Integers are little-endian. The stream holds one moment: that of the last commit, input positions included.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use fjall::Readable;
use xxhash_rust::xxh3::Xxh3Default;

use crate::Positions;
use crate::config::FrontierConfig;
use crate::error::FrontierError;
use crate::frontier::Frontier;
use crate::seen::SeenImport;
use crate::store::{FrontierStore, StoreMoment};

const MAGIC: [u8; 4] = *b"GMFR";

/// That of the store. A stream of format 1 makes a store of format 1, which changes when it is opened; one of format 2 has the same
/// tables as today.
const FORMAT: u32 = crate::store::FORMAT as u32;

/// Longest key and value that a stream may hold, so that no bytes make us ask for more memory.
const MAX_KEY: usize = u16::MAX as usize;
const MAX_VALUE: usize = 16 << 20;

/// The store at the moment of a commit, readable on any thread while the frontier goes on.
///
/// While it lives the store keeps what is deleted from it.
pub struct FrontierSnapshot {
    moment: StoreMoment,
    positions: Positions,
}

/// What a stream held.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SnapshotSize {
    pub entries: u64,
    /// Bytes of the stream.
    pub bytes: u64,
}

impl Frontier {
    /// The store as of the last commit. Costs nothing by itself.
    #[must_use]
    pub fn snapshot(&self) -> FrontierSnapshot {
        FrontierSnapshot { moment: self.store.moment(), positions: self.positions().clone() }
    }

    /// Makes the store in `dir` anew from a stream that [`FrontierSnapshot::write`] made; what was in `dir` is gone then. Until the
    /// whole stream is read and found whole, `dir` stays as it was. One range of the seen set is in memory, no more.
    ///
    /// # Errors
    /// The stream is damaged, cut off or of another format, or the store cannot be written.
    pub fn restore(dir: &Path, config: &FrontierConfig, input: &mut impl Read) -> Result<SnapshotSize, FrontierError> {
        let beside = beside(dir);
        remove(&beside)?;
        let restored = fill(&beside, config, input);
        if restored.is_err() {
            // The first error says more than one of clearing up.
            let _ = remove(&beside);
            return restored;
        }
        remove(dir)?;
        fs::rename(&beside, dir).map_err(FrontierError::Snapshot)?;
        restored
    }
}

impl FrontierSnapshot {
    /// The input positions of its moment.
    #[must_use]
    pub fn positions(&self) -> &Positions {
        &self.positions
    }

    /// Writes the stream, unpacked.
    ///
    /// # Errors
    /// The store cannot be read, or `output` not written.
    pub fn write(&self, output: &mut impl Write) -> Result<SnapshotSize, FrontierError> {
        let mut output = Hashing { inner: output, hash: Xxh3Default::new(), bytes: 0, entries: 0 };
        output.put(&MAGIC)?;
        output.put(&FORMAT.to_le_bytes())?;
        let StoreMoment { tables, keyspaces, links, seen } = &self.moment;
        for (name, keyspace) in keyspaces {
            output.begin(name)?;
            for entry in tables.iter(keyspace) {
                let (key, value) = entry.into_inner()?;
                // Where the files are is no business of another store.
                if *name != "meta" || !is_of_files(&key) {
                    output.entry(&key, &value)?;
                }
            }
            output.end()?;
        }
        output.begin("links")?;
        for block in links.blocks_from(0) {
            let (number, block) = block?;
            output.entry(&number.to_be_bytes(), &block)?;
        }
        output.end()?;
        output.begin("seen")?;
        seen.rows(|key, value| output.entry(key, value))?;
        output.end()?;
        output.put(&[0])?;
        let hash = output.hash.digest();
        output.put(&hash.to_le_bytes())?;
        Ok(SnapshotSize { entries: output.entries, bytes: output.bytes })
    }
}

/// Reads the stream into a new store.
fn fill(dir: &Path, config: &FrontierConfig, input: &mut impl Read) -> Result<SnapshotSize, FrontierError> {
    let mut store = FrontierStore::create(dir, config)?;
    let mut input = Hashing { inner: input, hash: Xxh3Default::new(), bytes: 0, entries: 0 };
    if input.take::<4>()? != MAGIC {
        return Err(FrontierError::SnapshotDamaged("it does not begin as one"));
    }
    let format = u32::from_le_bytes(input.take()?);
    if !(1..=FORMAT).contains(&format) {
        return Err(FrontierError::Format { found: format.into(), expected: FORMAT.into() });
    }
    let mut import = SeenImport::default();
    loop {
        let [length] = input.take()?;
        if length == 0 {
            break;
        }
        let name = input.take_vec(length.into())?;
        match name.as_slice() {
            b"links" => input.entries(|key, block| {
                let number =
                    key.try_into().map_err(|_| FrontierError::SnapshotDamaged("a block of links has no number"))?;
                store.links.import(u64::from_be_bytes(number), &block);
                if store.links.n_unwritten() < MAX_VALUE { Ok(()) } else { store.links.write(&mut store.meta) }
            })?,
            b"seen" => {
                input.entries(|key, value| import.row(&mut store.seen, &mut store.meta, (key, &value)))?;
                import.finish(&mut store.seen, &mut store.meta)?;
            }
            name => {
                let table = store.keyspaces().into_iter().find(|(known, _)| known.as_bytes() == name);
                let (_, keyspace) =
                    table.ok_or(FrontierError::SnapshotDamaged("it has a table that no frontier has"))?;
                let mut ingestion = keyspace.start_ingestion()?;
                input.entries(|key, value| Ok(ingestion.write(key, value)?))?;
                ingestion.finish()?;
            }
        }
    }
    let hash = input.hash.digest();
    if u64::from_le_bytes(input.take()?) != hash {
        return Err(FrontierError::SnapshotDamaged("its checksum does not match"));
    }
    let size = SnapshotSize { entries: input.entries, bytes: input.bytes };
    // The seen set is of no use under another key. Streams of format 1 have neither.
    if store.meta.keyspace().get(b"key")?.is_some() {
        store.meta.leave(b"key");
    }
    // Tables of format 2 are files already.
    let (format, meta) = store.read_meta()?;
    if format == 1 { store.commit_pending() } else { store.commit(&meta) }?;
    store.persist()?;
    Ok(size)
}

/// Whether a row of `meta` tells where files are.
fn is_of_files(key: &[u8]) -> bool {
    key.starts_with(crate::link_file::PREFIX) || key.starts_with(crate::seen::PREFIX)
}

/// Where a store is made before it takes its place.
fn beside(dir: &Path) -> PathBuf {
    let mut name = dir.as_os_str().to_owned();
    name.push(".restoring");
    name.into()
}

fn remove(dir: &Path) -> Result<(), FrontierError> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(FrontierError::Snapshot(error)),
        _ => Ok(()),
    }
}

/// Counts and hashes what passes.
struct Hashing<T> {
    inner: T,
    hash: Xxh3Default,
    bytes: u64,
    entries: u64,
}

impl<W: Write> Hashing<&mut W> {
    /// Begins a table.
    fn begin(&mut self, name: &str) -> Result<(), FrontierError> {
        self.put(&[name.len() as u8])?;
        self.put(name.as_bytes())
    }

    fn entry(&mut self, key: &[u8], value: &[u8]) -> Result<(), FrontierError> {
        self.put(&(key.len() as u32 + 1).to_le_bytes())?;
        self.put(&(value.len() as u32).to_le_bytes())?;
        self.put(key)?;
        self.put(value)?;
        self.entries += 1;
        Ok(())
    }

    /// Ends a table.
    fn end(&mut self) -> Result<(), FrontierError> {
        self.put(&0u32.to_le_bytes())
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), FrontierError> {
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
        self.inner.write_all(bytes).map_err(FrontierError::Snapshot)
    }
}

impl<R: Read> Hashing<R> {
    /// Hands on the entries of a table; their keys rise.
    fn entries(
        &mut self,
        mut take: impl FnMut(&[u8], Vec<u8>) -> Result<(), FrontierError>,
    ) -> Result<(), FrontierError> {
        let mut last = None::<Vec<u8>>;
        while let Some(key_length) = (u32::from_le_bytes(self.take()?) as usize).checked_sub(1) {
            let value_length = u32::from_le_bytes(self.take()?) as usize;
            if key_length == 0 || key_length > MAX_KEY || value_length > MAX_VALUE {
                return Err(FrontierError::SnapshotDamaged("an entry of it has an impossible length"));
            }
            let key = self.take_vec(key_length)?;
            let value = self.take_vec(value_length)?;
            // The store takes rising keys only.
            if last.as_ref().is_some_and(|last| *last >= key) {
                return Err(FrontierError::SnapshotDamaged("its keys do not rise"));
            }
            take(&key, value)?;
            (last, self.entries) = (Some(key), self.entries + 1);
        }
        Ok(())
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], FrontierError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn take_vec(&mut self, length: usize) -> Result<Vec<u8>, FrontierError> {
        let mut bytes = vec![0; length];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), FrontierError> {
        self.inner.read_exact(bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => FrontierError::SnapshotDamaged("it is cut off"),
            _ => FrontierError::Snapshot(error),
        })?;
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(())
    }
}
