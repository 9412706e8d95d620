//! The lines of a robots.txt as `(key, value)` pairs, however they end and whatever stands between them.

/// Yields `(key, value)` of each line, trimmed, comments cut.
///
/// Lines end with CR, LF or both (RFC 9309 §2.2). A colon divides them; where it was forgotten, white space does, as long as
/// there are two words and no more: `disallow /x` leaves no doubt (Google's parser and crawler-commons agree).
/// An empty line, which one with nothing but a comment is not, gives an empty pair.
pub(crate) fn records(bytes: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut is_after_return = false;
    bytes.split_inclusive(|byte| matches!(byte, b'\r' | b'\n')).filter_map(move |line| {
        let is_end_of_last = line == b"\n" && is_after_return;
        is_after_return = line.ends_with(b"\r");
        if line.trim_ascii().is_empty() {
            return (!is_end_of_last).then_some((&line[..0], &line[..0]));
        }
        // Files that were put together from several have a byte order mark before the lines of each.
        let line = line.trim_ascii().strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let line = memchr::memchr(b'#', line).map_or(line, |hash| &line[..hash]).trim_ascii();
        if let Some(colon) = memchr::memchr(b':', line) {
            return Some((line[..colon].trim_ascii_end(), line[colon + 1..].trim_ascii_start()));
        }
        let (key, value) = line.split_at(line.iter().position(u8::is_ascii_whitespace)?);
        let value = value.trim_ascii_start();
        (!value.iter().any(u8::is_ascii_whitespace)).then_some((key, value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_line_ending_ends_a_line_and_comments_are_cut() {
        let text = b"A: 1\r\nB:2\rC :3 # note\n# D: 4\nbare\n\nE:";
        let pairs: Vec<_> = records(text).collect();
        let expected: Vec<(&[u8], &[u8])> = vec![(b"A", b"1"), (b"B", b"2"), (b"C", b"3"), (b"", b""), (b"E", b"")];
        assert_eq!(pairs, expected);
    }

    #[test]
    fn a_byte_order_mark_may_stand_before_any_line() {
        let pairs: Vec<_> = records("\u{feff}A: 1\n\u{feff}B: 2\n \u{feff}# C: 3\n".as_bytes()).collect();
        assert_eq!(pairs, [(&b"A"[..], &b"1"[..]), (b"B", b"2")]);
    }

    #[test]
    fn a_forgotten_colon_is_white_space_between_two_words() {
        let pairs: Vec<_> = records(b" A\t 1 # note\nB 2 3\nC 4 : 5").collect();
        let expected: Vec<(&[u8], &[u8])> = vec![(b"A", b"1"), (b"C 4", b"5")];
        assert_eq!(pairs, expected);
    }
}
