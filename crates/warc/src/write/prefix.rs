//! How much of a file is whole after its writer was killed.

use std::io::{self, Read};

use crate::limits::ReadLimits;
use crate::reader::{ReaderItem, WarcReader};

/// The length of the part at the start of an archive that consists of whole records, each with what packs it.
///
/// Cut the file to it, and go on writing. Records behind damage do not count. In memory as a [`WarcReader`].
///
/// # Errors
///
/// Those of the input.
pub fn cut_to_whole_members(input: impl Read) -> io::Result<u64> {
    let mut reader = WarcReader::new(input, ReadLimits::default());
    let mut whole = 0;
    while let Some(entry) = reader.next()? {
        match entry {
            ReaderItem::Record(record) if record.is_whole() => whole = record.end(),
            ReaderItem::Record(_) | ReaderItem::Damage(_) => break,
        }
    }
    Ok(whole)
}
