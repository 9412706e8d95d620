//! How the start of a record looks.

use memchr::memmem;

/// What every record begins with.
pub(crate) const START: &[u8] = b"WARC/";

/// Bytes that [`find_record`] needs to see to know a start: those at the end of the data are no start yet.
pub(crate) const START_BYTES: usize = 64;

/// Whether the bytes are a version line with a first field of a record below it.
///
/// Stricter than what a reader accepts where a record is due: pages write about archives, too.
pub(crate) fn is_record_start(bytes: &[u8]) -> bool {
    let Some(version) = bytes.strip_prefix(START) else { return false };
    let Some((line, rest)) =
        memchr::memchr(b'\n', &version[..version.len().min(16)]).map(|end| version.split_at(end + 1))
    else {
        return false;
    };
    let line = line.trim_ascii();
    let is_version = matches!(line, [b'0'..=b'2', b'.', digits @ ..]
        if matches!(digits.len(), 1 | 2) && digits.iter().all(u8::is_ascii_digit));
    is_version && [&b"WARC-"[..], b"Content-"].iter().any(|name| starts_with_ignoring_case(rest, name))
}

pub(crate) fn starts_with_ignoring_case(bytes: &[u8], prefix: &[u8]) -> bool {
    bytes.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix))
}

/// The index of the first start of a record.
pub(crate) fn find_record(bytes: &[u8]) -> Option<usize> {
    memmem::find_iter(bytes, START).find(|at| is_record_start(&bytes[*at..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_has_a_version_and_a_field() {
        for start in
            ["WARC/1.0\r\nWARC-Type: x", "WARC/1.1\ncontent-length: 1", "WARC/0.18\r\nwarc-", "WARC/1.0 \r\nWARC-"]
        {
            assert!(is_record_start(start.as_bytes()), "{start}");
            assert!(start.len() <= START_BYTES);
        }
        for other in
            ["WARC/1.0", "WARC/1.0 is a format", "WARC/1.\r\nWARC-", "WARC/x.0\r\nWARC-", "WARC/1.0\r\n<p>", "WARC"]
        {
            assert!(!is_record_start(other.as_bytes()), "{other}");
        }
        assert_eq!(find_record(b"on WARC/1.0 files: WARC/1.0\r\nWARC-Type: x"), Some(19));
    }
}
