//! Where bytes go: a counter around the output, and a compressor before it.

use std::io::{self, Write};

use flate2::write::GzEncoder;
use zstd::stream::write::Encoder as ZstdEncoder;

use crate::format::FileFormat;
use crate::options::WriterOptions;

/// An output that counts what it took.
pub struct CountingWriter<W> {
    out: W,
    bytes: u64,
}

impl<W> CountingWriter<W> {
    pub fn new(out: W) -> Self {
        Self { out, bytes: 0 }
    }

    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    pub fn into_parts(self) -> (W, u64) {
        (self.out, self.bytes)
    }
}

impl<W: Write> Write for CountingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.out.write(bytes)?;
        self.bytes += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// An output with the compression of a format of JSON lines.
pub enum CompressedOutput<W: Write> {
    Plain(CountingWriter<W>),
    Gzip(GzEncoder<CountingWriter<W>>),
    Zstd(ZstdEncoder<'static, CountingWriter<W>>),
}

impl<W: Write> CompressedOutput<W> {
    /// Plain for any format but the two that are compressed.
    pub fn new(out: W, format: FileFormat, options: &WriterOptions) -> io::Result<Self> {
        let out = CountingWriter::new(out);
        Ok(match format {
            FileFormat::JsonLinesGzip => {
                Self::Gzip(GzEncoder::new(out, flate2::Compression::new(options.gzip_level.min(9))))
            }
            FileFormat::JsonLinesZstd => {
                let mut encoder = ZstdEncoder::new(out, options.zstd_level)?;
                encoder.include_checksum(true)?;
                Self::Zstd(encoder)
            }
            _ => Self::Plain(out),
        })
    }

    pub fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Plain(out) => out.write_all(bytes),
            Self::Gzip(out) => out.write_all(bytes),
            Self::Zstd(out) => out.write_all(bytes),
        }
    }

    /// Bytes that the output took, after compression.
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Plain(out) => out.bytes(),
            Self::Gzip(out) => out.get_ref().bytes(),
            Self::Zstd(out) => out.get_ref().bytes(),
        }
    }

    /// Ends the compressed stream and flushes the output.
    pub fn finish(self) -> io::Result<(W, u64)> {
        let mut out = match self {
            Self::Plain(out) => out,
            Self::Gzip(out) => out.finish()?,
            Self::Zstd(out) => out.finish()?,
        };
        out.flush()?;
        Ok(out.into_parts())
    }
}
