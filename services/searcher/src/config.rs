//! Settings of the searcher.

use std::net::SocketAddr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Where the searcher listens and how much work it takes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearcherConfig {
    /// Address of the web pages and the API; port 0 takes a free one. There is no login, so think before you
    /// leave loopback. Default: `"127.0.0.1:8080"`.
    pub listen: SocketAddr,
    /// Longest time one search may take; what was found by then is shown and marked as partial. Default: `5s`.
    #[serde(with = "humantime_serde")]
    pub time_limit: Duration,
    /// Searches that run at once; others wait for their turn, and are refused when it does not come within
    /// `time_limit`. More than the machine has cores makes each of them slower; 0 means 1. Default: 4.
    pub max_searches: usize,
}

impl Default for SearcherConfig {
    fn default() -> Self {
        let listen = SocketAddr::from(([127, 0, 0, 1], 8080));
        Self { listen, time_limit: Duration::from_secs(5), max_searches: 4 }
    }
}
