//! Where documents go, and how.

use std::time::Duration;

use gristmill_secrets::{Address, Secret};
use reqwest::Url;
use serde::{Deserialize, Serialize};

use crate::error::SinkError;

/// What the sink does with documents; one target or both.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SinkConfig {
    /// Most documents in one batch. Larger ones are cheaper for the engine; a crash repeats one. Default: `500`.
    pub batch_documents: usize,
    /// Most bytes of JSON in one request; a larger document goes alone. No setting: `8388608` (8 MiB).
    #[serde(skip)]
    pub batch_bytes: usize,
    /// Whether documents are appended to the topic `documents-json`, which Quickwit reads. Default: `false`.
    pub topic: bool,
    pub bulk: BulkConfig,
}

impl Default for SinkConfig {
    fn default() -> Self {
        Self { batch_documents: 500, batch_bytes: 8 << 20, topic: false, bulk: BulkConfig::default() }
    }
}

/// An engine that speaks the `_bulk` API: OpenSearch, Elasticsearch, Quickwit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BulkConfig {
    /// What stands before `/_bulk`, such as `https://search.internal:9200`, or `http://quickwit:7280/api/v1/_elastic`.
    /// Empty: nothing is sent. Default: `""`.
    pub url: Address,
    /// Index that documents go to. Default: `"gristmill"`.
    pub index: String,
    /// Whether removals are sent as `delete`. Quickwit knows no such action: set it to `false` there. Default: `true`.
    pub removals: bool,
    /// User name of basic authentication; empty: none. Default: `""`.
    pub username: String,
    /// Its password. Best set as `GRISTMILL__SINK__BULK__PASSWORD`; never shown. Default: `""`.
    pub password: Secret,
    /// An API key as the engine gives it out, instead of user name and password; never shown. Default: `""`.
    pub api_key: Secret,
    /// File with certificates that sign the engine's one, as PEM, beside those of the system. Default: `""`.
    pub ca_file: String,
    /// Longest time of one request, answer included. Default: `30s`.
    #[serde(with = "humantime_serde")]
    pub timeout: Duration,
    /// Longest pause before the next try; the first one is 100 ms, and each doubles. No setting: `30s`.
    #[serde(skip)]
    pub max_backoff: Duration,
}

impl Default for BulkConfig {
    fn default() -> Self {
        Self {
            url: Address::default(),
            index: "gristmill".into(),
            removals: true,
            username: String::new(),
            password: Secret::default(),
            api_key: Secret::default(),
            ca_file: String::new(),
            timeout: Duration::from_secs(30),
            max_backoff: Duration::from_secs(30),
        }
    }
}

/// Longest name of an index that engines take.
const MAX_INDEX_BYTES: usize = 255;

impl SinkConfig {
    /// Whether anything is to be done, and can be.
    ///
    /// # Errors
    /// [`SinkError::Setting`] with the key of the first setting that cannot work.
    pub fn check(&self) -> Result<(), SinkError> {
        let wrong = |key, problem: &str| Err(SinkError::Setting { key, problem: problem.into() });
        if self.batch_documents == 0 {
            return wrong("sink.batch_documents", "at least 1");
        }
        if self.bulk.url.is_empty() {
            return match self.topic {
                true => Ok(()),
                false => wrong("sink.bulk.url", "documents have nowhere to go: set it, or `sink.topic = true`"),
            };
        }
        self.bulk.check()
    }
}

impl BulkConfig {
    fn check(&self) -> Result<(), SinkError> {
        let wrong = |key, problem: &str| Err(SinkError::Setting { key, problem: problem.into() });
        let url = Url::parse(self.url.reveal()).ok();
        let Some(url) = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host()) else {
            return wrong("sink.bulk.url", "no URL such as `https://search.internal:9200`");
        };
        if !url.username().is_empty() || url.password().is_some() {
            return wrong("sink.bulk.url", "holds a password; use `sink.bulk.username` and `sink.bulk.password`");
        }
        if url.query().is_some() || url.fragment().is_some() {
            return wrong("sink.bulk.url", "ends before `?` and `#`");
        }
        let plain = |c: char| !c.is_uppercase() && !c.is_control() && !"\\/*?\"<>| ,#:".contains(c);
        if self.index.is_empty() || self.index.len() > MAX_INDEX_BYTES || !self.index.chars().all(plain) {
            return wrong("sink.bulk.index", "no name of an index: lower case, without blanks and `\\/*?\"<>|,#:`");
        }
        if self.username.is_empty() && !self.password.is_empty() {
            return wrong("sink.bulk.username", "a password needs a user name");
        }
        if !self.username.is_empty() && !self.api_key.is_empty() {
            return wrong("sink.bulk.api_key", "either this or `sink.bulk.username`, not both");
        }
        if self.timeout.is_zero() {
            return wrong("sink.bulk.timeout", "above 0");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(toml: &str) -> String {
        toml::from_str::<SinkConfig>(toml).unwrap().check().unwrap_err().to_string()
    }

    #[test]
    fn settings_that_cannot_work_are_refused_with_their_key() {
        assert!(refused("").contains("sink.bulk.url") && refused("").contains("sink.topic"));
        assert!(refused("[bulk]\nurl = \"search:9200\"").contains("sink.bulk.url"));
        assert!(refused("[bulk]\nurl = \"http://me:hunter2@search\"").contains("sink.bulk.password"));
        assert!(refused("[bulk]\nurl = \"http://search?pretty\"").contains("sink.bulk.url"));
        assert!(refused("[bulk]\nurl = \"http://search\"\nindex = \"A b\"").contains("sink.bulk.index"));
        let both = "[bulk]\nurl = \"http://search\"\nusername = \"me\"\napi_key = \"k\"";
        assert!(refused(both).contains("sink.bulk.api_key"));
        for right in ["topic = true", "[bulk]\nurl = \"http://quickwit:7280/api/v1/_elastic\""] {
            assert!(toml::from_str::<SinkConfig>(right).unwrap().check().is_ok(), "{right}");
        }
    }

    #[test]
    fn unknown_settings_are_refused() {
        let told = toml::from_str::<SinkConfig>("[bulk]\nuri = \"http://search\"").unwrap_err().to_string();
        assert!(told.contains("uri") && told.contains("url"), "{told}");
    }

    #[test]
    fn secrets_are_not_shown() {
        let config: SinkConfig = toml::from_str("[bulk]\npassword = \"hunter2\"\napi_key = \"hunter3\"").unwrap();
        let shown = format!("{config:?} {}", toml::to_string(&config).unwrap());
        assert!(!shown.contains("hunter") && shown.contains("***"), "{shown}");
    }
}
