//! The page that a record holds.

use std::borrow::Cow;

use crate::http::{DecodeBuffers, HttpMessage, decode};
use crate::marker::starts_with_ignoring_case;
use crate::record::{RecordKind, WarcRecord};

/// Most values of `X-Robots-Tag`, `Content-Usage` and `Content-Signal` that are kept.
const MOST_TAGS: usize = 16;
const USAGE_FIELDS: [&str; 3] = ["x-robots-tag", "content-usage", "content-signal"];

/// A page as it was fetched.
#[derive(Debug, Clone, Default)]
pub struct ArchivedPage {
    /// WARC-Record-ID, without angle brackets; empty if there is none.
    pub id: String,
    /// WARC-Target-URI, as it stands.
    pub url: String,
    /// WARC-Date, as it stands.
    pub date: String,
    /// The same in seconds since 1970; none if it is no date.
    pub seconds: Option<i64>,
    /// What the server called it, with its charset.
    pub content_type: Option<String>,
    /// Values of `X-Robots-Tag`, `Content-Usage` and `Content-Signal`.
    pub robots_tags: Vec<String>,
    /// Value of `tdm-reservation` (TDM Reservation Protocol).
    pub tdm_reservation: Option<String>,
    /// Value of `tdm-policy`.
    pub tdm_policy: Option<String>,
    /// Without transfer and content codings.
    pub body: Vec<u8>,
    /// Whether it is not whole: the record is cut or damaged, or the body longer than was asked for.
    pub is_cut: bool,
    /// Where this is no answer of a server, but what a browser made of one: when the browser was done, by `X-Rendered`.
    pub drawn: Option<String>,
    /// Of such a page: the text of the link that led to it, by `X-Anchor-Text`.
    pub anchor_title: Option<String>,
}

/// The page that a record holds, or in a few words why it holds none: `status`, `not html`, `not http`, `empty`,
/// `part of a page`, or the type of the record.
///
/// A page is a response of success (2xx) or a resource, of an HTML type or none; such a response of plain text or Markdown that is no
/// robots.txt; a conversion of HTML that says in `X-Rendered` that
/// a browser drew it; or a conversion that is plain text, as those of WET files are. What a page in a browser asked for, by
/// `WARC-Resource-Type` (a field of Browsertrix, not of the standard), is none, whatever its type. Of its body at most `max_bytes` are
/// kept.
///
/// # Errors
/// The reason, for counting.
pub fn page_of(
    record: &WarcRecord<'_>,
    max_bytes: usize,
    scratch: &mut DecodeBuffers,
) -> Result<ArchivedPage, &'static str> {
    if record.field("warc-resource-type").is_some_and(|kind| !kind.trim().eq_ignore_ascii_case("document")) {
        return Err("part of a page");
    }
    let mut page = match record.kind() {
        RecordKind::Resource => of_resource(record, max_bytes)?,
        RecordKind::Response => of_response(record, max_bytes, scratch)?,
        RecordKind::Conversion => of_conversion(record, max_bytes)?,
        other => return Err(other.name()),
    };
    if page.body.is_empty() {
        return Err("empty");
    }
    let text = |value: Option<Cow<'_, str>>| value.unwrap_or_default().into_owned();
    page.id = text(record.id());
    page.url = text(record.target_uri());
    page.date = text(record.date());
    page.seconds = record.date_seconds();
    page.is_cut = record.truncated().is_some() || page.body.len() >= max_bytes;
    Ok(page)
}

fn of_resource(record: &WarcRecord<'_>, max_bytes: usize) -> Result<ArchivedPage, &'static str> {
    let content_type = record.content_type().map(Cow::into_owned);
    refuse_unlike_html(content_type.as_deref())?;
    let body = record.body()[..record.body().len().min(max_bytes)].to_vec();
    Ok(ArchivedPage { content_type, body, ..ArchivedPage::default() })
}

fn of_conversion(record: &WarcRecord<'_>, max_bytes: usize) -> Result<ArchivedPage, &'static str> {
    let media_type = record.content_type();
    if media_type.as_deref().is_some_and(|kind| starts_with_ignoring_case(kind.trim().as_bytes(), b"text/plain")) {
        // The text of a page is UTF-8, whatever the page was.
        let body = record.body()[..record.body().len().min(max_bytes)].to_vec();
        let content_type = Some("text/plain; charset=utf-8".to_owned());
        return Ok(ArchivedPage { content_type, body, ..ArchivedPage::default() });
    }
    let drawn = record.field("x-rendered").map(Cow::into_owned).ok_or_else(|| record.kind().name())?;
    let anchor_title = record.field("x-anchor-text").map(Cow::into_owned);
    Ok(ArchivedPage { drawn: Some(drawn), anchor_title, ..of_resource(record, max_bytes)? })
}

fn of_response(
    record: &WarcRecord<'_>,
    max_bytes: usize,
    scratch: &mut DecodeBuffers,
) -> Result<ArchivedPage, &'static str> {
    let message = HttpMessage::parse(record.body()).map_err(|_| "not http")?;
    if !message.status().is_some_and(|status| (200..300).contains(&status)) {
        return Err("status");
    }
    let field = |name| message.field(name).map(Cow::into_owned).filter(|value| !value.is_empty());
    let content_type = field("content-type");
    if !content_type.as_deref().is_some_and(is_text) || is_robots_txt(record) {
        refuse_unlike_html(content_type.as_deref())?;
    }
    let is_usage = |name: &str| USAGE_FIELDS.iter().any(|usage| name.eq_ignore_ascii_case(usage));
    let tags = message.fields().filter(|(name, _)| is_usage(name));
    Ok(ArchivedPage {
        content_type,
        robots_tags: tags.take(MOST_TAGS).map(|(_, value)| value.into_owned()).collect(),
        tdm_reservation: field("tdm-reservation"),
        tdm_policy: field("tdm-policy"),
        body: decode(&message, max_bytes, scratch).bytes.into_owned(),
        ..ArchivedPage::default()
    })
}

/// Whether a type is one of text that people write, which a crawl reads, too.
fn is_text(content_type: &str) -> bool {
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    ["text/plain", "text/markdown", "text/x-markdown"].iter().any(|known| media_type.eq_ignore_ascii_case(known))
}

/// Whether a record is what a site says to crawlers, which is text and no page.
fn is_robots_txt(record: &WarcRecord<'_>) -> bool {
    let target = record.target_uri();
    target.is_some_and(|target| target.split(['?', '#']).next().is_some_and(|path| path.ends_with("/robots.txt")))
}

/// A server that says nothing, or that it does not know, may have sent a page: the bytes decide later. Whether PDFs are pages, whoever
/// reads them decides.
fn refuse_unlike_html(content_type: Option<&str>) -> Result<(), &'static str> {
    const KNOWN: [&str; 6] =
        ["", "text/html", "application/xhtml+xml", "application/octet-stream", "unknown/unknown", "application/pdf"];
    let media_type = content_type.unwrap_or_default().split(';').next().unwrap_or("").trim();
    if KNOWN.iter().any(|known| media_type.eq_ignore_ascii_case(known)) { Ok(()) } else { Err("not html") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadLimits, ReaderItem, WarcReader};

    fn read(kind: &str, body: &str) -> Result<ArchivedPage, &'static str> {
        let fields =
            "WARC-Record-ID: <urn:x>\r\nWARC-Target-URI: <https://a.example/b c>\r\nContent-Type: text/html\r\n";
        let archive =
            format!("WARC/1.1\r\nWARC-Type: {kind}\r\n{fields}Content-Length: {}\r\n\r\n{body}\r\n\r\n", body.len());
        let mut reader = WarcReader::new(archive.as_bytes(), ReadLimits::default());
        let Ok(Some(ReaderItem::Record(record))) = reader.next() else { panic!("no record in {archive}") };
        page_of(&record, 10, &mut DecodeBuffers::default())
    }

    #[test]
    fn a_conversion_that_a_browser_made_is_a_page_that_says_so() {
        let archive = "WARC/1.1\r\nWARC-Type: conversion\r\nWARC-Target-URI: https://a.example/\r\nX-Rendered: loaded\r\nX-Anchor-Text: Über\r\n\
            Content-Type: text/html; charset=utf-8\r\nContent-Length: 4\r\n\r\n<p>x\r\n\r\n";
        let mut reader = WarcReader::new(archive.as_bytes(), ReadLimits::default());
        let Ok(Some(ReaderItem::Record(record))) = reader.next() else { panic!("no record") };
        let page = page_of(&record, 10, &mut DecodeBuffers::default()).unwrap();
        assert_eq!((page.drawn.as_deref(), &page.body[..]), (Some("loaded"), &b"<p>x"[..]));
        assert_eq!(page.anchor_title.as_deref(), Some("Über"));
    }

    #[test]
    fn a_conversion_to_plain_text_is_a_page_of_text() {
        let archive = "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: http://a.example/\r\nContent-Type: text/plain\r\n\
            Content-Length: 5\r\n\r\na <b>\r\n\r\n";
        let mut reader = WarcReader::new(archive.as_bytes(), ReadLimits::default());
        let Ok(Some(ReaderItem::Record(record))) = reader.next() else { panic!("no record") };
        let page = page_of(&record, 10, &mut DecodeBuffers::default()).unwrap();
        assert_eq!((page.content_type.as_deref(), &page.body[..]), (Some("text/plain; charset=utf-8"), &b"a <b>"[..]));
    }

    #[test]
    fn what_a_page_asked_for_is_no_page() {
        let kind_of = |kind: &str| {
            let archive = format!(
                "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://a.example/\r\nWARC-Resource-Type: {kind}\r\n\
                Content-Length: 47\r\n\r\nHTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<p>\r\n\r\n"
            );
            let mut reader = WarcReader::new(archive.as_bytes(), ReadLimits::default());
            let Ok(Some(ReaderItem::Record(record))) = reader.next() else { panic!("no record in {archive}") };
            page_of(&record, 10, &mut DecodeBuffers::default()).map(|page| page.body)
        };
        assert_eq!(kind_of("Document"), Ok(b"<p>".to_vec()));
        assert_eq!(kind_of("fetch"), Err("part of a page"));
        assert_eq!(kind_of("iframe"), Err("part of a page"));
    }

    #[test]
    fn responses_and_resources_of_html_are_pages_and_all_else_has_a_reason() {
        let head = "content-type: text/HTML; charset=gbk\r\nX-Robots-Tag: noai\r\nContent-Usage: train-ai=n\r\nx-robots-tag: a: b\r\ntdm-reservation: 1\r\n";
        let page = read("response", &format!("HTTP/1.1 200 OK\r\n{head}\r\n<p>x")).unwrap();
        assert_eq!(
            (page.robots_tags, page.tdm_reservation.as_deref()),
            (vec!["noai".into(), "train-ai=n".into(), "a: b".into()], Some("1"))
        );
        assert_eq!(
            (&*page.url, &*page.id, &page.body[..], page.is_cut),
            ("https://a.example/b c", "urn:x", &b"<p>x"[..], false)
        );
        assert_eq!(page.content_type.as_deref(), Some("text/HTML; charset=gbk"));
        assert!(read("resource", "<p>longer than ten").unwrap().is_cut);
        for text in ["text/plain; charset=utf-8", "Text/Markdown"] {
            assert!(read("response", &format!("HTTP/1.1 200 OK\r\ncontent-type: {text}\r\n\r\nx")).is_ok(), "{text}");
        }
        assert_eq!((page.drawn, read("resource", "<p>x").unwrap().drawn), (None, None));
        for (kind, body, reason) in [
            ("response", "HTTP/1.1 404 Gone\r\n\r\nx", "status"),
            ("response", "HTTP/1.1 200 OK\r\ncontent-type: image/png\r\n\r\nx", "not html"),
            ("response", "HTTP/1.1 200 OK\r\n\r\n", "empty"),
            ("response", "20241231 1.2.3.4", "not http"),
            ("request", "GET / HTTP/1.1\r\n\r\n", "request"),
            ("revisit", "HTTP/1.1 200 OK\r\n\r\n", "revisit"),
            ("conversion", "A text of a page.", "conversion"),
        ] {
            assert_eq!(read(kind, body).unwrap_err(), reason);
        }
    }
}
