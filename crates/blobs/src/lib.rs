//! Stores large byte strings by key, in a folder or in a bucket of the Amazon S3 kind.
//!
//! A blob appears whole or not at all and is never changed. Everybody who knows its key can read it.
//!
//! ```
//! use bytes::Bytes;
//! use gristmill_blobs::{BlobStore, hourly_key};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! let store = BlobStore::local(folder.path())?;
//! let key = hourly_key("bodies", 1_795_334_400_000, "a-large-page");
//! assert_eq!(key, "bodies/2026-11-22-08/a-large-page");
//! store.put(&key, Bytes::from("<html>…")).await?;
//! assert_eq!(store.get(&key, 1 << 20).await?, "<html>…"); // at most 1 MiB
//! # Ok(())
//! # }
//! ```
//!
//! Keys are paths with `/` between their parts. Blobs that are needed only for a while have the hour of their creation in their
//! key ([`hourly_key`]). So [`BlobStore::remove_older`] looks at folders and not at every blob.

mod error;
mod hourly;
mod s3;
mod store;
mod transfer;

pub use error::BlobError;
pub use hourly::{RemovalCounts, hourly_key};
pub use s3::S3;
pub use store::{Blob, BlobStore};
pub use transfer::{BlobDownload, Upload};
