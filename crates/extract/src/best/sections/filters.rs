//! Controls that narrow a list down, such as those of shops: `Women's (342)`, `Wide (100)`.

use std::ops::Range;

use gristmill_html::{LocalName, NodeId};
use gristmill_page::Row;

use super::is_of_text;
use super::section::{Sections, sum, sums};

/// Least rows of a box of controls, and groups of them.
const LEAST_ROWS: usize = 6;
const LEAST_GROUPS: f32 = 3.0;

impl Sections<'_> {
    /// Rows of the boxes in which a list is narrowed down, where enough is kept beside them: most say how many things they leave, in several
    /// groups, and none is the title. A page of such rows alone is a list of parts. O(nodes + rows).
    pub(super) fn filters(&self, area: NodeId) -> Vec<usize> {
        const LEAST_WORDS_BESIDE: f32 = 40.0;
        let (page, doc) = (self.page, self.page.doc);
        if is_of_text(self.facts) {
            return Vec::new();
        }
        let n_rows = page.rows.len();
        let counts = |row: &Row| is_counted(page.row_text(row)) && self.narrows(row);
        let counted: Vec<bool> = page.rows.iter().map(counts).collect();
        let follows = |row: usize| counted[row] && row > 0 && counted[row - 1];
        let number = |is: bool| f32::from(u8::from(is));
        let firsts = sums(n_rows, |row| number(counted[row] && !follows(row)));
        if firsts[n_rows] < LEAST_GROUPS {
            return Vec::new();
        }
        let all = sums(n_rows, |row| number(counted[row]));
        let titles = sums(n_rows, |row| number(page.row_rank(&page.rows[row]) == 1));
        let are_filters = |rows: &Range<usize>| {
            rows.len() >= LEAST_ROWS
                && 2.0 * sum(&all, rows) >= rows.len() as f32
                && sum(&firsts, rows) + number(follows(rows.start)) >= LEAST_GROUPS
                && sum(&titles, rows) == 0.0
        };
        let (mut boxes, mut at) = (Vec::new(), area.index());
        while at < doc.end(area) {
            let id = doc.id(at);
            at += 1;
            let rows = self.facts.context.rows(page, id);
            if are_filters(&rows) {
                at = doc.end(id);
                boxes.push(rows);
            }
        }
        let beside = self.kept[n_rows] - boxes.iter().map(|rows| sum(&self.kept, rows)).sum::<f32>();
        if beside >= LEAST_WORDS_BESIDE { boxes.into_iter().flatten().collect() } else { Vec::new() }
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
    let text = Some(text).filter(|text| text.len() <= MAX_BYTES).and_then(|text| text.trim().strip_suffix(')'));
    text.and_then(|text| text.rsplit_once('(')).is_some_and(|(label, number)| {
        // `pacman(8)` names the page of a manual.
        label.ends_with(char::is_whitespace)
            && label.contains(char::is_alphabetic)
            && (1..=MAX_DIGITS).contains(&number.len())
            && number.bytes().all(|byte| byte.is_ascii_digit() || byte == b',')
    })
}
