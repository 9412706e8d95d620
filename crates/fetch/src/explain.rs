//! From an error of the HTTP library to ours, by the causes that it carries.

use std::error::Error;
use std::io;

use url::Url;

use crate::config::FetchConfig;
use crate::error::FetchError;
use crate::resolver::ResolveError;

/// Most header fields of an answer; hyper's own default of 100 turns some real sites away.
pub(crate) const MAX_HEADER_FIELDS: usize = 256;

/// What the HTTP/2 reader takes in, as much as the HTTP/1 one does. It only resets the stream above that, with no word on
/// why, so our own limit is judged after it.
pub(crate) const HEADER_READER_BYTES: u32 = 400 * 1024;

/// The error of a name that has no address that we may ask.
pub(crate) fn resolve_error(url: &str, error: ResolveError) -> FetchError {
    let url = url.to_owned();
    match error {
        ResolveError::Refused { ip, class } => FetchError::RefusedAddress { url, ip, class },
        ResolveError::PrivateName { host, what } => FetchError::RefusedName { url, host, what },
        ResolveError::Failed(reason) => FetchError::Dns { url, reason },
    }
}

/// Turns the HTTP library's error into ours, by the causes it carries.
pub(crate) fn explain(config: &FetchConfig, url: &str, error: &reqwest::Error) -> FetchError {
    let mut reason = error.to_string();
    let mut cause: Option<&(dyn Error + 'static)> = error.source();
    let mut found = None;
    while let Some(inner) = cause {
        reason = inner.to_string();
        found = found.or_else(|| explain_cause(url, inner));
        cause = next_cause(inner);
    }
    if let Some(found) = found {
        return found;
    }
    let url = url.to_owned();
    if error.is_timeout() {
        let (setting, limit) = ("connect_timeout", config.connect_timeout);
        FetchError::Timeout { url, setting, limit, stage: "connecting" }
    } else if error.is_connect() {
        let host = Url::parse(&url).ok().and_then(|url| url.host_str().map(str::to_owned));
        let is_proxied = host.is_some_and(|host| config.proxies_of(&host).is_some());
        let by = if is_proxied { ", on the way over its proxy" } else { "" };
        FetchError::Connect { url, reason: reason + by }
    } else if error.is_builder() {
        FetchError::BadUrl { url, reason: "it is no valid request target" }
    } else {
        FetchError::Protocol { url, reason }
    }
}

fn explain_cause(url: &str, cause: &(dyn Error + 'static)) -> Option<FetchError> {
    if let Some(error) = cause.downcast_ref::<ResolveError>() {
        return Some(resolve_error(url, error.clone()));
    }
    let url = url.to_owned();
    let reason = cause.to_string();
    if cause.is::<rustls::Error>() {
        return Some(FetchError::Tls { url, reason });
    }
    if let Some(error) = cause.downcast_ref::<hyper::Error>() {
        if error.is_parse_too_large() {
            // The reader does not say which of its two limits it was.
            let (max_fields, max_bytes) = (MAX_HEADER_FIELDS, HEADER_READER_BYTES);
            return Some(FetchError::HeaderUnreadable { url, max_fields, max_bytes });
        }
        if error.is_parse() {
            return Some(FetchError::Protocol { url, reason });
        }
        if error.is_incomplete_message() {
            return Some(FetchError::Truncated { url, reason });
        }
    }
    let error = cause.downcast_ref::<io::Error>()?;
    // A wrapper says less than the error inside it, which comes next.
    if error.get_ref().is_some_and(|inner| inner.is::<io::Error>() || inner.is::<rustls::Error>()) {
        return None;
    }
    match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => Some(FetchError::Protocol { url, reason }),
        io::ErrorKind::UnexpectedEof
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe => Some(FetchError::Truncated { url, reason }),
        _ => None,
    }
}

/// The cause behind a cause. An I/O error's own `source` skips the error that it was made from.
fn next_cause<'a>(cause: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    match cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref) {
        Some(inner) => Some(inner),
        None => cause.source(),
    }
}
