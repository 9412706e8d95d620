//! The reader: one record or one damage after the other.

use std::io::{self, Read};

use crate::body::{BodyExtent, BodyHint, read_body};
use crate::damage::{Damage, DamageReason};
use crate::header::{self, HeaderEnd, HeaderField};
use crate::limits::ReadLimits;
use crate::marker::{self, starts_with_ignoring_case};
use crate::record::{RecordBounds, WarcRecord};
use crate::stream::{DecodedStream, FillResult, ReachResult};

/// What stands next in an archive.
#[derive(Debug)]
pub enum ReaderItem<'r> {
    Record(WarcRecord<'r>),
    /// Something that is no record, or what is wrong with the record before.
    Damage(Damage),
}

/// Reads an archive from its start to its end.
///
/// What it is packed in is seen from its bytes: nothing, gzip or zstd, one record or many in a member, one after the other. It
/// needs no `Seek`. Every byte is in a record, in a [`Damage`] or is padding (white space and zeros between records).
///
/// Memory: up to three times [`ReadLimits::body_bytes`] for the longest record, and some MiB. Time: linear in the input and what it
/// unpacks to.
pub struct WarcReader<R> {
    stream: DecodedStream<R>,
    limits: ReadLimits,
    fields: Vec<HeaderField>,
    /// Header and head of a body beyond the limit.
    aside: Vec<u8>,
    /// Bytes of the data that the record given last takes.
    lent: usize,
    /// What is wrong with the record given last.
    note: Option<Damage>,
    /// The stretch that is being passed over.
    stretch: Option<Damage>,
    has_records: bool,
    /// The offset and the ordinal of the last record.
    last: Option<(u64, u64)>,
}

/// A record that was found, without its borrowed parts.
struct Found {
    header: usize,
    body: usize,
    is_aside: bool,
    facts: RecordBounds,
}

enum Next {
    Record(Found),
    Damage(Damage),
    End,
}

enum Here {
    Record,
    Garbage,
    End,
}

impl<R: Read> WarcReader<R> {
    /// Reads an archive from its first byte.
    pub fn new(input: R, limits: ReadLimits) -> Self {
        WarcReader::resume(input, 0, limits)
    }

    /// Reads on in an archive at an offset, where the input stands already.
    ///
    /// All offsets count from the start of the file. Anything else than a record's [`offset`](Record::offset) or
    /// [`end`](Record::end) is found out as damage, up to the next record. If the archive has a zstd dictionary, give it with
    /// [`WarcReader::with_dictionary`].
    pub fn resume(input: R, offset: u64, limits: ReadLimits) -> Self {
        WarcReader {
            stream: DecodedStream::new(input, offset, limits),
            limits,
            fields: Vec::new(),
            aside: Vec::new(),
            lent: 0,
            note: None,
            stretch: None,
            has_records: offset > 0,
            last: None,
        }
    }

    /// Sets the zstd dictionary, as [`WarcReader::dictionary`] gave it. One that cannot be used makes its frames damage.
    #[must_use]
    pub fn with_dictionary(mut self, dictionary: &[u8]) -> Self {
        let _ = self.stream.frame().set_dictionary(dictionary, self.limits.dictionary_bytes);
        self
    }

    /// The zstd dictionary that the archive has had so far, unpacked.
    pub fn dictionary(&mut self) -> Option<&[u8]> {
        self.stream.frame().dictionary()
    }

    /// The next record or damage; `None` at the end.
    ///
    /// # Errors
    ///
    /// Those of the input, and no others.
    #[expect(clippy::should_implement_trait, reason = "an iterator cannot lend")]
    pub fn next(&mut self) -> io::Result<Option<ReaderItem<'_>>> {
        Ok(match self.advance()? {
            Next::End => None,
            Next::Damage(damage) => Some(ReaderItem::Damage(damage)),
            Next::Record(found) => Some(ReaderItem::Record(self.lend(&found))),
        })
    }

    fn lend(&self, found: &Found) -> WarcRecord<'_> {
        let data = if found.is_aside { &self.aside } else { self.stream.data() };
        let (header, body) = data[..found.header + found.body].split_at(found.header);
        WarcRecord { header, fields: &self.fields, body, facts: found.facts }
    }

    fn advance(&mut self) -> io::Result<Next> {
        self.stream.consume(std::mem::take(&mut self.lent));
        if let Some(note) = self.note.take() {
            return Ok(Next::Damage(note));
        }
        loop {
            match self.look()? {
                Here::Garbage => self.pass_garbage(DamageReason::Garbage)?,
                Here::End => return Ok(self.end()),
                Here::Record => {
                    if let Some(stretch) = self.stretch.take() {
                        return Ok(Next::Damage(stretch));
                    }
                    match self.read_header()? {
                        Ok(header) => return self.read_record(header).map(Next::Record),
                        Err(reason) => self.pass_garbage(reason)?,
                    }
                }
            }
        }
    }

    fn end(&mut self) -> Next {
        let Some(mut stretch) = self.stretch.take() else { return Next::End };
        if !self.has_records {
            stretch.reason = DamageReason::NotAnArchive;
        }
        Next::Damage(stretch)
    }

    /// Passes over padding, opens units, and says what stands next.
    fn look(&mut self) -> io::Result<Here> {
        loop {
            let data = self.stream.data();
            let n_padding = data.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0).count();
            self.stream.consume(n_padding);
            let data = self.stream.data();
            if data.len() >= marker::START.len() {
                if data.starts_with(marker::START) {
                    return Ok(Here::Record);
                }
                if !self.stream.packs_at(0) {
                    return Ok(Here::Garbage);
                }
                let offset = self.stream.origin(0).offset;
                match self.stream.give_back() {
                    0 => {}
                    skipped_bytes => self.widen(Damage { offset, reason: DamageReason::Garbage, skipped_bytes }),
                }
            }
            match self.stream.fill()? {
                FillResult::More => {}
                FillResult::Failed(reason) => self.recover(reason)?,
                FillResult::UnitEnd => {
                    // A record may begin in one unit and go on in the next.
                    if !marker::START.starts_with(self.stream.data()) {
                        return Ok(Here::Garbage);
                    }
                    if !self.stream.open()? {
                        return Ok(if self.stream.data().is_empty() { Here::End } else { Here::Garbage });
                    }
                }
            }
        }
    }

    /// The length of the header that begins here, with its fields read.
    fn read_header(&mut self) -> io::Result<Result<usize, DamageReason>> {
        let mut from = 0;
        loop {
            match header::find_end(self.stream.data(), from) {
                HeaderEnd::Body(length) if length <= self.limits.header_bytes => {
                    header::read_fields(&mut self.stream.data_mut()[..length], &mut self.fields);
                    return Ok(Ok(length));
                }
                HeaderEnd::Cut(_) => return Ok(Err(DamageReason::HeaderCut)),
                HeaderEnd::Unfinished(at) if at.max(self.stream.data().len()) <= self.limits.header_bytes => from = at,
                HeaderEnd::Body(_) | HeaderEnd::Unfinished(_) => return Ok(Err(DamageReason::HeaderTooLong)),
            }
            if self.stream.reach(self.stream.data().len() + 1)? != ReachResult::There {
                return Ok(Err(DamageReason::HeaderCut));
            }
        }
    }

    fn read_record(&mut self, header: usize) -> io::Result<Found> {
        let origin = self.stream.origin(0);
        let value = |name| header::value(&self.stream.data()[..header], &self.fields, name);
        let length = value("Content-Length").and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
        let is_response = value("WARC-Type").is_some_and(|kind| kind.eq_ignore_ascii_case(b"response"));
        let is_http = is_response
            && value("Content-Type").is_some_and(|kind| starts_with_ignoring_case(kind, b"application/http"));
        let claim = BodyHint { header, length, is_http, limit: self.limits.body_bytes };
        let body = read_body(&mut self.stream, claim, &mut self.aside)?;
        let ordinal = match self.last {
            Some((offset, ordinal)) if offset == origin.offset && !origin.is_plain => ordinal + 1,
            _ => 0,
        };
        self.last = Some((origin.offset, ordinal));
        self.has_records = true;
        self.lent = body.next;
        self.note = note(&body, length).map(|reason| Damage { offset: origin.offset, reason, skipped_bytes: 0 });
        let facts = RecordBounds {
            offset: origin.offset,
            end: self.stream.origin(body.next).offset,
            ordinal,
            is_limited: body.length > body.kept as u64,
            is_short: body.is_short,
            is_corrupt: body.failed.is_some_and(|reason| reason != DamageReason::MemberCut),
            is_whole: body.failed.is_none() && !body.is_short,
        };
        Ok(Found { header, body: body.kept, is_aside: body.is_aside, facts })
    }

    fn pass_garbage(&mut self, reason: DamageReason) -> io::Result<()> {
        let offset = self.stream.origin(0).offset;
        let skipped_bytes = self.stream.pass_garbage()?;
        self.widen(Damage { offset, reason, skipped_bytes });
        Ok(())
    }

    fn recover(&mut self, reason: DamageReason) -> io::Result<()> {
        let rest = self.stream.data().len();
        let (begin, failed_at) = (self.stream.unit_offset(), self.stream.offset());
        let is_begun = self.last.is_some_and(|(offset, _)| offset == begin);
        self.stream.consume(rest);
        self.stream.recover(if is_begun { failed_at } else { begin })?;
        let found = self.stream.offset();
        let offset = if is_begun { failed_at.min(found) } else { begin };
        self.widen(Damage { offset, reason, skipped_bytes: found - offset });
        Ok(())
    }

    /// One stretch without records is one damage, and its first reason is that of all.
    fn widen(&mut self, more: Damage) {
        match &mut self.stretch {
            Some(stretch) => stretch.skipped_bytes += more.skipped_bytes,
            None => self.stretch = Some(more),
        }
    }
}

/// What is wrong with a record that was read all the same.
fn note(body: &BodyExtent, claimed: Option<u64>) -> Option<DamageReason> {
    let found = body.length;
    match claimed {
        Some(claimed) if body.is_short && body.failed.is_none() => Some(DamageReason::RecordCut { claimed, found }),
        _ => body.is_wrong.then_some(DamageReason::Length { claimed, found }),
    }
}
