//! Addresses that differ in nothing but the order of their parameters: where a site gives one text for all orders, one is enough.
//!
//! Sites tell it themselves: after some pairs of a template that said the same, word for word, the further orders of what was fetched are
//! left out. Kept in memory: a restart begins anew.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use gristmill_urls::CanonicalUrl;

use crate::template::template_of;

/// So many pairs of a template in a row must have said the same.
const PAIRS: u32 = 3;
/// One in so many of those left out is fetched all the same: the order may have come to mean something.
const LOOK_EVERY: u64 = 50;
/// Most pages that are remembered, and most templates, before all are forgotten.
const MAX_PAGES: usize = 200_000;

/// What pages with several parameters said.
#[derive(Default)]
pub(crate) struct Permutations {
    /// By the parameters, whatever their order: the address that was fetched last, and what it said.
    pages: HashMap<u64, (u64, u64)>,
    templates: HashMap<u64, Agreement>,
}

#[derive(Default)]
struct Agreement {
    /// Pairs in a row that said the same.
    pairs: u32,
    /// Pages left out since then.
    left_out: u64,
}

impl Permutations {
    /// Takes in what a page said, by a hash.
    pub(crate) fn learn(&mut self, url: &CanonicalUrl, words: Option<u64>) {
        let (Some(set), Some(words)) = (set_of(url), words) else { return };
        if self.pages.len() >= MAX_PAGES || self.templates.len() >= MAX_PAGES {
            *self = Self::default();
        }
        let own = hash_of(url.as_str());
        let Some((other, said)) = self.pages.insert(set, (own, words)) else { return };
        if other == own {
            return;
        }
        if said == words {
            self.templates.entry(template_of(url)).or_default().pairs += 1;
        } else {
            self.templates.remove(&template_of(url));
        }
    }

    /// Whether a page is left out since one with the same parameters was fetched, and their order means nothing.
    pub(crate) fn leave_out(&mut self, url: &CanonicalUrl) -> bool {
        if self.templates.is_empty() {
            return false;
        }
        let Some(set) = set_of(url) else { return false };
        let is_other = self.pages.get(&set).is_some_and(|(other, _)| *other != hash_of(url.as_str()));
        let agreement = self.templates.get_mut(&template_of(url)).filter(|agreement| agreement.pairs >= PAIRS);
        let Some(agreement) = agreement.filter(|_| is_other) else { return false };
        agreement.left_out += 1;
        !agreement.left_out.is_multiple_of(LOOK_EVERY)
    }
}

/// A hash of an address but for the order of its parameters; `None` where it has fewer than two. O(n log n).
fn set_of(url: &CanonicalUrl) -> Option<u64> {
    let mut parameters: Vec<&str> = url.query()?.split('&').collect();
    if parameters.len() < 2 {
        return None;
    }
    parameters.sort_unstable();
    Some(hash_of((url.authority(), url.path(), parameters)))
}

fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(query: &str) -> CanonicalUrl {
        format!("http://a.com/list?{query}").parse().unwrap()
    }

    /// Teaches `pairs` pairs, whose second one says what the first one does, or something else.
    fn taught(pairs: u64, is_same: bool) -> Permutations {
        let mut permutations = Permutations::default();
        for n in 0..pairs {
            permutations.learn(&url(&format!("size={n}&colour=red")), Some(n));
            permutations.learn(&url(&format!("colour=red&size={n}")), Some(if is_same { n } else { n + 100 }));
        }
        permutations
    }

    #[test]
    fn a_further_order_is_left_out_once_pairs_said_the_same_and_only_then() {
        let mut permutations = taught(u64::from(PAIRS), true);
        assert!(!permutations.leave_out(&url("size=77&colour=red")), "never met in any order");
        permutations.learn(&url("size=77&colour=red"), Some(77));
        assert!(permutations.leave_out(&url("colour=red&size=77")));
        assert!(!permutations.leave_out(&url("size=77&colour=red")), "the same address again");
        assert!(!permutations.leave_out(&url("colour=77&size=red")), "other parameters");
        assert!(!permutations.leave_out(&"http://b.com/list?colour=red&size=77".parse().unwrap()), "another site");
        permutations.learn(&url("colour=red&size=77"), Some(78));
        permutations.learn(&url("size=78&colour=red"), Some(1));
        assert!(!permutations.leave_out(&url("colour=red&size=78")), "order means something now");
        for mut permutations in [taught(u64::from(PAIRS) - 1, true), taught(9, false)] {
            permutations.learn(&url("size=77&colour=red"), Some(77));
            assert!(!permutations.leave_out(&url("colour=red&size=77")));
        }
    }

    #[test]
    fn one_in_many_is_fetched_all_the_same() {
        let mut permutations = taught(u64::from(PAIRS), true);
        permutations.learn(&url("size=77&colour=red"), Some(77));
        let left_out = (0..LOOK_EVERY).filter(|_| permutations.leave_out(&url("colour=red&size=77"))).count() as u64;
        assert_eq!(left_out, LOOK_EVERY - 1);
    }
}
