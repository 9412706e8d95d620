//! What a page declares of itself as a witness: how much of a row, and of the rows around it and like it, stands in declared texts.

use std::ops::Range;

use gristmill_html::NodeId;
use gristmill_page::{Page, declared::DeclaredRows};

use super::features::PageFeatures;
use super::numbers::numbers;
use super::weighted::{WeightedSums, means_of};

numbers! {
    /// Shares of declared texts; `around` holds the rows of the block, its parent and its grandparent.
    DECLARED, declared(own: &Witness, at: usize, alike: f32, around: &[Range<usize>; 3]) {
        "declared" => own.rows.own[at],
        "declared of the same signature" => alike,
        "declared of the block" => own.own.mean(around[0].clone()),
        "declared of the parent" => own.own.mean(around[1].clone()),
        "declared of the grandparent" => own.own.mean(around[2].clone()),
        "declared within 3 rows" => own.own.mean(at.saturating_sub(3)..(at + 4).min(own.rows.own.len())),
        "declared of another thing" => own.rows.other[at],
        "declared of another thing, of the parent" => own.other.mean(around[1].clone()),
        "declared texts on the page" => (own.rows.found * 5.0).round() / 5.0,
    }
}

/// Numbers of a row.
pub(super) const WIDTH: usize = DECLARED.len();

/// Names of the numbers, in order.
pub(super) fn names() -> impl Iterator<Item = String> {
    DECLARED.iter().map(|&name| name.to_owned())
}

/// The declared texts of a page, summed up over its rows.
pub(super) struct Witness {
    rows: DeclaredRows,
    own: WeightedSums,
    other: WeightedSums,
    by_signature: Vec<f32>,
}

impl Witness {
    /// Of a page that declares texts. O(rows + declared texts).
    pub(super) fn of(page: &Page<'_>, words: &[f32], signatures: &[u32]) -> Option<Witness> {
        let rows = DeclaredRows::of(page)?;
        Some(Witness {
            own: WeightedSums::new(words, &rows.own),
            other: WeightedSums::new(words, &rows.other),
            by_signature: means_of(signatures, words, &rows.own),
            rows,
        })
    }

    /// The share of a row that is one of several texts of what the page is about.
    pub(super) fn listed(&self, row: usize) -> f32 {
        self.rows.listed[row]
    }

    /// The numbers of a row.
    pub(super) fn numbers(&self, page: &Page<'_>, facts: &PageFeatures, at: usize, around: &[NodeId]) -> [f32; WIDTH] {
        let around = std::array::from_fn(|level| facts.context.rows(page, around[level]));
        declared(self, at, self.by_signature[facts.signatures[at] as usize], &around)
    }
}
