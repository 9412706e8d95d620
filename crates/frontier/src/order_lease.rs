//! The record of one order in flight.

use gristmill_terms::FetchKind;

use crate::codec::{RecordDecoder, RecordEncoder};

/// One order in flight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OrderLease {
    pub(crate) url: String,
    pub(crate) kind: FetchKind,
    /// For robots.txt: the origin whose rules are asked for.
    pub(crate) robots_for: Option<String>,
    pub(crate) ordered_at: u64,
    /// A page that was not fetched with success before, so that it may use up `max_pages`.
    pub(crate) counts: bool,
}

impl OrderLease {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut writer = RecordEncoder::default();
        writer
            .text(&self.url)
            .number(self.kind as u64)
            .optional_text(self.robots_for.as_deref())
            .number(self.ordered_at)
            .flag(self.counts);
        writer.0
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = RecordDecoder(bytes);
        Some(Self {
            url: reader.text()?,
            kind: FetchKind::from_byte(reader.small()?)?,
            robots_for: reader.optional_text()?,
            ordered_at: reader.number()?,
            counts: reader.flag()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_lease_survives_the_disk() {
        let lease = OrderLease {
            url: "u".into(),
            kind: FetchKind::Robots,
            robots_for: Some("o".into()),
            ordered_at: 7,
            counts: true,
        };
        assert_eq!(OrderLease::decode(&lease.encode()), Some(lease));
    }

    proptest! {
        #[test]
        fn a_damaged_lease_is_refused_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = OrderLease::decode(&bytes);
        }
    }
}
