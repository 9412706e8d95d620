//! Hosts that say under the same paths what another host says: the one that was met first is crawled, its mirrors hardly.
//!
//! That two hosts say one thing under one path makes them likely; further texts, each another one, make them sure, as walls and errors
//! are the same everywhere. Then few of the mirror's pages are fetched that the other host has too, of sections that said the same. What
//! differs there brings back those that were left out. Kept in memory: a restart begins anew, which costs some pages of each. Of several
//! frontiers, each knows the hosts of its own.

use std::collections::HashMap;

use gristmill_urls::{CanonicalUrl, UrlKey};

use crate::left_out::LeftOut;
use crate::message::Fingerprint;
use crate::template::section_of;

/// So many texts must be the same on both.
const TEXTS: usize = 12;
/// One in so many of their paths may differ, as pages change between two visits.
const MAY_DIFFER: u32 = 8;
/// Of so many paths of a section the older half counts half: what is met now says most.
const LATELY: u32 = 32;
/// Most hosts that are compared with the one that they repeat where that one is read later.
const MAX_REPEATING: usize = 8;
/// Most sections of a host that are told apart; the others count as one.
const MAX_SECTIONS: usize = 16;
/// Most texts that are remembered, about 60 bytes each, and most likely mirrors, some KiB each, before all are forgotten.
const MAX_TEXTS: usize = 200_000;
const MAX_MIRRORS: usize = 20_000;

/// Who says what, and who repeats it.
#[derive(Default)]
pub(crate) struct Mirrors {
    /// The page that said a text first.
    first: HashMap<Fingerprint, UrlKey>,
    /// By the key of the origin.
    likely: HashMap<UrlKey, Mirror>,
    /// The origins that repeat one, by its key.
    repeating: HashMap<UrlKey, Vec<String>>,
}

struct Mirror {
    /// The origin that it repeats.
    original: String,
    /// Texts that are the same on both, until there are enough.
    texts: Vec<u64>,
    /// What its sections say: a host may share its help with another one, and not its products.
    sections: HashMap<u64, Section>,
}

/// What a host says in a section, under paths that another host has too.
struct Section {
    /// Lately, and what it says that the other one does not.
    n_same: u32,
    n_other: u32,
    left_out: LeftOut,
}

impl Mirror {
    fn is_sure(&self) -> bool {
        self.texts.len() >= TEXTS
    }

    /// By which key the section of a page is known; the first page and those beside it are one.
    fn section_of(&self, url: &CanonicalUrl) -> u64 {
        let is_apart = |section: &u64| self.sections.contains_key(section) || self.sections.len() < MAX_SECTIONS;
        section_of(url).filter(is_apart).unwrap_or(0)
    }

    /// Whether more differs than pages change between two visits.
    fn is_refuted(&self) -> bool {
        let of = |count: fn(&Section) -> u32| self.sections.values().map(count).sum::<u32>();
        of(|section| section.n_other) > 1 + of(|section| section.n_same) / MAY_DIFFER
    }
}

impl Section {
    fn new() -> Self {
        // The first page that is left out may be the list of others, which only this host has.
        Self { n_same: 0, n_other: 0, left_out: LeftOut::after_a_look() }
    }

    fn count(&mut self, is_same: bool) {
        if self.n_same + self.n_other >= LATELY {
            (self.n_same, self.n_other) = (self.n_same / 2, self.n_other / 2);
        }
        self.n_same += u32::from(is_same);
        self.n_other += u32::from(!is_same);
    }

    fn is_repeated(&self) -> bool {
        self.n_same > 0 && self.n_other * MAY_DIFFER <= self.n_same
    }
}

impl Mirrors {
    /// The page that was the first to say this.
    pub(crate) fn first_to_say(&mut self, said: Fingerprint, key: UrlKey) -> UrlKey {
        if self.first.len() >= MAX_TEXTS {
            self.first.clear();
        }
        *self.first.entry(said).or_insert(key)
    }

    /// The page of the origin that this one repeats for sure, under the same path.
    pub(crate) fn twin_of(&self, url: &CanonicalUrl) -> Option<UrlKey> {
        let mirror = self.likely.get(&UrlKey::of(url.origin())).filter(|mirror| mirror.is_sure())?;
        Some(UrlKey::of(&format!("{}{}", mirror.original, url.path_and_query())))
    }

    /// The pages under the same path of the origin that this one may repeat, or of those that may repeat it.
    pub(crate) fn likely_twins_of(&self, url: &CanonicalUrl) -> Vec<UrlKey> {
        let key = UrlKey::of(url.origin());
        let original = self.likely.get(&key).map(|mirror| &mirror.original);
        let origins = original.into_iter().chain(self.repeating.get(&key).into_iter().flatten());
        origins.map(|origin| UrlKey::of(&format!("{origin}{}", url.path_and_query()))).collect()
    }

    /// Takes in whether `url` says `text`, as the page of another origin does that has its path; tells what was left out for a reason that
    /// does not hold any more.
    pub(crate) fn learn(&mut self, url: &CanonicalUrl, original: &str, text: u64, is_same: bool) -> Vec<UrlKey> {
        if self.likely.len().max(self.repeating.len()) >= MAX_MIRRORS {
            self.likely.clear();
            self.repeating.clear();
        }
        let key = UrlKey::of(url.origin());
        if !self.likely.contains_key(&key) {
            if !is_same {
                return Vec::new();
            }
            let repeating = self.repeating.entry(UrlKey::of(original)).or_default();
            repeating.retain(|origin| origin != url.origin());
            repeating.extend((repeating.len() < MAX_REPEATING).then(|| url.origin().to_owned()));
        }
        let new = || Mirror { original: original.to_owned(), texts: Vec::new(), sections: HashMap::new() };
        let mirror = self.likely.entry(key).or_insert_with(new);
        if mirror.original != original {
            return Vec::new();
        }
        if is_same && !mirror.is_sure() && !mirror.texts.contains(&text) {
            mirror.texts.push(text);
        }
        let section = mirror.section_of(url);
        let section = mirror.sections.entry(section).or_insert_with(Section::new);
        section.count(is_same);
        let wronged = if section.is_repeated() { Vec::new() } else { section.left_out.take() };
        if !mirror.is_refuted() {
            return wronged;
        }
        let sections = self.likely.remove(&key).into_iter().flat_map(|mirror| mirror.sections.into_values());
        wronged.into_iter().chain(sections.flat_map(|mut section| section.left_out.take())).collect()
    }

    /// Whether a page is left out since another host has it.
    pub(crate) fn leave_out(&mut self, url: &CanonicalUrl) -> bool {
        let mirror = self.likely.get_mut(&UrlKey::of(url.origin()));
        let Some(mirror) = mirror.filter(|mirror| mirror.is_sure()) else { return false };
        let section = mirror.section_of(url);
        let section = mirror.sections.get_mut(&section).filter(|section| section.is_repeated());
        section.is_some_and(|section| section.left_out.add(url.key()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> CanonicalUrl {
        format!("http://b.com{path}").parse().unwrap()
    }

    /// A mirror that says the same on so many pages of a section.
    fn taught(n_same: u64) -> Mirrors {
        let mut mirrors = Mirrors::default();
        for n in 0..n_same {
            assert_eq!(mirrors.learn(&url(&format!("/help/{n}")), "http://a.com", n, true), []);
        }
        mirrors
    }

    #[test]
    fn a_section_that_said_nothing_yet_is_fetched() {
        let mut mirrors = taught(TEXTS as u64);
        assert!(!mirrors.leave_out(&url("/help/70")), "the first is looked at");
        assert!(mirrors.leave_out(&url("/help/71")));
        assert!(!mirrors.leave_out(&url("/goods/1")) && !mirrors.leave_out(&url("/list")));
        assert!(!taught(TEXTS as u64 - 1).leave_out(&url("/help/72")), "too few texts");
    }

    #[test]
    fn pages_that_differ_bring_back_what_was_left_out_however_many_were_the_same() {
        for n_same in [20, 300] {
            let mut mirrors = taught(n_same);
            let (mut left_out, mut back) = (Vec::new(), Vec::new());
            for n in n_same..n_same + 200 {
                let page = url(&format!("/help/{n}"));
                if mirrors.leave_out(&page) {
                    left_out.push(page.key());
                } else {
                    back.extend(mirrors.learn(&page, "http://a.com", n, false));
                }
            }
            assert!((1..40).contains(&left_out.len()), "{n_same}: {}", left_out.len());
            assert_eq!(back, left_out, "{n_same}");
        }
    }
}
