//! Addresses of a site that say the same, word for word: where they are many, or variants of one another, one stands for all.
//!
//! Copies of a login, errors that are told with success, and requests to wait are the same under whatever address was asked for; by that
//! they are known in any language. So are the pages of filters and sessions that change nothing. Kept in memory: a restart begins anew,
//! which costs some copies of each.

use std::collections::HashMap;

use gristmill_urls::{CanonicalUrl, UrlKey};

use crate::message::Fingerprint;
use crate::variants::Spelling;

/// So many addresses that say the same are many.
const MANY: usize = 12;
/// Most texts that are remembered, about 200 bytes each, before all are forgotten.
const MAX_TEXTS: usize = 200_000;

/// What sites say, and where.
#[derive(Default)]
pub(crate) struct Copies(HashMap<(UrlKey, Fingerprint), CopyAddresses>);

#[derive(Default)]
struct CopyAddresses {
    /// The first of them, each the plainest of its variants, until they are many.
    few: Vec<(UrlKey, Option<Spelling>)>,
    /// The one that stands for all: the shortest, by its length.
    shortest: Option<(usize, UrlKey)>,
    are_many: bool,
}

impl Copies {
    /// Takes in that a page was read; returns which pages are to go by that.
    ///
    /// * `names_other`: whether it names another page as its canonical one, which then decides about the two.
    pub(crate) fn learn(&mut self, url: &CanonicalUrl, said: Fingerprint, names_other: bool) -> Vec<UrlKey> {
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
        let own = (!names_other).then(|| Spelling::of(url));
        let is_variant = |one: &Option<Spelling>, of: &Option<Spelling>| {
            one.as_ref().zip(of.as_ref()).is_some_and(|(one, of)| one.is_variant_of(of))
        };
        places.few.retain(|(known, _)| *known != key);
        // Of two that are as plain, the one that was met first stands.
        if places.few.iter().any(|(_, other)| is_variant(&own, other)) {
            return vec![key];
        }
        let variants = places.few.extract_if(.., |(_, other)| is_variant(other, &own));
        let copies = variants.map(|(copy, _)| copy).collect();
        places.few.push((key, own));
        places.are_many = places.few.len() >= MANY;
        if !places.are_many {
            return copies;
        }
        let few = std::mem::take(&mut places.few).into_iter().map(|(copy, _)| copy);
        few.filter(|copy| Some(*copy) != stands).collect()
    }

    /// Whether many pages of the site say this, variants of an address aside.
    pub(crate) fn are_many(&self, url: &CanonicalUrl, said: Fingerprint) -> bool {
        self.0.get(&(UrlKey::of(url.registrable_domain()), said)).is_some_and(|places| places.are_many)
    }

    /// The page that stands for one that says the same.
    pub(crate) fn stands_for(&self, url: &CanonicalUrl, said: Fingerprint) -> Option<UrlKey> {
        let places = self.0.get(&(UrlKey::of(url.registrable_domain()), said))?;
        if places.are_many {
            return places.shortest.map(|(_, key)| key);
        }
        let (own, key) = (Spelling::of(url), url.key());
        let is_for = |(other, spelling): &&(UrlKey, Option<Spelling>)| {
            *other != key && spelling.as_ref().is_some_and(|spelling| own.is_variant_of(spelling))
        };
        places.few.iter().find(is_for).map(|(other, _)| *other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_of_an_address_are_copies_from_the_first_on() {
        let said = Fingerprint { text: 7, title: 9 };
        let gone = |urls: &[&str]| -> Vec<String> {
            let mut copies = Copies::default();
            let url = |url: &str| format!("http://{url}").parse::<CanonicalUrl>().unwrap();
            let gone = urls.iter().flat_map(|text| copies.learn(&url(text), said, false)).collect::<Vec<_>>();
            let of = |text: &&&str| gone.contains(&url(text).key());
            urls.iter().filter(of).map(|text| (*text).to_owned()).collect()
        };
        assert_eq!(gone(&["a.com/rye", "a.com/rye?reply=7"]), ["a.com/rye?reply=7"]);
        assert_eq!(gone(&["a.com/rye?reply=7", "a.com/rye"]), ["a.com/rye?reply=7"]);
        assert_eq!(gone(&["a.com/rye?id=1", "a.com/rye?x=3&id=1"]), ["a.com/rye?x=3&id=1"]);
        assert_eq!(gone(&["a.com/Rye", "a.com/rye"]), ["a.com/rye"]);
        assert_eq!(gone(&["a.com/rye/amp/", "a.com/rye/"]), ["a.com/rye/amp/"]);
        assert_eq!(gone(&["a.com/rye.html", "a.com/rye"]), ["a.com/rye.html"]);
        assert_eq!(gone(&["a.com/index.php", "a.com/"]), ["a.com/index.php"]);
        assert_eq!(gone(&["a.com/rye", "a.com/"]), Vec::<String>::new());
        assert_eq!(gone(&["a.com/a/rye", "a.com/b/rye"]), Vec::<String>::new());
        assert_eq!(gone(&["www.a.com/rye", "a.com/rye"]), ["a.com/rye"]);
        for others in [["a.com/rye?id=1", "a.com/rye?id=2"], ["a.com/rye", "a.com/oats"], ["a.com/rye", "b.com/rye"]] {
            assert!(gone(&others).is_empty(), "{others:?}");
        }
    }

    #[test]
    fn variants_of_one_page_are_not_many() {
        let (mut copies, said) = (Copies::default(), Fingerprint { text: 7, title: 9 });
        let url = |n: usize| format!("http://a.com/rye?reply={n}").parse::<CanonicalUrl>().unwrap();
        let plain: CanonicalUrl = "http://a.com/rye".parse().unwrap();
        copies.learn(&plain, said, false);
        (0..2 * MANY).for_each(|n| assert_eq!(copies.learn(&url(n), said, false), [url(n).key()]));
        assert!(!copies.are_many(&plain, said));
        assert_eq!(copies.stands_for(&url(3), said), Some(plain.key()));
    }

    #[test]
    fn the_shortest_address_stands_for_all_once_they_are_many() {
        let (mut copies, said) = (Copies::default(), Fingerprint { text: 7, title: 9 });
        let url = |n: usize| format!("http://a.com/page-{n:03}").parse::<CanonicalUrl>().unwrap();
        for n in 1..MANY {
            assert_eq!(copies.learn(&url(n), said, false), []);
            assert_eq!(copies.learn(&url(1), said, false), [], "the same address again");
        }
        assert_eq!(copies.learn(&url(1), Fingerprint { title: 8, ..said }, false), [], "another title");
        assert_eq!(copies.learn(&"http://b.com/1".parse().unwrap(), said, false), [], "another site");
        assert_eq!(copies.learn(&url(MANY), said, false).len(), MANY - 1);
        assert_eq!(copies.stands_for(&url(5), said), Some(url(1).key()));
        assert_eq!(copies.learn(&url(77), said, false), [url(77).key()], "each further one");
        assert_eq!(copies.learn(&url(1), said, false), [], "it stands");
        let home: CanonicalUrl = "http://a.com/".parse().unwrap();
        assert_eq!(copies.learn(&home, said, false), [url(1).key()], "a shorter one takes its place");
        assert_eq!(copies.stands_for(&url(5), said), Some(home.key()));
    }
}
