//! Variants of an address, for which a site gives one text: its parameters in another order, further ones that change nothing,
//! tokens that each visit draws anew, upper case, and `www.` before the host. One of them is enough.
//!
//! Sites tell it themselves: after some pairs that said the same, word for word, the further variants of what was fetched are left out.
//! Kept in memory: a restart begins anew.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use gristmill_urls::{CanonicalUrl, UrlKey};

use crate::left_out::LeftOut;
use crate::template::template_of;

/// So many pairs in a row must have said the same, each of another page; those of one page alone speak for that page.
const PAIRS: u32 = 3;
/// Most pages that are remembered, and most habits of sites, before all are forgotten.
const MAX_PAGES: usize = 200_000;
/// Most folders of an address that are compared with other addresses.
const MAX_FOLDERS: usize = 16;
/// Most parameters of an address of which each may change nothing.
const MAX_PARAMETERS: usize = 8;

/// What pages said, and which variants said the same.
#[derive(Default)]
pub(crate) struct AddressVariants {
    /// By an address, whatever the order of its parameters, as it is and in its plain form: the page that was fetched last, and what it
    /// said.
    pages: HashMap<u64, (u64, u64)>,
    /// By what may mean nothing.
    habits: HashMap<u64, Agreement>,
}

#[derive(Default)]
struct Agreement {
    /// Pairs in a row that said the same.
    pairs: u32,
    /// The first pages of which they were.
    pages: Vec<u64>,
    /// Pages left out since then.
    left_out: LeftOut,
}

impl Agreement {
    fn add(&mut self, page: u64) {
        self.pairs = self.pairs.saturating_add(1);
        if self.pages.len() < PAIRS as usize && !self.pages.contains(&page) {
            self.pages.push(page);
        }
    }

    /// Whether the difference means nothing on a page; on any, without one.
    fn holds(&self, page: Option<u64>) -> bool {
        self.pages.len() >= PAIRS as usize || self.pairs >= PAIRS && page.is_some_and(|page| self.pages.contains(&page))
    }
}

/// An address that may say what another one says.
struct Variant {
    /// What differs, as a habit of the site.
    habit: u64,
    /// The address without that.
    plain: u64,
    /// Whether a token differs: addresses that choose a page by a number have some, too, so pairs of one page alone say nothing.
    of_token: bool,
}

impl Variant {
    fn new(habit: u64, plain: u64) -> Self {
        Self { habit, plain, of_token: false }
    }

    /// The page that pairs must have been of, if any.
    fn page(&self) -> Option<u64> {
        (!self.of_token).then_some(self.plain)
    }
}

/// An address by what may mean nothing, to be compared with others that say the same.
#[derive(Debug)]
pub(crate) struct Spelling {
    /// Hashes of the host with each folder of the path and the path itself, in their plain form, the longest last.
    places: Vec<u64>,
    /// Hashes, in one order.
    parameters: Vec<u64>,
}

impl Spelling {
    pub(crate) fn of(url: &CanonicalUrl) -> Self {
        let (host, path) = plain_place(url);
        let path = path.trim_end_matches('/');
        // All pages are below the first one; only its other names are variants of it.
        let skipped = usize::from(!is_index(path));
        let folders = path.match_indices('/').skip(skipped).take(MAX_FOLDERS).map(|(end, _)| &path[..end]);
        // Many servers give a file under its name without the extension, too.
        let stem = path.rsplit_once('.').filter(|(_, extension)| !extension.contains('/')).map(|(stem, _)| stem);
        let places = folders.chain(stem).chain([path]).map(|path| hash_of((host, path))).collect();
        let mut parameters: Vec<u64> = parameters_of(url).into_iter().take(MAX_PARAMETERS).map(hash_of).collect();
        parameters.sort_unstable();
        Self { places, parameters }
    }

    /// Whether this is the other one, with further parameters or none, or below it: `/rye/print`, `/rye/amp/`, `/rye.html`.
    pub(crate) fn is_variant_of(&self, other: &Self) -> bool {
        other.places.last().is_some_and(|place| self.places.contains(place))
            && other.parameters.iter().all(|one| self.parameters.binary_search(one).is_ok())
    }
}

impl AddressVariants {
    /// Takes in what a page said, by a hash; tells what was left out for a reason that does not hold any more.
    pub(crate) fn learn(&mut self, url: &CanonicalUrl, words: Option<u64>) -> Vec<UrlKey> {
        words.map_or_else(Vec::new, |words| self.learn_from(url, words, false))
    }

    fn learn_from(&mut self, url: &CanonicalUrl, words: u64, tokens_alone: bool) -> Vec<UrlKey> {
        let mut wronged = Vec::new();
        if self.pages.len() >= MAX_PAGES || self.habits.len() >= MAX_PAGES {
            *self = Self::default();
        }
        let parameters = parameters_of(url);
        let own = hash_of(url.as_str());
        let variants = variants_of(url, &parameters).filter(|variant| variant.of_token || !tokens_alone);
        for Variant { habit, plain, of_token } in variants {
            // Nobody links to an address without its token, so that is no page of its own.
            let known = if of_token { self.pages.insert(plain, (own, words)) } else { self.pages.get(&plain).copied() };
            match known {
                Some((other, said)) if other != own && said == words => {
                    // Pages that are known by their tokens alone, and say the same, may be deleted ones, or lead to one login.
                    self.habits.entry(habit).or_default().add(if of_token { words } else { plain });
                }
                Some((other, _)) if other != own => {
                    wronged.extend(self.habits.remove(&habit).into_iter().flat_map(|mut habit| habit.left_out.take()));
                }
                _ => {}
            }
        }
        if tokens_alone {
            return wronged;
        }
        self.pages.insert(place_of(url.authority(), url.path(), &parameters), (own, words));
        let (host, path) = plain_place(url);
        self.pages.insert(place_of(host, &path, &parameters), (own, words));
        wronged
    }

    /// Takes in where an address redirects, which is all that it says: only those with tokens are judged by that, as a login is where others
    /// of a site lead to, whatever their parameters mean.
    pub(crate) fn learn_redirect(&mut self, url: &CanonicalUrl, target: &str) -> Vec<UrlKey> {
        self.learn_from(url, hash_of(("redirect", target)), true)
    }

    /// Whether a page is left out since one of which it is a variant was fetched, and the difference means nothing.
    pub(crate) fn leave_out(&mut self, url: &CanonicalUrl) -> bool {
        let habit = self.habit_of(url);
        habit.and_then(|habit| self.habits.get_mut(&habit)).is_some_and(|habit| habit.left_out.add(url.key()))
    }

    /// Whether a page says what one that was fetched did.
    pub(crate) fn repeats(&self, url: &CanonicalUrl) -> bool {
        self.habit_of(url).is_some()
    }

    /// Whether no difference is known that means nothing, so that no address need be looked at.
    pub(crate) fn are_unknown(&self) -> bool {
        self.habits.is_empty()
    }

    /// The habit by which an address is a variant of one that was fetched.
    fn habit_of(&self, url: &CanonicalUrl) -> Option<u64> {
        if self.are_unknown() {
            return None;
        }
        let own = hash_of(url.as_str());
        let parameters = parameters_of(url);
        let is_idle = |habit: u64, page| self.habits.get(&habit).is_some_and(|habit| habit.holds(page));
        let is_other = |place: u64| self.pages.get(&place).is_some_and(|(other, _)| *other != own);
        let mut variants = variants_of(url, &parameters).filter(|variant| is_idle(variant.habit, variant.page()));
        // Several parameters that change nothing may stand in one address.
        let kept = parameters.iter().filter(|parameter| !is_idle(parameter_habit(url, parameter), None)).copied();
        let kept: Vec<&str> = kept.collect();
        let is_left = is_other(place_of(url.authority(), url.path(), &kept));
        match variants.next() {
            Some(first) if is_left || is_other(first.plain) => Some(first.habit),
            _ => variants.find(|variant| is_other(variant.plain)).map(|variant| variant.habit),
        }
    }
}

/// The addresses of which this one may be a variant. O(n log n) for each of a few parameters.
fn variants_of<'a>(url: &'a CanonicalUrl, parameters: &'a [&'a str]) -> impl Iterator<Item = Variant> + 'a {
    let place = move |parameters: &[&str]| place_of(url.authority(), url.path(), parameters);
    let order = (parameters.len() > 1).then(|| Variant::new(template_of(url), place(parameters)));
    let n_idle = if parameters.len() <= MAX_PARAMETERS { parameters.len() } else { 0 };
    let fewer = (0..n_idle).map(move |at| {
        let rest = [&parameters[..at], &parameters[at + 1..]].concat();
        Variant::new(parameter_habit(url, parameters[at]), place(&rest))
    });
    let (host, path) = plain_place(url);
    let plain = Variant::new(hash_of((host, "/")), place_of(host, &path, parameters));
    order
        .into_iter()
        .chain(fewer)
        .chain([plain])
        .chain(tokens_of(url, parameters, n_idle))
        .chain(session_of(url, parameters))
}

/// The addresses with any other value of a parameter that has a token.
fn tokens_of<'a>(
    url: &'a CanonicalUrl,
    parameters: &'a [&'a str],
    n_idle: usize,
) -> impl Iterator<Item = Variant> + 'a {
    parameters[..n_idle].iter().enumerate().filter_map(move |(at, parameter)| {
        let (name, _) = parameter.split_once('=').filter(|(_, value)| is_token(value))?;
        let rest = [&parameters[..at], &parameters[at + 1..]].concat();
        let plain = hash_of((name, place_of(url.authority(), url.path(), &rest)));
        Some(Variant { habit: hash_of((url.authority(), "=", name)), plain, of_token: true })
    })
}

/// The address with any other session in its path, as ASP.NET writes it without cookies: `/(S(lit3py55t21z5v55vlm25s55))/rye`.
fn session_of(url: &CanonicalUrl, parameters: &[&str]) -> Option<Variant> {
    let (before, rest) = url.path().split_once("/(")?;
    let (_, after) = rest.split_once("))/")?;
    let plain = hash_of(("()", before, after, place_of(url.authority(), "", parameters)));
    Some(Variant { habit: hash_of((url.authority(), "()")), plain, of_token: true })
}

/// Whether a value may have been drawn for one visit: six letters and digits or more, with a digit.
fn is_token(value: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    value.len() >= 6 && value.bytes().all(is_plain) && value.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether a path is another name of the first page: `/index.html`, `/default.aspx`.
fn is_index(path: &str) -> bool {
    ["/index.", "/default.", "/home."].iter().any(|start| path.starts_with(start)) && !path[1..].contains('/')
}

/// The parameters in one order.
fn parameters_of(url: &CanonicalUrl) -> Vec<&str> {
    let mut parameters: Vec<&str> = url.query().map_or_else(Vec::new, |query| query.split('&').collect());
    parameters.sort_unstable();
    parameters
}

/// A parameter of a site as what may mean nothing.
fn parameter_habit(url: &CanonicalUrl, parameter: &str) -> u64 {
    hash_of((url.authority(), "?", parameter.split('=').next()))
}

/// Host and path without what some sites do not distinguish.
fn plain_place(url: &CanonicalUrl) -> (&str, String) {
    let authority = url.authority();
    (authority.strip_prefix("www.").unwrap_or(authority), url.path().to_ascii_lowercase())
}

fn place_of(authority: &str, path: &str, parameters: &[&str]) -> u64 {
    hash_of((authority, path, parameters))
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
    fn taught(pairs: u64, is_same: bool) -> AddressVariants {
        let mut variants = AddressVariants::default();
        for n in 0..pairs {
            variants.learn(&url(&format!("size={n}&colour=red")), Some(n));
            variants.learn(&url(&format!("colour=red&size={n}")), Some(if is_same { n } else { n + 100 }));
        }
        variants
    }

    #[test]
    fn a_further_order_is_left_out_once_pairs_said_the_same_and_only_then() {
        let mut variants = taught(u64::from(PAIRS), true);
        assert!(!variants.leave_out(&url("size=77&colour=red")), "never met in any order");
        variants.learn(&url("size=77&colour=red"), Some(77));
        assert!(variants.leave_out(&url("colour=red&size=77")));
        assert!(!variants.leave_out(&url("size=77&colour=red")), "the same address again");
        assert!(!variants.leave_out(&url("colour=77&size=red")), "other parameters");
        assert!(!variants.leave_out(&"http://b.com/list?colour=red&size=77".parse().unwrap()), "another site");
        let wronged = variants.learn(&url("colour=red&size=77"), Some(78));
        assert_eq!(wronged, [UrlKey::of(url("colour=red&size=77").as_str())]);
        variants.learn(&url("size=78&colour=red"), Some(1));
        assert!(!variants.leave_out(&url("colour=red&size=78")), "order means something now");
        for mut variants in [taught(u64::from(PAIRS) - 1, true), taught(9, false)] {
            variants.learn(&url("size=77&colour=red"), Some(77));
            assert!(!variants.leave_out(&url("colour=red&size=77")));
        }
    }

    #[test]
    fn what_changes_nothing_on_some_pages_is_left_out_on_others() {
        let at = |text: &str| format!("http://{text}").parse::<CanonicalUrl>().unwrap();
        for (plain, variant) in [
            ("a.com/post-#", "a.com/post-#?reply=#5"),
            ("a.com/list?id=#", "a.com/list?view=grid&id=#"),
            ("a.com/Post-#", "a.com/POST-#"),
            ("a.com/Post-#", "a.com/post-#"),
            ("a.com/post-#", "www.a.com/post-#"),
            ("www.a.com/post-#", "a.com/post-#"),
        ] {
            let url = |text: &str, n: u64| at(&text.replace('#', &n.to_string()));
            let taught = |says: u64| {
                let mut variants = AddressVariants::default();
                for n in 0..u64::from(PAIRS) {
                    variants.learn(&url(plain, n), Some(n));
                    variants.learn(&url(variant, n), Some(n + says));
                }
                variants
            };
            let (mut same, mut other) = (taught(0), taught(7));
            assert!(!same.leave_out(&url(variant, 77)), "{variant}: its plain form was not fetched");
            for variants in [&mut same, &mut other] {
                variants.learn(&url(plain, 77), Some(77));
                assert!(!variants.leave_out(&url(plain, 77)), "{plain}");
            }
            assert!(same.leave_out(&url(variant, 77)), "{variant}");
            assert!(!other.leave_out(&url(variant, 77)), "{variant}: it means something");
        }
        let mut variants = AddressVariants::default();
        for n in 0..u64::from(PAIRS) {
            variants.learn(&at(&format!("a.com/{n}")), Some(n));
            variants.learn(&at(&format!("a.com/{n}?a=1")), Some(n));
            variants.learn(&at(&format!("a.com/{n}?b=1")), Some(n));
        }
        variants.learn(&at("a.com/77"), Some(77));
        assert!(variants.leave_out(&at("a.com/77?a=1&b=2")), "both mean nothing");
    }

    #[test]
    fn tokens_that_each_visit_draws_mean_nothing_once_pages_said_the_same_under_two() {
        let at = |text: String| format!("http://a.com/{text}").parse::<CanonicalUrl>().unwrap();
        let with = |page: u64, token: u64| {
            [at(format!("doc-{page}?visit=3fa9b2{token}")), at(format!("(S(lit3py55t21z5v{token}))/doc-{page}"))]
        };
        for kind in 0..2 {
            let mut variants = AddressVariants::default();
            for page in 0..u64::from(PAIRS) {
                (0..2).for_each(|token| _ = variants.learn(&with(page, token)[kind], Some(page)));
            }
            assert!(!variants.leave_out(&with(77, 5)[kind]), "never met under any token");
            variants.learn(&with(77, 5)[kind], Some(77));
            assert!(variants.leave_out(&with(77, 6)[kind]));
            assert_eq!(
                variants.learn(&with(77, 7)[kind], Some(78)),
                [with(77, 6)[kind].key()],
                "it says something else"
            );
            assert!(!variants.leave_out(&with(77, 8)[kind]));
        }
        let go = |page: u64, token: u64| at(format!("go/{page}?rand=0.3141{token}"));
        let mut variants = AddressVariants::default();
        for page in 0..u64::from(PAIRS) {
            (0..2).for_each(|token| _ = variants.learn_redirect(&go(page, token), &format!("http://b.com/{page}")));
            (0..2).for_each(|token| _ = variants.learn_redirect(&at(format!("{page}?next=1{token}abcd")), "/login"));
        }
        variants.learn_redirect(&go(77, 5), "http://b.com/77");
        assert!(variants.repeats(&go(77, 6)) && !variants.repeats(&go(78, 6)));
        variants.learn_redirect(&at("77?next=1abcd5".to_owned()), "/login");
        assert!(!variants.repeats(&at("77?next=1abcd6".to_owned())), "they lead to one login");
        let mut variants = AddressVariants::default();
        let topic = |n: u64| at(format!("topic?id=10000{n}"));
        (0..9).for_each(|n| _ = variants.learn(&topic(n), Some(1)));
        assert!(!variants.leave_out(&topic(77)), "deleted topics say the same, and others do not");
    }

    #[test]
    fn spellings_of_one_page_say_nothing_of_others() {
        let at = |text: &str| format!("http://a.com/{text}").parse::<CanonicalUrl>().unwrap();
        let mut variants = AddressVariants::default();
        for spelling in ["about", "About", "ABOUT", "aBout", "abOut"] {
            variants.learn(&at(spelling), Some(1));
        }
        variants.learn(&at("w/Mars"), Some(2));
        assert!(variants.leave_out(&at("abouT")) && !variants.leave_out(&at("w/mars")));
    }

    #[test]
    fn some_are_fetched_all_the_same() {
        let mut variants = taught(u64::from(PAIRS), true);
        variants.learn(&url("size=77&colour=red"), Some(77));
        let left_out = (0..50).filter(|_| variants.leave_out(&url("colour=red&size=77"))).count();
        assert_eq!(left_out, 44);
    }
}
