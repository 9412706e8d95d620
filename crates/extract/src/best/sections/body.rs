//! The element that is called the text of its page: what stands there among kept rows is text, however short.

use std::collections::HashSet;
use std::ops::Range;

use gristmill_html::{LocalName, NodeId};
use gristmill_page::attribute_words::is_named;

use super::is_of_text;
use super::plain::UNWANTED;
use super::section::{Sections, sum};
use crate::best::called::is_called_text;

/// Words of classes of what stands within a text and is none, beside those of boxes that interrupt it: data, not code.
#[rustfmt::skip]
const APART: &[&str] = &[
    "credit", "tag", "print", "popular", "recent", "more", "footer", "sidebar", "hidden", "comment", "navbox", "login", "register",
    "metadata", "date", "time", "copyright", "jump", "donate", "donation", "bio", "button", "btn", "carousel", "slider", "modal", "popup",
    "overlay", "player", "video", "map", "price", "buy", "source", "sources", "card", "cards",
];

/// The same by their tags.
const APART_TAGS: [LocalName; 8] = [
    LocalName::NAV,
    LocalName::FORM,
    LocalName::BUTTON,
    LocalName::ASIDE,
    LocalName::FOOTER,
    LocalName::FIGURE,
    LocalName::SELECT,
    LocalName::LABEL,
];

impl Sections<'_> {
    /// Runs of a few short rows among kept ones in the element around the main area that is called the text of the page. Where they
    /// are much beside what is kept, that element holds more than a text. O(nodes).
    pub(super) fn of_body(&self, area: NodeId) -> Vec<Range<usize>> {
        const LEVELS: usize = 4;
        const LEAST_OF_KEPT: f32 = 0.8;
        const MOST_ADDED: f32 = 0.3;
        if !is_of_text(self.facts) {
            return Vec::new();
        }
        let all = sum(&self.kept, &(0..self.page.rows.len()));
        let mut around = std::iter::once(area).chain(self.page.doc.ancestors(area)).take(LEVELS);
        let Some(body) = around.find(|&id| is_called_text(self.page.doc, id)) else { return Vec::new() };
        let rows = self.facts.context.rows(self.page, body);
        if sum(&self.kept, &rows) < LEAST_OF_KEPT * all {
            return Vec::new();
        }
        let apart = self.apart(body, &rows);
        let keep = &self.decision.keep;
        let said: HashSet<u32> = rows.clone().filter(|&row| keep[row]).map(|row| self.facts.copies[row]).collect();
        let starts = rows.clone().skip(1).filter(|&row| keep[row - 1] && !keep[row]);
        let runs = starts.map(|row| row..self.kept_after[row]).filter(|run| run.end < rows.end);
        let own = |run: Range<usize>| run.filter(|&row| !apart[row - rows.start]).collect::<Vec<usize>>();
        let added = runs.map(own).filter(|run| self.fits_body(run)).flatten();
        let added: Vec<usize> = added.filter(|&row| !said.contains(&self.facts.copies[row])).collect();
        let words: f32 = added.iter().map(|&row| sum(&self.words, &(row..row + 1))).sum();
        let added = if words <= MOST_ADDED * all { added } else { Vec::new() };
        added.into_iter().map(|row| row..row + 1).collect()
    }

    /// Whether rows are few, short, likely enough and neither links nor controls.
    fn fits_body(&self, run: &[usize]) -> bool {
        const MAX_ROWS: usize = 14;
        const MAX_WORDS: f32 = 80.0;
        const LEAST: f32 = 0.2;
        let of = |sums: &[f32]| run.iter().map(|&row| sum(sums, &(row..row + 1))).sum::<f32>();
        let (words, main) = (of(&self.words), of(&self.main));
        let rows = || run.iter().map(|&row| &self.page.rows[row]);
        let chars: u32 = rows().map(|row| row.chars).sum();
        let links: u32 = rows().map(|row| row.link_chars).sum();
        (1..=MAX_ROWS).contains(&run.len())
            && words <= MAX_WORDS
            && main >= LEAST * words
            && 5 * links <= chars
            && !rows().any(|row| self.is_control(row))
    }

    /// Of each row of the body whether it stands in a part of it that is something else. O(nodes).
    fn apart(&self, body: NodeId, rows: &Range<usize>) -> Vec<bool> {
        let doc = self.page.doc;
        let is_apart =
            |id: NodeId| APART_TAGS.contains(&doc.name(id)) || is_named(doc, id, UNWANTED) || is_named(doc, id, APART);
        let mut apart = vec![false; rows.len()];
        let mut at = body.index() + 1;
        while at < doc.end(body) {
            let id = doc.id(at);
            at += 1;
            if doc.is_element(id) && is_apart(id) {
                at = doc.end(id);
                let own = self.facts.context.rows(self.page, id);
                let own = own.start.max(rows.start)..own.end.min(rows.end);
                own.for_each(|row| apart[row - rows.start] = true);
            }
        }
        apart
    }
}
