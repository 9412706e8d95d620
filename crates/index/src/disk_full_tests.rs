//! Tests of a writer whose disk runs full: a clear error, a dead writer, and the last commit intact.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use tantivy::Directory;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, DirectoryLock, FileHandle, Lock, MmapDirectory, TerminatingWrite, WatchCallback, WatchHandle,
    WritePtr,
};

use crate::check::check;
use crate::document::IndexDocument;
use crate::error::IndexError;
use crate::payload::Positions;
use crate::reader::IndexReader;
use crate::writer::{IndexConfig, IndexWriter};

/// A real directory that takes only so many bytes more.
#[derive(Debug, Clone)]
struct SmallDisk {
    inner: MmapDirectory,
    room: Arc<AtomicI64>,
}

impl SmallDisk {
    fn take(&self, bytes: usize) -> io::Result<()> {
        if self.room.fetch_sub(bytes as i64, Ordering::SeqCst) < bytes as i64 {
            let no_space = 28;
            return Err(io::Error::from_raw_os_error(no_space));
        }
        Ok(())
    }
}

struct SmallFile {
    inner: WritePtr,
    disk: SmallDisk,
}

impl Write for SmallFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.disk.take(bytes.len())?;
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl TerminatingWrite for SmallFile {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.inner.flush()
    }
}

impl Directory for SmallDisk {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.inner.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.inner.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.inner.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let inner = self.inner.open_write(path)?;
        Ok(WritePtr::new(Box::new(SmallFile { inner, disk: self.clone() })))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.inner.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.take(data.len())?;
        self.inner.atomic_write(path, data)
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

fn document(n: usize) -> IndexDocument {
    let text = format!("document {n} {}", "with some words to fill the disk ".repeat(20));
    IndexDocument { key: format!("k{n}"), text, ..IndexDocument::default() }
}

fn positions(next: u64) -> Positions {
    Positions::from([(("documents".into(), 0), next)])
}

#[test]
fn a_full_disk_is_named_and_the_last_commit_survives_at_whatever_byte_it_fills() {
    let config = IndexConfig { heap_bytes: 15_000_000, ..IndexConfig::default() };
    for room in [0, 100, 1_000, 5_000, 20_000] {
        let dir = tempfile::tempdir().unwrap();
        let disk = SmallDisk { inner: MmapDirectory::open(dir.path()).unwrap(), room: AtomicI64::new(1 << 30).into() };
        let mut writer = IndexWriter::open_in(disk.clone(), dir.path(), &config).unwrap();
        (0..10).for_each(|n| writer.upsert(&document(n)).unwrap());
        writer.commit(&positions(10)).unwrap();

        disk.room.store(room, Ordering::SeqCst);
        let failed =
            (10..2000).try_for_each(|n| writer.upsert(&document(n))).and_then(|()| writer.commit(&positions(2000)));
        let error = failed.expect_err("the disk is too small");
        assert!(matches!(error, IndexError::DiskFull { .. }), "room {room}: {error:?}");
        assert!(error.reopen() && writer.is_dead());
        assert!(error.to_string().contains("no space left"), "{error}");
        assert!(matches!(writer.upsert(&document(1)), Err(IndexError::Dead { .. })));
        drop(writer);

        assert_eq!(IndexReader::open(dir.path()).unwrap().count(), 10, "room {room}");
        disk.room.store(1 << 30, Ordering::SeqCst);
        let mut writer = IndexWriter::open_in(disk, dir.path(), &config).unwrap();
        assert_eq!(writer.positions(), &positions(10));
        (10..20).for_each(|n| writer.upsert(&document(n)).unwrap());
        writer.commit(&positions(20)).unwrap();
        writer.close().unwrap();
        assert_eq!(IndexReader::open(dir.path()).unwrap().count(), 20);
        assert!(check(dir.path()).unwrap().damaged.is_empty());
    }
}
