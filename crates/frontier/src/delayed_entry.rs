//! What waits in the table `later` for its time.

use gristmill_urls::UrlKey;

/// Who waits in `later`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DelayedEntry {
    Url(UrlKey),
    /// The robots.txt of this origin.
    Robots(String),
}

impl DelayedEntry {
    pub(crate) fn encode(&self) -> Vec<u8> {
        match self {
            Self::Url(key) => [&[0], &key.to_bytes()[..]].concat(),
            Self::Robots(origin) => [&[1], origin.as_bytes()].concat(),
        }
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        match bytes.split_first()? {
            (0, key) => Some(Self::Url(UrlKey::from_bytes(key.try_into().ok()?))),
            (1, origin) => Some(Self::Robots(std::str::from_utf8(origin).ok()?.to_owned())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_entry_survives_the_disk() {
        for waiting in [DelayedEntry::Robots("http://h".into()), DelayedEntry::Url(UrlKey::of("u"))] {
            assert_eq!(DelayedEntry::decode(&waiting.encode()), Some(waiting));
        }
    }

    proptest! {
        #[test]
        fn a_damaged_entry_is_refused_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = DelayedEntry::decode(&bytes);
        }
    }
}
