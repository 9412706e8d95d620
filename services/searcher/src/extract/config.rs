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
    /// Requests taken on at once, each with its body in memory; further ones are refused. Default: 16.
    pub max_requests: usize,
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
            time_limit: Duration::from_secs(20),
        }
    }
}

impl ExtractConfig {
    /// Checks the rules between settings, given `searcher.idle_timeout` and `searcher.answer_timeout` by name.
    pub(crate) fn check(&self, longer: [(&str, Duration); 2]) -> Result<(), String> {
        for (key, value) in [("max_bytes", self.max_bytes), ("max_requests", self.max_requests)] {
            if value == 0 {
                return Err(format!("`searcher.extract.{key}` must be at least 1, got 0"));
            }
        }
        let limit = self.time_limit;
        if limit.is_zero() {
            return Err("`searcher.extract.time_limit` must be longer than 0s".to_owned());
        }
        match longer.into_iter().find(|(_, value)| self.enabled && *value <= limit) {
            Some((key, value)) => Err(format!(
                "`searcher.{key}` ({value:?}) must be longer than `searcher.extract.time_limit` ({limit:?})"
            )),
            None => Ok(()),
        }
    }
}
