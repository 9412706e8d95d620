//! The input as decoded bytes, whatever it is packed in: a row of units, each a gzip member, a zstd frame or a plain stretch.

use std::io::{self, Read};

use crate::codec::CodecState;
use crate::damage::DamageReason;
use crate::frame::{self, ZstdDecoder};
use crate::gzip::{self, GzipDecoder, MemberProbe, ProbeResult, TRIAL_BYTES};
use crate::limits::ReadLimits;
use crate::marker;
use crate::source::RewindableInput;
use crate::window::{ByteOrigin, DecodeWindow};

/// Plain bytes that may stand in the window ahead of the reader; they are given back when the format changes.
const PLAIN_AHEAD: u64 = 512 << 10;

/// Units that one record may extend over.
const MOST_UNITS: usize = 4_096;

#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Closed,
    Plain,
    Gzip,
    Zstd,
    Failed(DamageReason),
}

/// What came of asking for more bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FillResult {
    /// The data grew.
    More,
    /// The unit ended, and was right.
    UnitEnd,
    /// The unit cannot be decoded further.
    Failed(DamageReason),
}

/// What came of asking for the bytes of a record across units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ReachResult {
    There,
    /// The record cannot go on beyond this index of the data.
    Ended {
        at: usize,
        failed: Option<DamageReason>,
    },
}

pub(crate) struct DecodedStream<R> {
    source: RewindableInput<R>,
    window: DecodeWindow,
    unit: Unit,
    /// File offset of the unit's begin, and the bytes that were made of it.
    unit_offset: u64,
    unit_made: u64,
    /// Whether any unit was compressed.
    is_packed: bool,
    gzip: GzipDecoder,
    frame: ZstdDecoder,
    trial: MemberProbe,
    limits: ReadLimits,
}

impl<R: Read> DecodedStream<R> {
    pub fn new(input: R, offset: u64, limits: ReadLimits) -> Self {
        DecodedStream {
            source: RewindableInput::new(input, offset),
            window: DecodeWindow::default(),
            unit: Unit::Closed,
            unit_offset: offset,
            unit_made: 0,
            is_packed: false,
            gzip: GzipDecoder::new(),
            frame: ZstdDecoder::default(),
            trial: MemberProbe::new(),
            limits,
        }
    }

    pub fn data(&self) -> &[u8] {
        self.window.data()
    }

    pub fn data_mut(&mut self) -> &mut [u8] {
        self.window.data_mut()
    }

    pub fn consume(&mut self, n_bytes: usize) {
        self.window.consume(n_bytes);
    }

    pub fn frame(&mut self) -> &mut ZstdDecoder {
        &mut self.frame
    }

    /// File offset behind what was decoded.
    pub fn offset(&self) -> u64 {
        self.source.offset()
    }

    /// Where a byte of the data comes from; behind the last one, where the next would come from.
    pub fn origin(&self, index: usize) -> ByteOrigin {
        if index == self.data().len() && matches!(self.unit, Unit::Closed | Unit::Failed(_)) {
            return ByteOrigin { offset: self.source.offset(), is_plain: false };
        }
        self.window.origin(index)
    }

    /// Whether the data, to its end, is of a unit that is no longer open.
    pub fn is_ended(&self) -> bool {
        matches!(self.unit, Unit::Closed | Unit::Failed(_))
    }

    /// Whether a compressed unit begins at an index of plain data.
    pub fn packs_at(&self, index: usize) -> bool {
        let bytes = &self.data()[index..];
        let is_packed = gzip::has_magic(bytes) || frame::is_likely(bytes) || frame::skippable(bytes).is_some();
        self.unit == Unit::Plain && is_packed
    }

    /// Gives the plain data back to the input, and ends the unit: the next one is packed. Says how many bytes were lost because
    /// the input could not go back so far; always 0 unless the archive was made to hurt.
    pub fn give_back(&mut self) -> u64 {
        let begin = self.window.origin(0).offset;
        self.source.rewind(begin);
        self.window.truncate(0);
        self.unit = Unit::Closed;
        self.source.offset() - begin
    }

    /// Decodes more of the unit.
    ///
    /// # Errors
    ///
    /// Those of the input.
    pub fn fill(&mut self) -> io::Result<FillResult> {
        loop {
            let room = self.window.room();
            let step = match self.unit {
                Unit::Closed => return Ok(FillResult::UnitEnd),
                Unit::Failed(reason) => return Ok(FillResult::Failed(reason)),
                Unit::Plain => return self.fill_plain(),
                Unit::Gzip => self.gzip.step(&mut self.source, room)?,
                Unit::Zstd => self.frame.step(&mut self.source, room)?,
            };
            self.window.grow(step.n_made);
            self.unit_made += step.n_made as u64;
            match step.state {
                CodecState::Ended => self.unit = Unit::Closed,
                CodecState::Failed(reason) => self.unit = Unit::Failed(reason),
                CodecState::More if self.limits.is_bomb(self.source.offset() - self.unit_offset, self.unit_made) => {
                    self.unit = Unit::Failed(DamageReason::Bomb);
                }
                CodecState::More => {}
            }
            if step.n_made > 0 {
                return Ok(FillResult::More);
            }
        }
    }

    fn fill_plain(&mut self) -> io::Result<FillResult> {
        self.source.hold(self.source.offset().saturating_sub(PLAIN_AHEAD));
        let bytes = self.source.want(1)?;
        if bytes.is_empty() {
            self.unit = Unit::Closed;
            return Ok(FillResult::UnitEnd);
        }
        let room = self.window.room();
        let n_bytes = bytes.len().min(room.len());
        room[..n_bytes].copy_from_slice(&bytes[..n_bytes]);
        self.source.consume(n_bytes);
        self.window.grow(n_bytes);
        Ok(FillResult::More)
    }

    /// Begins the next unit once one has ended; false at the end of the input.
    ///
    /// # Errors
    ///
    /// Those of the input.
    pub fn open(&mut self) -> io::Result<bool> {
        debug_assert!(self.unit == Unit::Closed);
        loop {
            self.unit_offset = self.source.offset();
            self.unit_made = 0;
            self.source.hold(self.unit_offset);
            let bytes = self.source.want(32)?;
            if bytes.is_empty() {
                return Ok(false);
            }
            if gzip::has_magic(bytes) {
                self.gzip.open();
                self.unit = Unit::Gzip;
            } else if frame::has_magic(bytes) {
                self.frame.open();
                self.unit = Unit::Zstd;
            } else if let Some((kind, length)) = frame::skippable(bytes) {
                self.unit = self.skippable(kind, length)?;
                if self.unit == Unit::Closed {
                    continue;
                }
            } else {
                self.unit = Unit::Plain;
            }
            self.is_packed |= self.unit != Unit::Plain;
            self.window.mark(self.unit_offset, self.unit == Unit::Plain);
            return Ok(true);
        }
    }

    fn skippable(&mut self, kind: u8, length: u32) -> io::Result<Unit> {
        self.source.consume(8);
        if kind != frame::DICTIONARY_KIND {
            let n_passed = self.source.pass_over(length.into())?;
            return Ok(if n_passed < length.into() { Unit::Failed(DamageReason::MemberCut) } else { Unit::Closed });
        }
        if length as usize > self.limits.dictionary_bytes {
            return Ok(Unit::Failed(DamageReason::Dictionary));
        }
        let mut dictionary = Vec::new();
        while dictionary.len() < length as usize {
            let bytes = self.source.want(1)?;
            if bytes.is_empty() {
                return Ok(Unit::Failed(DamageReason::MemberCut));
            }
            let n_bytes = bytes.len().min(length as usize - dictionary.len());
            dictionary.extend_from_slice(&bytes[..n_bytes]);
            self.source.consume(n_bytes);
        }
        let is_set = self.frame.set_dictionary(&dictionary, self.limits.dictionary_bytes);
        Ok(is_set.map_or_else(Unit::Failed, |()| Unit::Closed))
    }

    /// Fills until the data has `wanted` bytes of one record: goes on with the next unit if that is packed in the same way and
    /// does not begin with a record.
    ///
    /// # Errors
    ///
    /// Those of the input.
    pub fn reach(&mut self, wanted: usize) -> io::Result<ReachResult> {
        while self.data().len() < wanted {
            let at = self.data().len();
            match self.fill()? {
                FillResult::More => {}
                FillResult::Failed(reason) => return Ok(ReachResult::Ended { at, failed: Some(reason) }),
                FillResult::UnitEnd => {
                    if self.window.n_marks() > MOST_UNITS || !self.goes_on(at)? {
                        return Ok(ReachResult::Ended { at, failed: None });
                    }
                }
            }
        }
        Ok(ReachResult::There)
    }

    /// Opens the next unit; whether it can be the rest of a record that came to the index `at`.
    fn goes_on(&mut self, at: usize) -> io::Result<bool> {
        let was_plain = self.window.origin(at).is_plain;
        if was_plain || !self.open()? || self.unit == Unit::Plain {
            return Ok(false);
        }
        while self.data().len() < at + marker::START.len() {
            if self.fill()? != FillResult::More {
                break;
            }
        }
        Ok(!self.data()[at..].starts_with(marker::START))
    }

    /// Passes over the first byte of the data and on to where a record can begin.
    ///
    /// Plain data goes back to the input, so that packed units are found in it, too. If a wrong length made more of it than can
    /// go back, only plain records are looked for.
    ///
    /// # Errors
    ///
    /// Those of the input.
    pub fn pass_garbage(&mut self) -> io::Result<u64> {
        let begin = self.window.origin(0);
        if begin.is_plain && self.data().len() as u64 <= PLAIN_AHEAD {
            if self.give_back() == 0 {
                self.source.pass_over(1)?;
            }
            self.resync(begin.offset)?;
            return Ok(self.source.offset() - begin.offset);
        }
        let mut n_passed = 1;
        self.consume(1);
        loop {
            if let Some(at) = marker::find_record(self.data()) {
                self.consume(at);
                return Ok(n_passed + at as u64);
            }
            let surplus = self.data().len().saturating_sub(marker::START_BYTES);
            self.consume(surplus);
            n_passed += surplus as u64;
            if self.fill()? != FillResult::More {
                let rest = self.data().len();
                self.consume(rest);
                return Ok(n_passed + rest as u64);
            }
        }
    }

    /// After a failure: goes back to behind the begin of the unit, as far as can be, and on to where a unit can begin.
    ///
    /// A plain record counts from the offset `plain_from` on: before it stand the stored blocks of what was read already.
    ///
    /// # Errors
    ///
    /// Those of the input.
    pub fn recover(&mut self, plain_from: u64) -> io::Result<()> {
        self.source.rewind(self.unit_offset + 1);
        if self.source.offset() == self.unit_offset {
            self.source.pass_over(1)?;
        }
        self.resync(plain_from)
    }

    /// File offset of the unit that was opened last.
    pub fn unit_offset(&self) -> u64 {
        self.unit_offset
    }

    fn resync(&mut self, plain_from: u64) -> io::Result<()> {
        self.window.truncate(0);
        self.unit = Unit::Closed;
        loop {
            self.source.hold(self.source.offset());
            let bytes = self.source.want(TRIAL_BYTES)?;
            if bytes.is_empty() {
                return Ok(());
            }
            match memchr::memchr3(0x1f, 0x28, b'W', bytes) {
                None => {
                    let n_bytes = bytes.len();
                    self.source.consume(n_bytes);
                }
                Some(at) => {
                    self.source.consume(at);
                    if self.begins_here(plain_from)? {
                        return Ok(());
                    }
                    self.source.consume(1);
                }
            }
        }
    }

    /// Whether a unit with records is likely to begin at the next byte.
    fn begins_here(&mut self, plain_from: u64) -> io::Result<bool> {
        // In a packed archive a plain start is mostly that of a damaged member's stored block, in which the heads of blocks stand
        // too: read as a record, it would run over the members behind. The end of another plain record tells the difference.
        let is_plain = self.source.offset() >= plain_from && (!self.is_packed || self.source.behind(4) == b"\r\n\r\n");
        let bytes = self.source.want(TRIAL_BYTES)?;
        Ok(match bytes[0] {
            b'W' => is_plain && marker::is_record_start(bytes),
            0x28 => frame::is_likely(bytes),
            _ if !gzip::has_magic(bytes) => false,
            _ => match self.trial.judge(bytes) {
                ProbeResult::Record => true,
                // Plain archives hold packed pages, which are no members of the archive.
                ProbeResult::Member => self.is_packed,
                ProbeResult::No => false,
            },
        })
    }
}
