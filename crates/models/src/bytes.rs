//! Little-endian numbers and texts, with every length checked.

use crate::error::ModelError;

/// What is left of a file.
pub(crate) struct ByteReader<'b> {
    pub(crate) rest: &'b [u8],
}

impl<'b> ByteReader<'b> {
    pub(crate) fn take(&mut self, n: usize) -> Result<&'b [u8], ModelError> {
        let (taken, rest) = self.rest.split_at_checked(n).ok_or(ModelError::CutOff)?;
        self.rest = rest;
        Ok(taken)
    }

    /// `count` values of `size` bytes each.
    pub(crate) fn values(&mut self, count: usize, size: usize) -> Result<&'b [u8], ModelError> {
        self.take(count.checked_mul(size).ok_or(ModelError::CutOff)?)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, ModelError> {
        Ok(u32::from_le_bytes(self.take(4)?.try_into().expect("four bytes were taken")))
    }

    pub(crate) fn u8(&mut self) -> Result<u8, ModelError> {
        Ok(self.take(1)?[0])
    }

    pub(crate) fn text(&mut self) -> Result<&'b str, ModelError> {
        let length = self.u32()? as usize;
        std::str::from_utf8(self.take(length)?).map_err(|_| ModelError::NoText)
    }
}

/// Lengths are 32 bits; no model comes near that.
pub(crate) fn put_length(out: &mut Vec<u8>, length: usize) {
    out.extend(u32::try_from(length).expect("a model is smaller than 4 GiB").to_le_bytes());
}

pub(crate) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_length(out, text.len());
    out.extend(text.as_bytes());
}
