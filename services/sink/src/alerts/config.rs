//! Who is told of which changes.

use std::collections::BTreeSet;

use gristmill_proto::ChangeKind;
use gristmill_secrets::{Address, Secret};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::error::SinkError;

/// Longest name of an alert: it is part of the name of a consumer group.
const MAX_NAME_BYTES: usize = 100;

/// One receiver, and what it wants to hear. All rules that are set must hold.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AlertConfig {
    /// Its name: letters, digits, `-`, `_` and `.`. Where the alert goes on is kept under it; under a new name it begins with what
    /// comes next.
    pub name: String,
    /// Where changes are posted to; only `http` and `https`.
    pub url: Address,
    /// What requests are signed with; never shown.
    pub secret: Secret,
    /// A search, as in `gristmill search`: only changes of pages that it finds. A page that is gone is found by none.
    pub query: String,
    /// `new`, `changed`, `gone`; empty for all.
    pub kinds: Vec<String>,
    /// Only when the price comes below this, or a new page has one below it. Currencies are not converted.
    pub price_below: Option<f64>,
    /// Only when a product that was not to be had is in stock again.
    pub back_in_stock: bool,
    /// Whether the receiver may have a private or loopback address.
    pub allow_private: bool,
}

impl AlertConfig {
    /// Checks all alerts.
    ///
    /// # Errors
    /// [`SinkError::Setting`] with what cannot work of the first one.
    pub fn check_all(alerts: &[AlertConfig]) -> Result<(), SinkError> {
        let mut names = BTreeSet::new();
        alerts.iter().try_for_each(|alert| alert.check(names.insert(alert.name.as_str())))
    }

    fn check(&self, is_first: bool) -> Result<(), SinkError> {
        let name = self.name.chars().take(MAX_NAME_BYTES).collect::<String>();
        let wrong = |problem: &str| {
            Err(SinkError::Setting { key: "alerts", problem: format!("of the alert `{name}`, {problem}") })
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        if self.name.is_empty() || self.name.len() > MAX_NAME_BYTES || !self.name.chars().all(plain) {
            return wrong("`name` has letters, digits, `-`, `_` and `.`, at most 100 of them");
        }
        if !is_first {
            return wrong("`name` is that of another alert");
        }
        let url = Url::parse(self.url.reveal()).ok();
        let Some(url) = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host()) else {
            let shown = Address::new(self.url.reveal());
            return wrong(&format!("`{shown}` in `url` is no URL such as `https://hooks.example.org/mill`"));
        };
        if !url.username().is_empty() || url.password().is_some() {
            return wrong("`url` holds a password; requests are signed with `secret`");
        }
        if self.secret.is_empty() {
            return wrong("`secret` must be set: requests are signed with it");
        }
        if let Some(kind) = self.kinds.iter().find(|kind| kind_named(kind).is_none()) {
            return wrong(&format!("`kinds` has `{kind}`; there are `new`, `changed` and `gone`"));
        }
        if self.price_below.is_some_and(|price| !price.is_finite()) {
            return wrong("`price_below` is no number");
        }
        Ok(())
    }
}

fn kind_named(word: &str) -> Option<ChangeKind> {
    ChangeKind::ALL.into_iter().find(|kind| kind.as_str() == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(toml: &str) -> String {
        #[derive(Deserialize)]
        struct Settings {
            alerts: Vec<AlertConfig>,
        }
        let right = "name = 'a'\nurl = 'https://hooks.example/a'\nsecret = 'hunter2'\n";
        let alerts = toml::from_str::<Settings>(&format!("[[alerts]]\n{right}[[alerts]]\n{toml}")).unwrap().alerts;
        AlertConfig::check_all(&alerts).map_or_else(|error| error.to_string(), |()| String::new())
    }

    #[test]
    fn alerts_that_cannot_work_are_refused_with_what_is_wrong() {
        let url = "name = 'b'\nurl = 'https://hooks.example/b'\n";
        for (toml, says) in [
            ("", "`name`"),
            ("name = 'a b'", "`name`"),
            ("name = 'a'\nurl = 'https://hooks.example/b'\nsecret = 's'", "another alert"),
            ("name = 'b'\nurl = 'hooks'\nsecret = 's'", "`url`"),
            ("name = 'b'\nurl = 'http://me:hunter2@hooks'\nsecret = 's'", "holds a password"),
            (url, "`secret`"),
            (&format!("{url}secret = 's'\nkinds = ['newer']"), "`newer`"),
            (&format!("{url}secret = 's'\nprice_below = nan"), "`price_below`"),
        ] {
            let said = refused(toml);
            assert!(said.contains(says) && !said.contains("hunter2"), "{toml}: {said}");
        }
        assert_eq!(refused(&format!("{url}secret = 's'\nkinds = ['new', 'gone']\nprice_below = 10.0")), "");
    }

    #[test]
    fn the_secret_is_not_shown() {
        let alert = AlertConfig { secret: Secret::new("hunter2"), ..AlertConfig::default() };
        let shown = format!("{alert:?} {}", toml::to_string(&alert).unwrap());
        assert!(!shown.contains("hunter2") && shown.contains("***"), "{shown}");
    }
}
