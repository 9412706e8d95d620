//! How a fetch ended.

crate::terms! {
    /// The way a fetch ended: the one list behind metrics labels, messages and the crawl's summary, so that they add up.
    Verdict, ArchivedVerdict {
        /// A page came: 200 or 203 with a body within the limits (which may be empty).
        Ok = "ok",
        /// 304: the copy we have still holds.
        NotModified = "not_modified",
        /// 301, 302, 303, 307, 308 with a `Location`.
        Redirect = "redirect",
        /// 404.
        NotFound = "not_found",
        /// 410.
        Gone = "gone",
        /// 401, 403, 407, 451: not for us.
        Forbidden = "forbidden",
        /// Another 4xx.
        ClientError = "client_error",
        /// 429.
        TooManyRequests = "too_many_requests",
        /// 408, 503.
        Unavailable = "unavailable",
        /// Another 5xx.
        ServerError = "server_error",
        /// A status with no page in it: 1xx, 201, 202, 204, 205, 206, a redirect without `Location`, 300, 600 and above.
        UnexpectedStatus = "unexpected_status",
        /// The server fell silent, or the whole fetch took too long.
        Timeout = "timeout",
        /// Bytes came, but too slowly.
        TooSlow = "too_slow",
        /// The host has no address.
        Dns = "dns",
        /// No connection to the address.
        Connect = "connect",
        /// No trust in the connection: a wrong, expired or unknown certificate, or a failed handshake.
        Tls = "tls",
        /// The address is one that the guard refuses.
        RefusedAddress = "refused_address",
        /// The URL is none that HTTP can fetch.
        BadUrl = "bad_url",
        /// Header fields above their limit.
        HeaderTooLarge = "header_too_large",
        /// Body above its limit, on the wire or decoded.
        TooLarge = "too_large",
        /// Body that swells like a decompression bomb.
        Ratio = "ratio",
        /// Media type that is not wanted.
        BadType = "bad_type",
        /// Content coding that is unknown, stacked or broken.
        BadEncoding = "bad_encoding",
        /// The connection ended in the middle of an answer.
        Truncated = "truncated",
        /// What came is not HTTP.
        Protocol = "protocol",
        /// It came, and the browser could not draw it: the tab crashed, hung or used up its limits.
        Unrendered = "unrendered",
        /// A challenge, a refusal or a question for consent came instead of the page.
        Blocked = "blocked",
        /// It came with success and says that there is no such page.
        SoftNotFound = "soft_not_found",
        /// A form came that asks who one is.
        Login = "login",
        /// Nobody uses the domain.
        Parked = "parked",
    }
}

impl Verdict {
    /// Advice to the scheduler on asking for this URL again after such an end.
    pub fn retry(self) -> Retry {
        match self {
            Verdict::TooManyRequests
            | Verdict::Unavailable
            | Verdict::Timeout
            | Verdict::TooSlow
            | Verdict::Blocked => Retry::BackOff,
            Verdict::ServerError
            | Verdict::Dns
            | Verdict::Connect
            | Verdict::Tls
            | Verdict::Truncated
            | Verdict::Protocol => Retry::Later,
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
