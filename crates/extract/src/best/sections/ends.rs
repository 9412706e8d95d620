//! Short blocks at the begin and at the end of a text, which the rules for what stands between kept rows do not reach: facts, an offer, a
//! verdict, opening hours.

use std::ops::Range;

use gristmill_html::{LocalName, NodeId};
use gristmill_page::Row;

use super::boxes::is_credit;
use super::plain::{LINKS, PARAGRAPH_CHARS};
use super::section::{Sections, sum};

/// The mean probability that such a block needs.
const LEAST: f32 = 0.12;
/// Most rows and words of one.
const MAX_ROWS: usize = 14;
const MAX_WORDS: f32 = 90.0;
/// How rows begin that say where a text is from, who made it and who earns by it, in lower case.
#[rustfmt::skip]
const NOTES: &[&str] = &[
    "本文来源", "来源", "來源", "责任编辑", "责编", "编辑", "（编辑", "(编辑", "【责任编辑", "转载", "quelle", "source:", "fonte:", "fuente:", "bron:",
    "disclosure", "disclaimer", "last updated", "posted ", "published ", "stand:", "copyright", "reporting by", "additional reporting",
    "editing by", "image caption", "image source", "reviews and recommendations", "tags:", "filed under", "categories:", "topics:",
];
/// Most blocks at one end.
const MAX_BLOCKS: usize = 4;

impl Sections<'_> {
    /// The blocks before the first kept child of the element that holds the paragraphs of a text, and behind the last one. O(nodes).
    pub(super) fn ends(&self, area: NodeId) -> Vec<Range<usize>> {
        let doc = self.page.doc;
        let mut added = Vec::new();
        let mut elements = self.elements_of_text(area, PARAGRAPH_CHARS);
        // Facts often stand beside the element of the paragraphs.
        let around: Vec<NodeId> =
            elements.iter().filter_map(|&id| doc.parent(id)).filter(|&id| self.is_of_one_text(id)).collect();
        elements.extend(around);
        elements.sort();
        elements.dedup();
        for around in elements {
            let children: Vec<(NodeId, Range<usize>)> = doc
                .children(around)
                .map(|id| (id, self.facts.context.rows(self.page, id)))
                .filter(|(_, rows)| !rows.is_empty())
                .collect();
            let is_kept = |(_, rows): &(NodeId, Range<usize>)| sum(&self.kept, rows) > 0.0;
            let (Some(first), Some(last)) = (children.iter().position(is_kept), children.iter().rposition(is_kept))
            else {
                continue;
            };
            added.extend(self.end(children[last + 1..].iter()));
            added.extend(self.end(children[..first].iter().rev()));
        }
        added
    }

    /// Whether an element is that of one text: it says so, or the title of the page stands in it.
    fn is_of_one_text(&self, id: NodeId) -> bool {
        let rows = &self.page.rows[self.facts.context.rows(self.page, id)];
        matches!(self.page.doc.name(id), LocalName::ARTICLE | LocalName::MAIN)
            || rows.iter().any(|row| self.page.row_rank(row) == 1)
    }

    /// The blocks of one end, from the text outwards, up to the first that is none of it.
    fn end<'b>(&self, blocks: impl Iterator<Item = &'b (NodeId, Range<usize>)>) -> Vec<Range<usize>> {
        let of_text = blocks.take(MAX_BLOCKS).take_while(|(id, rows)| self.ends_text(*id, rows));
        of_text.map(|(_, rows)| rows.clone()).collect()
    }

    /// Whether a row is touched to do something, or is a link that does not lead to a place of the page. The numbers of steps are none.
    fn leads_away(&self, row: &Row, n_rows: usize) -> bool {
        let doc = self.page.doc;
        let leads = |leaf: NodeId| {
            let link = doc.ancestors(leaf).take(6).find(|&id| doc.name(id) == LocalName::A);
            let href = link.and_then(|link| doc.attr(link, LocalName::HREF));
            href.is_some_and(|href| !href.trim_start().starts_with('#'))
        };
        let is_number = n_rows > 1 && self.page.row_text(row).trim().bytes().all(|byte| byte.is_ascii_digit());
        self.is_control(row) && !is_number
            || row.is_link() && self.page.row_leaves(row).iter().any(|leaf| leads(leaf.node))
    }

    /// Whether rows are more than a heading, a note on how the text came to be, or words that lead to what is not there.
    fn says_more(&self, rows: &Range<usize>) -> bool {
        let text = |row: &Row| self.page.row_text(row).trim();
        let last = self.page.rows[rows.clone()].last().map_or("", text);
        let is_heading = self.page.rows[rows.clone()].iter().all(|row| row.in_heading);
        let leads_on = last.ends_with([':', '：', '>', '»', '→']);
        let is_note = || last.contains('@') || is_credit(last) || starts_with_any(last, NOTES);
        !(is_heading || leads_on || rows.len() == 1 && is_note())
    }

    /// Whether footnotes stand in some rows, which have rules of their own.
    fn holds_notes(&self, rows: &Range<usize>) -> bool {
        let first = |row: &Row| self.page.leaves[row.first_leaf as usize].node;
        self.page.rows[rows.clone()].iter().any(|row| self.page.notes().around(first(row)).is_some())
    }

    /// Whether a block is short, without links, and likely enough to be the last of a text.
    pub(super) fn ends_text(&self, id: NodeId, rows: &Range<usize>) -> bool {
        let doc = self.page.doc;
        let words = sum(&self.words, rows);
        let is_block = doc.is_element(id)
            && !matches!(doc.name(id), LocalName::NAV | LocalName::FOOTER | LocalName::HEADER | LocalName::FORM);
        is_block
            && rows.len() <= MAX_ROWS
            && words <= MAX_WORDS
            && sum(&self.main, rows) >= LEAST * words
            && !self.is_unwanted(id, rows, LINKS)
            && !self.page.rows[rows.clone()].iter().any(|row| self.leads_away(row, rows.len()))
            && self.says_more(rows)
            && !self.holds_notes(rows)
    }
}

fn starts_with_any(text: &str, begins: &[&str]) -> bool {
    let text = text.to_lowercase();
    begins.iter().any(|begin| text.starts_with(begin))
}
