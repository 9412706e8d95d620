//! Content codings undone as a stream, with every decoded byte counted before the next is made.

mod engine;

use engine::DecodeEngine;

/// Decoded bytes are made in pieces of this size; a limit is overrun by no more than this.
const PIECE_BYTES: usize = 32 * 1024;
/// Below this many decoded bytes the ratio is not judged: a small file of equal lines is no danger.
const RATIO_FLOOR_BYTES: usize = 1 << 20;

/// Most codings on top of one another that are undone.
pub const MAX_CODINGS: usize = 3;

/// How the bytes of a body are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ContentEncoding {
    /// Not at all.
    #[default]
    Identity,
    /// RFC 1952, one or more members.
    Gzip,
    /// zlib (RFC 1950), or raw deflate (RFC 1951) as some servers send under the same name.
    Deflate,
    /// RFC 7932.
    Brotli,
    /// RFC 8878.
    Zstd,
}

impl ContentEncoding {
    /// The name used in `Content-Encoding`.
    pub fn as_str(self) -> &'static str {
        match self {
            ContentEncoding::Identity => "identity",
            ContentEncoding::Gzip => "gzip",
            ContentEncoding::Deflate => "deflate",
            ContentEncoding::Brotli => "br",
            ContentEncoding::Zstd => "zstd",
        }
    }

    /// Reads the values of a `Content-Encoding` header; none at all means identity.
    ///
    /// # Errors
    /// The coding's name when it is unknown, and when codings are stacked: no honest server packs a page twice.
    pub fn parse(value: &str) -> Result<ContentEncoding, DecodeError> {
        let mut found = ContentEncoding::Identity;
        for word in value.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let Some(encoding) = Self::named(word) else {
                return Err(DecodeError::Unknown(word.chars().take(40).collect()));
            };
            if encoding != ContentEncoding::Identity && found != ContentEncoding::Identity {
                return Err(DecodeError::Stacked);
            }
            found = if encoding == ContentEncoding::Identity { found } else { encoding };
        }
        Ok(found)
    }

    /// Reads the values of the `Content-Encoding` header of an answer as browsers do: the codings in the order in which they were
    /// applied. Words that name none, such as a charset, stand for none.
    ///
    /// # Errors
    /// [`DecodeError::Stacked`] for more than [`MAX_CODINGS`]: each costs as much as the body is long.
    pub fn applied(value: &str) -> Result<Vec<ContentEncoding>, DecodeError> {
        let codings = value.split(',').map(str::trim).filter_map(Self::named);
        let codings: Vec<_> = codings.filter(|coding| *coding != ContentEncoding::Identity).collect();
        if codings.len() > MAX_CODINGS { Err(DecodeError::Stacked) } else { Ok(codings) }
    }

    fn named(word: &str) -> Option<ContentEncoding> {
        Some(match word.to_ascii_lowercase().as_str() {
            "identity" | "none" => ContentEncoding::Identity,
            "gzip" | "x-gzip" => ContentEncoding::Gzip,
            "deflate" => ContentEncoding::Deflate,
            "br" => ContentEncoding::Brotli,
            "zstd" => ContentEncoding::Zstd,
            _ => return None,
        })
    }
}

/// What a decoded body may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecodeLimits {
    /// Most decoded bytes.
    pub max_bytes: usize,
    /// Most decoded bytes for each byte given in, judged above 1 MiB of decoded bytes.
    pub max_ratio: u32,
}

impl Default for DecodeLimits {
    /// 10 MiB and 200, as [`FetchConfig`](crate::FetchConfig).
    fn default() -> Self {
        Self { max_bytes: 10 * 1024 * 1024, max_ratio: 200 }
    }
}

/// Why a body could not be decoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// More decoded bytes than the limit.
    #[error("the decoded body exceeds {limit} bytes")]
    TooLarge {
        /// Value of the limit.
        limit: usize,
    },
    /// More decoded bytes for each byte sent than the limit.
    #[error("the body exceeds {limit} decoded bytes for each byte sent")]
    Ratio {
        /// Value of the limit.
        limit: u32,
    },
    /// The bytes do not follow their format.
    #[error("the body is not valid {0}")]
    Corrupt(&'static str),
    /// The packed stream has no end.
    #[error("the {0} stream of the body has no end")]
    Unfinished(&'static str),
    /// A coding that we do not know.
    #[error("the content coding `{0}` is unknown")]
    Unknown(String),
    /// More codings on top of one another than are undone.
    #[error("too many content codings were applied")]
    Stacked,
}

/// Undoes the content coding of a whole body.
///
/// * `wire`: the body as sent. No bytes at all decode to no bytes, whatever the coding.
/// * Bytes after the end of a packed stream are ignored, as browsers do, but further gzip members are read.
/// * O(decoded bytes) time; memory never exceeds `max_bytes` by more than a piece of 32 KiB, besides the decoder's
///   window (gzip 32 KiB, br at most 16 MiB, zstd at most 8 MiB).
///
/// # Errors
/// [`DecodeError`]; a decoded prefix is dropped.
pub fn decode_body(wire: &[u8], encoding: ContentEncoding, limits: DecodeLimits) -> Result<Vec<u8>, DecodeError> {
    let mut decoder = Decoder::new(encoding, limits);
    decoder.push(wire)?;
    decoder.finish()
}

/// What comes out of the begin of a body before its end or a fault, at most the limit.
pub(crate) fn decode_begin(wire: &[u8], encoding: ContentEncoding, limits: DecodeLimits) -> Vec<u8> {
    let mut decoder = Decoder::new(encoding, limits);
    // Whatever stops it, what came before is of use.
    let _ = decoder.push(wire);
    decoder.into_prefix()
}

/// The same, piece by piece as the bytes come in.
pub(crate) struct Decoder {
    engine: DecodeEngine,
    limits: DecodeLimits,
    /// Whether no byte was handed in.
    is_empty: bool,
    /// Bytes that the engine has taken: a ratio counts only what was needed for it.
    n_taken: usize,
    decoded: Vec<u8>,
    piece: Vec<u8>,
}

impl Decoder {
    pub(crate) fn new(encoding: ContentEncoding, limits: DecodeLimits) -> Self {
        Self {
            engine: DecodeEngine::new(encoding),
            limits,
            is_empty: true,
            n_taken: 0,
            decoded: Vec::new(),
            piece: Vec::new(),
        }
    }

    /// The bytes decoded so far.
    pub(crate) fn decoded(&self) -> &[u8] {
        &self.decoded
    }

    /// Gives up the bytes decoded so far, for a body that is cut on purpose.
    pub(crate) fn into_prefix(mut self) -> Vec<u8> {
        self.decoded.truncate(self.limits.max_bytes);
        self.decoded
    }

    /// Decodes further bytes.
    pub(crate) fn push(&mut self, mut input: &[u8]) -> Result<(), DecodeError> {
        self.push_up_to(&mut input, usize::MAX).map(drop)
    }

    /// Decodes from `input`, which shrinks, until nothing is left or the body has `most` bytes, or a piece more. In the second
    /// case it is `false`, and there may be more to come although `input` is empty.
    pub(crate) fn push_up_to(&mut self, input: &mut &[u8], most: usize) -> Result<bool, DecodeError> {
        self.is_empty &= input.is_empty();
        match &mut self.engine {
            DecodeEngine::Identity => {
                // One byte beyond the limit is enough to see that it was passed.
                let room = self.limits.max_bytes.saturating_sub(self.decoded.len());
                let taken = &input[..input.len().min(room.saturating_add(1))];
                self.decoded.extend_from_slice(taken);
                self.n_taken += taken.len();
                self.check().map(|()| true)
            }
            DecodeEngine::DeflateStart(start) => {
                let (first, rest) = input.split_at(input.len().min(2 - start.len()));
                start.extend_from_slice(first);
                *input = rest;
                if start.len() < 2 {
                    return Ok(true);
                }
                let start = std::mem::take(start);
                self.engine = DecodeEngine::deflate(&start);
                self.steps(&mut &start[..], usize::MAX)?;
                self.steps(input, most)
            }
            _ => self.steps(input, most),
        }
    }

    fn steps(&mut self, input: &mut &[u8], most: usize) -> Result<bool, DecodeError> {
        if self.piece.is_empty() {
            self.piece.resize(PIECE_BYTES, 0);
        }
        while self.decoded.len() < most {
            let step = self.engine.step(input, &mut self.piece)?;
            *input = &input[step.n_read..];
            self.n_taken += step.n_read;
            self.decoded.extend_from_slice(&self.piece[..step.n_made]);
            self.check()?;
            if step.ended {
                self.engine = DecodeEngine::Done;
                return Ok(true);
            }
            // A full piece may leave more behind in the decoder even when all input is taken.
            if step.n_made < self.piece.len() && (input.is_empty() || step.n_read == 0 && step.n_made == 0) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the stream may end here; no bytes at all are a whole body too.
    ///
    /// # Errors
    /// The stream has no end.
    pub(crate) fn end(&self) -> Result<(), DecodeError> {
        if self.is_empty { Ok(()) } else { self.engine.end() }
    }

    /// The whole body, if its stream came to an end.
    pub(crate) fn finish(self) -> Result<Vec<u8>, DecodeError> {
        self.end()?;
        Ok(self.decoded)
    }

    fn check(&self) -> Result<(), DecodeError> {
        let n = self.decoded.len();
        if n > self.limits.max_bytes {
            return Err(DecodeError::TooLarge { limit: self.limits.max_bytes });
        }
        if n > RATIO_FLOOR_BYTES && n / self.n_taken.max(1) >= self.limits.max_ratio as usize {
            return Err(DecodeError::Ratio { limit: self.limits.max_ratio });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use proptest::prelude::*;

    use super::*;

    const ALL: [ContentEncoding; 5] = [
        ContentEncoding::Identity,
        ContentEncoding::Gzip,
        ContentEncoding::Deflate,
        ContentEncoding::Brotli,
        ContentEncoding::Zstd,
    ];

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(9));
        writer.write_all(bytes).unwrap();
        writer.finish().unwrap()
    }

    fn pack(bytes: &[u8], encoding: ContentEncoding) -> Vec<u8> {
        match encoding {
            ContentEncoding::Identity => bytes.to_vec(),
            ContentEncoding::Gzip => gzip(bytes),
            ContentEncoding::Deflate => {
                let mut writer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::new(6));
                writer.write_all(bytes).unwrap();
                writer.finish().unwrap()
            }
            ContentEncoding::Brotli => {
                let mut packed = Vec::new();
                let params = brotli::enc::BrotliEncoderParams { quality: 5, ..Default::default() };
                brotli::BrotliCompress(&mut &bytes[..], &mut packed, &params).unwrap();
                packed
            }
            ContentEncoding::Zstd => zstd::bulk::compress(bytes, 3).unwrap(),
        }
    }

    #[test]
    fn a_wrong_checksum_costs_nothing() {
        let text = b"The mill stands beside the river. ".repeat(5_000);
        for (encoding, trailer) in [(ContentEncoding::Gzip, 8), (ContentEncoding::Deflate, 4)] {
            let mut packed = pack(&text, encoding);
            let n = packed.len();
            packed[n - trailer..].fill(0);
            assert_eq!(decode_body(&packed, encoding, DecodeLimits::default()).unwrap(), text, "{encoding:?}");
        }
    }

    #[test]
    fn raw_deflate_under_the_name_of_deflate_is_read() {
        let mut writer = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::new(6));
        writer.write_all(b"<html>hello hello hello").unwrap();
        let raw = writer.finish().unwrap();
        let decoded = decode_body(&raw, ContentEncoding::Deflate, DecodeLimits::default()).unwrap();
        assert_eq!(decoded, b"<html>hello hello hello");
    }

    #[test]
    fn members_after_the_first_are_read_and_padding_is_not() {
        let mut two = gzip(b"one ");
        two.extend(gzip(b"two"));
        two.extend([0; 50]);
        assert_eq!(decode_body(&two, ContentEncoding::Gzip, DecodeLimits::default()).unwrap(), b"one two");
        let mut decoder = Decoder::new(ContentEncoding::Gzip, DecodeLimits::default());
        for byte in two {
            decoder.push(&[byte]).unwrap();
        }
        assert_eq!(decoder.finish().unwrap(), b"one two");
    }

    #[test]
    fn a_bomb_stops_at_the_limit_in_every_coding() {
        let zeros = vec![0; 60_000_000];
        for encoding in &ALL[1..] {
            let packed = pack(&zeros, *encoding);
            let few = DecodeLimits { max_bytes: 3_000_000, max_ratio: u32::MAX };
            assert_eq!(decode_body(&packed, *encoding, few), Err(DecodeError::TooLarge { limit: 3_000_000 }));
            let mut decoder = Decoder::new(*encoding, few);
            assert!(decoder.push(&packed).is_err());
            assert!(decoder.decoded.len() <= 3_000_000 + PIECE_BYTES, "{encoding:?}");
            let swelling = DecodeLimits { max_bytes: usize::MAX, max_ratio: 200 };
            assert_eq!(
                decode_body(&packed, *encoding, swelling),
                Err(DecodeError::Ratio { limit: 200 }),
                "{encoding:?}"
            );
        }
    }

    #[test]
    fn an_honest_body_up_to_the_limit_is_taken_in_every_coding_whole_and_in_pieces() {
        // One byte more than the limit allows, of text that packs to some tenth.
        let limits = DecodeLimits { max_bytes: 3 << 20, ..DecodeLimits::default() };
        let words = (0u32..).flat_map(|n| format!("<p>{} words", n.wrapping_mul(2_654_435_761)).into_bytes());
        let page: Vec<u8> = words.take(limits.max_bytes + 1).collect();
        for encoding in ALL {
            let (whole, beyond) = (pack(&page[1..], encoding), pack(&page, encoding));
            assert_eq!(decode_body(&whole, encoding, limits).unwrap(), page[1..], "{encoding:?}");
            let mut decoder = Decoder::new(encoding, limits);
            whole.chunks(1400).for_each(|piece| decoder.push(piece).unwrap());
            assert_eq!(decoder.finish().unwrap(), page[1..], "{encoding:?}");
            let refused = decode_body(&beyond, encoding, limits);
            assert_eq!(refused, Err(DecodeError::TooLarge { limit: 3 << 20 }), "{encoding:?}");
        }
    }

    #[test]
    fn a_stream_without_its_end_is_told_from_a_whole_one() {
        let text = b"some text that is long enough to be packed, packed, packed";
        for encoding in &ALL[1..] {
            let packed = pack(text, *encoding);
            let cut = &packed[..packed.len() - 3];
            let error = decode_body(cut, *encoding, DecodeLimits::default()).unwrap_err();
            assert!(matches!(error, DecodeError::Unfinished(_)), "{encoding:?}: {error}");
            assert_eq!(decode_body(b"", *encoding, DecodeLimits::default()).unwrap(), b"");
        }
    }

    #[test]
    fn of_an_answer_unknown_codings_count_for_nothing_and_several_are_kept_in_order() {
        use ContentEncoding::{Brotli, Gzip};
        for (value, codings) in [
            ("", vec![]),
            ("UTF-8", vec![]),
            ("binary, identity", vec![]),
            ("gzip,gzip", vec![Gzip, Gzip]),
            ("br, x-gzip, none", vec![Brotli, Gzip]),
            (" GZip ;q=1, gzip", vec![Gzip]),
        ] {
            assert_eq!(ContentEncoding::applied(value), Ok(codings), "{value}");
        }
        assert_eq!(ContentEncoding::applied("gzip,gzip,gzip,gzip"), Err(DecodeError::Stacked));
    }

    #[test]
    fn headers_name_one_coding_or_are_refused() {
        assert_eq!(ContentEncoding::parse(" X-GZIP "), Ok(ContentEncoding::Gzip));
        assert_eq!(ContentEncoding::parse("identity, br"), Ok(ContentEncoding::Brotli));
        assert_eq!(ContentEncoding::parse(""), Ok(ContentEncoding::Identity));
        assert_eq!(ContentEncoding::parse("gzip, gzip"), Err(DecodeError::Stacked));
        assert_eq!(ContentEncoding::parse("rot13"), Err(DecodeError::Unknown("rot13".to_owned())));
        for encoding in ALL {
            assert_eq!(ContentEncoding::parse(encoding.as_str()), Ok(encoding));
        }
    }

    proptest! {
        #[test]
        fn what_was_packed_comes_out_however_it_is_cut(
            words in proptest::collection::vec(0u8..4, 0..4000),
            repeat in 1usize..40,
            cut in 1usize..500,
        ) {
            let bytes = words.repeat(repeat);
            for encoding in ALL {
                let packed = pack(&bytes, encoding);
                let mut decoder = Decoder::new(encoding, DecodeLimits::default());
                for piece in packed.chunks(cut) {
                    decoder.push(piece).unwrap();
                }
                prop_assert_eq!(&decoder.finish().unwrap(), &bytes, "{:?}", encoding);
            }
        }

        #[test]
        fn any_bytes_are_decoded_or_refused_within_the_limit(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
            let limits = DecodeLimits { max_bytes: 5000, max_ratio: 200 };
            for encoding in ALL {
                if let Ok(decoded) = decode_body(&bytes, encoding, limits) {
                    prop_assert!(decoded.len() <= 5000);
                }
            }
        }

        #[test]
        fn a_broken_stream_never_panics(text in "[a-d ]{0,300}", at in any::<proptest::sample::Index>(), bit in 0u8..8) {
            for encoding in ALL {
                let mut packed = pack(text.as_bytes(), encoding);
                if !packed.is_empty() {
                    let at = at.index(packed.len());
                    packed[at] ^= 1 << bit;
                }
                let _ = decode_body(&packed, encoding, DecodeLimits { max_bytes: 100_000, max_ratio: 200 });
            }
        }
    }
}
