//! The page that a record holds.

use std::borrow::Cow;

use crate::http::{Message, Scratch, decode};
use crate::record::{Record, RecordKind};

/// A page as it was fetched.
#[derive(Debug, Clone, Default)]
pub struct ArchivedPage {
    /// WARC-Record-ID, without angle brackets; empty if there is none.
    pub id: String,
    /// WARC-Target-URI, as it stands.
    pub url: String,
    /// WARC-Date, as it stands.
    pub date: String,
    /// What the server called it, with its charset.
    pub content_type: Option<String>,
    /// Without transfer and content codings.
    pub body: Vec<u8>,
    /// Whether it is not whole: the record is cut or damaged, or the body longer than was asked for.
    pub is_cut: bool,
    /// The fields of its record.
    pub fields: Vec<(String, String)>,
}

/// The page that a record holds, or in one or two words why it holds none: `status`, `not html`, `not http`, `empty`, or the
/// type of the record.
///
/// A page is a response with status 200 or a resource, of an HTML type or none. Of its body at most `max_bytes` are kept.
///
/// # Errors
/// The reason, for counting.
pub fn page_of(record: &Record<'_>, max_bytes: usize, scratch: &mut Scratch) -> Result<ArchivedPage, &'static str> {
    let (content_type, body) = match record.kind() {
        RecordKind::Resource => {
            let content_type = record.content_type().unwrap_or_default().into_owned();
            refuse_unlike_html(&content_type)?;
            (content_type, Cow::Borrowed(&record.body()[..record.body().len().min(max_bytes)]))
        }
        RecordKind::Response => {
            let message = Message::parse(record.body()).map_err(|_| "not http")?;
            if message.status() != Some(200) {
                return Err("status");
            }
            let content_type = message.field("content-type").unwrap_or_default().into_owned();
            refuse_unlike_html(&content_type)?;
            (content_type, decode(&message, max_bytes, scratch).bytes)
        }
        other => return Err(other.name()),
    };
    if body.is_empty() {
        return Err("empty");
    }
    let text = |value: Option<Cow<'_, str>>| value.unwrap_or_default().into_owned();
    Ok(ArchivedPage {
        id: text(record.id()),
        url: text(record.target_uri()),
        date: text(record.date()),
        content_type: Some(content_type).filter(|kind| !kind.is_empty()),
        is_cut: record.truncated().is_some() || body.len() >= max_bytes,
        body: body.into_owned(),
        fields: record.fields().map(|(name, value)| (name.into_owned(), value.into_owned())).collect(),
    })
}

/// A server that says nothing, or that it does not know, may have sent a page: the bytes decide later.
fn refuse_unlike_html(content_type: &str) -> Result<(), &'static str> {
    const KNOWN: [&str; 5] = ["", "text/html", "application/xhtml+xml", "application/octet-stream", "unknown/unknown"];
    let media_type = content_type.split(';').next().unwrap_or("").trim();
    if KNOWN.iter().any(|known| media_type.eq_ignore_ascii_case(known)) { Ok(()) } else { Err("not html") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entry, Limits, Reader};

    fn read(kind: &str, body: &str) -> Result<ArchivedPage, &'static str> {
        let fields =
            "WARC-Record-ID: <urn:x>\r\nWARC-Target-URI: <https://a.example/b c>\r\nContent-Type: text/html\r\n";
        let archive =
            format!("WARC/1.1\r\nWARC-Type: {kind}\r\n{fields}Content-Length: {}\r\n\r\n{body}\r\n\r\n", body.len());
        let mut reader = Reader::new(archive.as_bytes(), Limits::default());
        let Ok(Some(Entry::Record(record))) = reader.next() else { panic!("no record in {archive}") };
        page_of(&record, 10, &mut Scratch::default())
    }

    #[test]
    fn responses_and_resources_of_html_are_pages_and_all_else_has_a_reason() {
        let page = read("response", "HTTP/1.1 200 OK\r\ncontent-type: text/HTML; charset=gbk\r\n\r\n<p>x").unwrap();
        assert_eq!(
            (&*page.url, &*page.id, &page.body[..], page.is_cut),
            ("https://a.example/b c", "urn:x", &b"<p>x"[..], false)
        );
        assert_eq!(page.content_type.as_deref(), Some("text/HTML; charset=gbk"));
        assert!(read("resource", "<p>longer than ten").unwrap().is_cut);
        for (kind, body, reason) in [
            ("response", "HTTP/1.1 404 Gone\r\n\r\nx", "status"),
            ("response", "HTTP/1.1 200 OK\r\ncontent-type: image/png\r\n\r\nx", "not html"),
            ("response", "HTTP/1.1 200 OK\r\n\r\n", "empty"),
            ("response", "20241231 1.2.3.4", "not http"),
            ("request", "GET / HTTP/1.1\r\n\r\n", "request"),
            ("revisit", "HTTP/1.1 200 OK\r\n\r\n", "revisit"),
        ] {
            assert_eq!(read(kind, body).unwrap_err(), reason);
        }
    }
}
