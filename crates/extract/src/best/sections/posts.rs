//! Short posts of a thread, which are built as the long ones that are kept.

use std::ops::Range;

use gristmill_page::{PageType, Row};

use super::section::Sections;

/// What a row needs to be a post, beside its like.
const LEAST: f32 = 0.2;
/// Kept rows of one signature that say that it is that of posts, and their share.
const LEAST_KEPT: usize = 3;
const MOSTLY: f32 = 0.7;

impl Sections<'_> {
    /// Rows of a thread without links that have the signature of rows most of which are kept: `Thanks, that was it.` O(rows).
    pub(super) fn posts(&self) -> Vec<Range<usize>> {
        if self.facts.types.best().0 != PageType::Forum {
            return Vec::new();
        }
        let signatures = &self.facts.signatures;
        // How many rows there are of each signature, and how many of them are kept.
        let mut counts = vec![(0usize, 0usize); signatures.iter().max().map_or(0, |max| *max as usize + 1)];
        let rows = || self.page.rows.iter().zip(signatures).enumerate();
        for (at, (_, &signature)) in rows().filter(|(_, (row, _))| 4 * row.link_chars <= row.chars) {
            let count = &mut counts[signature as usize];
            *count = (count.0 + 1, count.1 + usize::from(self.decision.keep[at]));
        }
        let of_posts = |signature: u32| {
            let (all, kept) = counts[signature as usize];
            kept >= LEAST_KEPT && kept as f32 >= MOSTLY * all as f32
        };
        let fits = |(at, (row, signature)): &(usize, (&Row, &u32))| {
            !self.decision.keep[*at]
                && row.link_chars == 0
                && self.decision.probabilities[*at] >= LEAST
                && of_posts(**signature)
                && self.page.row_text(row).contains(' ')
        };
        rows().filter(fits).map(|(at, _)| at..at + 1).collect()
    }
}
