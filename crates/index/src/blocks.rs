//! Blocks of stored documents, looked at before tantivy unpacks them: it takes the length that stands before a block for true, and
//! memory for it, up to 4 GiB for one damaged byte.
//!
//! ```text
//! unpacked length u32 LE │ zstd frame, which says its content size, too
//! ```
//! Source: `compression_zstd_block.rs` of tantivy 0.27; RFC 8878 §3.1.1.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use tantivy::HasLen;
use tantivy::directory::{FileHandle, OwnedBytes};
use zstd::zstd_safe::get_frame_content_size;

/// How a zstd frame begins.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The end of the file, which is read alone and is no block.
const FOOTER_BYTES: usize = 28;

/// The handle of a file, checked where it is one of stored documents.
pub(crate) fn checked(path: &Path, handle: Arc<dyn FileHandle>) -> Arc<dyn FileHandle> {
    match path.extension().is_some_and(|end| end == "store") {
        true => Arc::new(Checked(handle)),
        false => handle,
    }
}

struct Checked(Arc<dyn FileHandle>);

impl FileHandle for Checked {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        let bytes = self.0.read_bytes(range)?;
        match fits(&bytes) {
            true => Ok(bytes),
            false => {
                let message = "a block of stored documents is damaged: its length is not that of its content";
                Err(io::Error::new(io::ErrorKind::InvalidData, message))
            }
        }
    }
}

/// Whether these bytes are no block, or one whose two lengths are the same.
fn fits(bytes: &[u8]) -> bool {
    let Some((length, frame)) = bytes.split_first_chunk::<4>().filter(|_| bytes.len() > FOOTER_BYTES) else {
        return true;
    };
    let length = u64::from(u32::from_le_bytes(*length));
    !frame.starts_with(&MAGIC) || matches!(get_frame_content_size(frame), Ok(Some(content)) if content == length)
}

impl HasLen for Checked {
    fn len(&self) -> usize {
        self.0.len()
    }
}

impl fmt::Debug for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_with_a_wrong_length_is_told_from_a_sound_one_and_from_what_is_no_block() {
        let text = b"The mill stands at the river and grinds the grain of the valley, year after year. ".repeat(20);
        let mut block = (text.len() as u32).to_le_bytes().to_vec();
        block.extend(zstd::bulk::compress(&text, 1).unwrap());
        assert!(fits(&block) && fits(&block[4..]) && fits(b"") && fits(&[0; 100]));
        for bit in 0..32 {
            let mut damaged = block.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(!fits(&damaged), "bit {bit}");
        }
    }
}
