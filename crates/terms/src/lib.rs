//! The closed lists that fetcher, frontier and messages share: what is fetched, where a link was found, how a fetch ended,
//! why a body is not whole, why a page leaves the corpus, why one was rejected.
//!
//! ```
//! use gristmill_terms::{FetchKind, Retry, Verdict};
//!
//! assert_eq!(FetchKind::default().as_str(), "page");
//! assert_eq!(Verdict::Timeout.retry(), Retry::BackOff);
//! assert_eq!(Verdict::ALL.len(), 30);
//! ```
//!
//! Messages and stores hold these by their place in the list: a new one goes to the end.

mod departure;
mod fetch_kind;
mod link_source;
mod reject;
mod truncation;
mod verdict;

pub use departure::{ArchivedDeparture, Departure};
pub use fetch_kind::{ArchivedFetchKind, FetchKind};
pub use link_source::{ArchivedLinkSource, LinkSource};
pub use reject::{ArchivedRejectCause, RejectCause, RejectReason};
pub use truncation::{ArchivedCut, Cut};
pub use verdict::{ArchivedVerdict, Retry, Verdict};

/// An enum with all its variants in order, a stable name for each, and its archived form.
macro_rules! terms {
    ($(#[$meta:meta])* $name:ident, $archived:ident { $($(#[$doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[derive(rkyv::Archive, rkyv::Serialize, rkyv::Deserialize, serde::Serialize, serde::Deserialize)]
        #[rkyv(attr(doc = "The archived form."), attr(allow(missing_docs, reason = "as in the list itself")))]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            /// All of them, in order.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// The stable name: a label of metrics, and the word in logs, reports and explanations.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)*
                }
            }

            /// The one at this place of the list.
            pub fn from_byte(byte: u8) -> Option<$name> {
                $name::ALL.get(usize::from(byte)).copied()
            }
        }
    };
}

use terms;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_a_place_and_a_name_of_its_own() {
        for (at, &verdict) in Verdict::ALL.iter().enumerate() {
            assert_eq!((verdict as usize, Verdict::from_byte(at as u8)), (at, Some(verdict)));
            assert!(Verdict::ALL[..at].iter().all(|before| before.as_str() != verdict.as_str()));
        }
        assert_eq!(FetchKind::from_byte(FetchKind::Feed as u8), Some(FetchKind::Feed));
        assert_eq!(Verdict::from_byte(30), None);
    }
}
