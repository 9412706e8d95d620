//! The canonical form of a web address.

use std::fmt;
use std::sync::Arc;

use url::{Host, Url};

use crate::escape::{UrlComponent, push_normalised};
use crate::join::{join, join_as};
use crate::key::UrlKey;
use crate::tracking::{is_session_segment, is_tracking_parameter, strip_path_parameters};

/// Why a text is no address that can be crawled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    #[error("`{input}` is not a URL")]
    Syntax { input: String, source: url::ParseError },
    #[error("scheme `{scheme}` is neither http nor https")]
    Scheme { scheme: String },
    #[error("host `{host}` has an empty label")]
    Host { host: String },
    /// The limit is part of the canonical form, no setting: keys in stores depend on it.
    #[error("URL of {length} bytes is longer than {limit} bytes")]
    TooLong { length: usize, limit: usize },
}

/// What may be chosen about the canonical form. Stores written under other options hold other keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CanonicalOptions {
    /// Longest canonical URL, in bytes. Default: 2048, about what servers and proxies accept.
    pub max_length: usize,
    /// Sort query parameters by name, keeping the order of equal names. Off by default: order may carry meaning.
    pub sort_query: bool,
}

impl Default for CanonicalOptions {
    fn default() -> Self {
        Self { max_length: 2048, sort_query: false }
    }
}

/// An http(s) URL in its one canonical spelling. Clones share the text.
///
/// Canonical means, beyond WHATWG parsing (lower-case scheme and host, punycode, dot segments, default port):
/// * no user info, no fragment, no trailing dot of the host;
/// * percent-encoding as RFC 3986 §6.2.2 normalises it; characters outside the grammar encoded;
/// * tracking and session parameters removed from query and path ([`is_tracking_parameter`]);
/// * empty query parameters and an empty query removed.
///
/// Canonicalising a canonical URL changes nothing. Equality, order and hash are those of the text.
#[derive(Clone)]
pub struct CanonicalUrl {
    text: Arc<str>,
    host_start: u16,
    host_end: u16,
    path_start: u16,
    /// Position of `?`, or the length of the text.
    path_end: u16,
    port: u16,
}

impl CanonicalUrl {
    /// Parses and canonicalises `input`, relative to `base` if there is one; O(n).
    ///
    /// # Errors
    /// When `input` does not parse, is not http(s), or is longer than 2 048 bytes ([`CanonicalOptions`]).
    pub fn parse(input: &str, base: Option<&Url>) -> Result<Self, UrlError> {
        Self::parse_with(input, base, &CanonicalOptions::default())
    }

    /// As [`CanonicalUrl::parse`], with other options.
    ///
    /// # Errors
    /// As there, by the limit of `options`.
    pub fn parse_with(input: &str, base: Option<&Url>, options: &CanonicalOptions) -> Result<Self, UrlError> {
        // White space and tracking parameters may fall away, so the first bound is generous: it only keeps
        // megabytes (`data:` links) from the parser.
        let bound = options.max_length.saturating_mul(4);
        if input.len() > bound {
            return Err(UrlError::TooLong { length: input.len(), limit: options.max_length });
        }
        // Most links are spelled so already, and the parser takes ten times as long.
        if let Some(url) = Self::of_plain(input, options) {
            return Ok(url);
        }
        let url = join(input, base).map_err(|source| UrlError::Syntax { input: shorten(input), source })?;
        Self::from_url_with(&url, options)
    }

    /// `input` itself, if it is canonical by its plainest form: a name in lower case without a port, and of path and query only
    /// what is never rewritten. `None` says nothing. O(n), a tenth of the parser's time.
    fn of_plain(input: &str, options: &CanonicalOptions) -> Option<Self> {
        let rest = input.strip_prefix("http").filter(|_| input.len() <= options.max_length.min(MAX_PLAIN))?;
        let (host_start, port) = match rest.strip_prefix("s://") {
            Some(_) => ("https://".len(), 443),
            None => rest.strip_prefix("://").map(|_| ("http://".len(), 80))?,
        };
        let host_end = input[host_start..].find('/').map_or(input.len(), |length| host_start + length);
        if !is_plain_host(&input[host_start..host_end]) {
            return None;
        }
        let path_end = input.find('?').unwrap_or(input.len());
        let (text, path_end): (Arc<str>, usize) = if host_end == input.len() {
            (format!("{input}/").into(), host_end + 1)
        } else {
            let query = input.get(path_end + 1..);
            let is_plain = is_plain_path(input.get(host_end..path_end)?)
                && query.is_none_or(|query| !options.sort_query && is_plain_query(query));
            (is_plain.then(|| input.into())?, path_end)
        };
        (text.len() <= options.max_length).then_some(Self {
            text,
            host_start: host_start as u16,
            host_end: host_end as u16,
            path_start: host_end as u16,
            path_end: path_end as u16,
            port,
        })
    }

    /// Parses and canonicalises a link of a page in another charset than UTF-8; see [`join_as`].
    ///
    /// # Errors
    /// As [`CanonicalUrl::parse`].
    pub fn parse_as(input: &str, base: &Url, encode: url::EncodingOverride<'_>) -> Result<Self, UrlError> {
        let options = CanonicalOptions::default();
        if input.len() > options.max_length.saturating_mul(4) {
            return Err(UrlError::TooLong { length: input.len(), limit: options.max_length });
        }
        let url = join_as(input, Some(base), encode);
        let url = url.map_err(|source| UrlError::Syntax { input: shorten(input), source })?;
        Self::from_url_with(&url, &options)
    }

    /// Canonicalises a parsed URL.
    ///
    /// # Errors
    /// When it is not http(s), or longer than 2 048 bytes.
    pub fn from_url(url: &Url) -> Result<Self, UrlError> {
        Self::from_url_with(url, &CanonicalOptions::default())
    }

    /// As [`CanonicalUrl::from_url`], with other options.
    ///
    /// # Errors
    /// As there, by the limit of `options`.
    pub fn from_url_with(url: &Url, options: &CanonicalOptions) -> Result<Self, UrlError> {
        let scheme = url.scheme();
        if scheme != "http" && scheme != "https" {
            return Err(UrlError::Scheme { scheme: shorten(scheme) });
        }
        let mut text = String::with_capacity(url.as_str().len() + 1);
        text.push_str(scheme);
        text.push_str("://");
        let host_start = text.len();
        push_host(&mut text, url)?;
        let host_end = text.len();
        if let Some(port) = url.port() {
            text.push(':');
            text.push_str(&port.to_string());
        }
        let path_start = text.len();
        push_path(&mut text, url.path());
        let path_end = text.len();
        push_query(&mut text, url.query().unwrap_or_default(), options.sort_query);
        // Offsets are 16 bits wide, whatever the option says.
        let limit = options.max_length.min(usize::from(u16::MAX));
        if text.len() > limit {
            return Err(UrlError::TooLong { length: text.len(), limit });
        }
        Ok(Self {
            host_start: host_start as u16,
            host_end: host_end as u16,
            path_start: path_start as u16,
            path_end: path_end as u16,
            port: url.port_or_known_default().expect("http and https have default ports"),
            text: text.into(),
        })
    }

    /// The whole URL.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// `http` or `https`.
    #[must_use]
    pub fn scheme(&self) -> &str {
        &self.text[..usize::from(self.host_start) - 3]
    }

    /// The host without port: a lower-case ASCII name, an IPv4 address, or an IPv6 address in brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.text[usize::from(self.host_start)..usize::from(self.host_end)]
    }

    /// The port that a client connects to.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// `host`, or `host:port` when the port is not the scheme's default.
    #[must_use]
    pub fn authority(&self) -> &str {
        &self.text[usize::from(self.host_start)..usize::from(self.path_start)]
    }

    /// `scheme://authority`: what one robots.txt speaks for.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.text[..usize::from(self.path_start)]
    }

    /// The path, at least `/`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.text[usize::from(self.path_start)..usize::from(self.path_end)]
    }

    /// The query without `?`; never empty.
    #[must_use]
    pub fn query(&self) -> Option<&str> {
        self.text.get(usize::from(self.path_end) + 1..)
    }

    /// Path and query, as they stand in a request line and in robots.txt rules.
    #[must_use]
    pub fn path_and_query(&self) -> &str {
        &self.text[usize::from(self.path_start)..]
    }

    /// See [`registrable_domain`](crate::registrable_domain).
    #[must_use]
    pub fn registrable_domain(&self) -> &str {
        crate::registrable_domain(self.host())
    }

    /// The key of this URL in every store.
    #[must_use]
    pub fn key(&self) -> UrlKey {
        UrlKey::of(&self.text)
    }

    /// Whether this is the first page of its host: path `/` and no query.
    #[must_use]
    pub fn is_home(&self) -> bool {
        self.path_and_query() == "/"
    }

    /// As the `url` crate's type, to resolve links against; parses again, about 0.3 µs.
    #[must_use]
    pub fn to_url(&self) -> Url {
        Url::parse(&self.text).expect("a canonical URL parses")
    }
}

/// Longest text that [`CanonicalUrl::of_plain`] looks at; offsets have 16 bits.
const MAX_PLAIN: usize = 2_048;

/// Where a byte stands as it is: bit 0 in names of hosts, bit 1 in paths, bit 2 in queries.
const PLAIN: [u8; 256] = {
    let mut plain = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        let is_mark = matches!(
            byte as u8,
            b'-' | b'.'
                | b'_'
                | b'~'
                | b'!'
                | b'$'
                | b'('
                | b')'
                | b'*'
                | b'+'
                | b','
                | b'='
                | b':'
                | b'@'
                | b'/'
                | b'&'
        );
        let in_both = is_mark || (byte as u8).is_ascii_alphanumeric();
        let in_host = matches!(byte as u8, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.');
        let in_query = in_both || byte as u8 == b'?';
        plain[byte] = in_host as u8 | (in_both as u8) << 1 | (in_query as u8) << 2;
        byte += 1;
    }
    plain
};

fn is_plain(text: &str, bit: u8) -> bool {
    text.bytes().fold(bit, |all, byte| all & PLAIN[usize::from(byte)]) == bit
}

/// A name that no rule changes: not punycode, not empty in parts, and no address, whose last part would begin with a digit.
fn is_plain_host(host: &str) -> bool {
    let is_plain_label = |label: &str| !label.is_empty() && label.len() <= 63 && !label.starts_with("xn--");
    let last = host.rsplit('.').next().unwrap_or_default();
    is_plain(host, 1)
        && host.len() <= 253
        && host.split('.').all(is_plain_label)
        && !last.starts_with(|first: char| first.is_ascii_digit())
}

/// Begins with `/`; dot segments would be resolved, and those with the session of a visitor left out.
fn is_plain_path(path: &str) -> bool {
    is_plain(path, 2) && !path.contains("/.") && !path.contains("/(")
}

fn is_plain_query(query: &str) -> bool {
    is_plain(query, 4) && query.split('&').all(|pair| !pair.is_empty() && !is_tracking_pair(pair))
}

fn shorten(text: &str) -> String {
    text.chars().take(200).collect()
}

fn push_host(text: &mut String, url: &Url) -> Result<(), UrlError> {
    let whole = url.host_str().unwrap_or_default();
    if !matches!(url.host(), Some(Host::Domain(_))) {
        text.push_str(whole);
        return Ok(());
    }
    let name = whole.strip_suffix('.').unwrap_or(whole);
    // More than one trailing dot would not be a fixed point: `0x7f..` → `0x7f` → 127.0.0.1.
    if name.is_empty() || name.split('.').any(str::is_empty) {
        return Err(UrlError::Host { host: shorten(whole) });
    }
    text.push_str(name);
    Ok(())
}

/// Appends the path: segments and parameters of sessions cut, empty segments kept, dot segments resolved once more, since
/// `/a/..;jsessionid=1/b` has one only after the cut.
fn push_path(text: &mut String, path: &str) {
    let root = text.len();
    let mut ends_open = true;
    for segment in path.split('/').skip(1).filter(|segment| !is_session_segment(segment)) {
        let stripped = strip_path_parameters(segment);
        let start = text.len();
        text.push('/');
        push_normalised(text, &stripped, UrlComponent::Path);
        ends_open = false;
        match &text[start + 1..] {
            "." => {
                text.truncate(start);
                ends_open = true;
            }
            ".." => {
                text.truncate(start);
                let parent = text[root..].rfind('/').map_or(root, |slash| root + slash);
                text.truncate(parent);
                ends_open = true;
            }
            _ => {}
        }
    }
    if ends_open {
        text.push('/');
    }
}

fn push_query(text: &mut String, query: &str, sort: bool) {
    let mut kept: Vec<&str> = query.split('&').filter(|pair| !pair.is_empty() && !is_tracking_pair(pair)).collect();
    if sort {
        kept.sort_by_key(|pair| pair.split('=').next());
    }
    for (index, pair) in kept.into_iter().enumerate() {
        text.push(if index == 0 { '?' } else { '&' });
        push_normalised(text, pair, UrlComponent::Query);
    }
}

fn is_tracking_pair(pair: &str) -> bool {
    let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
    // What has escapes (`utm%5Fsource`), or gets some (`{`), is judged as it will be written.
    if !is_plain(pair, 4) {
        let (mut plain_name, mut plain_value) = (String::new(), String::new());
        push_normalised(&mut plain_name, name, UrlComponent::Query);
        push_normalised(&mut plain_value, value, UrlComponent::Query);
        return is_tracking_parameter(&plain_name, &plain_value);
    }
    is_tracking_parameter(name, value)
}

impl fmt::Display for CanonicalUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for CanonicalUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CanonicalUrl({})", self.text)
    }
}

impl PartialEq for CanonicalUrl {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for CanonicalUrl {}

impl PartialOrd for CanonicalUrl {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for CanonicalUrl {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.text.cmp(&other.text)
    }
}

impl std::hash::Hash for CanonicalUrl {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl std::str::FromStr for CanonicalUrl {
    type Err = UrlError;

    fn from_str(text: &str) -> Result<Self, UrlError> {
        Self::parse(text, None)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text() -> impl Strategy<Value = String> {
        const PIECES: &[&str] = &[
            "http://",
            "https://",
            "HTTP://",
            "http:/",
            "a.example",
            "xn--fiq228c.cn",
            "xn--a",
            "1.2.3.4",
            "0x7f",
            "a.1",
            "b..c",
            "-a-",
            "A.b",
            "a_b",
            "host",
            ":80",
            ":8443",
            "/",
            "//",
            "/.",
            "/..",
            "/a",
            "/b.html",
            "./",
            "~",
            "%41",
            "%2f",
            ";",
            "'",
            "?",
            "&",
            "=",
            "id=1",
            "utm_source=x",
            "sid=9f86d081884c7d659a2feaa0c55ad015",
            "#",
            " ",
            "\\",
            "|",
            "^",
            "[",
            "é",
            "\t",
            "@",
            "!$()*,:+",
            "\"",
        ];
        prop::collection::vec(prop::sample::select(PIECES), 0..9).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        #[test]
        fn what_is_taken_as_it_is_is_what_the_parser_would_have_made(rest in text(), has_host: bool) {
            let input = if has_host { format!("https://a.example{rest}") } else { rest };
            let options = CanonicalOptions::default();
            if let Some(plain) = CanonicalUrl::of_plain(&input, &options) {
                let url = join(&input, None).unwrap();
                let parsed = CanonicalUrl::from_url_with(&url, &options).unwrap();
                let parts = |url: &CanonicalUrl| (url.host_start, url.host_end, url.path_start, url.path_end, url.port);
                prop_assert_eq!(parts(&plain), parts(&parsed));
                prop_assert_eq!(plain, parsed);
            }
        }
    }

    #[test]
    fn usual_links_are_taken_as_they_are_and_others_are_parsed() {
        let is_plain = |input: &str| CanonicalUrl::of_plain(input, &CanonicalOptions::default()).is_some();
        for input in [
            "http://a.example",
            "http://a.example/",
            "https://www.a-b.example/2026/11/Some-story_7.html?id=7&page=2",
            "https://h/?a&b=/?:@",
        ] {
            assert!(is_plain(input), "{input}");
        }
        for input in [
            "http://A.example/",
            "http://a.example:81/",
            "http://1.2.3.4/",
            "http://0x7f/",
            "http://xn--a.cn/",
            "http://a.example./",
            "http://a.example/../b",
            "http://a.example/%41",
            "http://a.example/;jsessionid=1",
            "http://a.example/?",
            "http://a.example/?utm_source=x",
            "http://a.example/#top",
            "http://a.example/?q='",
            "ftp://a/",
            "http://u@a.example/",
            "http:///a",
            " http://a.example/",
        ] {
            assert!(!is_plain(input), "{input}");
        }
    }
}
