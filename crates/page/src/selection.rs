//! Which leaves of a page are its main text, and which parts of them.

use std::ops::Range;

use crate::rows::{Row, Rows, TextNode};

/// The decision of a method: one flag per leaf of the [`Rows`] it was made for, and for leaves that are kept in part
/// the parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    keep: Vec<bool>,
    /// Sorted by leaf and start, without overlap. A kept leaf without cuts is kept whole.
    cuts: Vec<Cut>,
}

/// A part of a leaf: bytes `start..end` of [`Rows::text`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cut {
    leaf: u32,
    start: u32,
    end: u32,
}

/// A kept leaf or part of one.
#[derive(Debug, Clone, Copy)]
pub struct KeptSpan<'p> {
    /// The leaf.
    pub leaf: &'p TextNode,
    /// First byte of the kept text in [`Rows::text`].
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
}

impl KeptSpan<'_> {
    /// Whether it is all of its leaf.
    pub fn is_whole(&self) -> bool {
        (self.start, self.end) == (self.leaf.start, self.leaf.end)
    }
}

impl Selection {
    /// Nothing kept.
    pub fn none(page: &Rows<'_>) -> Selection {
        Selection { keep: vec![false; page.leaves.len()], cuts: Vec::new() }
    }

    /// Everything kept.
    pub fn all(page: &Rows<'_>) -> Selection {
        Selection { keep: vec![true; page.leaves.len()], cuts: Vec::new() }
    }

    /// Keeps one leaf whole.
    #[inline]
    pub fn keep_leaf(&mut self, leaf: usize) {
        self.keep[leaf] = true;
        if !self.cuts.is_empty() {
            self.cuts.retain(|cut| cut.leaf as usize != leaf);
        }
    }

    /// Keeps all leaves of a row. Not to be mixed with [`Selection::keep_part`] on the same leaves.
    #[inline]
    pub fn keep_row(&mut self, row: &Row) {
        self.keep[row.first_leaf as usize..row.end_leaf as usize].fill(true);
    }

    /// Keeps bytes `start..end` of [`Rows::text`], which must lie in this leaf and on character boundaries.
    /// Calls must come in document order; touching parts become one, and parts that cover the leaf become the leaf.
    pub fn keep_part(&mut self, page: &Rows<'_>, leaf: usize, start: u32, end: u32) {
        debug_assert!(self.cuts.last().is_none_or(|cut| (cut.leaf as usize, cut.end) <= (leaf, start)));
        let whole = &page.leaves[leaf];
        self.keep[leaf] = true;
        let mut part = Cut { leaf: leaf as u32, start, end };
        if let Some(last) = self.cuts.last().filter(|cut| cut.leaf == part.leaf)
            && page.text[last.end as usize..start as usize].trim().is_empty()
        {
            part.start = last.start;
            self.cuts.pop();
        }
        let text = |from: u32, to: u32| &page.text[from as usize..to as usize];
        let covers = text(whole.start, part.start).trim().is_empty() && text(part.end, whole.end).trim().is_empty();
        if !covers {
            self.cuts.push(part);
        }
    }

    /// What is kept outside of the nodes with these indices: ranges in order, without overlap. O(leaves).
    pub fn without(mut self, page: &Rows<'_>, nodes: &[(usize, usize)]) -> Selection {
        let mut next = 0;
        for (at, leaf) in page.leaves.iter().enumerate() {
            let node = leaf.node.index();
            while nodes.get(next).is_some_and(|&(_, end)| end <= node) {
                next += 1;
            }
            if nodes.get(next).is_some_and(|&(start, _)| start <= node) {
                self.keep[at] = false;
            }
        }
        self.cuts.retain(|cut| self.keep[cut.leaf as usize]);
        self
    }

    /// Whether the leaf with this index is kept, at least in part.
    #[inline]
    pub fn keeps(&self, leaf: usize) -> bool {
        self.keep[leaf]
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        !self.keep.contains(&true)
    }

    /// The kept pieces of a row, in order.
    pub fn kept<'p>(&'p self, page: &'p Rows<'_>, row: &Row) -> impl Iterator<Item = KeptSpan<'p>> + use<'p> {
        let range = row.first_leaf as usize..row.end_leaf as usize;
        let leaves = &page.leaves;
        range.filter(|&leaf| self.keep[leaf]).flat_map(move |at| {
            let leaf = &leaves[at];
            let cuts = self.cuts_of(at);
            let whole = cuts.is_empty().then_some(KeptSpan { leaf, start: leaf.start, end: leaf.end });
            whole.into_iter().chain(cuts.iter().map(move |cut| KeptSpan { leaf, start: cut.start, end: cut.end }))
        })
    }

    /// All pieces of a row in order, kept and not, with whether they are kept.
    pub fn pieces<'p>(&self, page: &'p Rows<'_>, row: &Row) -> Vec<(KeptSpan<'p>, bool)> {
        (row.first_leaf as usize..row.end_leaf as usize).flat_map(|at| self.pieces_of(page, at)).collect()
    }

    /// All pieces of the leaf with this index in order, kept and not, with whether they are kept.
    pub fn pieces_of<'p>(&self, page: &'p Rows<'_>, at: usize) -> Vec<(KeptSpan<'p>, bool)> {
        let leaf = &page.leaves[at];
        let cuts = self.cuts_of(at);
        if cuts.is_empty() {
            return vec![(KeptSpan { leaf, start: leaf.start, end: leaf.end }, self.keep[at])];
        }
        let mut pieces = Vec::with_capacity(2 * cuts.len() + 1);
        let mut from = leaf.start;
        for cut in cuts {
            pieces.push((KeptSpan { leaf, start: from, end: cut.start }, false));
            pieces.push((KeptSpan { leaf, start: cut.start, end: cut.end }, true));
            from = cut.end;
        }
        pieces.push((KeptSpan { leaf, start: from, end: leaf.end }, false));
        pieces.retain(|(piece, _)| !page.text[piece.start as usize..piece.end as usize].trim().is_empty());
        pieces
    }

    /// What is kept without these ranges of [`Rows::text`], which are in order and apart. O(leaves + ranges).
    pub fn without_text(&self, page: &Rows<'_>, ranges: &[Range<u32>]) -> Selection {
        let mut rest = Selection::none(page);
        let mut next = 0;
        for at in (0..page.leaves.len()).filter(|&at| self.keep[at]) {
            for (piece, _) in self.pieces_of(page, at).into_iter().filter(|(_, kept)| *kept) {
                let mut from = piece.start;
                while ranges.get(next).is_some_and(|range| range.end <= from) {
                    next += 1;
                }
                let mut cut = next;
                while let Some(range) = ranges.get(cut).filter(|range| range.start < piece.end) {
                    rest.keep_visible(page, at, from, range.start);
                    from = range.end.max(from);
                    cut += 1;
                }
                match from {
                    from if (from, piece.end) == (piece.leaf.start, piece.leaf.end) => rest.keep[at] = true,
                    from => rest.keep_visible(page, at, from, piece.end),
                }
            }
        }
        rest
    }

    fn keep_visible(&mut self, page: &Rows<'_>, leaf: usize, start: u32, end: u32) {
        if start < end && !page.text[start as usize..end as usize].trim().is_empty() {
            self.keep_part(page, leaf, start, end);
        }
    }

    fn cuts_of(&self, leaf: usize) -> &[Cut] {
        if self.cuts.is_empty() {
            return &[];
        }
        let first = self.cuts.partition_point(|cut| (cut.leaf as usize) < leaf);
        let n = self.cuts[first..].iter().take_while(|cut| cut.leaf as usize == leaf).count();
        &self.cuts[first..first + n]
    }

    /// Whether every leaf of the row is kept whole.
    pub fn keeps_whole(&self, row: &Row) -> bool {
        let range = row.first_leaf as usize..row.end_leaf as usize;
        self.keep[range.clone()].iter().all(|&keep| keep)
            && (self.cuts.is_empty() || range.into_iter().all(|leaf| self.cuts_of(leaf).is_empty()))
    }

    /// Agreement of two selections of one page, 0 to 1: twice the characters kept by both over the sum of the
    /// characters kept by each; 1 when both keep nothing. A leaf kept in part counts as kept.
    pub fn agreement(&self, other: &Selection, page: &Rows<'_>) -> f32 {
        let (mut both, mut sum) = (0u64, 0u64);
        for ((leaf, &a), &b) in page.leaves.iter().zip(&self.keep).zip(&other.keep) {
            let chars = u64::from(leaf.chars);
            both += if a && b { 2 * chars } else { 0 };
            sum += chars * (u64::from(a) + u64::from(b));
        }
        if sum == 0 { 1.0 } else { (both as f64 / sum as f64) as f32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::BlockRules;
    use gristmill_html::{Doc, TreeLimits};

    #[test]
    fn touching_parts_become_one_and_parts_that_cover_a_leaf_become_the_leaf() {
        let doc = Doc::parse("<p>one two three</p><p>four", &TreeLimits::default());
        let page = Rows::new(&doc, BlockRules::TEXT);
        let mut selection = Selection::none(&page);
        let pieces = |selection: &Selection, row: usize| -> Vec<String> {
            let text = |piece: KeptSpan<'_>| page.text[piece.start as usize..piece.end as usize].to_owned();
            selection.kept(&page, &page.rows[row]).map(text).collect()
        };
        selection.keep_part(&page, 0, 0, 3);
        assert_eq!(pieces(&selection, 0), ["one"]);
        selection.keep_part(&page, 0, 8, 13);
        assert_eq!(pieces(&selection, 0), ["one", "three"]);
        assert!(!selection.keeps_whole(&page.rows[0]) && !selection.keeps(1));
        let mut selection = Selection::none(&page);
        selection.keep_part(&page, 0, 0, 3);
        selection.keep_part(&page, 0, 4, 7);
        assert_eq!(pieces(&selection, 0), ["one two"]);
        selection.keep_part(&page, 0, 8, 13);
        assert!(selection.keeps_whole(&page.rows[0]));
        selection.keep_part(&page, 1, 14, 18);
        assert_eq!(selection, Selection::all(&page));
    }
}
