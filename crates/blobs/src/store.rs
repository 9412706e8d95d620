//! The store itself: open, put, get, list, delete.

use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt};

use crate::error::BlobError;
use crate::s3::S3;
use crate::transfer::{BlobDownload, Upload};

/// What a listing tells of a blob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    pub key: String,
    /// Bytes.
    pub size: u64,
    /// When it was put, by the store's clock.
    pub put_at: SystemTime,
}

/// A store of blobs. Clones are the same store.
#[derive(Clone)]
pub struct BlobStore {
    pub(crate) store: Arc<dyn ObjectStore>,
    /// Stands before every key.
    pub(crate) prefix: Path,
    /// The folder, where it is one.
    pub(crate) folder: Option<PathBuf>,
}

impl std::fmt::Debug for BlobStore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BlobStore({}, {})", self.store, self.prefix)
    }
}

impl BlobStore {
    /// The store in `folder`, which is made if it is not there. A blob is on the disk before its put returns.
    ///
    /// # Errors
    /// The folder cannot be made or read.
    pub fn local(folder: &FilePath) -> Result<Self, BlobError> {
        let failed = |source: Box<dyn std::error::Error + Send + Sync>| BlobError::Store {
            doing: "open",
            key: folder.display().to_string(),
            source,
        };
        std::fs::create_dir_all(folder).map_err(|error| failed(error.into()))?;
        let store = LocalFileSystem::new_with_prefix(folder).map_err(|error| failed(error.into()))?;
        let store = store.with_fsync(true).with_automatic_cleanup(true);
        Ok(Self { store: Arc::new(store), prefix: Path::default(), folder: Some(folder.to_owned()) })
    }

    /// The store in a bucket, below `prefix`. Nothing is asked of it yet.
    ///
    /// # Errors
    /// Settings that contradict each other, or a program built without the cargo feature `s3`.
    pub fn s3(options: &S3) -> Result<Self, BlobError> {
        let prefix = parse(&options.prefix)?;
        Ok(Self { store: options.open()?, prefix, folder: None })
    }

    /// The same store, with `folder` before every key; an empty one changes nothing.
    ///
    /// # Errors
    /// A folder that cannot be part of a key.
    pub fn below(&self, folder: &str) -> Result<Self, BlobError> {
        Ok(Self { prefix: self.path(folder)?, ..self.clone() })
    }

    /// Puts a blob. When this returns it is durable; before, nobody sees any of it. One that has the key already is replaced.
    ///
    /// # Errors
    /// A key that cannot be one, or the store failed.
    pub async fn put(&self, key: &str, bytes: Bytes) -> Result<(), BlobError> {
        let put = self.store.put(&self.path(key)?, bytes.into()).await;
        put.map(drop).map_err(|error| BlobError::of("put", key, error))
    }

    /// The whole blob, which may hold at most `limit` bytes: one that holds more is not read.
    ///
    /// # Errors
    /// It is missing or too large, or the store failed.
    pub async fn get(&self, key: &str, limit: u64) -> Result<Bytes, BlobError> {
        let found = self.store.get(&self.path(key)?).await.map_err(|error| BlobError::of("get", key, error))?;
        let size = found.meta.size;
        if size > limit {
            return Err(BlobError::TooLarge { key: key.to_owned(), size, limit });
        }
        found.bytes().await.map_err(|error| BlobError::of("get", key, error))
    }

    /// Puts a blob piece by piece, of whatever size; it appears when [`Upload::finish`] returns.
    ///
    /// # Errors
    /// As [`BlobStore::put`].
    pub async fn upload(&self, key: &str) -> Result<Upload, BlobError> {
        let upload = self.store.put_multipart(&self.path(key)?).await;
        Ok(Upload::new(key, upload.map_err(|error| BlobError::of("put", key, error))?))
    }

    /// Gets a blob piece by piece.
    ///
    /// # Errors
    /// It is missing, or the store failed.
    pub async fn download(&self, key: &str) -> Result<BlobDownload, BlobError> {
        let found = self.store.get(&self.path(key)?).await.map_err(|error| BlobError::of("get", key, error))?;
        Ok(BlobDownload::new(key, found))
    }

    /// Gets a blob piece by piece, from the byte `from` on; nothing comes when that is its end.
    ///
    /// # Errors
    /// It is missing or ends before `from`, or the store failed.
    pub async fn download_from(&self, key: &str, from: u64) -> Result<BlobDownload, BlobError> {
        let (path, failed) = (self.path(key)?, |error| BlobError::of("get", key, error));
        let meta = self.store.head(&path).await.map_err(failed)?;
        if from == meta.size {
            return Ok(BlobDownload::nothing(key, &meta));
        }
        // Of this version, or the store refuses: pieces of two never come together.
        let options = GetOptions {
            if_match: meta.e_tag.clone(),
            range: (from > 0).then_some(GetRange::Offset(from)),
            ..GetOptions::default()
        };
        let found = self.store.get_opts(&path, options).await.map_err(failed)?;
        Ok(BlobDownload::new(key, found))
    }

    /// The blobs below the folder `prefix`, by key. Holds all their keys in memory.
    ///
    /// # Errors
    /// The store failed.
    pub async fn list(&self, prefix: &str) -> Result<Vec<Blob>, BlobError> {
        let path = self.path(prefix)?;
        let found = self.store.list(Some(&path)).map_ok(|meta| self.blob(meta));
        let mut blobs: Vec<Blob> = found.try_collect().await.map_err(|error| BlobError::of("list", prefix, error))?;
        blobs.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        Ok(blobs)
    }

    /// The names of the folders right below `prefix`.
    pub(crate) async fn folders(&self, prefix: &str) -> Result<Vec<String>, BlobError> {
        let path = self.path(prefix)?;
        let found = self.store.list_with_delimiter(Some(&path)).await;
        let found = found.map_err(|error| BlobError::of("list", prefix, error))?;
        Ok(found.common_prefixes.iter().filter_map(|path| path.filename().map(str::to_owned)).collect())
    }

    /// Deletes a blob; one that is not there is deleted already.
    ///
    /// # Errors
    /// The store failed.
    pub async fn delete(&self, key: &str) -> Result<(), BlobError> {
        match self.store.delete(&self.path(key)?).await.map_err(|error| BlobError::of("delete", key, error)) {
            Err(BlobError::Missing { .. }) => Ok(()),
            outcome => outcome,
        }
    }

    /// Deletes many, asking the store for as many at once as it takes. Returns how many.
    pub(crate) async fn delete_all(&self, blobs: Vec<Blob>) -> Result<u64, BlobError> {
        let paths: Vec<_> = blobs.iter().map(|blob| self.path(&blob.key)).collect::<Result<_, _>>()?;
        let mut deleted = self.store.delete_stream(futures::stream::iter(paths.into_iter().map(Ok)).boxed());
        let mut count = 0;
        while let Some(outcome) = deleted.next().await {
            match outcome {
                // Two that clear up at the same time are no harm.
                Ok(_) | Err(object_store::Error::NotFound { .. }) => count += 1,
                Err(error) => return Err(BlobError::of("delete", "", error)),
            }
        }
        Ok(count)
    }

    fn blob(&self, meta: object_store::ObjectMeta) -> Blob {
        let full = meta.location.as_ref();
        let key = full.strip_prefix(self.prefix.as_ref()).unwrap_or(full).trim_start_matches('/').to_owned();
        Blob { key, size: meta.size, put_at: meta.last_modified.into() }
    }

    pub(crate) fn path(&self, key: &str) -> Result<Path, BlobError> {
        let path = parse(key)?;
        Ok(self.prefix.parts().chain(path.parts()).collect())
    }
}

fn parse(key: &str) -> Result<Path, BlobError> {
    Path::parse(key).map_err(|_| BlobError::Key { key: key.to_owned() })
}
