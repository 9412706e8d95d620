//! The header of an HTTP message as archives have it: of any server, and rewritten by any crawler.

use std::borrow::Cow;

use crate::header::{self, HeaderField};

/// The bytes are no HTTP message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no HTTP message: the first line is neither a status nor a request")]
pub struct HttpParseError;

/// A request or response.
#[derive(Debug, Clone, PartialEq)]
pub struct HttpMessage<'r> {
    bytes: &'r [u8],
    fields: Vec<HeaderField>,
    body_at: usize,
    status: Option<u16>,
}

/// A Content-Type, taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContentType {
    /// Such as `text/html`: lower case, without parameters.
    pub media_type: String,
    /// Without quotes, otherwise as the server wrote it.
    pub charset: Option<String>,
}

impl<'r> HttpMessage<'r> {
    /// Reads the header of a message, such as [`WarcRecord::body`](crate::Record::body).
    ///
    /// Tolerant: lines may end with LF only, the reason and the status may be missing, lines without a colon are passed over,
    /// and a line that begins with `<` is the body, whose empty line was forgotten. Linear time.
    ///
    /// # Errors
    ///
    /// The first line is neither a status line (`HTTP/…`, `ICY …`) nor a request (`GET …`).
    pub fn parse(bytes: &'r [u8]) -> Result<Self, HttpParseError> {
        let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let mut words = first.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let start = words.next().ok_or(HttpParseError)?;
        let is_http = start.get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"HTTP"));
        let is_response = is_http && start.get(4).is_none_or(|byte| *byte == b'/') || start == b"ICY";
        let is_request =
            start.len() <= 16 && start.iter().all(u8::is_ascii_uppercase) && words.clone().next().is_some();
        if !is_response && !is_request {
            return Err(HttpParseError);
        }
        let status = words.next().filter(|_| is_response).and_then(|code| std::str::from_utf8(code).ok()?.parse().ok());
        let (header_end, body_at) = ends_of(bytes, first.len());
        Ok(HttpMessage { bytes, fields: read_fields(&bytes[..header_end]), body_at, status })
    }

    /// The status code of a response; `None` for requests, and where the server gave none.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.status
    }

    /// The value of a field by its name in any case, the first of several. Bytes that are no UTF-8 become U+FFFD, and a folded
    /// value keeps its line ends.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<Cow<'r, str>> {
        header::value(self.bytes, &self.fields, name).map(header::text)
    }

    /// Names and values of all fields, in their order.
    pub fn fields(&self) -> impl Iterator<Item = (Cow<'r, str>, Cow<'r, str>)> + '_ {
        let text = |range: &std::ops::Range<usize>| header::text(&self.bytes[range.clone()]);
        self.fields.iter().map(move |field| (text(&field.name), text(&field.value)))
    }

    /// All values of a field, divided at commas, without empty ones, in lower case.
    pub(crate) fn list(&self, name: &str) -> Vec<String> {
        let all = self.fields().filter(|(known, _)| known.eq_ignore_ascii_case(name));
        let items = all
            .flat_map(|(_, value)| value.split(',').map(|item| item.trim().to_ascii_lowercase()).collect::<Vec<_>>());
        items.filter(|item| !item.is_empty()).collect()
    }

    /// Content-Type, taken apart; empty if there is none.
    #[must_use]
    pub fn content_type(&self) -> ContentType {
        let value = self.field("Content-Type").unwrap_or_default();
        let mut parts = value.split([';', ',']);
        let media_type = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
        let charset = parts.find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            let value = value.trim().trim_matches(['"', '\'']).trim();
            (name.trim().eq_ignore_ascii_case("charset") && !value.is_empty()).then(|| value.to_owned())
        });
        ContentType { media_type, charset }
    }

    /// All behind the header, as it stands in the record. See [`decode`](super::decode).
    #[must_use]
    pub fn body(&self) -> &'r [u8] {
        &self.bytes[self.body_at..]
    }
}

/// Where the header ends, and where the body begins, which differs by the empty line.
fn ends_of(bytes: &[u8], first_length: usize) -> (usize, usize) {
    let mut at = (first_length + 1).min(bytes.len());
    while at < bytes.len() {
        let length = memchr::memchr(b'\n', &bytes[at..]).unwrap_or(bytes.len() - at);
        let line = &bytes[at..at + length];
        if matches!(line, b"" | b"\r") {
            return (at, (at + length + 1).min(bytes.len()));
        }
        if line.starts_with(b"<") {
            return (at, at);
        }
        at = (at + length + 1).min(bytes.len());
    }
    (at, at)
}

/// Fields below the first line; a folded line belongs to the value above.
fn read_fields(header: &[u8]) -> Vec<HeaderField> {
    let mut fields: Vec<HeaderField> = Vec::with_capacity(24);
    let mut at = memchr::memchr(b'\n', header).map_or(header.len(), |end| end + 1);
    while at < header.len() {
        let length = memchr::memchr(b'\n', &header[at..]).unwrap_or(header.len() - at);
        let line = at..at + length;
        at += length + 1;
        match (memchr::memchr(b':', &header[line.clone()]), fields.last_mut()) {
            (_, Some(last)) if matches!(header[line.start], b' ' | b'\t') => {
                last.value.end = header::trim(header, last.value.start..line.end).end;
            }
            (Some(colon), _) => fields.push(HeaderField {
                name: header::trim(header, line.start..line.start + colon),
                value: header::trim(header, line.start + colon + 1..line.end),
            }),
            (None, _) => {}
        }
    }
    fields
}
