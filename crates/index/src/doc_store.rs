//! Stored documents, looked through before they are read: tantivy takes a length that it finds for true, and memory for it.
//!
//! ```text
//! number of fields VInt │ field u32 LE │ type u8 │ text: length VInt, bytes; number: 8 bytes │ field …
//! ```
//! Source: `BinaryDocumentSerializer` of tantivy 0.27; only the types that our schema stores.

use std::io;

use tantivy::store::StoreReader;
use tantivy::{DocId, TantivyDocument};

const TEXT: u8 = 0;
const U64: u8 = 1;
const I64: u8 = 2;
const F64: u8 = 6;

/// Reads a document of `store`.
///
/// # Errors
/// Its bytes are not those of a document, as the errors of damaged files are.
pub(crate) fn read(store: &StoreReader, doc: DocId) -> tantivy::Result<TantivyDocument> {
    if !is_whole(&store.get_document_bytes(doc)?) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the bytes of a document mean nothing").into());
    }
    store.get(doc)
}

fn is_whole(mut bytes: &[u8]) -> bool {
    let Some(count) = number(&mut bytes) else { return false };
    (0..count).all(|_| field(&mut bytes).is_some())
}

/// Passes over one field with its value.
fn field(bytes: &mut &[u8]) -> Option<()> {
    take(bytes, 4)?;
    let length = match take(bytes, 1)? {
        [TEXT] => usize::try_from(number(bytes)?).ok()?,
        [U64 | I64 | F64] => 8,
        _ => return None,
    };
    take(bytes, length).map(drop)
}

fn take<'a>(bytes: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (taken, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(taken)
}

/// A VInt: seven bits a byte, the low ones first, the last byte marked by its high bit.
fn number(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = *take(bytes, 1)?.first()?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 != 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_pass_and_lengths_beyond_the_end_do_not() {
        let text = [&[0x81, 3, 0, 0, 0, TEXT, 0x82][..], b"ab"].concat();
        let number = [&[0x81, 3, 0, 0, 0, U64][..], &[7; 8]].concat();
        assert!(is_whole(&text) && is_whole(&number) && is_whole(&[0x80]));
        for length in 0..text.len() {
            assert!(!is_whole(&text[..length]), "{length}");
        }
        assert!(!is_whole(&[0x81, 3, 0, 0, 0, TEXT, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x7f, 0x80]));
        assert!(!is_whole(&[0x81, 3, 0, 0, 0, 99]) && !is_whole(&[0; 20]));
    }
}
