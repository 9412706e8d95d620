//! Web archives as a source of pages, on disk or on the network.

mod args;
pub mod progress;
pub mod to_dataset;

pub use args::ArchiveDatasetArgs;

/// Damages that are told one by one; the others are counted only.
pub const TOLD_DAMAGES: u64 = 50;
