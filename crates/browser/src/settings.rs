//! The settings of a browser, and the rules that hold between them.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How pages are drawn, and what one may cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BrowserConfig {
    /// Chromium or Chrome. Default: the first of `chromium-headless-shell`, `chromium` and `google-chrome` on the path. The first
    /// is the same engine without windows: it takes a quarter of the memory.
    pub program: Option<PathBuf>,
    /// User and group number that the browser runs as where we are root, which Chromium's sandbox forbids. Default: 65534
    /// (`nobody`).
    pub user: u32,
    /// Whether the browser gets namespaces of its own: a network without routes, and processes that end with it. Default: `auto`.
    pub isolation: Isolation,
    /// Longest time that a page is waited for; at its end what is there is taken. Default: `8s`.
    #[serde(with = "humantime_serde")]
    pub max_wait: Duration,
    /// How long nothing may be open, and the text must stand still, until a page with scripts is done. No setting: `500ms`.
    #[serde(skip)]
    pub quiet: Duration,
    /// Most times that a page with scripts is scrolled to its end, while that adds text. No setting: 4.
    #[serde(skip)]
    pub max_scrolls: u32,
    /// Longest time that the browser may take for an answer to us, and to start; one that takes longer is replaced. Default: `10s`.
    #[serde(with = "humantime_serde")]
    pub timeout: Duration,
    /// Pages after which the browser is replaced, since its memory grows. No setting: 100.
    #[serde(skip)]
    pub max_pages: u32,
    /// Most memory of all processes of the browser together, in bytes; above it a page ends, and the browser is replaced.
    /// Default: 1073741824 (1 GiB).
    pub max_memory: u64,
    /// Most requests that a page may make; further ones are refused. No setting: 200.
    #[serde(skip)]
    pub max_requests: u32,
    /// Most bytes of all answers to a page; what comes later is refused. No setting: 20971520 (20 MiB).
    #[serde(skip)]
    pub max_bytes: u64,
    /// Whether documents of frames are fetched. Their text is no part of the page either way. Default: false.
    pub frames: bool,
    /// What pages see as the name of the browser. Default: what the browser says.
    pub user_agent: Option<String>,
    /// Defences that tests take away, one at a time.
    #[doc(hidden)]
    #[serde(skip)]
    pub without: DisabledDefences,
}

/// Whether the browser gets namespaces of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Isolation {
    /// Where the system lets us.
    Auto,
    /// Else it does not start.
    Required,
    /// None.
    Off,
}

/// The defences that are off. For the test that shows what each is good for.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DisabledDefences {
    /// Requests go out instead of being paused.
    pub pausing: bool,
    /// No proxy that refuses all.
    pub proxy: bool,
    /// The proxy is not used for this machine.
    pub loopback_rule: bool,
    /// Names are looked up.
    pub resolver_rules: bool,
    /// WebRTC may send what it likes.
    pub webrtc_policy: bool,
    /// Popups, shared and service workers run.
    pub target_rule: bool,
    /// Other methods than GET are asked for as GET.
    pub method_rule: bool,
}

impl Default for BrowserConfig {
    fn default() -> Self {
        Self {
            program: None,
            user: gristmill_sandbox::NOBODY,
            isolation: Isolation::Auto,
            max_wait: Duration::from_secs(8),
            quiet: Duration::from_millis(500),
            max_scrolls: 4,
            timeout: Duration::from_secs(10),
            max_pages: 100,
            max_memory: 1 << 30,
            max_requests: 200,
            max_bytes: 20 << 20,
            frames: false,
            user_agent: None,
            without: DisabledDefences::default(),
        }
    }
}

/// Settings that break a rule; all of them are told at once, separated by `; `.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BrowserConfigError(String);

impl BrowserConfig {
    /// Checks the rules.
    ///
    /// # Errors
    /// [`BrowserConfigError`] naming every broken rule, with the setting's key.
    pub fn validate(&self) -> Result<(), BrowserConfigError> {
        let mut wrong = Vec::new();
        if self.max_wait < self.quiet {
            wrong.push(format!("`browser.max_wait` must be at least {:?}, got {:?}", self.quiet, self.max_wait));
        }
        let least = 256 << 20;
        if self.max_memory < least {
            wrong.push(format!("`browser.max_memory` must be at least {least}, got {}", self.max_memory));
        }
        if self.user == 0 {
            wrong.push("`browser.user` must not be 0: the sandbox needs a user without privileges".to_owned());
        }
        if wrong.is_empty() { Ok(()) } else { Err(BrowserConfigError(wrong.join("; "))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_broken_rule_is_told_at_once_with_its_key() {
        let settings = BrowserConfig { user: 0, max_memory: 1, max_wait: Duration::ZERO, ..BrowserConfig::default() };
        let told = settings.validate().unwrap_err().to_string();
        for key in ["browser.user", "browser.max_memory", "browser.max_wait"] {
            assert!(told.contains(key), "{key} missing in: {told}");
        }
        assert!(BrowserConfig::default().validate().is_ok());
    }
}
