//! Settings of `POST /extract`.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Whether pages are extracted for clients, and how much work they may cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ExtractConfig {
    /// Answers `POST /extract`. Default: false.
    pub enabled: bool,
    /// Fetches pages of which the address alone is sent, past the address guard and by robots.txt: whoever reaches the server can
    /// then make it send requests. Default: false.
    pub fetch: bool,
    /// Most bytes of a body, as sent and with its content coding undone. Default: 10485760 (10 MiB).
    pub max_bytes: usize,
    /// Requests taken on at once, each with its body in memory. A further one takes the place of one whose body has been coming
    /// for longest, or waits for half of `time_limit`, and then is refused. Default: 16.
    pub max_requests: usize,
    /// Of these, requests of one client, as `searcher.max_connections_per_client` counts. Behind a server that passes requests on,
    /// set it to `max_requests`. Default: 8.
    pub max_requests_per_client: usize,
    /// Longest time in which a body must have come. Default: `10s`.
    #[serde(with = "humantime_serde")]
    pub body_timeout: Duration,
    /// Longest time from the head of a request to its answer: body, fetch, turn and extraction. Shorter than
    /// `searcher.idle_timeout` and `searcher.answer_timeout`. Default: `20s`.
    #[serde(with = "humantime_serde")]
    pub time_limit: Duration,
}

impl Default for ExtractConfig {
    fn default() -> Self {
        Self {
            enabled: false,
            fetch: false,
            max_bytes: 10 * 1024 * 1024,
            max_requests: 16,
            max_requests_per_client: 8,
            body_timeout: Duration::from_secs(10),
            time_limit: Duration::from_secs(20),
        }
    }
}

impl ExtractConfig {
    /// Checks the rules between settings, given `searcher.idle_timeout` and `searcher.answer_timeout` by name.
    pub(crate) fn check(&self, longer: [(&str, Duration); 2]) -> Result<(), String> {
        for (key, value) in [
            ("max_bytes", self.max_bytes),
            ("max_requests", self.max_requests),
            ("max_requests_per_client", self.max_requests_per_client),
        ] {
            if value == 0 {
                return Err(format!("`searcher.extract.{key}` must be at least 1, got 0"));
            }
        }
        let limit = self.time_limit;
        for (key, value) in [("time_limit", limit), ("body_timeout", self.body_timeout)] {
            if value.is_zero() {
                return Err(format!("`searcher.extract.{key}` must be longer than 0s"));
            }
        }
        match longer.into_iter().find(|(_, value)| self.enabled && *value <= limit) {
            Some((key, value)) => Err(format!(
                "`searcher.{key}` ({value:?}) must be longer than `searcher.extract.time_limit` ({limit:?})"
            )),
            None => Ok(()),
        }
    }
}
