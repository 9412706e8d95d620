//! What could not be read, where, and why.

use std::fmt;

/// A stretch of the input that is in no record, or a record that is not what its header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Damage {
    /// Where it begins, as a file offset. Inside a compressed member that can be decoded: where the member begins.
    pub offset: u64,
    /// Why.
    pub reason: DamageReason,
    /// Bytes that no record holds: of the file, or decoded ones where they stand inside a compressed member that can be
    /// decoded. 0 if the record before holds all.
    pub skipped_bytes: u64,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "offset {}: {}", self.offset, self.reason)?;
        if self.skipped_bytes > 0 {
            write!(f, ", {} bytes passed over", self.skipped_bytes)?;
        }
        Ok(())
    }
}

impl std::error::Error for Damage {}

/// Why a stretch of the input could not be read as records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DamageReason {
    /// The input holds no record at all, as the error page that a server gave in place of an archive.
    #[error("this is no web archive, no record begins in it")]
    NotAnArchive,
    /// Bytes between two records that are no record.
    #[error("bytes that are no record")]
    Garbage,
    /// A gzip member whose header is wrong.
    #[error("wrong header of a gzip member")]
    GzipHeader,
    /// A gzip member whose data is wrong.
    #[error("corrupt data in a gzip member")]
    Deflate,
    /// A gzip member whose data does not have the checksum or the length of its end.
    #[error("wrong checksum of a gzip member")]
    Checksum,
    /// A zstd frame that is wrong, or needs a dictionary that the file does not have.
    #[error("corrupt zstd frame")]
    Zstd,
    /// A dictionary frame that is wrong or larger than [`ReadLimits::dictionary_bytes`](crate::Limits::dictionary_bytes).
    #[error("unusable zstd dictionary")]
    Dictionary,
    /// The input ends within a gzip member or zstd frame.
    #[error("the input ends within a compressed member")]
    MemberCut,
    /// A member that grows beyond [`ReadLimits::ratio`](crate::Limits::ratio).
    #[error("a compressed member that grows beyond `ratio`")]
    Bomb,
    /// A header beyond [`ReadLimits::header_bytes`](crate::Limits::header_bytes).
    #[error("a record header beyond `header_bytes`")]
    HeaderTooLong,
    /// Another record or the end of the data follows before the header ends.
    #[error("a record header without an end")]
    HeaderCut,
    /// The body of the record before has another length than its header says, or the header says none; the record holds
    /// all bytes up to where the next begins.
    #[error("a record of {found} bytes, its Content-Length is {}", Claim(*claimed))]
    Length { claimed: Option<u64>, found: u64 },
    /// The input ends within the body of the record before.
    #[error("the input ends after {found} of {claimed} bytes of a record")]
    RecordCut { claimed: u64, found: u64 },
}

struct Claim(Option<u64>);

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(length) => write!(f, "{length}"),
            None => f.write_str("missing or no number"),
        }
    }
}
