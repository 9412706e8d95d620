//! Why a browser did not start, and why a page was not drawn.

use std::time::Duration;

use crate::settings::BrowserConfigError;

/// Why there is no browser.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The settings break a rule.
    #[error(transparent)]
    Settings(#[from] BrowserConfigError),
    /// None of the programs is on the path.
    #[error(
        "no browser was found: install Debian's package `chromium-headless-shell` or `chromium`, or name a program with `browser.program`"
    )]
    NotFound,
    /// The program could not be started.
    #[error("could not start the browser `{program}`")]
    Spawn {
        /// What was started.
        program: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// What starts the browser, and ends it with us, could not be started.
    #[error("could not start `setpriv` of Debian's package `util-linux`, which starts the browser")]
    Helper {
        /// What the system said.
        source: std::io::Error,
    },
    /// Chromium found no sandbox to run pages in, and it does not run them without.
    #[error(
        "`{program}` has no sandbox: the system must let the user {user} make user namespaces (`sysctl \
         kernel.unprivileged_userns_clone=1` and `kernel.apparmor_restrict_unprivileged_userns=0`; in a container a seccomp profile \
         that allows `clone` and `unshare`), or have Debian's package `chromium-sandbox` installed"
    )]
    NoSandbox {
        /// What was started.
        program: String,
        /// The user that it ran as.
        user: u32,
    },
    /// The namespaces that were asked for cannot be had.
    #[error("`browser.isolation` is `required`, but namespaces cannot be had: {reason}")]
    NoNamespaces {
        /// What the system said.
        reason: String,
    },
    /// It started and ended, or did not speak.
    #[error("the browser `{program}` {problem}{said}")]
    Silent {
        /// What was started.
        program: String,
        /// What went wrong.
        problem: String,
        /// The end of what it wrote to standard error, with a lead-in; empty if it wrote nothing.
        said: String,
    },
}

/// Why a page was not drawn. The browser is usable after each of them.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The URL is not one of the web.
    #[error("`{url}` cannot be drawn: it is not an http or https URL")]
    BadUrl {
        /// The URL of the page.
        url: String,
    },
    /// No browser could be started.
    #[error("the browser could not be started again")]
    Start(#[from] StartError),
    /// The process that drew the page ended.
    #[error("the page crashed its tab")]
    Crashed,
    /// The whole browser ended.
    #[error("the browser ended while it drew the page")]
    Ended,
    /// It took more memory than it may.
    #[error("the page takes more memory than `browser.max_memory` ({limit} bytes)")]
    Memory {
        /// The limit.
        limit: u64,
    },
    /// The browser did not answer.
    #[error("the browser gave no answer to `{method}` within {limit:?}")]
    Timeout {
        /// What it was told to do.
        method: &'static str,
        /// How long it was waited for.
        limit: Duration,
    },
    /// The page replaced itself by something else than a web page (`about:blank`, `blob:`), or closed its tab.
    #[error("the page went on to `{to}` by itself")]
    Left {
        /// Where it went.
        to: String,
    },
    /// The browser refused a command.
    #[error("the browser refuses `{method}`: {reason}")]
    Refused {
        /// The command.
        method: &'static str,
        /// What it said.
        reason: String,
    },
    /// The page that was drawn is too large.
    #[error("the page that was drawn has more than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: u64,
    },
    /// The page that was drawn has too many elements.
    #[error("the page that was drawn has more than {limit} elements")]
    TooManyElements {
        /// The limit.
        limit: u64,
    },
    /// The browser said something that cannot be.
    #[error("the browser's answer to `{method}` cannot be read: {reason}")]
    Protocol {
        /// The command.
        method: &'static str,
        /// What is wrong with it.
        reason: String,
    },
}

impl RenderError {
    /// The stable name, as in labels of metrics.
    pub const fn as_str(&self) -> &'static str {
        match self {
            RenderError::BadUrl { .. } => "bad_url",
            RenderError::Start(_) => "start",
            RenderError::Crashed => "crashed",
            RenderError::Ended => "ended",
            RenderError::Memory { .. } => "memory",
            RenderError::Timeout { .. } => "timeout",
            RenderError::Left { .. } => "left",
            RenderError::Refused { .. } => "refused",
            RenderError::TooLarge { .. } | RenderError::TooManyElements { .. } => "too_large",
            RenderError::Protocol { .. } => "protocol",
        }
    }
}
