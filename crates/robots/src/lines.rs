//! The lines of a robots.txt as `(key, value)` pairs, however they end and whatever stands between them.

/// Yields `(key, value)` of each line that has a colon, trimmed, comments cut.
///
/// Lines end with CR, LF or both (RFC 9309 §2.2); a byte order mark at the start is skipped.
pub(crate) fn records(bytes: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    bytes.split(|byte| matches!(byte, b'\r' | b'\n')).filter_map(|line| {
        let line = memchr::memchr(b'#', line).map_or(line, |hash| &line[..hash]);
        let colon = memchr::memchr(b':', line)?;
        Some((line[..colon].trim_ascii(), line[colon + 1..].trim_ascii()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_line_ending_ends_a_line_and_comments_are_cut() {
        let text = b"\xEF\xBB\xBFA: 1\r\nB:2\rC :3 # note\n# D: 4\nno colon\n\nE:";
        let pairs: Vec<_> = records(text).collect();
        let expected: Vec<(&[u8], &[u8])> = vec![(b"A", b"1"), (b"B", b"2"), (b"C", b"3"), (b"E", b"")];
        assert_eq!(pairs, expected);
    }
}
