//! The pages of an archive, and what else stands in it, by reason.

use std::io::Read;

use gristmill_warc::http::Scratch;
use gristmill_warc::{ArchivedPage, Damage, Entry, Limits, Reader, page_of};

use super::inputs::Input;

/// Longest body of a page in bytes, packed or not; of a longer one the beginning is read.
const MAX_PAGE_BYTES: usize = 16 << 20;

/// Where to read on: an offset, and how many records behind it were read already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Position {
    pub offset: u64,
    pub skip: u64,
}

/// What stands next in an archive.
#[derive(Debug)]
pub enum Piece {
    Page(Box<ArchivedPage>),
    /// A record that is no page, by the reason that is counted.
    Passed(&'static str),
    Damaged(Damage),
}

/// One piece, and how to read on behind it.
#[derive(Debug)]
pub struct Found {
    pub piece: Piece,
    /// None for damage, which belongs to the record before it.
    pub next: Option<Position>,
}

/// Reads the pieces of one archive.
pub struct Pages {
    reader: Reader<Box<dyn Read + Send>>,
    scratch: Scratch,
    skip: u64,
}

impl Pages {
    /// Reads on at a position.
    pub fn open(input: &Input, from: Position) -> anyhow::Result<Pages> {
        let limits = Limits { body_bytes: MAX_PAGE_BYTES, ..Limits::default() };
        let mut reader = Reader::resume(input.open(from.offset)?, from.offset, limits);
        if from.offset > 0 {
            // A dictionary of zstd stands at the start only.
            let mut first = Reader::new(input.open(0)?, limits);
            first.next()?;
            if let Some(dictionary) = first.dictionary() {
                reader = reader.with_dictionary(dictionary);
            }
        }
        Ok(Pages { reader, scratch: Scratch::default(), skip: from.skip })
    }

    /// The next piece; none at the end.
    ///
    /// # Errors
    /// Those of reading the file.
    pub fn next(&mut self) -> std::io::Result<Option<Found>> {
        while self.skip > 0 {
            match self.reader.next()? {
                Some(Entry::Record(_)) => self.skip -= 1,
                Some(Entry::Damage(_)) => {}
                None => return Ok(None),
            }
        }
        Ok(match self.reader.next()? {
            None => None,
            Some(Entry::Damage(damage)) => Some(Found { piece: Piece::Damaged(damage), next: None }),
            Some(Entry::Record(record)) => {
                let skip = if record.end() == record.offset() { record.ordinal() + 1 } else { 0 };
                let next = Some(Position { offset: record.end(), skip });
                let piece = match page_of(&record, MAX_PAGE_BYTES, &mut self.scratch) {
                    Ok(page) => Piece::Page(Box::new(page)),
                    Err(reason) => Piece::Passed(reason),
                };
                Some(Found { piece, next })
            }
        })
    }
}
