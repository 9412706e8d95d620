//! Templates of addresses: where the pages of one bring nothing new again and again, the others wait, and then are left out.
//!
//! Endless pagers, calendars and filters differ in numbers and values alone: `/events/#/#/`, `/list?page`. Those that are made of words,
//! such as tags in every combination or a link that leads back into its own folder, and filters that may be left out one by one, have a
//! template for each page: they are known by the section of their site, and by their path. Kept in memory: a restart begins anew, which
//! costs some pages of each.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use gristmill_urls::{CanonicalUrl, UrlKey};

use crate::left_out::LeftOut;

/// So many pages of a template in a row must have brought nothing.
const IN_VAIN: u32 = 40;
/// So many of a section, or of one path under whatever parameters, set the far ones of these aside.
const MANY_IN_VAIN: u32 = 100;
/// Links from a seed beyond which a page is far: honest pages of a section are mostly met before.
const FAR: u16 = 3;
/// So many in a row set the next ones back, by as many links as this number has been doubled, and one.
const FEW_IN_VAIN: u32 = 4;
/// Most templates that are remembered.
const MAX_TEMPLATES: usize = 200_000;

/// What pages of each template brought.
#[derive(Default)]
pub(crate) struct Templates {
    /// Those whose last pages brought nothing.
    in_vain: HashMap<u64, Yield>,
    /// Of the parts of sites those whose last page brought something. They are few, and the templates are not.
    fruitful: HashSet<u64>,
}

#[derive(Default)]
struct Yield {
    /// Pages in a row that brought nothing.
    in_vain: u32,
    /// Pages left out since then.
    left_out: LeftOut,
}

impl Templates {
    /// Takes in what a page brought, and tells what was left out for a reason that does not hold any more; `None` where nobody can tell
    /// changes nothing.
    pub(crate) fn learn(&mut self, url: &CanonicalUrl, brings_nothing: Option<bool>) -> Vec<UrlKey> {
        let Some(in_vain) = brings_nothing else { return Vec::new() };
        let mut wronged = Vec::new();
        for key in keys_of(url) {
            if !in_vain {
                wronged.extend(self.in_vain.remove(&key).into_iter().flat_map(|mut found| found.left_out.take()));
            } else if self.fruitful.remove(&key) || self.has_room() || self.in_vain.contains_key(&key) {
                let found = self.in_vain.entry(key).or_default();
                found.in_vain = found.in_vain.saturating_add(1);
            }
        }
        if !in_vain && self.has_room() {
            self.fruitful.extend(places_of(url));
        }
        wronged
    }

    fn has_room(&self) -> bool {
        self.in_vain.len() + self.fruitful.len() < MAX_TEMPLATES
    }

    /// Whether no template is known whose pages bring nothing, so that no page is set back or left out, nor its link of use.
    pub(crate) fn is_empty(&self) -> bool {
        self.in_vain.is_empty()
    }

    /// Takes in that the page `from` leads to a page that nobody knew, and tells the same. It brought something if pages from there did last:
    /// a list of pictures says nothing of its own.
    pub(crate) fn lead(&mut self, from: &CanonicalUrl, to: &CanonicalUrl) -> Vec<UrlKey> {
        let is_in_vain = |url| keys_of(url).any(|key| self.in_vain.contains_key(&key));
        let brings = is_in_vain(from)
            && places_of(to).any(|place| self.fruitful.contains(&place))
            && !is_in_vain(to)
            && template_of(from) != template_of(to);
        if brings { self.learn(from, Some(false)) } else { Vec::new() }
    }

    /// How many links further away a new page counts as, since others like it brought nothing: of its template, or of its section, as
    /// addresses without end may be made of words.
    pub(crate) fn setback(&self, url: &CanonicalUrl) -> u16 {
        if self.is_empty() {
            return 0;
        }
        let in_vain =
            keys_of(url).filter_map(|key| self.in_vain.get(&key)).map(|found| found.in_vain).max().unwrap_or(0);
        (in_vain / FEW_IN_VAIN).checked_ilog2().map_or(0, |log| log as u16 + 1)
    }

    /// Whether a page is left out since others like it brought nothing.
    pub(crate) fn leave_out(&mut self, url: &CanonicalUrl, depth: u16) -> bool {
        if self.is_empty() {
            return false;
        }
        let wide = if depth > FAR { 2 } else { 0 };
        let limits = std::iter::once(IN_VAIN).chain(std::iter::repeat_n(MANY_IN_VAIN, wide));
        let is_spent = |key: u64, limit| self.in_vain.get(&key).is_some_and(|found: &Yield| found.in_vain >= limit);
        let spent = keys_of(url).zip(limits).find(|(key, limit)| is_spent(*key, *limit));
        spent.and_then(|(key, _)| self.in_vain.get_mut(&key)).is_some_and(|found| found.left_out.add(url.key()))
    }
}

/// A hash of site, path and names of parameters, each number and each word with digits as one sign, whatever the order of the
/// parameters. O(n).
pub(crate) fn template_of(url: &CanonicalUrl) -> u64 {
    let mut hasher = DefaultHasher::new();
    url.authority().hash(&mut hasher);
    let mut rest = url.path();
    while !rest.is_empty() {
        let is_escape = rest.starts_with('%');
        let length = if is_escape { 3 } else { rest.bytes().take_while(u8::is_ascii_alphanumeric).count().max(1) };
        let (part, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let is_number = !is_escape && part.bytes().any(|byte| byte.is_ascii_digit());
        (if is_number { "#" } else { part }).hash(&mut hasher);
        rest = behind;
    }
    let parameters = url.query().unwrap_or_default().split('&');
    let mut names: Vec<&str> = parameters.map(|parameter| parameter.split('=').next().unwrap_or_default()).collect();
    names.sort_unstable();
    names.dedup();
    names.hash(&mut hasher);
    hasher.finish()
}

/// The hashes under which it is counted what a page like this brought.
fn keys_of(url: &CanonicalUrl) -> impl Iterator<Item = u64> {
    std::iter::once(template_of(url)).chain(places_of(url))
}

/// Those of them that stand for a part of its site.
fn places_of(url: &CanonicalUrl) -> impl Iterator<Item = u64> {
    section_of(url).into_iter().chain(filters_of(url))
}

/// A hash of site and path of a page that has parameters.
fn filters_of(url: &CanonicalUrl) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    (url.authority(), url.path(), "?").hash(&mut hasher);
    url.query().map(|_| hasher.finish())
}

/// A hash of site and first part of the path; `None` where nothing is below that.
pub(crate) fn section_of(url: &CanonicalUrl) -> Option<u64> {
    let (section, rest) = url.path().get(1..)?.split_once('/')?;
    let mut hasher = DefaultHasher::new();
    (url.authority(), section, "/").hash(&mut hasher);
    (!rest.is_empty()).then(|| hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> CanonicalUrl {
        text.parse().unwrap()
    }

    #[test]
    fn numbers_values_and_order_make_no_template_and_words_do() {
        let same = |one: &str, two: &str| template_of(&url(one)) == template_of(&url(two));
        assert!(same("http://a.com/e/2027/05/", "http://a.com/e/2031/11/"));
        assert!(same("http://a.com/l?page=2&sort=a", "http://a.com/l?sort=b&page=17"));
        assert!(!same("http://a.com/l?page=2", "http://a.com/l?sort=b"));
        assert!(!same("http://a.com/rye", "http://a.com/oats"));
        assert!(same("http://a.com/next/9f03bc", "http://a.com/next/e7a1"), "tokens");
        assert!(!same("http://a.com/%E4%B8%AD", "http://a.com/%E6%96%87"), "words in escapes");
        assert!(!same("http://a.com/1", "http://b.com/1"));
    }

    #[test]
    fn pages_are_set_back_once_others_of_their_template_or_section_brought_nothing() {
        let mut templates = Templates::default();
        let word = |n: u8| url(&format!("http://a.com/z/{}", char::from(b'a' + n)));
        let setbacks: Vec<u16> = (0..20)
            .map(|n| {
                templates.learn(&word(n), Some(true));
                templates.setback(&word(25))
            })
            .collect();
        assert_eq!([setbacks[2], setbacks[3], setbacks[7], setbacks[19]], [0, 1, 2, 3]);
        assert_eq!(templates.setback(&url("http://a.com/z/")), 0, "it is not below the section");
        assert_eq!(templates.setback(&url("http://b.com/z/a")), 0, "another site");
        assert!(!templates.leave_out(&word(25), FAR + 1), "nothing is left out for a section of a few pages");
        templates.learn(&word(24), Some(false));
        assert_eq!(templates.setback(&word(25)), 0);
    }

    #[test]
    fn far_pages_are_left_out_once_their_section_or_path_brought_nothing_again_and_again() {
        let section = |n: u32| url(&format!("http://a.com/tag/{}", "x".repeat(n as usize + 1)));
        let filters = |n: u32| url(&format!("http://a.com/list?{}=1", "x".repeat(n as usize + 1)));
        for of in [section as fn(u32) -> CanonicalUrl, filters] {
            let mut templates = Templates::default();
            (0..MANY_IN_VAIN).for_each(|n| _ = templates.learn(&of(n), Some(true)));
            assert!(templates.leave_out(&of(MANY_IN_VAIN), FAR + 1));
            assert!(!templates.leave_out(&of(MANY_IN_VAIN), FAR), "a page that is near");
            assert!(!templates.leave_out(&url("http://a.com/other/page"), FAR + 1));
            templates.learn(&of(MANY_IN_VAIN), Some(false));
            assert!(!templates.leave_out(&of(MANY_IN_VAIN + 1), FAR + 1));
        }
    }

    #[test]
    fn a_page_that_leads_to_where_pages_brought_something_last_brings_something() {
        let (mut templates, list) = (Templates::default(), url("http://a.com/list/7"));
        let (photo, next) = (url("http://a.com/photo/70"), url("http://a.com/list/8"));
        let left_out = |templates: &mut Templates| {
            (0..IN_VAIN).for_each(|_| _ = templates.learn(&list, Some(true)));
            templates.leave_out(&next, 2)
        };
        assert!(left_out(&mut templates) && templates.lead(&list, &photo).is_empty(), "nobody knows what is there");
        templates.learn(&photo, Some(false));
        assert!(templates.lead(&list, &next).is_empty(), "its like");
        assert_eq!(templates.lead(&list, &photo), [next.key()]);
        assert!(!templates.leave_out(&next, 2));
        templates.learn(&photo, Some(true));
        assert!(left_out(&mut templates) && templates.lead(&list, &photo).is_empty(), "it brought nothing last");
    }

    #[test]
    fn a_template_that_brings_nothing_is_left_out_until_a_look_brings_something() {
        let (mut templates, page) = (Templates::default(), url("http://a.com/l?page=7"));
        for _ in 0..IN_VAIN {
            assert!(!templates.leave_out(&page, 2));
            templates.learn(&page, Some(true));
            templates.learn(&page, None);
        }
        let left_out = (0..50).filter(|_| templates.leave_out(&page, 2)).count();
        assert_eq!(left_out, 44, "five soon, and one");
        assert_eq!(templates.learn(&page, Some(false)), vec![page.key(); left_out], "they come back");
        assert!(!templates.leave_out(&page, 2));
    }
}
