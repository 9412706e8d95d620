//! Character references (§13.2.5.72 to 80), wherever they stand.

use memchr::memchr2;

use super::entities::{self, ReferenceChars};

/// The reference that begins behind the `&` at `at - 1`, and the offset of what follows it; `None` where the `&` is
/// only itself. In attributes, a name without `;` before `=`, a letter or a digit is none: it is more likely part of a
/// URL.
pub(super) fn reference(bytes: &[u8], at: usize, in_attribute: bool) -> Option<(ReferenceChars, usize)> {
    match bytes.get(at)? {
        b'#' => numeric(bytes, at + 1),
        first if first.is_ascii_alphabetic() => {
            let (characters, length) = entities::longest(bytes.get(at..)?)?;
            let end = at + length;
            let goes_on = |byte: &u8| *byte == b'=' || byte.is_ascii_alphanumeric();
            if in_attribute && bytes[end - 1] != b';' && bytes.get(end).is_some_and(goes_on) {
                return None;
            }
            Some((characters, end))
        }
        _ => None,
    }
}

/// The number behind `&#`, decimal or hexadecimal, with or without its `;`.
fn numeric(bytes: &[u8], at: usize) -> Option<(ReferenceChars, usize)> {
    let (radix, digits) = match bytes.get(at)? {
        b'x' | b'X' => (16, at + 1),
        _ => (10, at),
    };
    let (mut code, mut end) = (0u32, digits);
    while let Some(digit) = bytes.get(end).and_then(|&byte| char::from(byte).to_digit(radix)) {
        // No code point is that large, and a larger number must not become a smaller one.
        code = code.saturating_mul(radix).saturating_add(digit);
        end += 1;
    }
    if end == digits {
        return None;
    }
    end += usize::from(bytes.get(end) == Some(&b';'));
    Some((ReferenceChars::one(character(code)), end))
}

/// The character of a numeric reference (§13.2.5.80): those from 0x80 to 0x9F are meant as windows-1252.
fn character(code: u32) -> char {
    const WINDOWS: [char; 32] = [
        '\u{20AC}', '\u{81}', '\u{201A}', '\u{192}', '\u{201E}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2C6}',
        '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8D}', '\u{17D}', '\u{8F}', '\u{90}', '\u{2018}', '\u{2019}',
        '\u{201C}', '\u{201D}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2DC}', '\u{2122}', '\u{161}', '\u{203A}',
        '\u{153}', '\u{9D}', '\u{17E}', '\u{178}',
    ];
    match code {
        0 => char::REPLACEMENT_CHARACTER,
        0x80..=0x9F => WINDOWS[(code - 0x80) as usize],
        // Surrogates and numbers beyond Unicode are no `char`.
        _ => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

/// Appends the value of an attribute with its references resolved and U+0000 replaced.
pub(super) fn decode_value(text: &str, out: &mut String) {
    let bytes = text.as_bytes();
    let (mut done, mut at) = (0, 0);
    while let Some(offset) = bytes.get(at..).and_then(|rest| memchr2(b'&', 0, rest)) {
        let special = at + offset;
        at = special + 1;
        let found = match bytes[special] {
            0 => Some((ReferenceChars::one(char::REPLACEMENT_CHARACTER), at)),
            _ => reference(bytes, at, true),
        };
        if let Some((characters, end)) = found {
            out.push_str(text.get(done..special).unwrap_or_default());
            out.extend(characters.chars());
            (done, at) = (end, end);
        }
    }
    out.push_str(text.get(done..).unwrap_or_default());
}
