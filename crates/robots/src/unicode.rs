//! The text of a listing, whichever Unicode encoding it came in.

use std::borrow::Cow;

/// `bytes` as text without its byte order mark and the white space before the first character.
///
/// UTF-16 is told by its mark, or by a NUL beside the `<` that begins XML; all else is taken for UTF-8. Units that are no
/// text become U+FFFD, and an odd byte at the end, where a listing was cut, is dropped. O(n); UTF-8 is not copied.
pub(crate) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    let text: Cow<'_, str> = match bytes {
        [0xff, 0xfe, ..] | [b'<', 0, ..] => from_utf16(bytes, u16::from_le_bytes).into(),
        [0xfe, 0xff, ..] | [0, b'<', ..] => from_utf16(bytes, u16::from_be_bytes).into(),
        _ => String::from_utf8_lossy(bytes),
    };
    let is_margin = |character: char| character == '\u{feff}' || character.is_whitespace();
    match text {
        Cow::Borrowed(text) => text.trim_start_matches(is_margin).into(),
        Cow::Owned(text) => text.trim_start_matches(is_margin).to_owned().into(),
    }
}

fn from_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_16_is_told_by_its_mark_or_its_first_character() {
        let little: Vec<u8> = "<a>文</a>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = "<a>文</a>".encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [[b"\xff\xfe", &little[..]].concat(), [b"\xfe\xff", &big[..]].concat(), little, big] {
            assert_eq!(text_of(&bytes), "<a>文</a>");
            assert_eq!(text_of(&bytes[..bytes.len() - 1]), "<a>文</a", "cut in the middle of a character");
        }
        assert_eq!(text_of("\u{feff} \n<a>".as_bytes()), "<a>");
        assert_eq!(text_of(b"\xff\xff"), "\u{fffd}\u{fffd}");
        assert_eq!(text_of(b""), "");
    }
}
