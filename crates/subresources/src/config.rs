//! The settings of what pages in a browser ask for.

use std::time::Duration;

use gristmill_fetch::{ConfigError, FetchConfig};
use serde::{Deserialize, Serialize};

/// What the resources of drawn pages may cost their sites and us. All else is as `fetch` says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SubresourcesConfig {
    /// Most requests of one page to one host. No setting: 100.
    #[serde(skip)]
    pub max_per_host: u32,
    /// Most requests to one host in a minute, whichever pages ask; further ones are refused. Default: 300.
    pub per_minute: u32,
    /// Most bytes of one answer, as sent and decoded. No setting: 5242880 (5 MiB).
    #[serde(skip)]
    pub max_bytes: usize,
    /// Longest time for one answer. No setting: `5s`.
    #[serde(skip)]
    pub timeout: Duration,
    /// Most connections to one host at a time. No setting: 6, as browsers have it.
    #[serde(skip)]
    pub connections: usize,
    /// Bytes of scripts and style sheets that are kept for other pages; 0 keeps none. No setting: 67108864 (64 MiB).
    #[serde(skip)]
    pub cache_bytes: usize,
    /// How long a script or style sheet is kept, whatever its server says. No setting: `30days`.
    #[serde(skip)]
    pub cache_for: Duration,
    /// How long a robots.txt is used. No setting: `1day`.
    #[serde(skip)]
    pub robots_for: Duration,
}

impl Default for SubresourcesConfig {
    fn default() -> Self {
        Self {
            max_per_host: 100,
            per_minute: 300,
            max_bytes: 5 << 20,
            timeout: Duration::from_secs(5),
            connections: 6,
            cache_bytes: 64 << 20,
            cache_for: Duration::from_secs(30 * 24 * 3600),
            robots_for: Duration::from_secs(24 * 3600),
        }
    }
}

/// Why resources cannot be fetched at all.
#[derive(Debug, thiserror::Error)]
pub enum SubresourcesError {
    /// A setting that breaks a rule.
    #[error("{0}")]
    Invalid(String),
    /// The HTTP client refuses its settings.
    #[error(transparent)]
    Client(#[from] ConfigError),
}

impl SubresourcesConfig {
    /// Checks the rules.
    ///
    /// # Errors
    /// [`SubresourcesError::Invalid`] with the key of a setting that breaks one.
    pub fn validate(&self) -> Result<(), SubresourcesError> {
        match self.per_minute {
            0 => Err(SubresourcesError::Invalid("`subresources.per_minute` must be at least 1".to_owned())),
            _ => Ok(()),
        }
    }

    /// The settings of a client for resources: those of pages but for types and limits.
    pub(crate) fn client(&self, fetch: &FetchConfig) -> FetchConfig {
        let max_bytes = self.max_bytes.min(fetch.max_bytes_in_flight / 2);
        FetchConfig {
            accept: vec!["*/*".to_owned()],
            max_wire_bytes: max_bytes,
            max_body_bytes: max_bytes,
            total_timeout: self.timeout.min(fetch.total_timeout),
            connect_timeout: self.timeout.min(fetch.connect_timeout),
            read_timeout: self.timeout.min(fetch.read_timeout),
            connections_per_host: self.connections,
            ..fetch.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_rule_is_told_with_its_key() {
        let config = SubresourcesConfig { per_minute: 0, ..SubresourcesConfig::default() };
        let told = config.validate().unwrap_err().to_string();
        assert!(told.contains("subresources.per_minute"), "{told}");
        assert!(SubresourcesConfig::default().validate().is_ok());
    }
}
