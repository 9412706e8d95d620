//! Hosts that say under the same paths what another host says: the one that was met first is crawled, its mirrors hardly.
//!
//! That two hosts say one thing under one path makes them likely; further texts, each another one, make them sure, as walls and errors
//! are the same everywhere. Then few of the mirror's pages are fetched that the other host has too, and what differs there takes it back. Kept in memory: a
//! restart begins anew, which costs some pages of each. Of several frontiers, each knows the hosts of its own.

use std::collections::HashMap;

use gristmill_urls::{CanonicalUrl, UrlKey};

use crate::message::Fingerprint;
use crate::template::is_looked_at;

/// So many texts must be the same on both.
const TEXTS: usize = 12;
/// One in so many of their paths may differ, as pages change between two visits.
const MAY_DIFFER: u32 = 8;
/// Most texts that are remembered, about 60 bytes each, and most likely mirrors, some 300, before all are forgotten.
const MAX_TEXTS: usize = 200_000;
const MAX_MIRRORS: usize = 20_000;

/// Who says what, and who repeats it.
#[derive(Default)]
pub(crate) struct Mirrors {
    /// The page that said a text first.
    first: HashMap<Fingerprint, UrlKey>,
    /// By the key of the origin.
    likely: HashMap<UrlKey, Mirror>,
}

struct Mirror {
    /// The origin that it repeats.
    original: String,
    /// Texts that are the same on both, until there are enough.
    texts: Vec<u64>,
    n_same: u32,
    n_other: u32,
    left_out: u64,
}

impl Mirrors {
    /// The page that was the first to say this.
    pub(crate) fn first_to_say(&mut self, said: Fingerprint, key: UrlKey) -> UrlKey {
        if self.first.len() >= MAX_TEXTS {
            self.first.clear();
        }
        *self.first.entry(said).or_insert(key)
    }

    /// The page under the same path of the origin that this one may repeat; `is_sure`: only if that is known by enough texts.
    pub(crate) fn twin_of(&self, url: &CanonicalUrl, is_sure: bool) -> Option<UrlKey> {
        let mirror = self.likely.get(&UrlKey::of(url.origin()))?;
        let counts = !is_sure || mirror.texts.len() >= TEXTS;
        counts.then(|| UrlKey::of(&format!("{}{}", mirror.original, url.path_and_query())))
    }

    /// Takes in whether an origin says `text` under the path under which another one says the like.
    pub(crate) fn learn(&mut self, origin: &str, original: &str, text: u64, is_same: bool) {
        if self.likely.len() >= MAX_MIRRORS {
            self.likely.clear();
        }
        let mirror = self.likely.entry(UrlKey::of(origin)).or_insert_with(|| Mirror {
            original: original.to_owned(),
            texts: Vec::new(),
            n_same: 0,
            n_other: 0,
            left_out: 0,
        });
        if mirror.original != original {
            return;
        }
        mirror.n_same += u32::from(is_same);
        mirror.n_other += u32::from(!is_same);
        if is_same && mirror.texts.len() < TEXTS && !mirror.texts.contains(&text) {
            mirror.texts.push(text);
        }
        if mirror.n_other > 1 + mirror.n_same / MAY_DIFFER {
            self.likely.remove(&UrlKey::of(origin));
        }
    }

    /// Whether a page is left out since another host has it.
    pub(crate) fn leave_out(&mut self, url: &CanonicalUrl) -> bool {
        if self.likely.is_empty() {
            return false;
        }
        let mirror = self.likely.get_mut(&UrlKey::of(url.origin()));
        let Some(mirror) = mirror.filter(|mirror| mirror.texts.len() >= TEXTS) else { return false };
        mirror.left_out += 1;
        !is_looked_at(mirror.left_out)
    }
}
