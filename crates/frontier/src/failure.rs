//! Why a URL has no page.

use std::fmt;

use gristmill_terms::{Retry, Verdict};
use serde::{Serialize, Serializer};

/// Why a URL has no page: a closed set with stable names, for counters, records and explanations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FailureKind {
    /// How its fetch ended; not [`Verdict::Ok`], [`Verdict::NotModified`] or [`Verdict::Redirect`].
    Fetch(Verdict),
    /// A redirect without usable target.
    BadRedirect,
    /// A redirect to the same canonical URL.
    RedirectLoop,
    TooManyRedirects,
    /// robots.txt of the host could not be had, so nothing may be fetched.
    RobotsUnavailable,
    /// The site never answered and was given up.
    GivenUp,
    /// The order's outcome never came.
    Lost,
    /// A scope that was given later leaves it out.
    OutOfScope,
    /// Others like it brought nothing new.
    NothingNew,
}

use FailureKind::{
    BadRedirect, Fetch, GivenUp, Lost, NothingNew, OutOfScope, RedirectLoop, RobotsUnavailable, TooManyRedirects,
};

impl FailureKind {
    /// All kinds, by the numbers that stores hold: a new one goes to the end.
    pub const ALL: [Self; 35] = [
        Fetch(Verdict::Gone),
        Fetch(Verdict::ClientError),
        Fetch(Verdict::TooManyRequests),
        Fetch(Verdict::Unavailable),
        Fetch(Verdict::ServerError),
        Fetch(Verdict::Timeout),
        Fetch(Verdict::TooSlow),
        Fetch(Verdict::Dns),
        Fetch(Verdict::Connect),
        Fetch(Verdict::Tls),
        Fetch(Verdict::Protocol),
        Fetch(Verdict::TooLarge),
        Fetch(Verdict::Ratio),
        Fetch(Verdict::BadType),
        Fetch(Verdict::RefusedAddress),
        Fetch(Verdict::BadEncoding),
        BadRedirect,
        RedirectLoop,
        TooManyRedirects,
        RobotsUnavailable,
        GivenUp,
        Lost,
        Fetch(Verdict::Unrendered),
        Fetch(Verdict::Blocked),
        Fetch(Verdict::SoftNotFound),
        Fetch(Verdict::Login),
        Fetch(Verdict::Parked),
        OutOfScope,
        NothingNew,
        // Older stores hold these by the number of the one above that has the same name.
        Fetch(Verdict::NotFound),
        Fetch(Verdict::Forbidden),
        Fetch(Verdict::UnexpectedStatus),
        Fetch(Verdict::BadUrl),
        Fetch(Verdict::HeaderTooLarge),
        Fetch(Verdict::Truncated),
    ];

    /// The stable name, as in metrics and explanations: that of the verdict, but for some that share one.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Fetch(Verdict::NotFound) => Verdict::Gone.as_str(),
            Fetch(Verdict::Forbidden | Verdict::UnexpectedStatus | Verdict::BadUrl) => Verdict::ClientError.as_str(),
            Fetch(Verdict::TooManyRequests) => "rate_limited",
            Fetch(Verdict::HeaderTooLarge) => Verdict::TooLarge.as_str(),
            Fetch(Verdict::BadEncoding) => "undecodable",
            Fetch(Verdict::Truncated) => Verdict::Protocol.as_str(),
            Fetch(verdict) => verdict.as_str(),
            BadRedirect => "bad_redirect",
            RedirectLoop => "redirect_loop",
            TooManyRedirects => "too_many_redirects",
            RobotsUnavailable => "robots_unavailable",
            GivenUp => "given_up",
            Lost => "lost",
            OutOfScope => "out_of_scope",
            NothingNew => "nothing_new",
        }
    }

    pub(crate) fn from_byte(byte: u8) -> Option<Self> {
        Self::ALL.get(usize::from(byte)).copied()
    }

    /// Its number in the store.
    pub(crate) fn index(self) -> usize {
        Self::ALL.iter().position(|kind| *kind == self).unwrap_or_default()
    }

    /// Whether the server says that there is no such page.
    pub(crate) fn is_gone(self) -> bool {
        matches!(self, Fetch(Verdict::NotFound | Verdict::Gone))
    }

    /// Whether it came of asking the site, and not of leaving it alone.
    pub(crate) fn was_asked(self) -> bool {
        !matches!(self, RobotsUnavailable | GivenUp | OutOfScope | NothingNew)
    }

    /// Whether no answer came, or none to its end: another time there may be one.
    #[must_use]
    pub fn is_unreached(self) -> bool {
        use Verdict::{Connect, Dns, Protocol, Timeout, Tls, TooSlow, Truncated};
        let is_network = matches!(self, Fetch(Dns | Connect | Tls | Timeout | TooSlow | Truncated | Protocol));
        is_network || matches!(self, RobotsUnavailable | GivenUp | Lost)
    }

    /// Whether it may have passed by now: no answer came, or the server had a fault of its own or was asked too often.
    #[must_use]
    pub fn may_pass(self) -> bool {
        use Verdict::{ServerError, TooManyRequests, Unavailable};
        self.is_unreached() || matches!(self, Fetch(ServerError | TooManyRequests | Unavailable))
    }

    /// Whether there is an answer, but no file that could be read.
    pub(crate) fn is_no_file(self) -> bool {
        use Verdict::{
            BadEncoding, BadType, BadUrl, ClientError, Forbidden, HeaderTooLarge, Ratio, TooLarge, UnexpectedStatus,
        };
        let is_refused = matches!(self, Fetch(Forbidden | ClientError | UnexpectedStatus | BadUrl));
        let is_unreadable = matches!(self, Fetch(BadType | HeaderTooLarge | TooLarge | Ratio | BadEncoding));
        self.is_gone() || is_refused || is_unreadable
    }

    /// Whether the whole site should be left alone for a while.
    pub(crate) fn slows_site(self) -> bool {
        matches!(self, Fetch(verdict) if verdict.retry() == Retry::BackOff)
    }

    /// Whether a site that never answers otherwise is given up: no HTTP answer came at all, or none that is for us, or a request to
    /// wait.
    pub(crate) fn is_silence(self) -> bool {
        use Verdict::{Blocked, Connect, Dns, Timeout, Tls, TooManyRequests, Unavailable};
        matches!(self, Lost | Fetch(Dns | Connect | Tls | Timeout | Blocked | TooManyRequests | Unavailable))
    }
}

impl From<Verdict> for FailureKind {
    fn from(verdict: Verdict) -> Self {
        Fetch(verdict)
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for FailureKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::FetchResult;

    #[test]
    fn every_verdict_without_a_page_has_one_number_in_the_store() {
        for &verdict in Verdict::ALL {
            let times = FailureKind::ALL.iter().filter(|kind| **kind == Fetch(verdict)).count();
            let is_failure = matches!(FetchResult::of(verdict, None), FetchResult::Failed(_));
            assert_eq!(times, usize::from(is_failure), "{verdict:?}");
        }
        for (number, kind) in FailureKind::ALL.into_iter().enumerate() {
            assert_eq!((kind.index(), FailureKind::from_byte(number as u8)), (number, Some(kind)));
        }
    }

    #[test]
    fn numbers_and_names_of_older_stores_stay() {
        let names = "gone client_error rate_limited unavailable server_error timeout too_slow dns connect tls protocol \
                     too_large ratio bad_type refused_address undecodable bad_redirect redirect_loop too_many_redirects \
                     robots_unavailable given_up lost unrendered blocked soft_not_found login parked out_of_scope \
                     nothing_new";
        let names: Vec<&str> = names.split_whitespace().collect();
        assert_eq!(FailureKind::ALL[..names.len()].iter().map(|kind| kind.name()).collect::<Vec<_>>(), names);
        assert!(FailureKind::ALL[names.len()..].iter().all(|kind| names.contains(&kind.name())));
    }
}
