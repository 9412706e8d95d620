//! Which leaves of a page are its main text.

use crate::page::{Leaf, Page, Row};

/// The decision of a method: one flag per leaf of the [`Page`] it was made for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    keep: Vec<bool>,
}

impl Selection {
    /// Nothing kept.
    pub fn none(page: &Page<'_>) -> Selection {
        Selection { keep: vec![false; page.leaves.len()] }
    }

    /// Everything kept.
    pub fn all(page: &Page<'_>) -> Selection {
        Selection { keep: vec![true; page.leaves.len()] }
    }

    /// Keeps one leaf.
    pub fn keep_leaf(&mut self, leaf: usize) {
        self.keep[leaf] = true;
    }

    /// Keeps all leaves of a row.
    pub fn keep_row(&mut self, row: &Row) {
        self.keep[row.first_leaf as usize..row.end_leaf as usize].fill(true);
    }

    /// Whether the leaf with this index is kept.
    pub fn keeps(&self, leaf: usize) -> bool {
        self.keep[leaf]
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        !self.keep.contains(&true)
    }

    /// The kept leaves of a row, in order.
    pub fn kept<'p>(&'p self, page: &'p Page<'_>, row: &'p Row) -> impl Iterator<Item = &'p Leaf> {
        let range = row.first_leaf as usize..row.end_leaf as usize;
        page.leaves[range.clone()].iter().zip(&self.keep[range]).filter(|(_, keep)| **keep).map(|(leaf, _)| leaf)
    }

    /// Whether every leaf of the row is kept.
    pub fn keeps_whole(&self, row: &Row) -> bool {
        self.keep[row.first_leaf as usize..row.end_leaf as usize].iter().all(|&keep| keep)
    }

    /// Agreement of two selections of one page, 0 to 1: twice the characters kept by both over the sum of the
    /// characters kept by each; 1 when both keep nothing.
    pub fn agreement(&self, other: &Selection, page: &Page<'_>) -> f32 {
        let (mut both, mut sum) = (0u64, 0u64);
        for ((leaf, &a), &b) in page.leaves.iter().zip(&self.keep).zip(&other.keep) {
            let chars = u64::from(leaf.chars);
            both += if a && b { 2 * chars } else { 0 };
            sum += chars * (u64::from(a) + u64::from(b));
        }
        if sum == 0 { 1.0 } else { (both as f64 / sum as f64) as f32 }
    }
}
