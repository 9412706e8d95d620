//! Addresses of a site that say the same, word for word: where they are many, one stands for all.
//!
//! Copies of a login, errors that are told with success, and requests to wait are the same under whatever address was asked for; by that
//! they are known in any language. So are the pages of filters and sessions that change nothing. Kept in memory: a restart begins anew,
//! which costs some copies of each.

use std::collections::HashMap;

use gristmill_urls::{CanonicalUrl, UrlKey};

use crate::message::Fingerprint;

/// So many addresses that say the same are many.
const MANY: usize = 12;
/// Most texts that are remembered, about 100 bytes each, before all are forgotten.
const MAX_TEXTS: usize = 200_000;

/// What sites say, and where.
#[derive(Default)]
pub(crate) struct Copies(HashMap<(UrlKey, Fingerprint), CopyAddresses>);

#[derive(Default)]
struct CopyAddresses {
    /// The first of them, until they are many.
    few: Vec<UrlKey>,
    /// The one that stands for all: the shortest, by its length.
    shortest: Option<(usize, UrlKey)>,
    are_many: bool,
}

impl Copies {
    /// Takes in that a page was read; returns which pages are to go by that.
    pub(crate) fn learn(&mut self, url: &CanonicalUrl, said: Fingerprint) -> Vec<UrlKey> {
        if self.0.len() >= MAX_TEXTS {
            self.0.clear();
        }
        let (site, key) = (UrlKey::of(url.registrable_domain()), url.key());
        let places = self.0.entry((site, said)).or_default();
        let (length, before) = (url.as_str().len(), places.shortest);
        if before.is_none_or(|(least, _)| length < least) {
            places.shortest = Some((length, key));
        }
        let stands = places.shortest.map(|(_, key)| key);
        if places.are_many {
            let other = if stands == Some(key) { before.map(|(_, key)| key) } else { Some(key) };
            return other.filter(|other| Some(*other) != stands).into_iter().collect();
        }
        if !places.few.contains(&key) {
            places.few.push(key);
        }
        places.are_many = places.few.len() >= MANY;
        let few = if places.are_many { std::mem::take(&mut places.few) } else { Vec::new() };
        few.into_iter().filter(|copy| Some(*copy) != stands).collect()
    }

    /// The page that stands for one that says the same.
    pub(crate) fn stands_for(&self, url: &CanonicalUrl, said: Fingerprint) -> Option<UrlKey> {
        let places = self.0.get(&(UrlKey::of(url.registrable_domain()), said))?;
        places.shortest.map(|(_, key)| key).filter(|_| places.are_many)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_address_stands_for_all_once_they_are_many() {
        let (mut copies, said) = (Copies::default(), Fingerprint { text: 7, title: 9 });
        let url = |n: usize| format!("http://a.com/page-{n:03}").parse::<CanonicalUrl>().unwrap();
        for n in 1..MANY {
            assert_eq!(copies.learn(&url(n), said), []);
            assert_eq!(copies.learn(&url(1), said), [], "the same address again");
        }
        assert_eq!(copies.learn(&url(1), Fingerprint { title: 8, ..said }), [], "another title");
        assert_eq!(copies.learn(&"http://b.com/1".parse().unwrap(), said), [], "another site");
        assert_eq!(copies.learn(&url(MANY), said).len(), MANY - 1);
        assert_eq!(copies.stands_for(&url(5), said), Some(url(1).key()));
        assert_eq!(copies.learn(&url(77), said), [url(77).key()], "each further one");
        assert_eq!(copies.learn(&url(1), said), [], "it stands");
        let home: CanonicalUrl = "http://a.com/".parse().unwrap();
        assert_eq!(copies.learn(&home, said), [url(1).key()], "a shorter one takes its place");
        assert_eq!(copies.stands_for(&url(5), said), Some(home.key()));
    }
}
