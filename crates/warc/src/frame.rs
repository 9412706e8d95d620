//! Zstd frames (RFC 8878), and the dictionary that an archive may carry in front of them.
//!
//! IIPC's "Zstandard compression of WARC": a dictionary for all frames stands in a skippable frame at the start of the file, as
//! it is or as a zstd frame of its own.

use std::io::{self, Read};

use zstd::stream::raw::{DParameter, Decoder, Operation};

use crate::codec::{CodecState, CodecStep};
use crate::damage::DamageReason;
use crate::source::RewindableInput;

const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Largest window that a frame may ask for, as a power of two: 128 MiB, what the `zstd` program accepts unasked.
const WINDOW_LOG: u32 = 27;

pub(crate) fn has_magic(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Whether a frame may begin here: magic, no reserved bit, and a first block of a kind and length that exist.
pub(crate) fn is_likely(bytes: &[u8]) -> bool {
    let Some(descriptor) = bytes.get(4).filter(|descriptor| has_magic(bytes) && **descriptor & 8 == 0) else {
        return false;
    };
    let single = descriptor & 32 != 0;
    let dictionary_id = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let size = [usize::from(single), 2, 4, 8][usize::from(descriptor >> 6)];
    let first = 5 + usize::from(!single) + dictionary_id + size;
    let Some([low, middle, high]) = bytes.get(first..first + 3) else { return false };
    let block = u32::from_le_bytes([*low, *middle, *high, 0]);
    let (kind, length) = (block >> 1 & 3, block >> 3);
    kind != 3 && length <= 128 << 10
}

/// The kind (0 to 15) and the length in bytes of the skippable frame that begins here.
pub(crate) fn skippable(bytes: &[u8]) -> Option<(u8, u32)> {
    let head = bytes.first_chunk::<8>()?;
    (head[1..4] == [0x2a, 0x4d, 0x18] && head[0] & 0xf0 == 0x50)
        .then(|| (head[0] & 15, u32::from_le_bytes([head[4], head[5], head[6], head[7]])))
}

/// The kind of skippable frame that holds a dictionary.
pub(crate) const DICTIONARY_KIND: u8 = 0xd;

/// The decoder of one frame after the other.
#[derive(Default)]
pub(crate) struct ZstdDecoder {
    decoder: Option<Decoder<'static>>,
    dictionary: Option<Vec<u8>>,
}

impl ZstdDecoder {
    /// The dictionary in use, unpacked.
    pub fn dictionary(&self) -> Option<&[u8]> {
        self.dictionary.as_deref()
    }

    /// Sets the dictionary of all frames that follow. It may be packed; `max_bytes` bounds it unpacked.
    pub fn set_dictionary(&mut self, bytes: &[u8], max_bytes: usize) -> Result<(), DamageReason> {
        let unpacked = if has_magic(bytes) { unpack(bytes, max_bytes)? } else { bytes.to_vec() };
        self.decoder = Some(decoder(&unpacked).map_err(|_| DamageReason::Dictionary)?);
        self.dictionary = Some(unpacked);
        Ok(())
    }

    /// The next bytes belong to a new frame.
    pub fn open(&mut self) {
        let is_ready = self.decoder.as_mut().is_some_and(|decoder| decoder.reinit().is_ok());
        if !is_ready {
            self.decoder = decoder(self.dictionary.as_deref().unwrap_or_default()).ok();
        }
    }

    /// Decodes some of the frame into `out`, which is not empty.
    ///
    /// # Errors
    ///
    /// Those of the input.
    pub fn step<R: Read>(&mut self, source: &mut RewindableInput<R>, out: &mut [u8]) -> io::Result<CodecStep> {
        let input = source.want(1)?;
        if input.is_empty() {
            return Ok(CodecStep::failed(DamageReason::MemberCut));
        }
        let Some(Ok(status)) = self.decoder.as_mut().map(|decoder| decoder.run_on_buffers(input, out)) else {
            return Ok(CodecStep::failed(DamageReason::Zstd));
        };
        source.consume(status.bytes_read);
        let state = if status.remaining == 0 { CodecState::Ended } else { CodecState::More };
        Ok(CodecStep { n_made: status.bytes_written, state })
    }
}

fn decoder(dictionary: &[u8]) -> io::Result<Decoder<'static>> {
    let mut decoder = Decoder::with_dictionary(dictionary)?;
    decoder.set_parameter(DParameter::WindowLogMax(WINDOW_LOG))?;
    Ok(decoder)
}

fn unpack(bytes: &[u8], max_bytes: usize) -> Result<Vec<u8>, DamageReason> {
    let mut unpacked = Vec::new();
    let decoder = zstd::stream::read::Decoder::with_buffer(bytes).map_err(|_| DamageReason::Dictionary)?;
    decoder.take(max_bytes as u64 + 1).read_to_end(&mut unpacked).map_err(|_| DamageReason::Dictionary)?;
    if unpacked.len() > max_bytes { Err(DamageReason::Dictionary) } else { Ok(unpacked) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_all_sizes_are_likely_and_text_is_not() {
        for length in [0, 1, 300, 70_000, 1 << 20] {
            let frame = zstd::encode_all(&vec![b'x'; length][..], 1).unwrap();
            assert!(is_likely(&frame), "{length}");
        }
        assert!(!is_likely(b"\x28\xb5\x2f\xfd\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"));
        assert!(!is_likely(b"WARC/1.0") && !is_likely(&MAGIC));
    }

    #[test]
    fn a_dictionary_that_grows_too_large_is_refused() {
        let bomb = zstd::encode_all(&vec![0; 1 << 20][..], 1).unwrap();
        assert_eq!(ZstdDecoder::default().set_dictionary(&bomb, 1 << 16), Err(DamageReason::Dictionary));
        assert_eq!(ZstdDecoder::default().set_dictionary(b"raw content is a dictionary, too", 1 << 16), Ok(()));
    }
}
