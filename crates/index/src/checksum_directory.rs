//! Checksums for the files that a writer makes: for the list of segments, to which tantivy writes none, and for pieces of the others
//! ([`sums`](crate::sums)).
//!
//! ```text
//! {"checksum":"0123456789abcdef",        XXH3-64 of all that follows this line
//!   "index_settings": { …                as tantivy wrote it, without its first brace
//! ```
//! It stands in the file itself, so that both are replaced in one step, and as a field that tantivy does not know and passes over.

use std::io;
use std::path::Path;
use std::sync::Arc;

use tantivy::Directory;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{DirectoryLock, FileHandle, Lock, WatchCallback, WatchHandle, WritePtr};
use xxhash_rust::xxh3::xxh3_64;

use crate::sums::{ChecksumFile, ChecksumWriter, FirstDamage};

/// The list of segments.
pub(crate) const LIST: &str = "meta.json";

const BEGINS: &str = "{\"checksum\":\"";
const ENDS: &str = "\",\n";

/// How the list begins that tantivy writes by itself, and that earlier versions left.
const UNSEALED: &str = "{\n  \"index_settings\"";

/// The list with its checksum.
fn sealed(list: &[u8]) -> Vec<u8> {
    let Some(rest) = list.strip_prefix(b"{\n") else { return list.to_owned() };
    let mut out = format!("{BEGINS}{:016x}{ENDS}", xxh3_64(rest)).into_bytes();
    out.extend_from_slice(rest);
    out
}

/// Whether the list is as it was written. One without checksum is an earlier version's, of which nobody knows.
pub(crate) fn is_intact(list: &[u8]) -> bool {
    let checked = || {
        let (checksum, rest) = list.strip_prefix(BEGINS.as_bytes())?.split_at_checked(16)?;
        let rest = rest.strip_prefix(ENDS.as_bytes())?;
        Some(checksum == format!("{:016x}", xxh3_64(rest)).as_bytes())
    };
    checked().unwrap_or_else(|| list.starts_with(UNSEALED.as_bytes()))
}

/// A directory that gives each file its checksums, and compares them where a writer reads, so that no merge takes damage along.
#[derive(Debug, Clone)]
pub(crate) struct ChecksumDirectory(Box<dyn Directory>);

impl ChecksumDirectory {
    pub(crate) fn over(directory: impl Directory) -> Self {
        Self(Box::new(directory))
    }
}

impl Directory for ChecksumDirectory {
    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        match path == Path::new(LIST) {
            true => self.0.atomic_write(path, &sealed(data)),
            false => self.0.atomic_write(path, data),
        }
    }

    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        Ok(Arc::new(ChecksumFile::open(path, self.0.get_file_handle(path)?, FirstDamage::default())?))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.0.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.0.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Ok(WritePtr::new(Box::new(ChecksumWriter::over(self.0.open_write(path)?))))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.0.atomic_read(path)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.0.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.0.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.0.watch(callback)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flipped_bit_of_a_sealed_list_is_seen_and_a_list_without_seal_passes() {
        let list = b"{\n  \"index_settings\": {\n    \"docstore_blocksize\": 16384\n  },\n  \"segments\": []\n}\n";
        let whole = sealed(list);
        let read = |list: &[u8]| serde_json::from_slice::<serde_json::Value>(list).unwrap();
        assert_eq!(read(&whole)["segments"], read(list)["segments"]);
        assert!(is_intact(&whole) && is_intact(list));
        for at in 0..whole.len() * 8 {
            let mut flipped = whole.clone();
            flipped[at / 8] ^= 1 << (at % 8);
            assert!(!is_intact(&flipped), "bit {at}");
        }
    }
}
