//! The archiver: writes what went over the wire into web archives (WARC), with an index (CDXJ) beside each. And the ways to the bytes of
//! archives that are to be read ([`source`]).
//!
//! ```text
//! captures ─▶ one open file for each partition ─▶ finished: on the disk, read back, named ─▶ index ─▶ commit
//! ```
//! The position is committed when a file is finished, never before. A file is named after the first capture in it, so after a crash
//! the same captures go into a file of the same name, which takes the place of the one that was not committed. So a capture stands in
//! the archive once.

mod archive_store;
mod config;
mod file;
mod index;
mod message;
mod metrics;
mod name;
mod revisit_cache;
mod service;
pub mod source;

pub use config::ArchiverConfig;
pub use metrics::Metrics;
pub use service::{Archiver, GROUP};
