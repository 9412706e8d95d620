//! The header of a record: its fields as places in the bytes, however its lines are ended, folded or spelt.

use std::borrow::Cow;
use std::ops::Range;

use crate::marker::{START, starts_with_ignoring_case};

/// Where one field stands, counted from the start of the record.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HeaderField {
    pub name: Range<usize>,
    pub value: Range<usize>,
}

#[derive(Debug, PartialEq)]
pub(crate) enum HeaderEnd {
    /// The body begins at this index.
    Body(usize),
    /// A record begins at this index; this header has no end.
    Cut(usize),
    /// No end yet. Go on at this index with more data.
    Unfinished(usize),
}

/// Looks for the end of the header in the data of a record, from the begin of a line.
///
/// An empty line ends it. So does an HTTP status line, which is in the body: some writers forget the empty line.
pub(crate) fn find_end(data: &[u8], from: usize) -> HeaderEnd {
    let mut at = from;
    while let Some(length) = memchr::memchr(b'\n', &data[at..]) {
        let line = &data[at..at + length];
        if matches!(line, b"" | b"\r") {
            return HeaderEnd::Body(at + length + 1);
        }
        if at > 0 && line.starts_with(START) {
            return HeaderEnd::Cut(at);
        }
        if line.starts_with(b"HTTP/") && memchr::memchr(b':', &line[..line.len().min(9)]).is_none() {
            return HeaderEnd::Body(at);
        }
        at += length + 1;
    }
    HeaderEnd::Unfinished(at)
}

/// Reads the fields of a header, which ends with a line end. Folded lines are unfolded in place, with one space between.
///
/// The version line and lines without a colon are no fields. Linear time.
pub(crate) fn read_fields(header: &mut [u8], fields: &mut Vec<HeaderField>) {
    fields.clear();
    let mut next = line_end(header, 0);
    while next < header.len() {
        let (start, end) = (next, line_end(header, next));
        next = end;
        if matches!(header[start], b' ' | b'\t')
            && let Some(last) = fields.last_mut()
        {
            let more = trim(header, start..end);
            if more.is_empty() {
                continue;
            }
            header[last.value.end] = b' ';
            let to = last.value.end + usize::from(!last.value.is_empty());
            header.copy_within(more.clone(), to);
            last.value.end = to + more.len();
        } else if let Some(colon) = memchr::memchr(b':', &header[start..end]) {
            let name = trim(header, start..start + colon);
            let value = trim(header, start + colon + 1..end);
            fields.push(HeaderField { name, value });
        }
    }
}

/// The index behind the line that begins at `from`.
fn line_end(header: &[u8], from: usize) -> usize {
    memchr::memchr(b'\n', &header[from..]).map_or(header.len(), |length| from + length + 1)
}

pub(crate) fn trim(header: &[u8], range: Range<usize>) -> Range<usize> {
    let bytes = &header[range.clone()];
    let start = range.start + (bytes.len() - bytes.trim_ascii_start().len());
    start..start + header[start..range.end].trim_ascii_end().len()
}

/// The value of the first field of a name, whatever its case.
pub(crate) fn value<'r>(header: &'r [u8], fields: &[HeaderField], name: &str) -> Option<&'r [u8]> {
    let field = fields.iter().find(|field| {
        field.name.len() == name.len() && starts_with_ignoring_case(&header[field.name.clone()], name.as_bytes())
    })?;
    Some(&header[field.value.clone()])
}

/// Text as UTF-8; bytes that are none become U+FFFD.
pub(crate) fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(header: &str) -> Vec<(String, String)> {
        let mut bytes = header.as_bytes().to_vec();
        let mut fields = Vec::new();
        read_fields(&mut bytes, &mut fields);
        let owned = |range: &Range<usize>| text(&bytes[range.clone()]).into_owned();
        fields.iter().map(|field| (owned(&field.name), owned(&field.value))).collect()
    }

    #[test]
    fn fields_are_read_however_they_are_written() {
        let header = "WARC/1.0\r\nWARC-Type : response\nno colon\r\nempty:\r\nfolded: a\r\n  b\r\n\tc \r\nlast:d:e\r\n";
        let expected = [("WARC-Type", "response"), ("empty", ""), ("folded", "a b c"), ("last", "d:e")];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(read(header), expected);
        assert_eq!(read("WARC/1.0\r\nempty:\r\n folded"), [("empty".to_owned(), "folded".to_owned())]);
        assert_eq!(read("WARC/1.0\r\n starts folded: x\r\n"), [("starts folded".to_owned(), "x".to_owned())]);
    }

    #[test]
    fn a_header_ends_at_an_empty_line_or_where_something_else_begins() {
        assert_eq!(find_end(b"WARC/1.0\r\na: b\r\n\r\nbody", 0), HeaderEnd::Body(18));
        assert_eq!(find_end(b"WARC/1.0\na: b\n\nbody", 0), HeaderEnd::Body(15));
        assert_eq!(find_end(b"WARC/1.0\r\na: b\r\nHTTP/1.1 200 OK\r\n", 0), HeaderEnd::Body(16));
        assert_eq!(find_end(b"WARC/1.0\r\na: b\r\nWARC/1.0\r\n", 0), HeaderEnd::Cut(16));
        assert_eq!(find_end(b"WARC/1.0\r\na: b", 0), HeaderEnd::Unfinished(10));
    }
}
