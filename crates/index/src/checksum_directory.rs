//! Checksums for the files that a writer makes: for the list of segments, to which tantivy writes none, and for pieces of the others
//! ([`sums`](crate::sums)).
//!
//! ```text
//! {"checksum":"0123456789abcdef",        XXH3-64 of all that follows this line
//!   "index_settings": { …                as tantivy wrote it, without its first brace
//! ```
//! It stands in the file itself, so that both are replaced in one step, and as a field that tantivy does not know and passes over.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

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
pub(crate) struct ChecksumDirectory {
    inner: Box<dyn Directory>,
    dir: PathBuf,
}

impl ChecksumDirectory {
    /// Over the storage of the folder `dir`.
    pub(crate) fn over(directory: impl Directory, dir: &Path) -> Self {
        Self { inner: Box::new(directory), dir: dir.to_owned() }
    }

    /// Lets those read the list who may read its folder: tantivy replaces it by a file that only its writer can read.
    fn share(&self, list: &Path) -> io::Result<()> {
        use std::os::unix::fs::PermissionsExt;
        let list = self.dir.join(list);
        if !list.exists() {
            return Ok(());
        }
        let mode = fs::metadata(&self.dir)?.permissions().mode() & 0o666;
        fs::set_permissions(list, fs::Permissions::from_mode(mode))
    }
}

impl Directory for ChecksumDirectory {
    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        match path == Path::new(LIST) {
            true => self.inner.atomic_write(path, &sealed(data)).and_then(|()| self.share(path)),
            false => self.inner.atomic_write(path, data),
        }
    }

    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        Ok(Arc::new(ChecksumFile::open(path, self.inner.get_file_handle(path)?, FirstDamage::default())?))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.inner.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.inner.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Ok(WritePtr::new(Box::new(ChecksumWriter::over(self.inner.open_write(path)?))))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.inner.atomic_read(path)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.inner.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.inner.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.inner.watch(callback)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use tantivy::directory::MmapDirectory;

    use super::*;

    #[test]
    fn whoever_may_read_the_folder_may_read_the_list() {
        let dir = tempfile::tempdir().unwrap();
        for (of_folder, of_list) in [(0o755, 0o644), (0o750, 0o640), (0o700, 0o600)] {
            fs::set_permissions(dir.path(), fs::Permissions::from_mode(of_folder)).unwrap();
            let directory = ChecksumDirectory::over(MmapDirectory::open(dir.path()).unwrap(), dir.path());
            directory.atomic_write(Path::new(LIST), b"{\n}").unwrap();
            assert_eq!(fs::metadata(dir.path().join(LIST)).unwrap().permissions().mode() & 0o777, of_list);
        }
    }

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
