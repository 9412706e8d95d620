//! Files of any size, piece by piece and from any byte on: for what a person names, such as archives, not for pages of a crawl.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use reqwest::header::{self, HeaderMap, HeaderValue};
use url::Url;

use crate::client::{Client, HostPermit, sendable};
use crate::config::FetchConfig;
use crate::error::FetchError;
use crate::explain::{explain, resolve_error};
use crate::response::{Headers, redirect_of};

/// An answer whose body is still to come. Memory holds one piece of it; who reads slowly holds the server back.
pub struct StreamedResponse {
    url: Url,
    config: Arc<FetchConfig>,
    answer: reqwest::Response,
    /// The header fields of use.
    pub headers: Headers,
    /// Status code: 200 with the whole body, 206 with the rest of it, and all others.
    pub status: u16,
    /// Where in the file the body begins.
    pub start: u64,
    /// Bytes of the whole file, if the server tells.
    pub length: Option<u64>,
    pace: Pace,
    _slot: Option<HostPermit>,
}

impl Client {
    /// Asks for a file from the byte `from` on. Answers with whatever status come back as they are; redirects are not followed.
    ///
    /// `version` is the `ETag` of what was read before: another version comes from its first byte on, with status 200, as it also
    /// does from a server that knows no ranges. Limits of size and of the whole time do not hold, those of header, connection,
    /// silence and speed do.
    ///
    /// # Errors
    /// [`FetchError`] when no answer came, or a part that was not asked for.
    pub async fn download(&self, url: &Url, from: u64, version: Option<&str>) -> Result<StreamedResponse, FetchError> {
        let url = sendable(url)?;
        self.guard(&url).await.map_err(|error| resolve_error(url.as_str(), error))?;
        let slot = self.slots.enter(url.origin().ascii_serialization()).await;
        let mut builder = self
            .http_for(&url)
            .get(url.clone())
            .header(header::ACCEPT, HeaderValue::from_static("*/*"))
            .header(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        builder = builder.headers(self.own_fields(&url));
        if from > 0 {
            builder = builder.header(header::RANGE, format!("bytes={from}-"));
            // A weak one says nothing of bytes (RFC 9110, 13.1.5).
            let strong = version.filter(|version| !version.starts_with("W/"));
            if let Some(version) = strong.and_then(|version| HeaderValue::from_str(version).ok()) {
                builder = builder.header(header::IF_RANGE, version);
            }
        }
        let request = builder.build().map_err(|error| explain(&self.config, url.as_str(), &error))?;
        let answer = self.answer(request, &url).await?;
        let headers = self.take_headers(&url, &answer)?;
        let status = answer.status().as_u16();
        let (start, length) = match (status, part(answer.headers())) {
            (206, Some((Some(start), length))) if start == from => (start, length),
            (206, _) => {
                let reason = format!("it sent another part than that from byte {from} on");
                return Err(FetchError::Protocol { url: url.into(), reason });
            }
            (416, Some((_, length))) => (0, length),
            _ => (0, answer.content_length()),
        };
        Ok(StreamedResponse {
            url,
            config: Arc::clone(&self.config),
            answer,
            headers,
            status,
            start,
            length,
            pace: Pace::default(),
            _slot: slot,
        })
    }
}

impl StreamedResponse {
    /// The next piece of the body, of the size in which it came; none at its end.
    ///
    /// # Errors
    /// The connection broke, or the server was silent for longer than `fetch.read_timeout`, or slower than `fetch.min_speed` while it
    /// was waited for.
    pub async fn next(&mut self) -> Result<Option<Bytes>, FetchError> {
        let (limit, begun) = (self.config.read_timeout, Instant::now());
        match tokio::time::timeout(limit, self.answer.chunk()).await {
            Ok(Ok(Some(piece))) if self.pace.is_too_slow(piece.len(), begun.elapsed(), &self.config) => {
                Err(FetchError::TooSlow { url: self.url.to_string(), limit: self.config.min_speed })
            }
            Ok(Ok(piece)) => Ok(piece),
            Ok(Err(error)) => Err(explain(&self.config, self.url.as_str(), &error)),
            Err(_) => Err(FetchError::Timeout {
                url: self.url.to_string(),
                setting: "read_timeout",
                limit,
                stage: "reading the body",
            }),
        }
    }

    /// Where a redirect leads.
    pub fn redirect_target(&self) -> Option<Url> {
        redirect_of(self.status, &self.headers, &self.url)
    }
}

/// How fast a body comes while it is waited for: who reads slowly is no fault of the server.
#[derive(Debug, Default)]
struct Pace {
    bytes: u64,
    waited: Duration,
}

impl Pace {
    /// Counts a piece that was waited for, and judges each span of `min_speed_after` by itself: a file may take hours.
    fn is_too_slow(&mut self, bytes: usize, waited: Duration, config: &FetchConfig) -> bool {
        self.bytes += bytes as u64;
        self.waited += waited;
        if self.waited < config.min_speed_after {
            return false;
        }
        let Pace { bytes, waited } = std::mem::take(self);
        (bytes as f64) < config.min_speed as f64 * waited.as_secs_f64()
    }
}

/// First byte and whole length as `Content-Range` has them.
fn part(map: &HeaderMap) -> Option<(Option<u64>, Option<u64>)> {
    let value = map.get(header::CONTENT_RANGE)?.to_str().ok()?.trim();
    let (range, length) = value.strip_prefix("bytes")?.trim_start().split_once('/')?;
    let start = range.split_once('-').and_then(|(start, _)| start.trim().parse().ok());
    Some((start, length.trim().parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_span_of_waiting_has_to_bring_enough() {
        let config = FetchConfig { min_speed: 500, min_speed_after: Duration::from_secs(10), ..FetchConfig::default() };
        let mut pace = Pace::default();
        let mut one = |bytes, seconds| pace.is_too_slow(bytes, Duration::from_secs(seconds), &config);
        assert!(!one(1 << 20, 1) && !one(0, 8) && !one(1, 1), "the mean of the span counts");
        assert!((0..9).all(|_| !one(1, 1)) && one(1, 1), "what came before is no credit");
        assert!(!one(5_000, 10) && one(4_999, 10));
        let off = FetchConfig { min_speed: 0, ..config };
        assert!(!Pace::default().is_too_slow(0, Duration::from_secs(100), &off));
    }

    #[test]
    fn parts_are_read_as_servers_write_them() {
        let of = |value: &'static str| {
            part(&HeaderMap::from_iter([(header::CONTENT_RANGE, HeaderValue::from_static(value))]))
        };
        assert_eq!(of("bytes 100-199/1000"), Some((Some(100), Some(1000))));
        assert_eq!(of("bytes 5-9/*"), Some((Some(5), None)));
        assert_eq!(of("bytes */1000"), Some((None, Some(1000))));
        assert_eq!(of("pages 1-2/3"), None);
    }
}
