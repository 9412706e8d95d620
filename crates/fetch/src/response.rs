//! What is asked of a server, and what it answered.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use gristmill_terms::{FetchKind, Verdict};
use gristmill_urls::join;
use gristmill_walls::challenger;
use reqwest::header::{self, HeaderMap, HeaderName};
use url::Url;

use crate::budget::BudgetShare;
use crate::decode::ContentEncoding;
use crate::media::is_feed_type;

/// One fetch to make.
#[derive(Debug, Clone)]
pub struct Request {
    /// An http or https URL. A user name or password in it is not sent, nor is the fragment.
    pub url: Url,
    /// What it is fetched for.
    pub kind: FetchKind,
    /// `ETag` of the copy at hand, sent as `If-None-Match`.
    pub etag: Option<String>,
    /// `Last-Modified` of the copy at hand, sent as `If-Modified-Since`.
    pub last_modified: Option<String>,
    /// Whether fields and logins for its site alone ([`SiteFetchConfig`](crate::SiteFetchConfig)) go with it; not where another site
    /// asks for it.
    pub credentials: bool,
}

impl Request {
    /// An unconditional request for a page.
    pub fn page(url: Url) -> Self {
        Self { url, kind: FetchKind::Page, etag: None, last_modified: None, credentials: true }
    }

    /// An unconditional request of that kind.
    pub fn of_kind(url: Url, kind: FetchKind) -> Self {
        Self { kind, ..Self::page(url) }
    }
}

/// The header fields that a crawler uses, each at most 4096 bytes, bytes outside UTF-8 replaced.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Headers {
    /// `Content-Type`, parameters included: the charset is the extractor's to judge.
    pub content_type: Option<String>,
    /// `ETag`, quotes and `W/` included, to be sent back as it is.
    pub etag: Option<String>,
    /// `Last-Modified`, to be sent back as it is.
    pub last_modified: Option<String>,
    /// `Location`, not resolved; bytes above 7F are percent-encoded, as no charset is known.
    pub location: Option<String>,
    /// `Refresh`.
    pub refresh: Option<String>,
    /// `Retry-After`; see [`retry_after`](crate::retry_after()).
    pub retry_after: Option<String>,
    /// All values of `X-Robots-Tag`, `Content-Usage` and `Content-Signal`, at most 16 of each.
    pub x_robots_tag: Vec<String>,
    /// `tdm-reservation`, of the TDM Reservation Protocol.
    pub tdm_reservation: Option<String>,
    /// `tdm-policy`, not resolved.
    pub tdm_policy: Option<String>,
    /// Targets of `Link: <…>; rel="canonical"`, not resolved (RFC 6596).
    pub canonicals: Vec<String>,
    /// Targets of `Link` that are translations (`rel=alternate` with `hreflang`) or neighbours (`rel=next`, `prev`), not resolved.
    pub related: Vec<String>,
    /// Targets of `Link` that are feeds (`rel=alternate` with the type of one), not resolved.
    pub feeds: Vec<String>,
    /// `Content-Language`.
    pub content_language: Option<String>,
    /// Who answers with a challenge, where the fields tell.
    pub challenger: Option<&'static str>,
}

impl Headers {
    pub(crate) fn from_map(status: u16, map: &HeaderMap) -> Self {
        let one = |name: HeaderName| map.get(name).map(text);
        let links: Vec<String> = map.get_all(header::LINK).iter().take(16).map(target_text).collect();
        let links = || links.iter().flat_map(|value| header_links(value));
        Self {
            content_type: one(header::CONTENT_TYPE),
            // `If-None-Match: *` would mean whatever there is.
            etag: one(header::ETAG).filter(|etag| etag != "*"),
            last_modified: one(header::LAST_MODIFIED),
            location: map.get(header::LOCATION).map(target_text),
            refresh: map.get(header::REFRESH).map(target_text),
            retry_after: one(header::RETRY_AFTER),
            x_robots_tag: usage_fields(map).collect(),
            tdm_reservation: map.get("tdm-reservation").map(text),
            tdm_policy: map.get("tdm-policy").map(text),
            canonicals: links().filter(|link| link.is("canonical")).map(|link| link.target.to_owned()).collect(),
            related: links().filter(HeaderLink::is_related).map(|link| link.target.to_owned()).collect(),
            feeds: links().filter(HeaderLink::is_feed).map(|link| link.target.to_owned()).collect(),
            content_language: one(header::CONTENT_LANGUAGE),
            challenger: challenger(status, |name| map.get(name)?.to_str().ok()),
        }
    }
}

fn usage_fields(map: &HeaderMap) -> impl Iterator<Item = String> {
    let values = |name| map.get_all(name).iter().take(16).map(text);
    ["x-robots-tag", "content-usage", "content-signal"].into_iter().flat_map(values)
}

fn text(value: &header::HeaderValue) -> String {
    let bytes = value.as_bytes();
    String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]).trim().to_owned()
}

/// The value of a field that holds an address: bytes above 7F as percent-encoded, one by one, since a server means the bytes.
fn target_text(value: &header::HeaderValue) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    for &byte in value.as_bytes().iter().take(4096) {
        if byte.is_ascii() {
            text.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text.trim().to_owned()
}

/// One link of a `Link` field (RFC 8288 §3).
struct HeaderLink<'v> {
    target: &'v str,
    parameters: &'v str,
}

impl HeaderLink<'_> {
    fn parameter(&self, wanted: &str) -> Option<&str> {
        self.parameters.split([';', ',']).find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.trim().eq_ignore_ascii_case(wanted).then(|| value.trim().trim_matches('"'))
        })
    }

    fn is(&self, relation: &str) -> bool {
        let words = self.parameter("rel").unwrap_or_default();
        words.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(relation))
    }

    fn is_feed(&self) -> bool {
        self.is("alternate") && self.parameter("type").is_some_and(is_feed_type)
    }

    fn is_related(&self) -> bool {
        let is_translation = self.is("alternate") && self.parameter("hreflang").is_some();
        is_translation || self.is("next") || self.is("prev") || self.is("previous")
    }
}

/// The links of a `Link` value. O(n).
fn header_links(value: &str) -> impl Iterator<Item = HeaderLink<'_>> {
    let mut rest = value;
    std::iter::from_fn(move || {
        let start = rest.find('<')?;
        let (target, after) = rest[start + 1..].split_once('>')?;
        rest = after;
        Some(HeaderLink { target: target.trim(), parameters: &after[..after.find('<').unwrap_or(after.len())] })
    })
}

/// A body in both forms: as the server sent it, and with its content coding undone. Of a sitemap or feed there is only the
/// second, since it is read once and not carried on.
#[derive(Debug, Clone, Default)]
pub struct ResponseBody {
    /// The bytes as sent (chunk framing removed), to be carried on as they are: a server's gzip is six times smaller.
    pub wire: Bytes,
    /// The coding of `wire`.
    pub encoding: ContentEncoding,
    /// The bytes after decoding; shares memory with `wire` when the coding is identity. For a sitemap or feed that is
    /// a gzip file itself, its content.
    pub decoded: Bytes,
    /// Whether the body is not whole: it ended early, or was cut at the limit, which happens to robots.txt, sitemaps and feeds only.
    pub truncated: bool,
    /// The memory that it has of `fetch.max_bytes_in_flight`, given back when all who know it have dropped it.
    pub share: Option<Arc<BudgetShare>>,
}

/// The answer to one request.
#[derive(Debug, Clone)]
pub struct Response {
    /// The URL asked for, as sent: without user name, password and fragment.
    pub url: Url,
    /// Status code, 100 to 999.
    pub status: u16,
    /// The header fields of use.
    pub headers: Headers,
    /// The address that answered; the proxy's, if there is one.
    pub ip: Option<IpAddr>,
    /// Bytes of the body on the wire, read before the end or before we turned away.
    pub wire_bytes: u64,
    /// The body of a 2xx answer; empty for every other status, which no one reads.
    pub body: ResponseBody,
    /// Of an answer that refuses the page (401, 403, 405, 429, 503): the begin of what it says, unpacked, at most 256 KiB.
    pub refusal: Bytes,
    /// When the request went out.
    pub started: SystemTime,
    /// When the last byte came. Politeness counts from here.
    pub finished: SystemTime,
    /// From `started` to `finished`, by a clock that does not jump.
    pub duration: Duration,
}

impl Response {
    /// Which of the outcomes this answer is. A 2xx whose body broke a limit is a [`FetchError`](crate::FetchError) instead.
    pub fn verdict(&self) -> Verdict {
        match self.status {
            // Without a body there is no page to have.
            204 | 205 => Verdict::UnexpectedStatus,
            200..=299 => Verdict::Ok,
            301 | 302 | 303 | 307 | 308 if self.headers.location.is_some() => Verdict::Redirect,
            304 => Verdict::NotModified,
            401 | 403 | 407 | 451 => Verdict::Forbidden,
            404 => Verdict::NotFound,
            410 => Verdict::Gone,
            429 => Verdict::TooManyRequests,
            // Of these two the first is said to a client that may ask again (RFC 9110, 15.5.9).
            408 | 503 => Verdict::Unavailable,
            400..=499 => Verdict::ClientError,
            500..=599 => Verdict::ServerError,
            _ => Verdict::UnexpectedStatus,
        }
    }

    /// The target of a redirect, resolved against the URL asked for; `None` for other answers and broken targets.
    pub fn redirect_target(&self) -> Option<Url> {
        redirect_of(self.status, &self.headers, &self.url)
    }
}

/// The target of a redirect from `url`.
pub(crate) fn redirect_of(status: u16, headers: &Headers, url: &Url) -> Option<Url> {
    if !matches!(status, 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    join(headers.location.as_deref()?, Some(url)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(fields: &[(&'static str, &[u8])]) -> Headers {
        let field = |(name, value): &(&'static str, &[u8])| {
            (HeaderName::from_static(name), header::HeaderValue::from_bytes(value).unwrap())
        };
        let mut map = HeaderMap::new();
        for (name, value) in fields.iter().map(field) {
            map.append(name, value);
        }
        Headers::from_map(200, &map)
    }

    #[test]
    fn links_of_the_header_are_told_apart_by_their_relations() {
        let value =
            br#"</a.css>; rel=preload; as="style", <https://x.test/p>; rel="alternate canonical", </2>; rel=Next"#;
        let read = headers(&[("link", value), ("link", b"</de>; rel=alternate; hreflang=de, </feed>; rel=alternate")]);
        assert_eq!(read.canonicals, ["https://x.test/p"]);
        assert_eq!(read.related, ["/2", "/de"]);
        assert_eq!(headers(&[("link", b"<https://x.test/>; rel=next")]).canonicals, [""; 0]);
        assert_eq!(headers(&[("link", b"<<<>>><")]).related, [""; 0]);
        let feed = br#"</wp-json/>; rel="https://api.w.org/", </feed>; rel="alternate"; type="Application/RSS+xml; charset=utf-8""#;
        assert_eq!(headers(&[("link", feed)]).feeds, ["/feed"]);
        assert_eq!(read.feeds, [""; 0], "the type says that it is one");
    }

    #[test]
    fn bytes_of_a_location_are_escaped_one_by_one() {
        let location = |value: &[u8]| headers(&[("location", value)]).location.unwrap();
        assert_eq!(location(b"/caf\xe9"), "/caf%E9");
        assert_eq!(location(b"/caf\xc3\xa9"), "/caf%C3%A9");
        assert_eq!(location(b" /a b "), "/a b");
    }

    #[test]
    fn a_redirect_without_a_target_is_no_redirect() {
        let response = Response {
            url: Url::parse("http://a.test/x/y").unwrap(),
            status: 302,
            headers: Headers::default(),
            ip: None,
            wire_bytes: 0,
            body: ResponseBody::default(),
            refusal: Bytes::new(),
            started: SystemTime::UNIX_EPOCH,
            finished: SystemTime::UNIX_EPOCH,
            duration: Duration::ZERO,
        };
        assert_eq!(response.verdict(), Verdict::UnexpectedStatus);
        let headers = Headers { location: Some("../z".to_owned()), ..Headers::default() };
        let response = Response { headers, ..response };
        assert_eq!(response.redirect_target().unwrap().as_str(), "http://a.test/z");
    }
}
