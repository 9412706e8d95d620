//! Why a fetch failed, and the closed list of outcomes that names every way a fetch can end.

use std::net::IpAddr;
use std::time::Duration;

use crate::guard::AddressClass;

/// The way a fetch ended: the one list behind metrics labels, messages and the crawl's summary, so that they add up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// A page came: 200 or 203 with a body within the limits (which may be empty).
    Ok,
    /// 304: the copy we have still holds.
    NotModified,
    /// 301, 302, 303, 307, 308 with a `Location`.
    Redirect,
    /// 404.
    NotFound,
    /// 410.
    Gone,
    /// 401, 403, 407, 451: not for us.
    Forbidden,
    /// Another 4xx.
    ClientError,
    /// 429.
    TooManyRequests,
    /// 503.
    Unavailable,
    /// Another 5xx.
    ServerError,
    /// A status with no page in it: 1xx, 201, 202, 204, 205, 206, a redirect without `Location`, 300, 600 and above.
    UnexpectedStatus,
    /// The server fell silent, or the whole fetch took too long.
    Timeout,
    /// Bytes came, but too slowly.
    TooSlow,
    /// The host has no address.
    Dns,
    /// No connection to the address.
    Connect,
    /// No trust in the connection: a wrong, expired or unknown certificate, or a failed handshake.
    Tls,
    /// The address is one that the guard refuses.
    RefusedAddress,
    /// The URL is none that HTTP can fetch.
    BadUrl,
    /// Header fields above their limit.
    HeaderTooLarge,
    /// Body above its limit, on the wire or decoded.
    TooLarge,
    /// Body that swells like a decompression bomb.
    Ratio,
    /// Media type that is not wanted.
    BadType,
    /// Content coding that is unknown, stacked or broken.
    BadEncoding,
    /// The connection ended in the middle of an answer.
    Truncated,
    /// What came is not HTTP.
    Protocol,
}

impl Outcome {
    /// Every outcome, in the order of the declaration.
    pub const ALL: [Outcome; 25] = [
        Outcome::Ok,
        Outcome::NotModified,
        Outcome::Redirect,
        Outcome::NotFound,
        Outcome::Gone,
        Outcome::Forbidden,
        Outcome::ClientError,
        Outcome::TooManyRequests,
        Outcome::Unavailable,
        Outcome::ServerError,
        Outcome::UnexpectedStatus,
        Outcome::Timeout,
        Outcome::TooSlow,
        Outcome::Dns,
        Outcome::Connect,
        Outcome::Tls,
        Outcome::RefusedAddress,
        Outcome::BadUrl,
        Outcome::HeaderTooLarge,
        Outcome::TooLarge,
        Outcome::Ratio,
        Outcome::BadType,
        Outcome::BadEncoding,
        Outcome::Truncated,
        Outcome::Protocol,
    ];

    /// The stable name: a metrics label, and the word in messages and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Ok => "ok",
            Outcome::NotModified => "not_modified",
            Outcome::Redirect => "redirect",
            Outcome::NotFound => "not_found",
            Outcome::Gone => "gone",
            Outcome::Forbidden => "forbidden",
            Outcome::ClientError => "client_error",
            Outcome::TooManyRequests => "too_many_requests",
            Outcome::Unavailable => "unavailable",
            Outcome::ServerError => "server_error",
            Outcome::UnexpectedStatus => "unexpected_status",
            Outcome::Timeout => "timeout",
            Outcome::TooSlow => "too_slow",
            Outcome::Dns => "dns",
            Outcome::Connect => "connect",
            Outcome::Tls => "tls",
            Outcome::RefusedAddress => "refused_address",
            Outcome::BadUrl => "bad_url",
            Outcome::HeaderTooLarge => "header_too_large",
            Outcome::TooLarge => "too_large",
            Outcome::Ratio => "ratio",
            Outcome::BadType => "bad_type",
            Outcome::BadEncoding => "bad_encoding",
            Outcome::Truncated => "truncated",
            Outcome::Protocol => "protocol",
        }
    }

    /// Advice to the scheduler on asking for this URL again after such an end.
    pub fn retry(self) -> Retry {
        match self {
            Outcome::TooManyRequests | Outcome::Unavailable | Outcome::Timeout | Outcome::TooSlow => Retry::BackOff,
            Outcome::ServerError
            | Outcome::Dns
            | Outcome::Connect
            | Outcome::Tls
            | Outcome::Truncated
            | Outcome::Protocol => Retry::Later,
            _ => Retry::Never,
        }
    }
}

/// Whether asking for a URL again can help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// The same answer would come.
    Never,
    /// A passing fault, perhaps: try again some time.
    Later,
    /// The host is burdened: try again, and slow down for the whole host.
    BackOff,
}

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
    /// Which of the outcomes this is; never one of those that stand for an answer.
    pub fn kind(&self) -> Outcome {
        match self {
            FetchError::BadUrl { .. } => Outcome::BadUrl,
            FetchError::RefusedAddress { .. } | FetchError::RefusedName { .. } => Outcome::RefusedAddress,
            FetchError::Dns { .. } => Outcome::Dns,
            FetchError::Connect { .. } => Outcome::Connect,
            FetchError::Tls { .. } => Outcome::Tls,
            FetchError::Timeout { .. } => Outcome::Timeout,
            FetchError::TooSlow { .. } => Outcome::TooSlow,
            FetchError::HeaderTooLarge { .. } | FetchError::HeaderUnreadable { .. } => Outcome::HeaderTooLarge,
            FetchError::TooLarge { .. } => Outcome::TooLarge,
            FetchError::Ratio { .. } => Outcome::Ratio,
            FetchError::BadType { .. } => Outcome::BadType,
            FetchError::BadEncoding { .. } => Outcome::BadEncoding,
            FetchError::Truncated { .. } => Outcome::Truncated,
            FetchError::Protocol { .. } => Outcome::Protocol,
        }
    }

    /// Whether the scheduler may try this URL again.
    pub fn retry(&self) -> Retry {
        self.kind().retry()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_listed_in_order_with_names_of_their_own() {
        for (at, outcome) in Outcome::ALL.into_iter().enumerate() {
            assert_eq!(outcome as usize, at, "ALL is in the order of the declaration");
            assert!(Outcome::ALL[..at].iter().all(|before| before.as_str() != outcome.as_str()));
        }
    }
}
