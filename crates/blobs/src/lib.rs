//! Stores large byte strings by key: in a folder, or in a store that speaks the protocol of Amazon S3.
//!
//! A blob appears whole or not at all, is never changed, and is read by whoever knows its key. Keys are paths with `/`
//! between their parts. What is only wanted for a while stands under the hour of its birth ([`hourly`]), so that
//! whoever clears up looks at folders and not at every blob.

mod error;
mod hourly;
mod s3;
mod store;
mod transfer;

pub use error::BlobError;
pub use hourly::{Removed, hourly_key};
pub use s3::S3;
pub use store::{Blob, BlobStore};
pub use transfer::{Download, Upload};
