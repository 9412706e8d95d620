//! Where archives stand: a folder, and a bucket where finished ones go.

use std::fs::{File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use gristmill_blobs::{BlobError, BlobStore};
use gristmill_runtime::blobs::{S3Config, persist};
use tokio::io::AsyncReadExt;
use tokio_util::sync::CancellationToken;
use tracing::info;

use crate::config::ArchiverConfig;
use crate::file::OpenArchive;
use crate::index;
use crate::name::{ArchiveName, OPEN};
use crate::revisit_cache::RevisitCache;

/// Bytes that are read and sent at once.
const PIECE: usize = 1 << 20;

/// Where archives stand. Clones are the same place.
#[derive(Clone)]
pub(crate) struct ArchiveStore {
    pub folder: PathBuf,
    bucket: Option<BlobStore>,
    prefix: Arc<str>,
}

impl ArchiveStore {
    /// Makes the folder if it is not there; the bucket is not asked.
    ///
    /// # Errors
    /// A folder that cannot be made, or a bucket that cannot be used.
    pub(crate) fn open(config: &ArchiverConfig, s3: &S3Config, data: &Path) -> anyhow::Result<Self> {
        let folder = config.folder(data);
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot write archives into `{}`", folder.display()))?;
        let bucket = s3.store(config.bucket.reveal()).context("`archiver.bucket` cannot be used")?;
        Ok(Self { folder, bucket, prefix: config.prefix.as_str().into() })
    }

    /// Takes up a partition: removes what a run left unfinished, and tells what its finished archives hold.
    ///
    /// * `committed`: position from which on captures come again.
    ///
    /// # Errors
    /// The folder cannot be used, or somebody else writes archives of the same names.
    pub(crate) fn take_up(&self, partition: u32, committed: u64) -> anyhow::Result<RevisitCache> {
        let cannot = || format!("cannot use the folder `{}`", self.folder.display());
        for file in std::fs::read_dir(&self.folder).with_context(cannot)? {
            let file = file.with_context(cannot)?;
            let text = file.file_name();
            let Some(name) = text.to_str().filter(|text| text.ends_with(OPEN)).and_then(ArchiveName::parse) else {
                continue;
            };
            if *name.prefix == *self.prefix && name.partition == partition {
                remove_unfinished(&file.path())?;
            }
        }
        index::seen(&self.folder, &self.prefix, partition, committed)
    }

    /// Finishes an archive: it is on the disk, read back, under its name, with its index beside, and in the bucket if there is one.
    /// Returns its bytes.
    ///
    /// # Errors
    /// The folder cannot be written or does not hold what was written, the bucket refuses, or `until` is cancelled while it does not
    /// answer.
    pub(crate) async fn finish(&self, mut archive: OpenArchive, until: &CancellationToken) -> anyhow::Result<u64> {
        let (this, name) = (self.clone(), archive.name.clone());
        let bytes = tokio::task::spawn_blocking(move || {
            archive.sync()?;
            let lines = index::lines(&archive.path, &archive.name)?;
            this.put_in_place(&archive, &lines)?;
            anyhow::Ok(archive.len())
        })
        .await
        .context("finishing an archive failed")??;
        info!(%name, bytes, "archive finished");
        let Some(bucket) = &self.bucket else { return Ok(bytes) };
        for file in [name.to_string(), name.index()] {
            let path = self.folder.join(&file);
            let cannot = || format!("`{file}` could not be put into `archiver.bucket`; what it holds comes again");
            let put = persist(until, || upload(bucket, &path, &file)).await.with_context(cannot)?;
            put.with_context(cannot)?;
        }
        Ok(bytes)
    }

    /// Removes what is in the bucket and committed.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub(crate) fn forget(&self, name: &ArchiveName) -> anyhow::Result<()> {
        if self.bucket.is_none() {
            return Ok(());
        }
        for file in [name.to_string(), name.index()] {
            let path = self.folder.join(file);
            std::fs::remove_file(&path).with_context(|| format!("cannot remove `{}`", path.display()))?;
        }
        Ok(())
    }

    fn put_in_place(&self, archive: &OpenArchive, lines: &[String]) -> anyhow::Result<()> {
        let path = self.folder.join(archive.name.to_string());
        let moved = std::fs::rename(&archive.path, &path);
        moved.with_context(|| format!("cannot write `{}`", path.display()))?;
        let path = self.folder.join(archive.name.index());
        let open = self.folder.join(archive.name.index() + OPEN);
        let write = || {
            let mut file = File::create(&open)?;
            file.write_all((lines.join("\n") + if lines.is_empty() { "" } else { "\n" }).as_bytes())?;
            file.sync_all()?;
            std::fs::rename(&open, &path)?;
            File::open(&self.folder)?.sync_all()
        };
        write().with_context(|| format!("cannot write `{}`", path.display()))
    }
}

fn remove_unfinished(path: &Path) -> anyhow::Result<()> {
    let cannot = || format!("cannot remove `{}`", path.display());
    match File::open(path).with_context(cannot)?.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => anyhow::bail!(
            "another process writes `{}`: give each crawl its own `archiver.dir` (`--archive`) or `archiver.prefix`",
            path.display()
        ),
        Err(TryLockError::Error(error)) => return Err(error).with_context(cannot),
    }
    info!(path = %path.display(), "unfinished file removed; its captures come again");
    std::fs::remove_file(path).with_context(cannot)
}

async fn upload(bucket: &BlobStore, path: &Path, key: &str) -> Result<(), BlobError> {
    let failed = |source: std::io::Error| BlobError::Store { doing: "put", key: key.to_owned(), source: source.into() };
    let mut upload = bucket.upload(key).await?;
    let mut file = tokio::fs::File::open(path).await.map_err(failed)?;
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece).await.map_err(failed)? {
            0 => return upload.finish().await.map(drop),
            n_bytes => upload.write(&piece[..n_bytes]).await?,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::tests::capture;

    fn place(folder: &Path) -> ArchiveStore {
        let config = ArchiverConfig { dir: folder.to_owned(), ..ArchiverConfig::default() };
        ArchiveStore::open(&config, &S3Config::default(), folder).unwrap()
    }

    /// An archive with one page, the first at `position` of partition 3.
    fn archive(place: &ArchiveStore, position: u64, seen: &mut RevisitCache) -> OpenArchive {
        let page = capture("http://a.test/", 200, &[("content-type", "text/html")], b"<p>a");
        let config = ArchiverConfig::default();
        let mut archive = OpenArchive::create(&place.folder, &config, &page, (3, position)).unwrap();
        archive.add(&page, b"<p>a", seen).unwrap();
        archive
    }

    fn files(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[tokio::test]
    async fn a_finished_archive_goes_to_the_bucket_and_leaves_the_folder_when_it_is_committed() {
        let (dir, bucket) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let store = BlobStore::local(bucket.path()).unwrap();
        let place = ArchiveStore { bucket: Some(store), ..place(dir.path()) };
        let archive = archive(&place, 7, &mut RevisitCache::default());
        let name = archive.name.clone();
        let bytes = place.finish(archive, &CancellationToken::new()).await.unwrap();
        let both = vec![name.index(), name.to_string()];
        assert_eq!((files(dir.path()), files(bucket.path())), (both.clone(), both));
        assert_eq!(std::fs::metadata(bucket.path().join(name.to_string())).unwrap().len(), bytes);
        place.forget(&name).unwrap();
        assert!(files(dir.path()).is_empty());
    }

    #[tokio::test]
    async fn only_what_is_committed_is_known_so_that_nothing_becomes_a_revisit_of_itself() {
        let dir = tempfile::tempdir().unwrap();
        let place = place(dir.path());
        let archive = archive(&place, 7, &mut RevisitCache::default());
        place.finish(archive, &CancellationToken::new()).await.unwrap();
        let known = |committed| place.take_up(3, committed).unwrap().at("http://a.test/");
        assert_eq!((known(7), known(8)), (None, Some(1_700_000_000)));
        assert_eq!(place.take_up(2, 8).unwrap().at("http://a.test/"), None, "another partition has other pages");
    }

    #[test]
    fn an_unfinished_file_of_a_dead_run_goes_and_one_that_is_written_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let place = place(dir.path());
        let open = archive(&place, 7, &mut RevisitCache::default());
        place.take_up(2, 0).unwrap();
        let told = format!("{:#}", place.take_up(3, 0).err().unwrap());
        assert!(told.contains("archiver.prefix") && told.contains(".open"), "{told}");
        drop(open);
        place.take_up(3, 0).unwrap();
        assert!(files(dir.path()).is_empty());
    }

    #[test]
    fn an_archive_that_the_disk_does_not_hold_is_not_finished() {
        let dir = tempfile::tempdir().unwrap();
        let place = place(dir.path());
        let mut open = archive(&place, 7, &mut RevisitCache::default());
        open.sync().unwrap();
        let bytes = std::fs::read(&open.path).unwrap();
        std::fs::write(&open.path, &bytes[..bytes.len() - 30]).unwrap();
        let told = index::lines(&open.path, &open.name).unwrap_err().to_string();
        assert!(told.contains("damaged"), "{told}");
    }
}
