//! A robots.txt as lines of UTF-8, whichever encoding or wrapping it came in.

use std::borrow::Cow;

/// `bytes` without their byte order mark, from UTF-16 to UTF-8, and without the tags of files that are HTML.
///
/// RFC 9309 §2.2 knows UTF-8 only, and no mark. Of the mark of UTF-8 a part is enough, as for Google's parser: editors
/// leave such parts behind. Bytes that are no UTF-8 stay as they are, since a path in another charset is escaped byte by
/// byte. O(n); most files are not copied.
pub(crate) fn plain(bytes: &[u8]) -> Cow<'_, [u8]> {
    let text = match bytes {
        [0xff, 0xfe, rest @ ..] => from_utf16(rest, u16::from_le_bytes).into(),
        [0xfe, 0xff, rest @ ..] => from_utf16(rest, u16::from_be_bytes).into(),
        [1..=0x7f, 0, 1..=0x7f, 0, ..] => from_utf16(bytes, u16::from_le_bytes).into(),
        [0, 1..=0x7f, 0, 1..=0x7f, ..] => from_utf16(bytes, u16::from_be_bytes).into(),
        [0xef, 0xbb, 0xbf, rest @ ..] | [0xef, 0xbb, rest @ ..] | [0xef, rest @ ..] => Cow::Borrowed(rest),
        _ => Cow::Borrowed(bytes),
    };
    if text.trim_ascii_start().starts_with(b"<") { without_tags(&text).into() } else { text }
}

/// Units that are no text become U+FFFD; an odd byte at the end is dropped.
fn from_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Vec<u8> {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let text: String =
        char::decode_utf16(units).map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    text.into_bytes()
}

/// Some sites send their rules as a web page. Tags are cut line by line, and a `<br>` ends a line; a page without rules has
/// none afterwards either.
fn without_tags(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|byte| matches!(byte, b'\r' | b'\n')) {
        let mut rest = line;
        while let Some(start) = memchr::memchr(b'<', rest)
            && let Some(length) = memchr::memchr(b'>', &rest[start..])
        {
            plain.extend_from_slice(&rest[..start]);
            let tag = &rest[start + 1..start + length];
            if tag.get(..2).is_some_and(|name| name.eq_ignore_ascii_case(b"br")) {
                plain.push(b'\n');
            }
            rest = &rest[start + length + 1..];
        }
        plain.extend_from_slice(rest);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_16_is_told_by_its_mark_or_its_first_characters() {
        let little: Vec<u8> = "a: 文".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = "a: 文".encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [[b"\xff\xfe", &little[..]].concat(), [b"\xfe\xff", &big[..]].concat(), little, big] {
            assert_eq!(plain(&bytes), "a: 文".as_bytes());
            assert_eq!(plain(&bytes[..bytes.len() - 1]), &b"a: "[..], "cut in the middle of a character");
        }
        assert_eq!(plain(b"\xff\xff"), &b"\xff\xff"[..]);
    }

    #[test]
    fn the_mark_of_utf_8_may_be_a_part_of_it() {
        for mark in [&b"\xef\xbb\xbf"[..], b"\xef\xbb", b"\xef", b""] {
            assert_eq!(plain(&[mark, b"User-agent: *"].concat()), &b"User-agent: *"[..]);
        }
    }

    #[test]
    fn tags_of_a_web_page_fall_away_and_those_of_a_rule_stay() {
        assert_eq!(plain(b" <p>a: 1<BR/>b: 2</p>\n<c: 3"), &b" a: 1\nb: 2\n<c: 3"[..]);
        assert_eq!(plain(b"a: /<x>"), &b"a: /<x>"[..]);
    }
}
