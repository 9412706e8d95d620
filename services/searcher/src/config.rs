//! Settings of the searcher.

use std::net::SocketAddr;
use std::time::Duration;

use gristmill_runtime::listen::Listen;
use serde::{Deserialize, Serialize};

use crate::extract::ExtractConfig;
use crate::tokens::AccessToken;

/// Where the searcher listens and how much work it takes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearcherConfig {
    /// Where the web pages and the API are: `ADDRESS:PORT`, `NAME:PORT`, or `:PORT` for every address; port 0 takes a free one. There
    /// is no login, so think before you leave loopback. Default: `"127.0.0.1:8080"`.
    pub listen: Listen,
    /// Names under which the server is asked, beside loopback ones and the one that `listen` names: those of a server that passes
    /// requests on, for example. Requests under other names are refused. Default: empty.
    pub hosts: Vec<String>,
    /// Longest time one search may take; what was found by then is shown and marked as partial. Default: `5s`.
    #[serde(with = "humantime_serde")]
    pub time_limit: Duration,
    /// Searches that run at once; others wait for their turn, and are refused when it does not come within
    /// `time_limit`. More than the machine has cores makes each of them slower; 0 means 1. Default: 4.
    pub max_searches: usize,
    /// Longest wait for the head of a request, from the opening of the connection or from the answer before. Default: `10s`.
    #[serde(with = "humantime_serde")]
    pub header_timeout: Duration,
    /// Longest time in which nothing moves on a connection, in either direction. Longer than `time_limit`. Default: `30s`.
    #[serde(with = "humantime_serde")]
    pub idle_timeout: Duration,
    /// Longest time from a request to the last byte of its answer, however the client takes it in. Longer than `time_limit`.
    /// Default: `1m`.
    #[serde(with = "humantime_serde")]
    pub answer_timeout: Duration,
    /// Connections in all; for a further one the one that has waited longest for its client goes. At most what the process
    /// may open. Default: 512.
    pub max_connections: usize,
    /// Connections of one client: an IPv4 address, or a /64 network of IPv6. Behind a server that passes requests on, all
    /// come from that one: set it to `max_connections` there. Default: 64.
    pub max_connections_per_client: usize,
    /// Tokens of clients. Without any, pages and API are open to who reaches them, and doors for agents make one in the data
    /// directory. With some, all but style sheet and descriptions asks for one. Default: none.
    pub tokens: Vec<AccessToken>,
    /// Origins, such as `https://app.example`, whose pages may ask from a browser (CORS). Default: empty.
    pub cors: Vec<String>,
    /// Requests of one client in a minute, as `max_connections_per_client` counts clients; 0 for any number. Default: 0.
    pub max_requests_per_minute: u32,
    /// Pages extracted for clients.
    pub extract: ExtractConfig,
}

impl Default for SearcherConfig {
    fn default() -> Self {
        let listen = SocketAddr::from(([127, 0, 0, 1], 8080));
        Self {
            listen: listen.into(),
            hosts: Vec::new(),
            time_limit: Duration::from_secs(5),
            max_searches: 4,
            header_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(30),
            answer_timeout: Duration::from_secs(60),
            max_connections: 512,
            max_connections_per_client: 64,
            tokens: Vec::new(),
            cors: Vec::new(),
            max_requests_per_minute: 0,
            extract: ExtractConfig::default(),
        }
    }
}

impl SearcherConfig {
    /// Checks the rules between settings.
    ///
    /// # Errors
    /// The first one that is broken, naming the key.
    pub fn check(&self) -> Result<(), String> {
        for (key, value) in [
            ("searcher.max_connections", self.max_connections),
            ("searcher.max_connections_per_client", self.max_connections_per_client),
        ] {
            if value == 0 {
                return Err(format!("`{key}` must be at least 1, got 0"));
            }
        }
        if let Some(origin) = self.cors.iter().find(|origin| !is_origin(origin)) {
            return Err(format!("`searcher.cors` holds origins such as `https://app.example`, got `{origin}`"));
        }
        if self.header_timeout.is_zero() {
            return Err("`searcher.header_timeout` must be longer than 0s".to_owned());
        }
        let longer = [("idle_timeout", self.idle_timeout), ("answer_timeout", self.answer_timeout)];
        for (key, value) in longer {
            if value <= self.time_limit {
                let limit = self.time_limit;
                return Err(format!(
                    "`searcher.{key}` ({value:?}) must be longer than `searcher.time_limit` ({limit:?})"
                ));
            }
        }
        self.extract.check(longer)
    }
}

/// Whether a text is a web origin as browsers send it: scheme, host and port, and no path.
fn is_origin(text: &str) -> bool {
    url::Url::parse(text).is_ok_and(|url| url.origin().is_tuple() && url.origin().ascii_serialization() == text)
}
