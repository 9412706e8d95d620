//! The writer: each record at once, plain or as a gzip member of its own.

use std::io::{self, Write};

use flate2::{Compress, Crc, FlushCompress, Status};

use super::digest::{payload_digest, sha1_digest};
use super::new_record::NewRecord;

/// Bytes that are handed to the output at once.
const CHUNK: usize = 64 << 10;

/// How records are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    Plain,
    /// One gzip member a record. Levels as in zlib, 1 is quick and 9 is small.
    Gzip(u32),
}

/// Where a record was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordLocation {
    /// Where it begins, in bytes from the start of the file.
    pub offset: u64,
    /// How many bytes of the file it takes.
    pub length: u64,
    /// The digest of its payload, if it has one; what a revisit record needs.
    pub payload_digest: Option<String>,
}

/// Writes an archive, record by record.
pub struct WarcWriter<W> {
    out: W,
    offset: u64,
    gzip: Option<Gzip>,
}

impl<W: Write> WarcWriter<W> {
    /// Writes gzip of level 6.
    pub fn new(out: W) -> Self {
        WarcWriter::with(out, Compression::Gzip(6))
    }

    /// Writes packed as said.
    pub fn with(out: W, compression: Compression) -> Self {
        let gzip = match compression {
            Compression::Plain => None,
            Compression::Gzip(level) => Some(Gzip::new(level)),
        };
        WarcWriter { out, offset: 0, gzip }
    }

    /// Goes on in a file that has as many bytes already, such as [`cut_to_whole_members`](super::cut_to_whole_members) left.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Self {
        self.offset = offset;
        self
    }

    /// Writes one record, whose body is all parts in one; say, the header of a message and its body.
    ///
    /// Adds Content-Length, the digest of the block and, for requests and responses, that of the payload.
    ///
    /// # Errors
    ///
    /// Those of the output. It may have a part of the record then: cut it to [`WarcWriter::offset`].
    pub fn write(&mut self, record: &NewRecord, parts: &[&[u8]]) -> io::Result<RecordLocation> {
        let mut more = vec![("WARC-Block-Digest", sha1_digest(parts))];
        let payload = if record.wants_payload_digest() { payload_of(parts) } else { None };
        more.extend(payload.clone().map(|digest| ("WARC-Payload-Digest", digest)));
        let n_bytes: usize = parts.iter().map(|part| part.len()).sum();
        more.push(("Content-Length", n_bytes.to_string()));
        let header = record.header(&more);

        let pieces = [header.as_bytes()].into_iter().chain(parts.iter().copied()).chain([&b"\r\n\r\n"[..]]);
        let length = match &mut self.gzip {
            Some(gzip) => gzip.write_member(&mut self.out, pieces)?,
            None => {
                pieces.clone().try_for_each(|piece| self.out.write_all(piece))?;
                pieces.map(|piece| piece.len() as u64).sum()
            }
        };
        let written = RecordLocation { offset: self.offset, length, payload_digest: payload };
        self.offset += length;
        Ok(written)
    }

    /// Bytes of the file up to the end of the last record.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The output.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Gives the output back.
    pub fn into_inner(self) -> W {
        self.out
    }
}

fn payload_of(parts: &[&[u8]]) -> Option<String> {
    match parts {
        [whole] => payload_digest(whole),
        parts => payload_digest(&parts.concat()),
    }
}

/// Makes gzip members, one after the other, with one set of buffers.
struct Gzip {
    deflate: Compress,
    buffer: Vec<u8>,
}

impl Gzip {
    fn new(level: u32) -> Self {
        let level = flate2::Compression::new(level.clamp(1, 9));
        Gzip { deflate: Compress::new(level, false), buffer: Vec::with_capacity(CHUNK) }
    }

    /// The length of the member.
    fn write_member<'p>(&mut self, out: &mut impl Write, pieces: impl Iterator<Item = &'p [u8]>) -> io::Result<u64> {
        /// Deflate, no flags, no time, no effort, system unknown.
        const HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
        self.deflate.reset();
        self.buffer.clear();
        self.buffer.extend(HEADER);
        let mut crc = Crc::new();
        for piece in pieces {
            crc.update(piece);
            self.deflate(out, piece, FlushCompress::None)?;
        }
        self.deflate(out, &[], FlushCompress::Finish)?;
        out.write_all(&self.buffer)?;
        out.write_all(&crc.sum().to_le_bytes())?;
        out.write_all(&(self.deflate.total_in() as u32).to_le_bytes())?;
        Ok(self.deflate.total_out() + HEADER.len() as u64 + 8)
    }

    fn deflate(&mut self, out: &mut impl Write, mut piece: &[u8], flush: FlushCompress) -> io::Result<()> {
        loop {
            if self.buffer.len() == self.buffer.capacity() {
                out.write_all(&self.buffer)?;
                self.buffer.clear();
            }
            let before = self.deflate.total_in();
            let status = self.deflate.compress_vec(piece, &mut self.buffer, flush).map_err(io::Error::other)?;
            piece = &piece[(self.deflate.total_in() - before) as usize..];
            let is_done = if flush == FlushCompress::None { piece.is_empty() } else { status == Status::StreamEnd };
            if is_done {
                return Ok(());
            }
        }
    }
}
