//! The pages of an archive, and what else stands in it, by reason.

use std::io::Read;
use std::sync::Arc;

use gristmill_warc::http::Scratch;
use gristmill_warc::{ArchivedPage, Damage, Entry, FromArc, Limits, Reader, Warcinfo, page_of};

use super::inputs::Input;
use super::sources::{Bytes, Opened, Sources};
use crate::dataset::Position;

/// Longest body of a page in bytes, packed or not; of a longer one the beginning is read.
pub const MAX_PAGE_BYTES: usize = 16 << 20;

/// How much of pages crawls let browsers draw.
pub const DRAWN: &str = "scripts";

/// What of a page's record and archive is asked for, besides the page.
#[derive(Debug, Clone, Copy, Default)]
pub struct Needs {
    /// The header fields of the record.
    pub fields: bool,
    /// What the archive says of itself.
    pub warcinfo: bool,
}

/// A page, with what is asked for besides.
#[derive(Debug)]
pub struct Page {
    pub page: ArchivedPage,
    pub fields: Vec<(String, String)>,
    pub warcinfo: Option<Arc<Warcinfo>>,
}

/// What stands next in an archive.
#[derive(Debug)]
pub enum Piece {
    Page(Box<Page>),
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
    reader: Reader<Bytes>,
    scratch: Scratch,
    skip: u64,
    version: Option<u64>,
    /// Bytes of the archive, if that is known.
    pub len: Option<u64>,
    needs: Needs,
    warcinfo: Option<Arc<Warcinfo>>,
}

impl Pages {
    /// Reads on at a position.
    pub fn open(sources: &Sources, input: &Input, from: Position, needs: Needs) -> anyhow::Result<Pages> {
        let limits = Limits { body_bytes: MAX_PAGE_BYTES, ..Limits::default() };
        if gristmill_warc::is_arc(&input.name) {
            return Pages::open_arc(sources, input, from, needs, limits);
        }
        let (mut dictionary, mut warcinfo) = (None, None);
        if from != Position::default() {
            // A dictionary of zstd stands at the start only, and so does what an archive says of itself.
            let mut first = Reader::new(sources.open(input, 0, from.version)?.bytes, limits);
            if let Some(Entry::Record(record)) = first.next()? {
                warcinfo = Warcinfo::of(&record).map(Arc::new);
            }
            dictionary = first.dictionary().filter(|_| from.offset > 0).map(<[u8]>::to_vec);
        }
        let Opened { bytes, len, version } = sources.open(input, from.offset, from.version)?;
        let mut reader = Reader::resume(bytes, from.offset, limits);
        if let Some(dictionary) = dictionary {
            reader = reader.with_dictionary(&dictionary);
        }
        Ok(Pages { reader, scratch: Scratch::default(), skip: from.skip, version, len, needs, warcinfo })
    }

    /// Reads an ARC, whose positions are those of the WARC that it would be: it is read from its start.
    fn open_arc(
        sources: &Sources,
        input: &Input,
        from: Position,
        needs: Needs,
        limits: Limits,
    ) -> anyhow::Result<Pages> {
        let Opened { bytes, len, version } = sources.open(input, 0, from.version)?;
        let mut bytes: Bytes = Box::new(FromArc::new(bytes)?);
        std::io::copy(&mut bytes.by_ref().take(from.offset), &mut std::io::sink())?;
        let reader = Reader::resume(bytes, from.offset, limits);
        Ok(Pages { reader, scratch: Scratch::default(), skip: from.skip, version, len, needs, warcinfo: None })
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
                let next = Some(Position { offset: record.end(), skip, version: self.version });
                if record.offset() == 0 && record.ordinal() == 0 {
                    self.warcinfo = Warcinfo::of(&record).map(Arc::new);
                }
                let piece = match page_of(&record, MAX_PAGE_BYTES, &mut self.scratch) {
                    Ok(page) => {
                        let fields = if self.needs.fields { record.owned_fields() } else { Vec::new() };
                        let warcinfo = self.warcinfo.clone().filter(|_| self.needs.warcinfo);
                        Piece::Page(Box::new(Page { page, fields, warcinfo }))
                    }
                    Err(reason) => Piece::Passed(reason),
                };
                Some(Found { piece, next })
            }
        })
    }
}
