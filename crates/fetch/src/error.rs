//! Why a fetch failed.

use std::net::IpAddr;
use std::time::Duration;

use gristmill_terms::{Retry, Verdict};
use reqwest::StatusCode;

use crate::guard::AddressClass;

/// Why a fetch brought no answer that can be used.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The URL cannot be fetched: another scheme, or no host.
    #[error("`{url}` cannot be fetched: {reason}")]
    BadUrl {
        /// The URL asked for.
        url: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The guard refused every address of the host.
    #[error("`{url}` leads to `{ip}`, {class}; set `fetch.allow_private` to fetch it")]
    RefusedAddress {
        /// The URL asked for.
        url: String,
        /// The first address that was refused.
        ip: IpAddr,
        /// Why it was.
        class: AddressClass,
    },
    /// The name belongs to a private network, so that a proxy must not be asked for it.
    #[error("`{url}` leads to `{host}`, {what}; set `fetch.allow_private` to fetch it")]
    RefusedName {
        /// The URL asked for.
        url: String,
        /// Its host.
        host: String,
        /// What the name stands for.
        what: &'static str,
    },
    /// The name has no address, or the lookup failed.
    #[error("could not find an address of the host of `{url}`: {reason}")]
    Dns {
        /// The URL asked for.
        url: String,
        /// What the resolver said.
        reason: String,
    },
    /// No connection.
    #[error("could not connect to the host of `{url}`: {reason}")]
    Connect {
        /// The URL asked for.
        url: String,
        /// The deepest cause.
        reason: String,
    },
    /// The TLS handshake failed.
    #[error("could not trust the connection to `{url}`: {reason}")]
    Tls {
        /// The URL asked for.
        url: String,
        /// The deepest cause, such as the fault of the certificate.
        reason: String,
    },
    /// A time limit was hit.
    #[error("`{url}` exceeds `fetch.{setting}` ({limit:?}) while {stage}")]
    Timeout {
        /// The URL asked for.
        url: String,
        /// Key of the limit.
        setting: &'static str,
        /// Value of the limit.
        limit: Duration,
        /// What was being waited for.
        stage: &'static str,
    },
    /// The transfer is slower than the limit.
    #[error("body of `{url}` comes more slowly than `fetch.min_speed` ({limit} bytes a second)")]
    TooSlow {
        /// The URL asked for.
        url: String,
        /// Value of the limit.
        limit: u64,
    },
    /// The header fields are larger than the limit.
    #[error("header of `{url}` exceeds `fetch.max_header_bytes` ({limit} bytes)")]
    HeaderTooLarge {
        /// The URL asked for.
        url: String,
        /// Value of the limit.
        limit: usize,
    },
    /// The header is more than the HTTP reader takes in, whatever the settings say.
    #[error("header of `{url}` has more than {max_fields} fields or {max_bytes} bytes, the most that can be read")]
    HeaderUnreadable {
        /// The URL asked for.
        url: String,
        /// Most fields.
        max_fields: usize,
        /// Most bytes, about.
        max_bytes: u32,
    },
    /// The body is larger than a limit.
    #[error("body of `{url}` exceeds `fetch.{setting}` ({limit} bytes)")]
    TooLarge {
        /// The URL asked for.
        url: String,
        /// Key of the limit.
        setting: &'static str,
        /// Value of the limit.
        limit: usize,
    },
    /// The body swells like a decompression bomb.
    #[error("body of `{url}` exceeds `fetch.max_ratio` ({limit} decoded bytes for each byte sent)")]
    Ratio {
        /// The URL asked for.
        url: String,
        /// Value of the limit.
        limit: u32,
    },
    /// The media type is not wanted.
    #[error("`{url}` is of type `{found}`, not {wanted}")]
    BadType {
        /// The URL asked for.
        url: String,
        /// The type declared, or the one that the first bytes show.
        found: String,
        /// What would be let in.
        wanted: &'static str,
    },
    /// The content coding is unknown, stacked or broken.
    #[error("could not decode the body of `{url}`: {reason}")]
    BadEncoding {
        /// The URL asked for.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The connection ended before the answer did.
    #[error("the answer of `{url}` broke off: {reason}")]
    Truncated {
        /// The URL asked for.
        url: String,
        /// The deepest cause.
        reason: String,
    },
    /// The answer is not HTTP.
    #[error("the answer of `{url}` is not valid HTTP: {reason}")]
    Protocol {
        /// The URL asked for.
        url: String,
        /// The deepest cause.
        reason: String,
    },
}

impl FetchError {
    /// Which of the verdicts this is; never one of those that stand for an answer.
    pub fn verdict(&self) -> Verdict {
        match self {
            FetchError::BadUrl { .. } => Verdict::BadUrl,
            FetchError::RefusedAddress { .. } | FetchError::RefusedName { .. } => Verdict::RefusedAddress,
            FetchError::Dns { .. } => Verdict::Dns,
            FetchError::Connect { .. } => Verdict::Connect,
            FetchError::Tls { .. } => Verdict::Tls,
            FetchError::Timeout { .. } => Verdict::Timeout,
            FetchError::TooSlow { .. } => Verdict::TooSlow,
            FetchError::HeaderTooLarge { .. } | FetchError::HeaderUnreadable { .. } => Verdict::HeaderTooLarge,
            FetchError::TooLarge { .. } => Verdict::TooLarge,
            FetchError::Ratio { .. } => Verdict::Ratio,
            FetchError::BadType { .. } => Verdict::BadType,
            FetchError::BadEncoding { .. } => Verdict::BadEncoding,
            FetchError::Truncated { .. } => Verdict::Truncated,
            FetchError::Protocol { .. } => Verdict::Protocol,
        }
    }

    /// The status with which a server that fetches for others tells of it.
    pub fn gateway_status(&self) -> StatusCode {
        match self.verdict() {
            Verdict::BadUrl => StatusCode::BAD_REQUEST,
            Verdict::RefusedAddress => StatusCode::FORBIDDEN,
            Verdict::BadType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Verdict::Timeout | Verdict::TooSlow => StatusCode::GATEWAY_TIMEOUT,
            _ => StatusCode::BAD_GATEWAY,
        }
    }

    /// Whether the scheduler may try this URL again.
    pub fn retry(&self) -> Retry {
        self.verdict().retry()
    }
}
