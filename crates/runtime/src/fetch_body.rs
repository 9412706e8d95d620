//! The body of a message, from wherever it is.

use std::borrow::Cow;
use std::time::Duration;

use gristmill_blobs::BlobError;
use gristmill_proto::BodyRef;
use tokio_util::sync::CancellationToken;

use crate::blobs::{Blobs, persist};

/// How long after a first look a blob is looked for again: a folder that several machines share may show it late.
const SECOND_LOOK: Duration = Duration::from_secs(1);

/// Why a message has no body.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// It will never come: what the message says is not in the store. Goes to the rejects.
    #[error("{0}")]
    Missing(String),
    /// It is larger than the reader takes. Goes to the rejects.
    #[error("body of {size} bytes exceeds `{setting}` ({limit} bytes)")]
    TooLarge { size: u64, setting: &'static str, limit: u64 },
    /// It may be there, but nobody can tell: the message must come again.
    #[error("the body `{key}` is in a blob store, and this process has none: set `blobs.url` as the fetchers have it")]
    NoStore { key: String },
    #[error("the process ended while the blob store did not answer")]
    Ended,
}

impl BodyError {
    /// Whether the same message will never have a body.
    pub fn is_final(&self) -> bool {
        matches!(self, Self::Missing(_) | Self::TooLarge { .. })
    }
}

/// Most bytes of a body from a store, with the setting that says so.
pub type Limit = (&'static str, usize);

/// The bytes of `body`. Waits for a store that is away, until `stop`.
///
/// # Errors
/// As [`BodyError`].
pub async fn bytes_of<'a>(
    body: &'a BodyRef,
    blobs: &Blobs,
    limit: Option<Limit>,
    stop: &CancellationToken,
) -> Result<Cow<'a, [u8]>, BodyError> {
    let (key, size, checksum) = match body {
        BodyRef::Inline(bytes) => return Ok(Cow::Borrowed(bytes)),
        BodyRef::Stored { key, size, checksum } => (key, *size, *checksum),
    };
    if let Some((setting, limit)) = limit.filter(|(_, limit)| size > *limit as u64) {
        return Err(BodyError::TooLarge { size, setting, limit: limit as u64 });
    }
    let store = blobs.store().ok_or_else(|| BodyError::NoStore { key: key.clone() })?;
    let get = || persist(stop, || store.get(key, size));
    let got = match get().await {
        Err(BlobError::Missing { .. }) => {
            tokio::time::sleep(SECOND_LOOK).await;
            get().await
        }
        got => got,
    };
    let bytes = got.map_err(|error| BodyError::Missing(error.to_string()))?.ok_or(BodyError::Ended)?;
    if bytes.len() as u64 != size || crc32c::crc32c(&bytes) != checksum {
        return Err(BodyError::Missing(format!("blob `{key}` is not what its message says it is: it was damaged")));
    }
    Ok(Cow::Owned(bytes.into()))
}

#[cfg(test)]
mod tests {
    use gristmill_log::LogConfig;

    use super::*;
    use crate::blobs::BlobsConfig;

    const LIMIT: Option<Limit> = Some(("reader.max_bytes", 1000));

    fn stored(bytes: &[u8]) -> BodyRef {
        BodyRef::Stored { key: "bodies/x".into(), size: bytes.len() as u64, checksum: crc32c::crc32c(bytes) }
    }

    #[tokio::test]
    async fn a_body_comes_from_the_store_or_the_reason_why_not() {
        let dir = tempfile::tempdir().unwrap();
        let blobs = Blobs::open(dir.path(), &BlobsConfig::default(), &LogConfig::default()).unwrap();
        let stop = CancellationToken::new();
        let body = stored(b"a large body");
        let missing = bytes_of(&body, &blobs, LIMIT, &stop).await.unwrap_err();
        assert!(missing.is_final() && missing.to_string().contains("bodies/x"), "{missing}");
        let store = blobs.store().unwrap();
        store.put("bodies/x", b"a large body".to_vec().into()).await.unwrap();
        assert_eq!(bytes_of(&body, &blobs, LIMIT, &stop).await.unwrap().as_ref(), b"a large body");
        let small = Some(("reader.max_bytes", 3));
        assert!(bytes_of(&body, &blobs, small, &stop).await.unwrap_err().to_string().contains("reader.max_bytes"));
        store.put("bodies/x", b"a large bode".to_vec().into()).await.unwrap();
        let damaged = bytes_of(&body, &blobs, LIMIT, &stop).await.unwrap_err();
        assert!(damaged.is_final() && damaged.to_string().contains("damaged"), "{damaged}");
        let inline = BodyRef::Inline(b"small".to_vec());
        assert_eq!(bytes_of(&inline, &blobs, small, &stop).await.unwrap().as_ref(), b"small");
    }

    #[tokio::test]
    async fn a_reader_without_the_store_loses_nothing() {
        let kafka = LogConfig { engine: gristmill_log::LogEngine::Kafka, ..LogConfig::default() };
        let blobs = Blobs::open(std::path::Path::new("/nowhere"), &BlobsConfig::default(), &kafka).unwrap();
        let none = bytes_of(&stored(b"x"), &blobs, LIMIT, &CancellationToken::new()).await.unwrap_err();
        assert!(!none.is_final() && none.to_string().contains("blobs.url"), "{none}");
    }
}
