//! Gzip members (RFC 1952): their header, their data, their checksum, and the guess whether one begins here.

use std::io::{self, Read};

use flate2::{Crc, Decompress, FlushDecompress, Status};

use crate::codec::{CodecState, CodecStep};
use crate::damage::DamageReason;
use crate::source::RewindableInput;

/// Longest header of a member, in bytes: the extra field has at most 64 KiB, names are short.
const LONGEST_HEADER: usize = 128 << 10;

/// Compressed bytes that a trial decodes at most. The code tables of a first block take 300.
pub(crate) const TRIAL_BYTES: usize = 1 << 10;

pub(crate) fn has_magic(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b, 8]) && bytes.get(3).is_some_and(|flags| flags & 0xe0 == 0)
}

/// The decoder of one member after the other.
pub(crate) struct GzipDecoder {
    inflate: Decompress,
    crc: Crc,
    in_header: bool,
}

impl GzipDecoder {
    pub fn new() -> Self {
        GzipDecoder { inflate: Decompress::new(false), crc: Crc::new(), in_header: true }
    }

    /// The next bytes belong to a new member.
    pub fn open(&mut self) {
        self.inflate.reset(false);
        self.crc.reset();
        self.in_header = true;
    }

    /// Decodes some of the member into `out`, which is not empty.
    ///
    /// # Errors
    ///
    /// Those of the input.
    pub fn step<R: Read>(&mut self, source: &mut RewindableInput<R>, out: &mut [u8]) -> io::Result<CodecStep> {
        if self.in_header {
            match read_header(source)? {
                Some(reason) => return Ok(CodecStep::failed(reason)),
                None => self.in_header = false,
            }
        }
        let input = source.want(1)?;
        if input.is_empty() {
            return Ok(CodecStep::failed(DamageReason::MemberCut));
        }
        let (read_before, made_before) = (self.inflate.total_in(), self.inflate.total_out());
        let decoded = self.inflate.decompress(input, out, FlushDecompress::None);
        // What was made before an error is kept, and what it was made of is read: only what follows is in doubt.
        let n_made = (self.inflate.total_out() - made_before) as usize;
        source.consume((self.inflate.total_in() - read_before) as usize);
        self.crc.update(&out[..n_made]);
        let state = match decoded {
            Ok(Status::StreamEnd) => self.read_trailer(source)?,
            Ok(_) => CodecState::More,
            Err(_) => CodecState::Failed(DamageReason::Deflate),
        };
        Ok(CodecStep { n_made, state })
    }

    fn read_trailer<R: Read>(&self, source: &mut RewindableInput<R>) -> io::Result<CodecState> {
        let Some(trailer) = source.want(8)?.first_chunk::<8>() else {
            return Ok(CodecState::Failed(DamageReason::MemberCut));
        };
        let [sum, length] =
            [0, 4].map(|at| u32::from_le_bytes([trailer[at], trailer[at + 1], trailer[at + 2], trailer[at + 3]]));
        if sum != self.crc.sum() || length != self.inflate.total_out() as u32 {
            return Ok(CodecState::Failed(DamageReason::Checksum));
        }
        source.consume(8);
        Ok(CodecState::Ended)
    }
}

/// Passes over the header of a member; says what is wrong with it.
fn read_header<R: Read>(source: &mut RewindableInput<R>) -> io::Result<Option<DamageReason>> {
    let mut wanted = 1 << 10;
    loop {
        let bytes = source.want(wanted)?;
        match header_length(bytes) {
            Header::Bytes(length) => {
                source.consume(length);
                return Ok(None);
            }
            Header::Wrong => return Ok(Some(DamageReason::GzipHeader)),
            Header::Unfinished if bytes.len() < wanted => return Ok(Some(DamageReason::MemberCut)),
            Header::Unfinished if wanted >= LONGEST_HEADER => return Ok(Some(DamageReason::GzipHeader)),
            Header::Unfinished => wanted = LONGEST_HEADER,
        }
    }
}

#[derive(Debug, PartialEq)]
enum Header {
    Bytes(usize),
    Unfinished,
    Wrong,
}

/// Flags of a header: which optional parts it has.
const CHECKSUM: u8 = 2;
const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;

fn header_length(bytes: &[u8]) -> Header {
    let Some(fixed) = bytes.first_chunk::<10>() else { return Header::Unfinished };
    if !has_magic(fixed) {
        return Header::Wrong;
    }
    let flags = fixed[3];
    let mut length = 10;
    if flags & EXTRA != 0 {
        let Some([low, high]) = bytes.get(10..12) else { return Header::Unfinished };
        length += 2 + usize::from(u16::from_le_bytes([*low, *high]));
    }
    for _ in 0..(flags & (NAME | COMMENT)).count_ones() {
        let Some(end) = bytes.get(length..).and_then(|rest| memchr::memchr(0, rest)) else { return Header::Unfinished };
        length += end + 1;
    }
    if flags & CHECKSUM != 0 {
        length += 2;
    }
    if length <= bytes.len() { Header::Bytes(length) } else { Header::Unfinished }
}

/// Tells whether a member begins at some bytes by decoding a little of it.
pub(crate) struct MemberProbe(Decompress);

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ProbeResult {
    No,
    /// A member, of whatever it may be.
    Member,
    /// A member that begins with a record.
    Record,
}

impl MemberProbe {
    pub fn new() -> Self {
        MemberProbe(Decompress::new(false))
    }

    /// Judges the first [`TRIAL_BYTES`] bytes; fewer only at the end of the input.
    pub fn judge(&mut self, bytes: &[u8]) -> ProbeResult {
        let bytes = &bytes[..bytes.len().min(TRIAL_BYTES)];
        // Byte 8 is the effort, byte 9 the system: few values are in use, and chance rarely finds them.
        let is_usual = has_magic(bytes)
            && matches!(bytes.get(8), Some(0 | 2 | 4))
            && bytes.get(9).is_some_and(|system| *system <= 13 || *system == 255);
        let Header::Bytes(length) = header_length(bytes) else { return ProbeResult::No };
        if !is_usual {
            return ProbeResult::No;
        }
        self.0.reset(false);
        let mut out = [0; 256];
        if self.0.decompress(&bytes[length..], &mut out, FlushDecompress::None).is_err() {
            return ProbeResult::No;
        }
        let made = &out[..self.0.total_out() as usize];
        if made.trim_ascii_start().starts_with(b"WARC/") { ProbeResult::Record } else { ProbeResult::Member }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, GzBuilder};

    use super::*;

    #[test]
    fn the_optional_parts_of_a_header_are_passed_over() {
        let builder = GzBuilder::new().filename("a name").comment("a comment").extra(vec![1; 300]);
        let mut encoder = builder.write(Vec::new(), Compression::fast());
        encoder.write_all(b"WARC/1.0 and so on").unwrap();
        let member = encoder.finish().unwrap();
        assert_eq!(header_length(&member), Header::Bytes(10 + 2 + 300 + 7 + 10));
        for cut in 0..300 {
            assert_eq!(header_length(&member[..cut]), Header::Unfinished, "{cut}");
        }
        assert_eq!(MemberProbe::new().judge(&member), ProbeResult::Record);
        let mut out = [0; 100];
        let mut source = RewindableInput::new(&member[..], 0);
        let step = GzipDecoder::new().step(&mut source, &mut out).unwrap();
        assert!(step.state == CodecState::Ended && &out[..step.n_made] == b"WARC/1.0 and so on");
    }

    #[test]
    fn chance_is_told_from_a_member() {
        let mut trial = MemberProbe::new();
        assert_eq!(trial.judge(b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xff\xff\xff\xff\xff"), ProbeResult::No);
        assert_eq!(trial.judge(b"\x1f\x8b\x08\0\0\0\0\0\x77\x03\x03\0\0\0\0\0\0\0\0\0"), ProbeResult::No);
        assert_eq!(trial.judge(b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0"), ProbeResult::Member);
        assert_eq!(trial.judge(b"\x1f\x8b"), ProbeResult::No);
    }
}
