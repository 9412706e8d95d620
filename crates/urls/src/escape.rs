//! Percent-encoding in one spelling: unreserved characters bare, everything else as upper-case hex.

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Where in a URL a text stands; decides which characters may stand bare.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum UrlComponent {
    Path,
    Query,
}

/// Appends `text` to `out` with its percent-encoding normalised (RFC 3986 §6.2.2.1–2).
///
/// Encoded unreserved characters are decoded, hex digits go upper-case, characters which RFC 3986 does not
/// allow here are encoded, and a `%` that starts no escape becomes `%25`: otherwise `%%411` would turn
/// into the escape `%A1` by its own decoding, and the result would not be a fixed point.
pub(crate) fn push_normalised(out: &mut String, text: &str, part: UrlComponent) {
    push_normalised_bytes(out, text.as_bytes(), part);
}

/// `bytes` of a path with query, percent-encoded in the one spelling that canonical URLs use; the result
/// is ASCII. O(n). For patterns that are to be compared with canonical URLs, as in robots.txt.
#[must_use]
pub fn normalise_escapes(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    push_normalised_bytes(&mut out, bytes, UrlComponent::Query);
    out
}

fn push_normalised_bytes(out: &mut String, bytes: &[u8], part: UrlComponent) {
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        if byte != b'%' {
            push_byte(out, byte, is_bare(byte, part));
            at += 1;
        } else if let Some(decoded) = escape_at(bytes, at) {
            push_byte(out, decoded, is_unreserved(decoded));
            at += 3;
        } else {
            out.push_str("%25");
            at += 1;
        }
    }
}

fn push_byte(out: &mut String, byte: u8, bare: bool) {
    if bare {
        out.push(char::from(byte));
    } else {
        out.push('%');
        out.push(char::from(HEX[usize::from(byte >> 4)]));
        out.push(char::from(HEX[usize::from(byte & 15)]));
    }
}

fn escape_at(bytes: &[u8], at: usize) -> Option<u8> {
    let high = hex_value(*bytes.get(at + 1)?)?;
    let low = hex_value(*bytes.get(at + 2)?)?;
    Some(high << 4 | low)
}

fn hex_value(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).map(|digit| digit as u8)
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

fn is_bare(byte: u8, part: UrlComponent) -> bool {
    is_unreserved(byte)
        || matches!(byte, b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=' | b':' | b'@')
        || (part == UrlComponent::Query && matches!(byte, b'/' | b'?'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> String {
        let mut out = String::new();
        push_normalised(&mut out, text, UrlComponent::Path);
        out
    }

    #[test]
    fn unreserved_escapes_are_decoded_and_others_go_upper_case() {
        assert_eq!(path("%7euser/%e4%b8%ad%2f".replace('/', "").as_str()), "~user%E4%B8%AD%2F");
    }

    #[test]
    fn a_lone_percent_sign_is_encoded_and_makes_no_new_escape() {
        assert_eq!(path("100%"), "100%25");
        assert_eq!(path("%%411"), "%25A1");
        assert_eq!(path(&path("%%411")), path("%%411"));
    }

    #[test]
    fn characters_outside_the_grammar_are_encoded() {
        assert_eq!(path("a|b[c]^"), "a%7Cb%5Bc%5D%5E");
    }
}
