//! Pages that ask for a pause again and again while other pages of their site are answered: a part of a site that is out of order, or
//! open to few. They wait longer and longer themselves, and the others do not wait with them. Kept in memory: a restart begins anew.

use std::collections::{HashMap, HashSet};

use gristmill_urls::UrlKey;

/// Most sites and pages that are remembered, before all are forgotten.
const MAX_REMEMBERED: usize = 100_000;

/// What a page that asks for a pause says of its site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OverloadSign {
    /// That it needs a longer pause.
    More,
    /// No more than before: this page has asked before, and nobody knows whether another would be answered.
    Same,
    /// Nothing: others were answered meanwhile.
    None,
}

/// What is known of sites and of such pages.
#[derive(Default)]
pub(crate) struct LoneFailures {
    /// When a page of a site was answered last.
    answered: HashMap<UrlKey, u64>,
    pages: HashSet<UrlKey>,
}

impl LoneFailures {
    /// Takes in that a page of a site was answered.
    pub(crate) fn answered(&mut self, site: UrlKey, page: UrlKey, at: u64) {
        if self.answered.len() >= MAX_REMEMBERED {
            self.answered.clear();
        }
        self.answered.insert(site, at);
        self.pages.remove(&page);
    }

    /// Takes in that a page asks for a pause once more.
    ///
    /// * `before`: when it did so before.
    pub(crate) fn failed(&mut self, site: UrlKey, page: UrlKey, before: u64) -> OverloadSign {
        if self.answered.get(&site).is_some_and(|at| *at > before) {
            if self.pages.len() >= MAX_REMEMBERED {
                self.pages.clear();
            }
            self.pages.insert(page);
        }
        if self.pages.contains(&page) { OverloadSign::None } else { OverloadSign::Same }
    }
}
