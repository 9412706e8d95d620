//! Opening an index only to read it, also where nothing may be written.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::Directory;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr};

use crate::blocks::checked;

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
}

impl ReadDirectory {
    pub(crate) fn open(dir: &Path) -> tantivy::Result<Self> {
        Ok(Self { dir: dir.to_owned(), inner: MmapDirectory::open(dir)? })
    }
}

impl Directory for ReadDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        Ok(checked(path, self.inner.get_file_handle(path)?))
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
