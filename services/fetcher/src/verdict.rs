//! How the client ended, as the message says it.

use gristmill_fetch::Outcome;
use gristmill_proto::Verdict;

pub(crate) fn verdict_of(outcome: Outcome) -> Verdict {
    match outcome {
        Outcome::Ok => Verdict::Ok,
        Outcome::NotModified => Verdict::NotModified,
        Outcome::Redirect => Verdict::Redirect,
        Outcome::NotFound => Verdict::NotFound,
        Outcome::Gone => Verdict::Gone,
        Outcome::Forbidden => Verdict::Forbidden,
        Outcome::ClientError => Verdict::ClientError,
        Outcome::TooManyRequests => Verdict::TooManyRequests,
        Outcome::Unavailable => Verdict::Unavailable,
        Outcome::ServerError => Verdict::ServerError,
        Outcome::UnexpectedStatus => Verdict::UnexpectedStatus,
        Outcome::Timeout => Verdict::Timeout,
        Outcome::TooSlow => Verdict::TooSlow,
        Outcome::Dns => Verdict::Dns,
        Outcome::Connect => Verdict::Connect,
        Outcome::Tls => Verdict::Tls,
        Outcome::RefusedAddress => Verdict::RefusedAddress,
        Outcome::BadUrl => Verdict::BadUrl,
        Outcome::HeaderTooLarge => Verdict::HeaderTooLarge,
        Outcome::TooLarge => Verdict::TooLarge,
        Outcome::Ratio => Verdict::Ratio,
        Outcome::BadType => Verdict::BadType,
        Outcome::BadEncoding => Verdict::BadEncoding,
        Outcome::Truncated => Verdict::Truncated,
        Outcome::Protocol => Verdict::Protocol,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_has_the_name_of_its_outcome() {
        for outcome in Outcome::ALL {
            assert_eq!(verdict_of(outcome).name(), outcome.as_str());
        }
    }
}
