//! Opening an index only to read it, also where nothing may be written.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::Directory;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr};

use crate::blocks::checked;
use crate::sums::{ChecksumFile, FirstDamage};

/// tantivy's list of its files, of which only a writer has need.
const MANAGED: &str = ".managed.json";

/// A directory that takes its locks without writing where writing is not allowed.
///
/// The lock keeps a writer from removing files between the reading of the list of segments and their opening. Its file can be
/// locked without being written; where there is none, the caller tries again when a file is gone.
#[derive(Debug, Clone)]
pub(crate) struct ReadDirectory {
    dir: PathBuf,
    inner: MmapDirectory,
    trust: Trust,
}

/// What is done about damaged files.
#[derive(Debug, Clone)]
pub(crate) enum Trust {
    /// Every piece is compared with its checksum when it is first read.
    Compared(FirstDamage),
    /// Nothing is compared, to read what can be read.
    Blind,
}

impl ReadDirectory {
    pub(crate) fn open(dir: &Path, trust: Trust) -> tantivy::Result<Self> {
        Ok(Self { dir: dir.to_owned(), inner: MmapDirectory::open(dir)?, trust })
    }
}

impl Directory for ReadDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let handle = self.inner.get_file_handle(path)?;
        let file = match &self.trust {
            Trust::Compared(damage) => ChecksumFile::open(path, handle, damage.clone())?,
            Trust::Blind => ChecksumFile::open_damaged(path, handle),
        };
        Ok(checked(path, Arc::new(file)))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.inner.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.inner.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.inner.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        if path == Path::new(MANAGED) {
            return Err(OpenReadError::FileDoesNotExist(path.to_owned()));
        }
        self.inner.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.inner.atomic_write(path, data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.inner.sync_directory()
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        match self.inner.acquire_lock(lock) {
            Err(LockError::IoError(error)) if cannot_write(&error) => {
                let locked = File::open(self.dir.join(&lock.filepath)).and_then(|file| file.lock().map(|()| file));
                Ok(DirectoryLock::from(Box::new(locked.ok())))
            }
            taken => taken,
        }
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.inner.watch(callback)
    }
}

fn cannot_write(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}
