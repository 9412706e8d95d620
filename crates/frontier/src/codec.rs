//! Bytes of the store's records: integers as LEB128, texts with their length in front.

/// Appends values to a record.
#[derive(Default)]
pub(crate) struct RecordEncoder(pub(crate) Vec<u8>);

impl RecordEncoder {
    pub(crate) fn number(&mut self, mut value: u64) -> &mut Self {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
        self
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        self.bytes(text.as_bytes())
    }

    pub(crate) fn flag(&mut self, flag: bool) -> &mut Self {
        self.number(u64::from(flag))
    }

    /// A text that may be missing: the empty text stands for none.
    pub(crate) fn optional_text(&mut self, text: Option<&str>) -> &mut Self {
        self.text(text.unwrap_or_default())
    }

    pub(crate) fn optional_number(&mut self, value: Option<u64>) -> &mut Self {
        self.flag(value.is_some()).number(value.unwrap_or(0))
    }
}

/// Takes values from a record; `None` when the bytes do not hold them.
pub(crate) struct RecordDecoder<'a>(pub(crate) &'a [u8]);

impl<'a> RecordDecoder<'a> {
    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    pub(crate) fn small<T: TryFrom<u64>>(&mut self) -> Option<T> {
        T::try_from(self.number()?).ok()
    }

    pub(crate) fn bytes(&mut self) -> Option<&'a [u8]> {
        let length = self.small::<usize>()?;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    pub(crate) fn text(&mut self) -> Option<String> {
        Some(std::str::from_utf8(self.bytes()?).ok()?.to_owned())
    }

    pub(crate) fn flag(&mut self) -> Option<bool> {
        Some(self.number()? != 0)
    }

    pub(crate) fn optional_text(&mut self) -> Option<Option<String>> {
        Some(Some(self.text()?).filter(|text| !text.is_empty()))
    }

    pub(crate) fn optional_number(&mut self) -> Option<Option<u64>> {
        let (is_there, value) = (self.flag()?, self.number()?);
        Some(is_there.then_some(value))
    }
}

/// Differences of either sign as small numbers.
pub(crate) fn zigzag(difference: u64) -> u64 {
    difference << 1 ^ ((difference as i64) >> 63) as u64
}

pub(crate) fn unzigzag(number: u64) -> u64 {
    number >> 1 ^ (number & 1).wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(number: u64, text in "\\PC{0,20}", optional: Option<u64>) {
            let mut writer = RecordEncoder::default();
            writer.number(number).text(&text).optional_number(optional).flag(true);
            let mut reader = RecordDecoder(&writer.0);
            prop_assert_eq!(reader.number(), Some(number));
            prop_assert_eq!(reader.text(), Some(text));
            prop_assert_eq!(reader.optional_number(), Some(optional));
            prop_assert_eq!(reader.flag(), Some(true));
            prop_assert_eq!(reader.number(), None);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let mut reader = RecordDecoder(&bytes);
            while reader.bytes().is_some() {}
            let _ = RecordDecoder(&bytes).number();
        }
    }
}
