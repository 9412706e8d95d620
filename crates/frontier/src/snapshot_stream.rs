//! The form in which tables are streamed: entries behind one another, and a checksum of all.
//!
//! ```text
//! table: length u8, name | entry… | 0 u32
//! entry: 1 + length of the key u32 | length of the value u32 | key | value      keys ascend
//! end: 0 u8 | XXH3-64 of all before
//! ```
//! Integers are little-endian.

use std::io::{self, ErrorKind, Read, Write};

use xxhash_rust::xxh3::Xxh3Default;

use crate::error::FrontierError;
use crate::table::Entry;

/// Longest key and value that a stream may hold, so that no bytes make us ask for more memory.
const MAX_KEY: usize = u16::MAX as usize;
pub(crate) const MAX_VALUE: usize = 16 << 20;

/// Counts and hashes what passes.
pub(crate) struct SnapshotStream<T> {
    inner: T,
    hash: Xxh3Default,
    pub(crate) bytes: u64,
    pub(crate) entries: u64,
}

impl<T> SnapshotStream<T> {
    pub(crate) fn new(inner: T) -> Self {
        Self { inner, hash: Xxh3Default::new(), bytes: 0, entries: 0 }
    }
}

impl<W: Write> SnapshotStream<W> {
    /// Begins a table.
    pub(crate) fn begin(&mut self, name: &str) -> Result<(), FrontierError> {
        self.put(&[name.len() as u8])?;
        self.put(name.as_bytes())
    }

    pub(crate) fn entry(&mut self, key: &[u8], value: &[u8]) -> Result<(), FrontierError> {
        self.put(&(key.len() as u32 + 1).to_le_bytes())?;
        self.put(&(value.len() as u32).to_le_bytes())?;
        self.put(key)?;
        self.put(value)?;
        self.entries += 1;
        Ok(())
    }

    /// Ends a table.
    pub(crate) fn end(&mut self) -> Result<(), FrontierError> {
        self.put(&0u32.to_le_bytes())
    }

    /// Ends the stream.
    pub(crate) fn finish(&mut self) -> Result<(), FrontierError> {
        self.put(&[0])?;
        let hash = self.hash.digest();
        self.put(&hash.to_le_bytes())
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<(), FrontierError> {
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
        self.inner.write_all(bytes).map_err(FrontierError::Snapshot)
    }
}

impl<R: Read> SnapshotStream<R> {
    /// Reads what a stream begins with: its magic number, and a format up to `newest`, which is answered.
    pub(crate) fn open(&mut self, magic: [u8; 4], newest: u32) -> Result<u32, FrontierError> {
        if self.array::<4>()? != magic {
            return Err(FrontierError::SnapshotDamaged("it does not begin as one"));
        }
        let format = u32::from_le_bytes(self.array()?);
        match (1..=newest).contains(&format) {
            true => Ok(format),
            false => Err(FrontierError::Format { found: format.into(), expected: newest.into() }),
        }
    }

    /// Hands on the entries of a table; their keys rise.
    pub(crate) fn entries(
        &mut self,
        mut take: impl FnMut(&[u8], Vec<u8>) -> Result<(), FrontierError>,
    ) -> Result<(), FrontierError> {
        let mut last = Vec::new();
        while let Some((key, value)) = self.next_entry(&last)? {
            take(&key, value)?;
            last = key;
        }
        Ok(())
    }

    /// The next entry of a table, whose key is beyond `last`; `None` at the end of the table.
    pub(crate) fn next_entry(&mut self, last: &[u8]) -> Result<Option<Entry>, FrontierError> {
        let Some(key_length) = (u32::from_le_bytes(self.array()?) as usize).checked_sub(1) else { return Ok(None) };
        let value_length = u32::from_le_bytes(self.array()?) as usize;
        if key_length == 0 || key_length > MAX_KEY || value_length > MAX_VALUE {
            return Err(FrontierError::SnapshotDamaged("an entry of it has an impossible length"));
        }
        let (key, value) = (self.take_vec(key_length)?, self.take_vec(value_length)?);
        // The store takes rising keys only.
        if last >= key.as_slice() {
            return Err(FrontierError::SnapshotDamaged("its keys do not rise"));
        }
        self.entries += 1;
        Ok(Some((key, value)))
    }

    /// Reads the checksum of all before.
    pub(crate) fn verify(&mut self) -> Result<(), FrontierError> {
        let hash = self.hash.digest();
        if u64::from_le_bytes(self.array()?) == hash {
            return Ok(());
        }
        Err(FrontierError::SnapshotDamaged("its checksum does not match"))
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], FrontierError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    pub(crate) fn take_vec(&mut self, length: usize) -> Result<Vec<u8>, FrontierError> {
        let mut bytes = vec![0; length];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), FrontierError> {
        self.inner.read_exact(bytes).map_err(cut_off)?;
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(())
    }
}

/// A stream that ends early is damaged, whatever else goes wrong is not its fault.
pub(crate) fn cut_off(error: io::Error) -> FrontierError {
    match error.kind() {
        ErrorKind::UnexpectedEof => FrontierError::SnapshotDamaged("it is cut off"),
        _ => FrontierError::Snapshot(error),
    }
}

/// So that what passes besides entries is counted and hashed too.
impl<W: Write> Write for SnapshotStream<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n_written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..n_written]);
        self.bytes += n_written as u64;
        Ok(n_written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<R: Read> Read for SnapshotStream<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n_read = self.inner.read(into)?;
        self.hash.update(&into[..n_read]);
        self.bytes += n_read as u64;
        Ok(n_read)
    }
}
