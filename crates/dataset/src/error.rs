//! What can go wrong while a file is written.

use std::io;

use crate::format::FileFormat;

pub type Result<T> = std::result::Result<T, Error>;

/// Why a row or a file could not be written. After any but [`Error::TooLong`] the file is to be thrown away.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The output failed, or the compressor did.
    #[error("cannot write {format}: `{cause}`")]
    Io { format: FileFormat, cause: io::Error },
    /// The Parquet writer refused the options or the output failed.
    #[cfg(feature = "parquet")]
    #[error("cannot write parquet: `{0}`")]
    Parquet(#[from] parquet::errors::ParquetError),
    /// The row was not written. The next one can be.
    #[error("column `{column}` has {bytes} bytes in one row, the limit is {limit}")]
    TooLong { column: &'static str, bytes: usize, limit: usize },
    /// Only Parquet can be missing.
    #[error("this program cannot write {0}, it was built without it")]
    Missing(FileFormat),
}
