//! Blobs that are too large for memory, piece by piece.

use bytes::{Bytes, BytesMut};
use futures::StreamExt;
use futures::stream::BoxStream;
use object_store::{GetResult, MultipartUpload, ObjectMeta};

use crate::error::BlobError;

/// Bytes of one part: stores of the S3 kind want at least 5 MiB, and at most 10,000 parts, so that a blob may hold 80 GB.
const PART_BYTES: usize = 8 << 20;

/// A blob on its way into the store. One that is dropped before it is finished never appears.
pub struct Upload {
    key: String,
    parts: Box<dyn MultipartUpload>,
    waiting: BytesMut,
    bytes: u64,
}

impl Upload {
    pub(crate) fn new(key: &str, parts: Box<dyn MultipartUpload>) -> Self {
        Self { key: key.to_owned(), parts, waiting: BytesMut::new(), bytes: 0 }
    }

    /// Adds `bytes` at the end. Holds at most one part in memory.
    ///
    /// # Errors
    /// The store failed; the upload is then of no further use.
    pub async fn write(&mut self, bytes: &[u8]) -> Result<(), BlobError> {
        self.bytes += bytes.len() as u64;
        let mut rest = bytes;
        while !rest.is_empty() {
            let room = PART_BYTES - self.waiting.len();
            let (now, later) = rest.split_at(room.min(rest.len()));
            self.waiting.extend_from_slice(now);
            rest = later;
            if self.waiting.len() == PART_BYTES {
                self.send().await?;
            }
        }
        Ok(())
    }

    async fn send(&mut self) -> Result<(), BlobError> {
        let part = self.waiting.split().freeze();
        self.parts.put_part(part.into()).await.map_err(|error| BlobError::of("put", &self.key, error))
    }

    /// Makes the blob appear, and tells its size in bytes.
    ///
    /// # Errors
    /// The store failed, and the blob does not appear.
    pub async fn finish(mut self) -> Result<u64, BlobError> {
        if !self.waiting.is_empty() || self.bytes == 0 {
            self.send().await?;
        }
        self.parts.complete().await.map_err(|error| BlobError::of("put", &self.key, error))?;
        Ok(self.bytes)
    }

    /// Forgets what was written, so that the store need not keep it until it notices.
    ///
    /// # Errors
    /// The store failed.
    pub async fn abort(mut self) -> Result<(), BlobError> {
        self.parts.abort().await.map_err(|error| BlobError::of("put", &self.key, error))
    }
}

/// A blob on its way out of the store.
pub struct BlobDownload {
    key: String,
    size: u64,
    version: Option<String>,
    pieces: BoxStream<'static, object_store::Result<Bytes>>,
}

impl BlobDownload {
    pub(crate) fn new(key: &str, found: GetResult) -> Self {
        let (size, version) = (found.meta.size, found.meta.e_tag.clone());
        Self { key: key.to_owned(), size, version, pieces: found.into_stream() }
    }

    /// The rest of a blob that was read to its end.
    pub(crate) fn nothing(key: &str, meta: &ObjectMeta) -> Self {
        let (size, version) = (meta.size, meta.e_tag.clone());
        Self { key: key.to_owned(), size, version, pieces: futures::stream::empty().boxed() }
    }

    /// Bytes of the whole blob.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// What the store calls this version of the blob (`ETag`), if it does.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    /// The next piece, of the store's size; `None` at the end.
    ///
    /// # Errors
    /// The store failed.
    pub async fn next(&mut self) -> Result<Option<Bytes>, BlobError> {
        let piece = self.pieces.next().await.transpose();
        piece.map_err(|error| BlobError::of("get", &self.key, error))
    }
}
