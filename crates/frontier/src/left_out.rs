//! Pages that are left out by a rule that may be wrong: some are looked at all the same, and the first come back once it is.

use gristmill_urls::UrlKey;

/// One in so many of those left out is fetched all the same, in the long run.
const LOOK_EVERY: u64 = 50;
/// Most pages that are remembered for one rule.
const MAX_KEYS: usize = 1_000;

/// What one rule left out.
#[derive(Default)]
pub(crate) struct LeftOut {
    n_pages: u64,
    keys: Vec<UrlKey>,
}

impl LeftOut {
    /// One whose first page is looked at, too.
    pub(crate) fn after_a_look() -> Self {
        Self { n_pages: 1, keys: Vec::new() }
    }

    /// Whether a page that the rule leaves out is not fetched. Some are, as there may be something new by now: often at first, as the rule
    /// may be wrong.
    pub(crate) fn add(&mut self, key: UrlKey) -> bool {
        self.n_pages += 1;
        if self.n_pages.is_multiple_of(LOOK_EVERY) || self.n_pages > 1 && self.n_pages.is_power_of_two() {
            return false;
        }
        if self.keys.len() < MAX_KEYS {
            self.keys.push(key);
        }
        true
    }

    /// The pages to fetch after all, now that the rule does not hold.
    pub(crate) fn take(&mut self) -> Vec<UrlKey> {
        std::mem::take(self).keys
    }
}
