//! What a fetcher remembers from page to page.

use std::sync::{Mutex, PoisonError};

use gristmill_fetch::Sketch;
use gristmill_urls::{CanonicalUrl, UrlKey};

use crate::links::RecentLinks;
use crate::novelty::{NewLinkTargets, Novelty};

/// Shared by all downloads of a process; lost with it, which costs repetition and nothing else.
pub(crate) struct Memory {
    pub(crate) recent: RecentLinks,
    novelty: Mutex<Novelty>,
}

impl Memory {
    /// * `n_links`: most links that are remembered.
    pub(crate) fn new(n_links: usize) -> Self {
        Self { recent: RecentLinks::new(n_links), novelty: Mutex::new(Novelty::new()) }
    }

    /// Whether a page says nothing that its site has not said on others.
    pub(crate) fn brings_nothing(&self, own: &CanonicalUrl, sketch: &Sketch, leads: NewLinkTargets) -> Option<bool> {
        let site = UrlKey::of(own.registrable_domain()).low();
        let path = UrlKey::of(own.as_str().split('?').next().unwrap_or_default()).low();
        self.novelty.lock().unwrap_or_else(PoisonError::into_inner).brings_nothing(site, path, sketch, leads)
    }
}
