//! What is written is read again, by us and by the programs that people use.

mod cleaning;
mod clusters;
#[cfg(feature = "parquet")]
mod common;
mod datatrove;
mod duplicates;
mod parquet_file;
mod quality;
mod readers;
mod round_trip;
