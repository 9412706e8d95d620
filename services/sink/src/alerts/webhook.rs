//! One signed request to a receiver.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::Context;
use gristmill_fetch::{Client, FetchConfig};
use gristmill_indexer::change_json;
use gristmill_proto::Change;
use gristmill_terms::Verdict;
use ring::hmac;
use serde_json::json;
use url::Url;

use super::config::AlertConfig;

/// Longest time of one request, answer included.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A receiver, and how it knows that it is us.
pub(crate) struct Webhook {
    name: String,
    url: Url,
    key: hmac::Key,
    client: Client,
}

/// Why a receiver did not take a change.
#[derive(Debug)]
pub(crate) struct SendFailure {
    /// `connection`, `address` or `status`.
    pub cause: &'static str,
    /// In words, without the address, which may hold a secret.
    pub reason: String,
    /// How long it wants to be left alone.
    pub after: Option<Duration>,
}

impl Webhook {
    /// Opens no connection. Proxy, certificates and addresses of names are those of the crawl, its header fields
    /// and cookies are not.
    ///
    /// # Errors
    /// Settings of `fetch` that break a rule.
    pub(crate) fn new(alert: &AlertConfig, fetch: &FetchConfig) -> anyhow::Result<Self> {
        let told = || format!("the alert `{}`", alert.name);
        let config = FetchConfig {
            headers: Default::default(),
            cookies: false,
            allow_private: alert.allow_private,
            connect_timeout: TIMEOUT,
            read_timeout: TIMEOUT,
            total_timeout: TIMEOUT,
            ..fetch.clone()
        };
        Ok(Self {
            name: alert.name.clone(),
            url: Url::parse(alert.url.reveal()).with_context(told)?,
            key: hmac::Key::new(hmac::HMAC_SHA256, alert.secret.reveal().as_bytes()),
            client: Client::new(&config).with_context(told)?,
        })
    }

    /// Sends a change at `now`, in seconds since 1970. Taken is what is answered with a status from 200 to 299.
    pub(crate) async fn send(&self, change: &Change, now: u64) -> Result<(), SendFailure> {
        let body = json!({ "alert": self.name, "change": change_json(change) }).to_string();
        let (timestamp, signature) = (now.to_string(), self.signature(now, &body));
        let fields = [
            ("content-type", "application/json"),
            ("gristmill-id", change.id.as_str()),
            ("gristmill-timestamp", timestamp.as_str()),
            ("gristmill-signature", signature.as_str()),
        ];
        match self.client.post(&self.url, &fields, body.into_bytes()).await {
            Ok(answer) if (200..300).contains(&answer.status) => Ok(()),
            Ok(answer) => {
                let reason = format!("status {}", answer.status);
                Err(SendFailure { cause: "status", reason, after: answer.retry_after })
            }
            Err(error) => {
                let (cause, reason) = match error.verdict() {
                    Verdict::RefusedAddress => ("address", "a private address; `allow_private` allows it".to_owned()),
                    verdict => ("connection", verdict.as_str().to_owned()),
                };
                Err(SendFailure { cause, reason, after: None })
            }
        }
    }

    /// HMAC-SHA256 over time, a dot and the body, so that neither can be exchanged.
    fn signature(&self, now: u64, body: &str) -> String {
        let tag = hmac::sign(&self.key, format!("{now}.{body}").as_bytes());
        tag.as_ref().iter().fold("sha256=".to_owned(), |mut hex, byte| {
            write!(hex, "{byte:02x}").expect("a string takes everything");
            hex
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_that_of_rfc_4231_over_time_and_body() {
        let alert = |secret: &str| AlertConfig {
            url: "https://hooks.example/".into(),
            secret: gristmill_secrets::Secret::new(secret),
            ..AlertConfig::default()
        };
        let hook = |secret| Webhook::new(&alert(secret), &FetchConfig::default()).unwrap();
        // `printf '1700000000.{}' | openssl dgst -sha256 -hmac hunter2`
        let expected = "sha256=ff2f975170d2a2ea3d6177dad44d002ac729fec15c2e1053dc096496e07f8401";
        assert_eq!(hook("hunter2").signature(1_700_000_000, "{}"), expected);
        assert_ne!(hook("hunter3").signature(1_700_000_000, "{}"), expected);
        assert_ne!(hook("hunter2").signature(1_700_000_001, "{}"), expected);
    }
}
