//! What is written is read again, by us and by the programs that people use.

mod clusters;
#[cfg(feature = "parquet")]
mod common;
mod duplicates;
mod parquet_file;
mod readers;
mod round_trip;
