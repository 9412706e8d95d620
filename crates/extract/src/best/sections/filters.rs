//! Controls that narrow a list down, such as those of shops: `Women's (342)`, `Wide (100)`.

use std::ops::Range;

use gristmill_html::{LocalName, NodeId};
use gristmill_page::Row;

use super::is_of_text;
use super::section::{Sections, sum};

impl Sections<'_> {
    /// Rows of the boxes in which a list is narrowed down, where enough is kept beside them: groups of rows that each say how many things
    /// they leave. A page of such rows alone is a list of parts. O(nodes + rows).
    pub(super) fn filters(&self, area: NodeId) -> Vec<usize> {
        const LEAST_WORDS_BESIDE: f32 = 40.0;
        let (page, doc) = (self.page, self.page.doc);
        if is_of_text(self.facts) {
            return Vec::new();
        }
        let counted: Vec<bool> =
            page.rows.iter().map(|row| is_counted(page.row_text(row)) && self.narrows(row)).collect();
        let (mut dropped, mut at) = (Vec::new(), area.index());
        while at < doc.end(area) {
            let id = doc.id(at);
            at += 1;
            let rows = self.facts.context.rows(page, id);
            if self.are_filters(&rows, &counted) {
                at = doc.end(id);
                dropped.extend(rows);
            }
        }
        let words = |rows: &Range<usize>| sum(&self.kept, rows);
        let beside: f32 = words(&(0..page.rows.len())) - dropped.iter().map(|&row| words(&(row..row + 1))).sum::<f32>();
        if beside >= LEAST_WORDS_BESIDE { dropped } else { Vec::new() }
    }

    /// Whether most of some rows say how many things they leave, in more than two groups of one element each.
    fn are_filters(&self, rows: &Range<usize>, counted: &[bool]) -> bool {
        const LEAST_ROWS: usize = 6;
        const LEAST_GROUPS: usize = 3;
        let page = self.page;
        if rows.len() < LEAST_ROWS || 2 * rows.clone().filter(|&row| counted[row]).count() < rows.len() {
            return false;
        }
        let is_title = |row: &Row| page.row_rank(row) == 1;
        let first = |row: &usize| counted[*row] && (*row == rows.start || !counted[*row - 1]);
        let groups = rows.clone().filter(first).take(LEAST_GROUPS).count();
        groups == LEAST_GROUPS && !page.rows[rows.clone()].iter().any(is_title)
    }

    /// Whether a row is a link, a button, or the label of a box to tick.
    fn narrows(&self, row: &Row) -> bool {
        const LEVELS: usize = 4;
        let doc = self.page.doc;
        let is = |id: NodeId| {
            matches!(doc.name(id), LocalName::LABEL | LocalName::BUTTON | LocalName::SUMMARY | LocalName::OPTION)
        };
        let first = self.page.row_leaves(row).first();
        row.link_chars > 0 || first.is_some_and(|leaf| doc.ancestors(leaf.node).take(LEVELS).any(is))
    }
}

/// Whether a short text ends in a number in brackets: `Radios (4)`.
fn is_counted(text: &str) -> bool {
    const MAX_BYTES: usize = 80;
    const MAX_DIGITS: usize = 7;
    let number = |text: &str| {
        let (label, number) = text.strip_suffix(')')?.rsplit_once('(')?;
        let is_number = number.len() <= MAX_DIGITS && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
        // `pacman(8)` names the page of a manual.
        Some(
            is_number
                && !number.is_empty()
                && label.ends_with(char::is_whitespace)
                && label.contains(char::is_alphabetic),
        )
    };
    text.len() <= MAX_BYTES && number(text.trim()) == Some(true)
}
