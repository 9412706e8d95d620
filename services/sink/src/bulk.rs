//! Requests to an engine's `_bulk` API, made until each document is taken or refused for its own sake.

use std::collections::VecDeque;
use std::time::Duration;

use gristmill_runtime::partition_workers::PartitionAssignment;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::{Certificate, Client, StatusCode};
use serde::Serialize;
use tracing::{info, warn};

use crate::answer::{ItemStatus, fates, shortened};
use crate::config::BulkConfig;
use crate::convert::IndexAction;
use crate::error::SinkError;
use crate::metrics::Metrics;

/// Pause before the first new try.
const FIRST_BACKOFF: Duration = Duration::from_millis(100);

/// Largest answer that is read: a few hundred bytes for each document.
const MAX_ANSWER_BYTES: usize = 16 << 20;

/// A document that a target will never take.
pub(crate) struct RejectedDocument<'a> {
    pub action: &'a IndexAction,
    pub reason: String,
}

/// An engine.
#[derive(Clone)]
pub(crate) struct BulkClient {
    http: Client,
    config: BulkConfig,
    endpoint: String,
    batch_bytes: usize,
    metrics: Metrics,
}

/// Why a request has to be made again.
#[derive(Debug)]
struct Again {
    cause: &'static str,
    reason: String,
    /// How long the engine wants to be left alone.
    after: Option<Duration>,
}

/// What one request came to.
enum Outcome {
    Answered(Vec<ItemStatus>),
    /// The engine takes smaller requests only.
    TooLarge(String),
    Again(Again),
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Line<'a> {
    Index(Target<'a>),
    Delete(Target<'a>),
}

#[derive(Serialize)]
struct Target<'a> {
    #[serde(rename = "_index")]
    index: &'a str,
    #[serde(rename = "_id")]
    id: &'a str,
}

impl BulkClient {
    /// A client for the engine of `config`, whose settings are checked; opens no connection.
    pub(crate) fn new(config: &BulkConfig, batch_bytes: usize, metrics: Metrics) -> Result<Self, SinkError> {
        // Fails only when a provider is installed already, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = Client::builder()
            .user_agent(concat!("gristmill/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .no_proxy()
            .timeout(config.timeout)
            .connect_timeout(config.timeout)
            .tcp_nodelay(true);
        if !config.api_key.is_empty() {
            builder = builder.default_headers(api_key(config)?);
        }
        if !config.ca_file.is_empty() {
            let pem = std::fs::read(&config.ca_file)
                .map_err(|source| SinkError::CaFile { path: config.ca_file.clone(), source })?;
            let certificates = Certificate::from_pem_bundle(&pem).map_err(|source| SinkError::Client { source })?;
            builder = builder.tls_certs_merge(certificates);
        }
        let http = builder.build().map_err(|source| SinkError::Client { source })?;
        let endpoint = format!("{}/_bulk", config.url.reveal().trim_end_matches('/'));
        Ok(Self { http, config: config.clone(), endpoint, batch_bytes, metrics })
    }

    /// Whether removals are passed on.
    pub(crate) fn removes(&self) -> bool {
        self.config.removals
    }

    /// Sends `actions` in order, each until it is taken or refused; returns the refused ones, or `None` when the part went
    /// elsewhere or the process ends before all was done: then what is left comes again.
    ///
    /// # Errors
    /// The engine refuses everything: [`SinkError::Access`], [`SinkError::NoIndex`], [`SinkError::Refused`].
    pub(crate) async fn send<'a>(
        &self,
        actions: impl Iterator<Item = &'a IndexAction>,
        part: &PartitionAssignment,
    ) -> Result<Option<Vec<RejectedDocument<'a>>>, SinkError> {
        let mut waiting = self.requests(actions);
        let (mut refused, mut tries) = (Vec::new(), 0);
        while let Some(request) = waiting.pop_front() {
            if !part.is_ours().await {
                return Ok(None);
            }
            let again = match self.ask(&request).await? {
                Outcome::Answered(fates) => {
                    let (later, why) = self.sort(request, fates, &mut refused)?;
                    if later.is_empty() {
                        if tries > 0 {
                            info!(tries, "the engine takes documents again");
                        }
                        tries = 0;
                        continue;
                    }
                    waiting.push_front(later);
                    Again { cause: "busy", reason: why, after: None }
                }
                Outcome::TooLarge(reason) if request.len() == 1 => {
                    refused.push(RejectedDocument { action: request[0], reason });
                    continue;
                }
                Outcome::TooLarge(_) => {
                    let (first, second) = request.split_at(request.len() / 2);
                    waiting.push_front(second.to_vec());
                    waiting.push_front(first.to_vec());
                    continue;
                }
                Outcome::Again(again) => {
                    waiting.push_front(request);
                    again
                }
            };
            let pause = self.pause(tries, again.after);
            tries += 1;
            self.metrics.retries.of(again.cause).inc();
            warn!(url = self.endpoint, tries, retry_in = ?pause, error = again.reason, "documents wait for the engine");
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = part.stop.cancelled() => return Ok(None),
            }
        }
        Ok(Some(refused))
    }

    /// Cuts actions into requests by their bytes.
    fn requests<'a>(&self, actions: impl Iterator<Item = &'a IndexAction>) -> VecDeque<Vec<&'a IndexAction>> {
        let mut requests: VecDeque<Vec<&IndexAction>> = VecDeque::new();
        let mut bytes = 0;
        for action in actions {
            let more = action.json.as_ref().map_or(0, Vec::len);
            match requests.back_mut() {
                Some(request) if bytes + more <= self.batch_bytes => request.push(action),
                _ => {
                    requests.push_back(vec![action]);
                    bytes = 0;
                }
            }
            bytes += more;
        }
        requests
    }

    /// One request, and what the engine says to it.
    async fn ask(&self, request: &[&IndexAction]) -> Result<Outcome, SinkError> {
        let mut asked = self.http.post(&self.endpoint).header(CONTENT_TYPE, "application/x-ndjson");
        if !self.config.username.is_empty() {
            asked = asked.basic_auth(&self.config.username, Some(self.config.password.reveal()));
        }
        let (status, after, body) = match exchange(asked.body(self.body(request))).await {
            Ok(answer) => answer,
            Err(reason) => return Ok(Outcome::Again(Again { cause: "connection", reason, after: None })),
        };
        let said = || shortened(&String::from_utf8_lossy(&body));
        let (url, code) = (|| self.endpoint.clone(), status.as_u16());
        match code {
            200..=299 => {
                let actions: Vec<(&str, bool)> =
                    request.iter().map(|action| (action.key.as_str(), action.is_removal())).collect();
                Ok(match fates(&body, &actions) {
                    Ok(fates) => Outcome::Answered(fates),
                    Err(reason) => Outcome::Again(Again { cause: "answer", reason, after }),
                })
            }
            413 => Ok(Outcome::TooLarge(format!("larger than the engine takes: {}", said()))),
            429 => Ok(Outcome::Again(Again { cause: "busy", reason: said(), after })),
            408 | 500.. => {
                Ok(Outcome::Again(Again { cause: "failure", reason: format!("{status}: {}", said()), after }))
            }
            401 | 403 => Err(SinkError::Access { url: url(), status: code, reason: said() }),
            _ => Err(SinkError::Refused { url: url(), status: code, reason: said() }),
        }
    }

    fn body(&self, request: &[&IndexAction]) -> Vec<u8> {
        let mut body = Vec::new();
        for action in request {
            let target = Target { index: &self.config.index, id: &action.key };
            let line = if action.is_removal() { Line::Delete(target) } else { Line::Index(target) };
            serde_json::to_writer(&mut body, &line).expect("two strings are JSON, and memory takes them");
            body.push(b'\n');
            if let Some(json) = &action.json {
                body.extend_from_slice(json);
                body.push(b'\n');
            }
        }
        body
    }

    /// Counts what is done, keeps what is refused, and returns what must be sent again, with a reason.
    fn sort<'a>(
        &self,
        request: Vec<&'a IndexAction>,
        fates: Vec<ItemStatus>,
        refused: &mut Vec<RejectedDocument<'a>>,
    ) -> Result<(Vec<&'a IndexAction>, String), SinkError> {
        let (mut later, mut why) = (Vec::new(), String::new());
        let url = || self.endpoint.clone();
        for (action, fate) in request.into_iter().zip(fates) {
            match fate {
                ItemStatus::Done => {
                    let result = if action.is_removal() { "removed" } else { "sent" };
                    self.metrics.documents.of("bulk", result).inc();
                }
                ItemStatus::Refused(reason) => refused.push(RejectedDocument { action, reason }),
                ItemStatus::Later(reason) => {
                    later.push(action);
                    why = reason;
                }
                ItemStatus::NoAccess(status, reason) => return Err(SinkError::Access { url: url(), status, reason }),
                ItemStatus::NoIndex(reason) => {
                    return Err(SinkError::NoIndex { url: url(), index: self.config.index.clone(), reason });
                }
            }
        }
        Ok((later, why))
    }

    /// Twice the last pause, or what the engine asks for; some of it is left to chance, so that the workers of many
    /// partitions do not come back at once.
    fn pause(&self, tries: u32, asked: Option<Duration>) -> Duration {
        let doubled = FIRST_BACKOFF.saturating_mul(1 << tries.min(20));
        let pause = asked.unwrap_or_default().max(doubled).min(self.config.max_backoff);
        let chance = std::hash::BuildHasher::hash_one(&std::collections::hash_map::RandomState::new(), tries);
        pause.mul_f64(1.0 - 0.25 * (chance % 1024) as f64 / 1024.0)
    }
}

fn api_key(config: &BulkConfig) -> Result<HeaderMap, SinkError> {
    let mut value = HeaderValue::from_str(&format!("ApiKey {}", config.api_key.reveal())).map_err(|_| {
        SinkError::Setting { key: "sink.bulk.api_key", problem: "holds a character that no header may have".into() }
    })?;
    value.set_sensitive(true);
    Ok(HeaderMap::from_iter([(AUTHORIZATION, value)]))
}

/// An error with its causes.
fn told(error: reqwest::Error) -> String {
    format!("{:#}", anyhow::Error::new(error))
}

/// Sends a request and reads the answer, of which `Retry-After` in seconds is understood.
async fn exchange(request: reqwest::RequestBuilder) -> Result<(StatusCode, Option<Duration>, Vec<u8>), String> {
    let mut answer = request.send().await.map_err(told)?;
    let after = answer.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(told)? {
        if body.len() + chunk.len() > MAX_ANSWER_BYTES {
            return Err(format!("an answer of more than {MAX_ANSWER_BYTES} bytes"));
        }
        body.extend_from_slice(&chunk);
    }
    Ok((answer.status(), after.map(Duration::from_secs), body))
}

#[cfg(test)]
mod tests {
    use prometheus::Registry;

    use super::*;

    fn bulk(batch_bytes: usize) -> BulkClient {
        let config = BulkConfig { url: "http://127.0.0.1:9/es/".into(), ..BulkConfig::default() };
        BulkClient::new(&config, batch_bytes, Metrics::register(&Registry::new()).unwrap()).unwrap()
    }

    fn action(key: &str, json: Option<&str>) -> IndexAction {
        IndexAction { key: key.into(), url: String::new(), json: json.map(|json| json.as_bytes().to_vec()) }
    }

    #[test]
    fn a_request_is_lines_of_what_and_which_and_a_quote_cannot_leave_its_string() {
        let actions = [action("a\"\n", Some(r#"{"n":1}"#)), action("b", None)];
        let body = bulk(1000).body(&actions.iter().collect::<Vec<_>>());
        let wanted = "{\"index\":{\"_index\":\"gristmill\",\"_id\":\"a\\\"\\n\"}}\n{\"n\":1}\n\
                      {\"delete\":{\"_index\":\"gristmill\",\"_id\":\"b\"}}\n";
        assert_eq!(String::from_utf8(body).unwrap(), wanted);
        assert_eq!(bulk(1).endpoint, "http://127.0.0.1:9/es/_bulk");
    }

    #[test]
    fn requests_are_bounded_by_bytes_and_a_large_document_goes_alone() {
        let actions = ["1234", "1234", "123456789012", "12", "12"].map(|json| action("k", Some(json)));
        let sizes: Vec<usize> = bulk(10).requests(actions.iter()).iter().map(Vec::len).collect();
        assert_eq!(sizes, [2, 1, 2]);
    }

    #[test]
    fn pauses_double_to_the_limit_and_are_as_long_as_the_engine_asks() {
        let bulk = bulk(1);
        let within = |pause: Duration, millis: u64| {
            let full = Duration::from_millis(millis);
            assert!(pause <= full && pause >= full.mul_f64(0.74), "{pause:?} for {full:?}");
        };
        within(bulk.pause(0, None), 100);
        within(bulk.pause(3, None), 800);
        within(bulk.pause(60, None), 30_000);
        within(bulk.pause(0, Some(Duration::from_secs(7))), 7000);
        within(bulk.pause(0, Some(Duration::from_secs(7000))), 30_000);
    }
}
