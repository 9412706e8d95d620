//! The record of one registrable domain.

use crate::codec::{RecordDecoder, RecordEncoder};
use crate::crawl_budget::CrawlBudget;

/// What one registrable domain is owed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct DomainRecord {
    /// No order before this time.
    pub(crate) next_allowed: u64,
    /// Steps of back-off.
    pub(crate) backoff: u32,
    /// Failures in a row without any answer.
    pub(crate) silences: u32,
    pub(crate) given_up_until: u64,
    pub(crate) last_ip: Option<String>,
    /// Sitemaps and feeds in the seen set.
    pub(crate) n_listings: u64,
    pub(crate) budget: CrawlBudget,
}

impl DomainRecord {
    pub(crate) fn not_beyond(mut self, latest: TimestampLimits) -> Self {
        self.next_allowed = self.next_allowed.min(latest.next_allowed);
        self.given_up_until = self.given_up_until.min(latest.given_up_until);
        self
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut writer = RecordEncoder::default();
        writer
            .number(self.next_allowed)
            .number(u64::from(self.backoff))
            .number(u64::from(self.silences))
            .number(self.given_up_until)
            .optional_text(self.last_ip.as_deref())
            .number(self.n_listings);
        self.budget.encode(&mut writer);
        writer.0
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = RecordDecoder(bytes);
        Some(Self {
            next_allowed: reader.number()?,
            backoff: reader.small()?,
            silences: reader.small()?,
            given_up_until: reader.number()?,
            last_ip: reader.optional_text()?,
            // Older stores did not count them.
            n_listings: reader.number().unwrap_or(0),
            budget: CrawlBudget::decode(&mut reader)?,
        })
    }
}

/// The latest times that a domain's record may name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimestampLimits {
    pub(crate) next_allowed: u64,
    pub(crate) given_up_until: u64,
}

impl Default for TimestampLimits {
    fn default() -> Self {
        Self { next_allowed: u64::MAX, given_up_until: u64::MAX }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_domain_survives_the_disk() {
        let last_ip = Some("::1".to_owned());
        let (n_listings, budget) = (5, CrawlBudget::default());
        let domain =
            DomainRecord { next_allowed: 1, backoff: 2, silences: 3, given_up_until: 4, last_ip, n_listings, budget };
        let bytes = domain.encode();
        let old = DomainRecord { n_listings: 0, ..domain.clone() };
        assert_eq!(DomainRecord::decode(&bytes[..bytes.len() - 1]), Some(old), "as older versions wrote it");
        assert_eq!(DomainRecord::decode(&bytes).as_ref(), Some(&domain), "as long as it was asked for nothing");
        let mut linked = domain;
        linked.budget.link(1);
        assert_eq!(DomainRecord::decode(&linked.encode()), Some(linked));
    }

    proptest! {
        #[test]
        fn a_damaged_domain_is_refused_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = DomainRecord::decode(&bytes);
        }
    }
}
