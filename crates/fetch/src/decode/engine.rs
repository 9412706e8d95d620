//! The decoders behind the content codings, one step at a time: some bytes in, at most one piece of bytes out.

use std::cell::Cell;

use brotli::{BrotliDecompressStream, BrotliResult, BrotliState, enc::StandardAlloc};
use flate2::{Decompress, FlushDecompress, Status};
use zstd::stream::raw::{DParameter, Decoder as ZstdDecoder, Operation};

use super::{ContentEncoding, DecodeError};

/// A page in more gzip members than this is an attack on the decoder's set-up time, not a page.
const MAX_GZIP_MEMBERS: u32 = 1000;
/// RFC 8878 §3.1.1.1.2 asks decoders to take windows of 8 MiB, and RFC 9659 forbids larger ones in HTTP.
const ZSTD_WINDOW_LOG: u32 = 23;

/// What zlib says of a stream whose checksum or length is wrong.
const CHECKS: [&str; 2] = ["incorrect data check", "incorrect length check"];

/// A decoder and where it stands.
pub(super) enum DecodeEngine {
    Identity,
    Gzip {
        inflate: Decompress,
        member: u32,
        between_members: bool,
    },
    /// Waits for two bytes, which tell zlib from raw deflate.
    DeflateStart(Vec<u8>),
    Deflate(Decompress),
    Brotli(Box<BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>>),
    Zstd {
        decoder: ReusedDecoder,
        between_frames: bool,
    },
    /// The stream has ended well; what follows is ignored.
    Done,
    /// No decoder could be made or the stream is broken.
    Broken,
}

/// What one step of an engine did.
pub(super) struct DecodeStep {
    pub(super) n_read: usize,
    pub(super) n_made: usize,
    pub(super) ended: bool,
}

impl DecodeEngine {
    pub(super) fn new(encoding: ContentEncoding) -> Self {
        match encoding {
            ContentEncoding::Identity => DecodeEngine::Identity,
            ContentEncoding::Gzip => {
                DecodeEngine::Gzip { inflate: Decompress::new_gzip(15), member: 1, between_members: false }
            }
            ContentEncoding::Deflate => DecodeEngine::DeflateStart(Vec::new()),
            ContentEncoding::Brotli => DecodeEngine::Brotli(Box::new(BrotliState::new_strict(
                StandardAlloc::default(),
                StandardAlloc::default(),
                StandardAlloc::default(),
            ))),
            ContentEncoding::Zstd => zstd_engine(),
        }
    }

    /// The decoder of a `deflate` stream whose first bytes, at least two, are these.
    pub(super) fn deflate(start: &[u8]) -> Self {
        DecodeEngine::Deflate(Decompress::new(is_zlib(start)))
    }

    /// Whether the stream may end here.
    pub(super) fn end(&self) -> Result<(), DecodeError> {
        match self {
            DecodeEngine::Identity | DecodeEngine::Done => Ok(()),
            DecodeEngine::Gzip { between_members: true, .. } | DecodeEngine::Zstd { between_frames: true, .. } => {
                Ok(())
            }
            DecodeEngine::Gzip { .. } => Err(DecodeError::Unfinished("gzip")),
            DecodeEngine::DeflateStart(_) | DecodeEngine::Deflate(_) => Err(DecodeError::Unfinished("deflate")),
            DecodeEngine::Brotli(_) => Err(DecodeError::Unfinished("br")),
            DecodeEngine::Zstd { .. } => Err(DecodeError::Unfinished("zstd")),
            DecodeEngine::Broken => Err(DecodeError::Corrupt("zstd")),
        }
    }

    /// Decodes some of the input into `out`.
    pub(super) fn step(&mut self, input: &[u8], out: &mut [u8]) -> Result<DecodeStep, DecodeError> {
        match self {
            DecodeEngine::Gzip { inflate, member, between_members } => {
                step_gzip(inflate, member, between_members, input, out)
            }
            DecodeEngine::Deflate(inflate) => {
                step_inflate(inflate, input, out).map_err(|()| DecodeError::Corrupt("deflate"))
            }
            DecodeEngine::Brotli(state) => step_brotli(state, input, out),
            DecodeEngine::Zstd { decoder, between_frames } => step_zstd(decoder, between_frames, input, out),
            DecodeEngine::Broken => Err(DecodeError::Corrupt("zstd")),
            DecodeEngine::Identity | DecodeEngine::DeflateStart(_) | DecodeEngine::Done => {
                Ok(DecodeStep { n_read: input.len(), n_made: 0, ended: true })
            }
        }
    }
}

fn zstd_engine() -> DecodeEngine {
    let decoder = ReusedDecoder::take();
    decoder.map_or(DecodeEngine::Broken, |decoder| DecodeEngine::Zstd { decoder, between_frames: false })
}

thread_local! {
    /// The decoder that this thread used last.
    static IDLE: Cell<Option<ZstdDecoder<'static>>> = const { Cell::new(None) };
}

/// A decoder of Zstandard that is left to its thread for the next page: to make one takes longer than to unpack a small page.
pub(super) struct ReusedDecoder(Option<ZstdDecoder<'static>>);

impl ReusedDecoder {
    fn take() -> std::io::Result<Self> {
        if let Some(mut decoder) = IDLE.take()
            && decoder.reinit().is_ok()
        {
            return Ok(Self(Some(decoder)));
        }
        let mut decoder = ZstdDecoder::new()?;
        decoder.set_parameter(DParameter::WindowLogMax(ZSTD_WINDOW_LOG))?;
        Ok(Self(Some(decoder)))
    }
}

impl Drop for ReusedDecoder {
    fn drop(&mut self) {
        // A thread that ends has no next page.
        let _ = IDLE.try_with(|idle| idle.set(self.0.take()));
    }
}

/// CM = 8 and the check bits of RFC 1950 §2.2; raw deflate passes by chance once in 500 and never with text in front.
fn is_zlib(start: &[u8]) -> bool {
    start[0] & 0x0f == 8 && (u32::from(start[0]) * 256 + u32::from(start[1])).is_multiple_of(31)
}

fn step_inflate(inflate: &mut Decompress, input: &[u8], out: &mut [u8]) -> Result<DecodeStep, ()> {
    let (before_in, before_out) = (inflate.total_in(), inflate.total_out());
    let ended = match inflate.decompress(input, out, FlushDecompress::None) {
        Ok(status) => status == Status::StreamEnd,
        // All bytes are out by then; browsers look at no checksum.
        Err(error) if error.message().is_some_and(|message| CHECKS.contains(&message)) => true,
        Err(_) => return Err(()),
    };
    Ok(DecodeStep {
        n_read: (inflate.total_in() - before_in) as usize,
        n_made: (inflate.total_out() - before_out) as usize,
        ended,
    })
}

fn step_gzip(
    inflate: &mut Decompress,
    member: &mut u32,
    between_members: &mut bool,
    input: &[u8],
    out: &mut [u8],
) -> Result<DecodeStep, DecodeError> {
    if *between_members && !input.is_empty() {
        if input[0] != 0x1f {
            return Ok(DecodeStep { n_read: input.len(), n_made: 0, ended: true });
        }
        if *member >= MAX_GZIP_MEMBERS {
            return Err(DecodeError::Corrupt("gzip"));
        }
        *inflate = Decompress::new_gzip(15);
        *member += 1;
        *between_members = false;
    }
    match step_inflate(inflate, input, out) {
        Ok(step) => {
            *between_members = step.ended;
            Ok(DecodeStep { ended: false, ..step })
        }
        // Padding that happens to begin like a member is no reason to lose the page before it.
        Err(()) if *member > 1 => Ok(DecodeStep { n_read: input.len(), n_made: 0, ended: true }),
        Err(()) => Err(DecodeError::Corrupt("gzip")),
    }
}

fn step_brotli(
    state: &mut BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>,
    input: &[u8],
    out: &mut [u8],
) -> Result<DecodeStep, DecodeError> {
    let (mut left_in, mut n_read) = (input.len(), 0);
    let (mut left_out, mut n_made) = (out.len(), 0);
    let mut total = 0;
    let result =
        BrotliDecompressStream(&mut left_in, &mut n_read, input, &mut left_out, &mut n_made, out, &mut total, state);
    match result {
        BrotliResult::ResultFailure => Err(DecodeError::Corrupt("br")),
        result => Ok(DecodeStep { n_read, n_made, ended: matches!(result, BrotliResult::ResultSuccess) }),
    }
}

fn step_zstd(
    decoder: &mut ReusedDecoder,
    between_frames: &mut bool,
    input: &[u8],
    out: &mut [u8],
) -> Result<DecodeStep, DecodeError> {
    let ended_before = *between_frames;
    if ended_before && input.is_empty() {
        return Ok(DecodeStep { n_read: 0, n_made: 0, ended: false });
    }
    let Some(decoder) = &mut decoder.0 else { return Err(DecodeError::Corrupt("zstd")) };
    match decoder.run_on_buffers(input, out) {
        Ok(status) => {
            *between_frames = status.remaining == 0;
            Ok(DecodeStep { n_read: status.bytes_read, n_made: status.bytes_written, ended: false })
        }
        Err(_) if ended_before => Ok(DecodeStep { n_read: input.len(), n_made: 0, ended: true }),
        Err(_) => Err(DecodeError::Corrupt("zstd")),
    }
}
