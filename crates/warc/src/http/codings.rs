//! The content codings: each undone as far as its bytes can be read.

use std::io::Read;

use brotli::enc::StandardAlloc;
use brotli::{BrotliDecompressStream, BrotliResult, BrotliState};
use flate2::{Decompress, FlushDecompress, Status};

/// A coding that can be undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

/// How undoing a coding ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DecodeEnd {
    Whole,
    /// The data ends, or is wrong, within; what came before is there.
    Broken,
    Limit,
    /// The bytes are not in this coding.
    Other,
}

impl Coding {
    /// The coding of a name in lower case. `None` in the inner place says that there is nothing to undo.
    pub fn of(name: &str) -> Option<Option<Self>> {
        Some(match name {
            "gzip" | "x-gzip" => Some(Coding::Gzip),
            "deflate" => Some(Coding::Deflate),
            "br" => Some(Coding::Brotli),
            "zstd" => Some(Coding::Zstd),
            "identity" | "none" | "utf-8" | "binary" => None,
            _ => return None,
        })
    }

    /// Undoes the coding into `out`, which is empty, up to `max_bytes`.
    pub fn undo(self, bytes: &[u8], max_bytes: usize, out: &mut Vec<u8>) -> DecodeEnd {
        match self {
            Coding::Gzip if !crate::gzip::has_magic(bytes) => DecodeEnd::Other,
            Coding::Gzip => members(bytes, max_bytes, out),
            Coding::Deflate if is_zlib(bytes) => inflate(&mut Decompress::new(true), bytes, max_bytes, out).0,
            Coding::Deflate => agreed(inflate(&mut Decompress::new(false), bytes, max_bytes, out).0, bytes, out),
            Coding::Brotli => agreed(unbrotli(bytes, max_bytes, out), bytes, out),
            Coding::Zstd if !crate::frame::has_magic(bytes) => DecodeEnd::Other,
            Coding::Zstd => match zstd::stream::read::Decoder::with_buffer(bytes) {
                Ok(decoder) => read(decoder, max_bytes, out),
                Err(_) => DecodeEnd::Broken,
            },
        }
    }
}

/// Brotli and raw deflate have no magic: text that is taken for them ends in an error after a few bytes. So a broken end counts
/// only if clearly more came out than noise gives.
fn agreed(ending: DecodeEnd, bytes: &[u8], out: &[u8]) -> DecodeEnd {
    const CLEARLY: usize = 256;
    let head = &bytes[..bytes.len().min(16)];
    let looks_like_text = head.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    match ending {
        DecodeEnd::Broken if looks_like_text || out.len() < CLEARLY.max(bytes.len()) => DecodeEnd::Other,
        DecodeEnd::Whole if out.is_empty() && !bytes.is_empty() => DecodeEnd::Other,
        ending => ending,
    }
}

/// CM = 8 and the check bits of RFC 1950 §2.2.
fn is_zlib(bytes: &[u8]) -> bool {
    matches!(bytes, [method, flags, ..]
        if method & 0x0f == 8 && (u32::from(*method) * 256 + u32::from(*flags)).is_multiple_of(31))
}

/// All members of a gzip body; what follows them and is no member is dropped.
fn members(mut bytes: &[u8], max_bytes: usize, out: &mut Vec<u8>) -> DecodeEnd {
    let mut inflater = Decompress::new_gzip(15);
    let mut ending = DecodeEnd::Broken;
    while crate::gzip::has_magic(bytes) {
        let n_before = out.len();
        let n_read;
        (ending, n_read) = inflate(&mut inflater, bytes, max_bytes, out);
        if ending != DecodeEnd::Whole {
            break;
        }
        bytes = &bytes[n_read..];
        // A row of empty members is a waste of time, not a page.
        if out.len() == n_before || !crate::gzip::has_magic(bytes) {
            break;
        }
        inflater = Decompress::new_gzip(15);
    }
    ending
}

/// How it ended, and how many bytes were read.
fn inflate(inflater: &mut Decompress, bytes: &[u8], max_bytes: usize, out: &mut Vec<u8>) -> (DecodeEnd, usize) {
    loop {
        let at = inflater.total_in() as usize;
        if out.len() >= max_bytes {
            return (DecodeEnd::Limit, at);
        }
        if out.len() == out.capacity() {
            out.reserve((4 * bytes.len()).clamp(4_096, 1 << 20));
        }
        let made_before = out.len();
        let result = inflater.decompress_vec(&bytes[at..], out, FlushDecompress::None);
        let n_read = inflater.total_in() as usize;
        if out.len() > max_bytes {
            out.truncate(max_bytes);
            return (DecodeEnd::Limit, n_read);
        }
        match result {
            Ok(Status::StreamEnd) => return (DecodeEnd::Whole, n_read),
            Ok(_) if n_read > at || out.len() > made_before => {}
            _ => return (DecodeEnd::Broken, n_read),
        }
    }
}

/// Step by step, for the reader of `brotli` loses what it made of data that ends too soon.
fn unbrotli(bytes: &[u8], max_bytes: usize, out: &mut Vec<u8>) -> DecodeEnd {
    let alloc = StandardAlloc::default;
    let mut state = BrotliState::new(alloc(), alloc(), alloc());
    let (mut left, mut at, mut total) = (bytes.len(), 0, 0);
    let mut buffer = [0; 16 << 10];
    loop {
        let (read_before, mut room, mut n_made) = (at, buffer.len(), 0);
        let result = BrotliDecompressStream(
            &mut left,
            &mut at,
            bytes,
            &mut room,
            &mut n_made,
            &mut buffer,
            &mut total,
            &mut state,
        );
        let n_kept = n_made.min(max_bytes - out.len());
        out.extend_from_slice(&buffer[..n_kept]);
        match result {
            _ if n_kept < n_made => return DecodeEnd::Limit,
            BrotliResult::ResultSuccess => return DecodeEnd::Whole,
            // The end of the input does not hold back what was made of it.
            BrotliResult::NeedsMoreInput if n_made > 0 => {}
            BrotliResult::NeedsMoreOutput if n_made > 0 || at > read_before => {}
            _ => return DecodeEnd::Broken,
        }
    }
}

/// Reads a decoder up to its end, its error or the limit.
fn read(decoder: impl Read, max_bytes: usize, out: &mut Vec<u8>) -> DecodeEnd {
    let result = decoder.take(max_bytes as u64 + 1).read_to_end(out);
    if out.len() > max_bytes {
        out.truncate(max_bytes);
        return DecodeEnd::Limit;
    }
    if result.is_ok() { DecodeEnd::Whole } else { DecodeEnd::Broken }
}
