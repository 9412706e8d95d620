//! Lines of a CDXJ index: where the capture of a URL stands, sorted by its SURT key.

use serde_json::json;

use crate::http::HttpMessage;
use crate::record::{RecordKind, WarcRecord};

use super::digest::{payload_digest, sha1_digest};

/// The line of a response, resource or revisit record, without a line end; `None` for others, and without target or date.
///
/// `key YYYYMMDDhhmmss {"url", "mime", "status", "digest", "length", "offset", "filename"}`, as pywb writes it: the digest without
/// `sha1:`, all values as strings. A revisit has the type `warc/revisit`. The digest is computed if the record has none.
///
/// * `filename`: of the archive, as the index is to name it.
#[must_use]
pub fn cdxj_line(record: &WarcRecord<'_>, filename: &str) -> Option<String> {
    if !matches!(record.kind(), RecordKind::Response | RecordKind::Resource | RecordKind::Revisit) {
        return None;
    }
    let url = record.target_uri()?;
    let date = crate::date::format_date(record.date_seconds()?);
    let timestamp: String = date.chars().filter(char::is_ascii_digit).collect();
    let message = HttpMessage::parse(record.body()).ok();
    let mime = match (&message, record.kind()) {
        (_, RecordKind::Revisit) => "warc/revisit".to_owned(),
        (Some(message), _) => message.content_type().media_type,
        (None, _) => record.content_type().unwrap_or_default().into_owned(),
    };
    let digest = record.field("WARC-Payload-Digest").map(std::borrow::Cow::into_owned);
    let digest = digest.or_else(|| payload_digest(record.body())).unwrap_or_else(|| sha1_digest(&[record.body()]));
    let status = message.and_then(|message| message.status()).map(|status| status.to_string());
    let fields = json!({
        "url": url,
        "mime": if mime.is_empty() { "unk" } else { &mime },
        "status": status.unwrap_or_default(),
        "digest": digest.strip_prefix("sha1:").unwrap_or(&digest),
        "length": (record.end() - record.offset()).to_string(),
        "offset": record.offset().to_string(),
        "filename": filename,
    });
    Some(format!("{} {timestamp} {fields}", surt(&url)))
}

/// The key by which captures of one site stand together: `https://www.Example.org/A?b=1&a=2` is `org,example)/a?a=2&b=1`.
///
/// Scheme, user, `www.`, usual ports and fragment are dropped, all is in lower case, and the query is sorted. Numeric addresses
/// keep their order. Unlike IIPC's library it keeps session numbers and all escapes. What is no URL with a host stays as it is.
#[must_use]
pub fn surt(url: &str) -> String {
    let lower = url.trim().to_lowercase();
    let Some((scheme, rest)) = lower.split_once("://") else { return lower.replace(' ', "%20") };
    let rest = rest.split('#').next().unwrap_or_default();
    let path_at = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(path_at);
    let authority = authority.rsplit('@').next().unwrap_or_default();
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (host, port),
        _ => (authority, ""),
    };
    let is_usual = matches!((scheme, port), (_, "") | ("http", "80") | ("https", "443"));
    let mut key = reversed(host.trim_end_matches('.'));
    if !is_usual {
        key = format!("{key}:{port}");
    }
    let (path, query) = path.split_once('?').map_or((path, None), |(path, query)| (path, Some(query)));
    key = format!("{key}){}", if path.is_empty() { "/" } else { path });
    if let Some(query) = query.filter(|query| !query.is_empty()) {
        let mut parts: Vec<&str> = query.split('&').collect();
        parts.sort_unstable();
        key = format!("{key}?{}", parts.join("&"));
    }
    key.replace(' ', "%20")
}

fn reversed(host: &str) -> String {
    if host.starts_with('[') || host.parse::<std::net::Ipv4Addr>().is_ok() {
        return host.to_owned();
    }
    let labels: Vec<&str> = host.split('.').collect();
    let is_www =
        |label: &str| label.strip_prefix("www").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
    let n_dropped = usize::from(labels.len() > 2 && is_www(labels[0]));
    let mut labels = labels[n_dropped..].to_vec();
    labels.reverse();
    labels.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_one_page_are_the_same() {
        for (url, key) in [
            ("https://www.Example.org/A?b=1&a=2#x", "org,example)/a?a=2&b=1"),
            ("http://example.org:80", "org,example)/"),
            ("http://user@example.org:8080/?", "org,example:8080)/"),
            ("http://192.0.2.1/a b", "192.0.2.1)/a%20b"),
            ("http://[2001:db8::1]:81/", "[2001:db8::1]:81)/"),
            ("https://www2.a.example.org?q", "org,example,a)/?q"),
            ("urn:X y", "urn:x%20y"),
        ] {
            assert_eq!(surt(url), key, "{url}");
        }
    }
}
