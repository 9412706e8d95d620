//! The 16 bytes before every message, and the only two functions that cross them.
//!
//! ```text
//!  0      4     5        6      8          12        16
//!  | GRML | kind | version | 0 0 | length u32 | crc32c  | rkyv archive …
//! ```
//! Integers are little-endian. The CRC covers bytes 0..12 and the archive, because rkyv's own validation
//! finds broken structure but not a flipped bit inside a string.

use rkyv::api::high::{HighDeserializer, HighSerializer, HighValidator};
use rkyv::bytecheck::CheckBytes;
use rkyv::rancor::Error as RkyvError;
use rkyv::ser::allocator::ArenaHandle;
use rkyv::util::AlignedVec;
use rkyv::{Archive, Deserialize, Serialize};

/// First four bytes of every message.
pub const MAGIC: [u8; 4] = *b"GRML";

/// Bytes before the archive.
pub const HEADER_LEN: usize = 16;

/// Which message an envelope holds; the discriminant is the byte on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum MessageKind {
    Order = 1,
    Outcome = 2,
    Links = 3,
    Page = 4,
    Document = 5,
    Reject = 6,
    Claim = 7,
    Capture = 8,
    Notice = 9,
    Change = 10,
    Control = 11,
}

impl MessageKind {
    fn from_byte(byte: u8) -> Option<Self> {
        use MessageKind::{Capture, Change, Claim, Control, Document, Links, Notice, Order, Outcome, Page, Reject};
        [Order, Outcome, Links, Page, Document, Reject, Claim, Capture, Notice, Change, Control]
            .into_iter()
            .find(|kind| *kind as u8 == byte)
    }
}

/// A struct that may stand behind an envelope.
pub trait Message: Archive {
    const KIND: MessageKind;
    /// Raised when the struct's fields change.
    const VERSION: u8;

    /// Reads an archive of an older version; `None` where there is no such version.
    fn read_older(_version: u8, _archive: &[u8]) -> Option<Result<Self, ProtoError>>
    where
        Self: Sized,
    {
        None
    }
}

/// Why bytes are not the message that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProtoError {
    #[error("message of {found} bytes is shorter than its {HEADER_LEN}-byte envelope")]
    TooShort { found: usize },
    #[error("not a gristmill message: it starts with {found:02x?}")]
    Magic { found: [u8; 4] },
    #[error("message kind {found} is unknown to this version of gristmill")]
    UnknownKind { found: u8 },
    #[error("expected a {expected:?} message, found {found:?}")]
    WrongKind { expected: MessageKind, found: MessageKind },
    #[error(
        "{kind:?} message has version {found}, this version of gristmill reads {supported}: upgrade the reader first"
    )]
    Version { kind: MessageKind, found: u8, supported: u8 },
    #[error("message says it holds {declared} bytes but {found} follow")]
    Length { declared: usize, found: usize },
    #[error("checksum of the message does not match: it was damaged on disk or in transit")]
    Checksum,
    #[error("archive inside the message is invalid: {detail}")]
    Archive { detail: String },
}

/// Archives `message` behind its envelope. Cost: one copy of the message.
///
/// # Panics
/// Never for the messages of this crate: serialising into memory fails only above 2³¹ bytes, far over every body limit.
pub fn encode<M>(message: &M) -> Vec<u8>
where
    M: Message + for<'a> Serialize<HighSerializer<AlignedVec, ArenaHandle<'a>, RkyvError>>,
{
    let archive = rkyv::to_bytes::<RkyvError>(message).expect("messages are far below rkyv's 2 GiB limit");
    let mut bytes = Vec::with_capacity(HEADER_LEN + archive.len());
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&[M::KIND as u8, M::VERSION, 0, 0]);
    bytes.extend_from_slice(&(archive.len() as u32).to_le_bytes());
    let crc = crc32c::crc32c_append(crc32c::crc32c(&bytes), &archive);
    bytes.extend_from_slice(&crc.to_le_bytes());
    bytes.extend_from_slice(&archive);
    bytes
}

/// Reads an envelope's kind and version without touching the archive.
pub fn peek(bytes: &[u8]) -> Result<(MessageKind, u8), ProtoError> {
    let header = bytes.get(..HEADER_LEN).ok_or(ProtoError::TooShort { found: bytes.len() })?;
    if header[..4] != MAGIC {
        return Err(ProtoError::Magic { found: [header[0], header[1], header[2], header[3]] });
    }
    let kind = MessageKind::from_byte(header[4]).ok_or(ProtoError::UnknownKind { found: header[4] })?;
    Ok((kind, header[5]))
}

/// Checks envelope, checksum and archive, then reads the message. Any byte string gets an answer.
///
/// The archive is copied once, because log slices are not aligned as rkyv needs.
pub fn decode<M>(bytes: &[u8]) -> Result<M, ProtoError>
where
    M: Message,
    M::Archived: for<'a> CheckBytes<HighValidator<'a, RkyvError>> + Deserialize<M, HighDeserializer<RkyvError>>,
{
    let (kind, version) = peek(bytes)?;
    if kind != M::KIND {
        return Err(ProtoError::WrongKind { expected: M::KIND, found: kind });
    }
    let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let archive = &bytes[HEADER_LEN..];
    if word(8) as usize != archive.len() {
        return Err(ProtoError::Length { declared: word(8) as usize, found: archive.len() });
    }
    if crc32c::crc32c_append(crc32c::crc32c(&bytes[..12]), archive) != word(12) {
        return Err(ProtoError::Checksum);
    }
    let mut aligned = AlignedVec::<16>::with_capacity(archive.len());
    aligned.extend_from_slice(archive);
    if version == M::VERSION {
        return read_archive(&aligned);
    }
    let unknown = ProtoError::Version { kind, found: version, supported: M::VERSION };
    M::read_older(version, &aligned).unwrap_or(Err(unknown))
}

/// Checks an archive and reads it.
///
/// * `archive`: aligned as rkyv needs.
pub(crate) fn read_archive<M>(archive: &[u8]) -> Result<M, ProtoError>
where
    M: Archive,
    M::Archived: for<'a> CheckBytes<HighValidator<'a, RkyvError>> + Deserialize<M, HighDeserializer<RkyvError>>,
{
    rkyv::from_bytes::<M, RkyvError>(archive).map_err(|error| ProtoError::Archive { detail: error.to_string() })
}
