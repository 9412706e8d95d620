//! Blocks that stand among the paragraphs of a text and are built as plainly as these: short lists, facts, tables, their headings.

use std::collections::HashMap;
use std::ops::Range;

use gristmill_html::{LocalName, NodeId};
use gristmill_page::attribute_words::is_named;
use gristmill_page::{Row, is_heading, tables::is_data_table};

use super::is_of_text;
use super::section::{Sections, sum};

/// Paragraphs that an element needs to be that of a text, and their characters as in English; between two of its children that are kept
/// shorter ones will do.
const LEAST_PARAGRAPHS: usize = 2;
pub(super) const PARAGRAPH_CHARS: f32 = 40.0;
const SHORT_CHARS: f32 = 6.0;
/// The mean probability that a run of plain blocks needs: one of facts alone, and one with a list of items, as menus are.
const LEAST_OF_FACTS: f32 = 0.1;
const LEAST_OF_ITEMS: f32 = 0.2;
/// The share of links that a block may have.
pub(super) const LINKS: f32 = 0.2;
/// Most rows of a run.
const MAX_ROWS: usize = 40;

/// Words of classes and ids of boxes that interrupt a text.
#[rustfmt::skip]
pub(super) const UNWANTED: &[&str] = &[
    "ad", "ads", "advert", "advertisement", "banner", "promo", "promotion", "related", "share", "sharing", "social", "newsletter",
    "subscribe", "signup", "cta", "comments", "author", "byline", "meta", "tags", "breadcrumb", "breadcrumbs", "rating", "toc", "nav",
    "paywall", "cookie", "consent", "copyright", "license", "licence", "reward", "donate", "recommended", "sponsor", "sponsored",
    "widget", "toolbar", "pagination",
];

/// What a child of the element of a text is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Child {
    Kept,
    Heading,
    Plain,
    Other,
}

impl Sections<'_> {
    /// Runs of plain blocks without links of which nothing is kept, beside a kept child of the element that holds the paragraphs of a text.
    /// O(nodes).
    pub(super) fn plain_blocks(&self, area: NodeId) -> Vec<Range<usize>> {
        let mut added = Vec::new();
        let long = if is_of_text(self.facts) { self.elements_of_text(area, PARAGRAPH_CHARS) } else { Vec::new() };
        for around in self.elements_of_text(area, SHORT_CHARS) {
            let children: Vec<(NodeId, Child)> =
                self.page.doc.children(around).filter_map(|id| self.child(id)).collect();
            let is_own = |(_, kind): &(NodeId, Child)| matches!(kind, Child::Plain | Child::Heading);
            let runs = children.chunk_by(|one, next| is_own(one) && is_own(next));
            let mut at = 0;
            for run in runs {
                let (begin, end) = (at, at + run.len());
                at = end;
                if !is_own(&run[0]) {
                    continue;
                }
                let is_kept = |child: Option<&(NodeId, Child)>| matches!(child, Some((_, Child::Kept)));
                let (before, behind) = (is_kept(children[..begin].last()), is_kept(children.get(end)));
                if before && behind || long.contains(&around) {
                    added.extend(self.run(run, before, behind));
                }
            }
        }
        added
    }

    /// The other rows of short lists of which half is kept, or something that stands right between kept rows: their items are of the text
    /// together. O(nodes).
    pub(super) fn split_lists(&self, area: NodeId) -> Vec<Range<usize>> {
        const LEAST_ITEMS: usize = 3;
        const LEAST_KEPT: f32 = 0.4;
        let doc = self.page.doc;
        let is_list = |id: &NodeId| matches!(doc.name(*id), LocalName::UL | LocalName::OL | LocalName::DL);
        let n_items =
            |id: NodeId| doc.children(id).filter(|&id| doc.name(id) == LocalName::LI).take(LEAST_ITEMS).count();
        let keep = &self.decision.keep;
        let is_enclosed = |rows: &Range<usize>| {
            rows.start.checked_sub(1).is_some_and(|before| keep[before]) && keep.get(rows.end) == Some(&true)
        };
        let is_split = |id: &NodeId, rows: &Range<usize>| {
            let (kept, words) = (sum(&self.kept, rows), sum(&self.words, rows));
            (1..=MAX_ROWS).contains(&rows.len())
                && (0.0 < kept && kept < words)
                && (is_enclosed(rows) || kept >= LEAST_KEPT * words && n_items(*id) == LEAST_ITEMS)
                && sum(&self.main, rows) >= LEAST_OF_FACTS * words
                && !self.is_unwanted(*id, rows, LINKS)
        };
        let lists = doc.subtree(area).filter(is_list).map(|id| (id, self.facts.context.rows(self.page, id)));
        let split = lists.filter(|(id, rows)| is_split(id, rows)).map(|(_, rows)| rows);
        split.flat_map(|rows| rows.filter(|&row| !self.decision.keep[row])).map(|row| row..row + 1).collect()
    }

    /// The rows of a run that are kept: up to its last block, as a heading is that of what is below it.
    fn run(&self, run: &[(NodeId, Child)], before: bool, behind: bool) -> Option<Range<usize>> {
        let n_own = run.iter().rposition(|(_, kind)| *kind == Child::Plain)? + 1;
        let run = if behind { run } else { &run[..n_own] };
        let (first, last) = (run.first()?, run.last()?);
        let rows = self.facts.context.rows(self.page, first.0).start..self.facts.context.rows(self.page, last.0).end;
        let is_list = |id: NodeId| matches!(self.page.doc.name(id), LocalName::UL | LocalName::OL);
        let is_menu = !(before && behind) && run.iter().any(|(id, _)| is_list(*id));
        let least = if is_menu { LEAST_OF_ITEMS } else { LEAST_OF_FACTS };
        let fits = (before || behind)
            && (1..=MAX_ROWS).contains(&rows.len())
            && sum(&self.main, &rows) >= least * sum(&self.words, &rows);
        fits.then_some(rows)
    }

    /// The elements that hold several kept paragraphs of so many characters.
    pub(super) fn elements_of_text(&self, area: NodeId, least_chars: f32) -> Vec<NodeId> {
        let doc = self.page.doc;
        let mut paragraphs: HashMap<NodeId, usize> = HashMap::new();
        let chars = |row: &Row| row.chars as f32 * self.facts.scale;
        let is_paragraph = |row: &Row| doc.name(row.block) == LocalName::P && chars(row) >= least_chars;
        for (row, _) in self.page.rows.iter().zip(&self.decision.keep).filter(|(row, keep)| **keep && is_paragraph(row))
        {
            if let Some(parent) = doc.parent(row.block).filter(|&parent| doc.contains(area, parent)) {
                *paragraphs.entry(parent).or_default() += 1;
            }
        }
        let mut elements: Vec<NodeId> =
            paragraphs.into_iter().filter(|(_, n)| *n >= LEAST_PARAGRAPHS).map(|(id, _)| id).collect();
        elements.sort();
        elements
    }

    /// What a child is; `None` for what has no rows.
    fn child(&self, id: NodeId) -> Option<(NodeId, Child)> {
        let doc = self.page.doc;
        let rows = self.facts.context.rows(self.page, id);
        if !doc.is_element(id) {
            return doc.text(id).contains(|c: char| !c.is_whitespace()).then_some((id, Child::Other));
        }
        if rows.is_empty() {
            return None;
        }
        if rows.clone().any(|row| self.decision.keep[row]) {
            return Some((id, Child::Kept));
        }
        let is_plain = doc.attr(id, LocalName::CLASS).is_none();
        let kind = match doc.name(id) {
            name if is_heading(name) => Child::Heading,
            LocalName::UL | LocalName::OL | LocalName::DL | LocalName::ADDRESS if is_plain => Child::Plain,
            LocalName::TABLE if is_plain && is_data_table(doc, id) => Child::Plain,
            _ => Child::Other,
        };
        let kind = if kind != Child::Other && self.is_unwanted(id, &rows, LINKS) { Child::Other } else { kind };
        Some((id, kind))
    }

    /// Whether more than a share of some rows are links, or their element has controls or is called a box that interrupts a text.
    pub(super) fn is_unwanted(&self, id: NodeId, rows: &Range<usize>, most_links: f32) -> bool {
        const MAX_NODES: usize = 400;
        const CONTROLS: [LocalName; 7] = [
            LocalName::BUTTON,
            LocalName::INPUT,
            LocalName::FORM,
            LocalName::NAV,
            LocalName::ASIDE,
            LocalName::IFRAME,
            LocalName::FOOTER,
        ];
        let doc = self.page.doc;
        let is_control = |own: NodeId| own != id && CONTROLS.contains(&doc.name(own)) || is_named(doc, own, UNWANTED);
        self.is_of_links(rows, most_links) || doc.subtree(id).take(MAX_NODES).any(is_control)
    }
}
