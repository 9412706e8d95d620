//! The sections of a page, and what of them is kept beside what the model keeps.

use std::collections::HashSet;
use std::ops::Range;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::attribute_words::is_named;
use gristmill_page::hidden::hides_text;
use gristmill_page::{Page, PageType, Row, notes, tables::is_data_table};

use super::block::{BlockNames, SectionBlock};
use crate::best::features::PageFeatures;
use crate::best::row_decision::RowDecision;

/// The probability that a heading of documentation needs which leads to another page.
const LIKELY: f32 = 0.3;
/// Share of what was kept that the main area holds.
const AREA: f32 = 0.9;
/// The mean probability that a quote of a thread needs.
const QUOTE_OF_THREAD: f32 = 0.3;
/// Share of a quote that links may be: messages name others, and have their day as a link.
const MOST_OF_QUOTE: f32 = 0.8;

/// Words of classes of posts of networks that a text quotes.
const POSTS: &[&str] = &["tweet", "bluesky", "mastodon", "instagram", "tiktok", "threads"];
/// Words of classes and ids of the titles of code.
const CODE_TITLE: &[&str] = &["title", "caption", "filename", "name"];
/// The mean probability that a section of documentation needs, a section of other texts and an item of a list, where that before it is
/// kept. Less costs scores.
const LEAST_OF_PART: f32 = 0.12;
const LEAST_OF_SECTION: f32 = 0.2;
const LEAST_OF_ITEM: f32 = 0.15;
/// The same of a list of names and what they stand for.
const LEAST_OF_PAIRS: f32 = 0.15;
/// The same of a table at the end of a section of other texts than documentation.
const LEAST_OF_LAST_TABLE: f32 = 0.18;
/// A section with more rows is looked at for more than its notes.
const MAX_NOTE_ROWS: usize = 1_000;

/// Whether a list is one of names and what they stand for, and not a box of a title and a text.
fn has_several_names(doc: &Doc, list: NodeId) -> bool {
    const MAX_NODES: usize = 200;
    let mut names = doc.subtree(list).take(MAX_NODES).filter(|&id| doc.name(id) == LocalName::DT);
    doc.name(list) == LocalName::DL && names.nth(1).is_some()
}

/// Whether all the text of a caption is hidden and left to screen readers.
fn is_for_ears(page: &Page<'_>, caption: NodeId) -> bool {
    let doc = page.doc;
    let hides = |leaf: NodeId| doc.ancestors(leaf).take_while(|&id| id != caption).any(|id| hides_text(doc, id));
    let mut leaves = page.leaves[page.leaves_in(caption.index()..doc.end(caption))].iter();
    leaves.all(|leaf| hides(leaf.node))
}

/// Whether no row beside one says the same: in threads each post has the heading of the first.
pub(super) fn is_said_once(facts: &PageFeatures, row: usize) -> bool {
    const NEAR: usize = 500;
    let own = facts.copies[row];
    let near = row.saturating_sub(NEAR)..facts.copies.len().min(row + NEAR);
    facts.copies[near].iter().filter(|copy| **copy == own).count() == 1
}

pub(super) struct Sections<'p> {
    pub(super) page: &'p Page<'p>,
    pub(super) facts: &'p PageFeatures,
    pub(super) decision: &'p RowDecision,
    /// Sums over the rows before each: words, words by probability, kept words.
    pub(super) words: Vec<f32>,
    pub(super) main: Vec<f32>,
    pub(super) kept: Vec<f32>,
    /// For each row and the end: one past the last kept row before it, and the first kept row from it on.
    pub(super) kept_before: Vec<usize>,
    pub(super) kept_after: Vec<usize>,
    /// The same of headings.
    pub(super) heading_before: Vec<usize>,
    pub(super) heading_after: Vec<usize>,
}

impl<'p> Sections<'p> {
    pub(super) fn new(
        page: &'p Page<'p>,
        facts: &'p PageFeatures,
        weights: &[f32],
        decision: &'p RowDecision,
    ) -> Sections<'p> {
        let headings: Vec<bool> = page.rows.iter().map(|row| page.row_rank(row) > 0).collect();
        let keep = &decision.keep;
        Sections {
            words: sums(weights.len(), |row| weights[row]),
            main: sums(weights.len(), |row| weights[row] * decision.probabilities[row]),
            kept: sums(weights.len(), |row| if keep[row] { weights[row] } else { 0.0 }),
            kept_before: before(keep),
            kept_after: after(keep),
            heading_before: before(&headings),
            heading_after: after(&headings),
            page,
            facts,
            decision,
        }
    }

    pub(super) fn area(&self) -> Option<NodeId> {
        const SMALL: usize = 2;
        let doc = self.page.doc;
        let kept = |id: NodeId| {
            let rows = self.facts.context.rows(self.page, id);
            sum(&self.kept, &rows)
        };
        let body = doc.body()?;
        let mut area = body;
        let all = kept(area);
        if all <= 0.0 {
            return None;
        }
        let is_manual = self.facts.types.best().0 == PageType::Documentation;
        let inner = |area: NodeId| doc.children(area).find(|&child| kept(child) >= AREA * all);
        // One of the sections of a manual is no area by itself.
        while let Some(inner) = inner(area).filter(|&inner| !(is_manual && self.is_one_of_sections(inner))) {
            area = inner;
        }
        // A paragraph, with its heading or not, is no area by itself: code, tables and lists stand beside it.
        let is_small = |id: NodeId| self.facts.context.rows(self.page, id).len() <= SMALL;
        while let Some(around) = doc.parent(area).filter(|around| is_small(area) && *around >= body) {
            area = around;
        }
        // A part of a block of code is none by itself.
        Some(self.page.verbatim().around(self.page, area).map_or(area, |block| block.node))
    }

    /// Whether another element beside one has its name and class, and both begin with a heading of the same rank.
    fn is_one_of_sections(&self, id: NodeId) -> bool {
        const NEAR: usize = 3;
        let doc = self.page.doc;
        let rank = |id: NodeId| {
            let rows = self.facts.context.rows(self.page, id);
            self.page.rows.get(rows.start).filter(|_| rows.len() > 1).map_or(0, |row| self.page.row_rank(row))
        };
        let class = |id: NodeId| doc.attr(id, LocalName::CLASS);
        let is_alike =
            |&other: &NodeId| doc.name(other) == doc.name(id) && class(other) == class(id) && rank(other) == rank(id);
        let before = std::iter::successors(doc.prev_sibling(id), |&id| doc.prev_sibling(id)).take(NEAR);
        let behind = std::iter::successors(doc.next_sibling(id), |&id| doc.next_sibling(id)).take(NEAR);
        rank(id) > 1 && before.chain(behind).filter(|&id| doc.is_element(id)).any(|other| is_alike(&other))
    }

    /// The rows of the wanted blocks that the main area lacks, and the titles of its code.
    pub(super) fn blocks(
        &self,
        area: NodeId,
        names: &BlockNames,
        wanted: impl Fn(SectionBlock) -> bool,
    ) -> Vec<Range<usize>> {
        let (page, doc) = (self.page, self.page.doc);
        let mut added = Vec::new();
        let mut at = area.index();
        while at < doc.end(area) {
            let id = doc.id(at);
            at += 1;
            if [LocalName::NAV, LocalName::FOOTER].contains(&doc.name(id)) {
                at = doc.end(id);
                continue;
            }
            let Some(block) = SectionBlock::of(page, id, names).filter(|block| wanted(*block)) else { continue };
            let rows = self.facts.context.rows(page, id);
            if matches!(block, SectionBlock::Caption | SectionBlock::DataCaption) && is_for_ears(page, id) {
                continue;
            }
            if block == SectionBlock::Code {
                added.extend(self.title_of_code(id, &rows));
            }
            if self.lacks(block, id, &rows) {
                at = doc.end(id);
                added.push(rows);
            }
        }
        added
    }

    /// The row above a block of code, where an element holds these two and nothing else, and the row is a file name or is named as a
    /// title: other such rows are buttons and languages.
    fn title_of_code(&self, code: NodeId, rows: &Range<usize>) -> Option<Range<usize>> {
        const LEVELS: usize = 4;
        const MAX_CHARS: u32 = 120;
        let title = rows.start.checked_sub(1)?;
        let row = &self.page.rows[title];
        let doc = self.page.doc;
        let wrapper = doc.ancestors(code).take(LEVELS).find(|&id| doc.contains(id, row.block) && id != row.block)?;
        let whole = self.facts.context.rows(self.page, wrapper);
        let first = self.page.leaves[row.first_leaf as usize].node;
        let inside = || doc.ancestors(first).take_while(|&id| id != wrapper);
        let is_control = inside().any(|id| matches!(doc.name(id), LocalName::BUTTON | LocalName::A));
        let is_title = || inside().any(|id| is_named(doc, id, CODE_TITLE)) || is_file_name(self.page.row_text(row));
        let is_own = whole == (title..rows.end) && row.chars <= MAX_CHARS && !is_control;
        (is_own && is_title()).then_some(title..rows.start)
    }

    /// Sections and items of lists of which nothing is kept, though that before them is, which is built as they are. O(nodes).
    pub(super) fn alike(&self, area: NodeId) -> Vec<Range<usize>> {
        let doc = self.page.doc;
        let mut added: Vec<(NodeId, Range<usize>)> = Vec::new();
        let mut at = area.index();
        while at < doc.end(area) {
            let id = doc.id(at);
            at += 1;
            if [LocalName::NAV, LocalName::FOOTER, LocalName::ASIDE].contains(&doc.name(id)) {
                at = doc.end(id);
                continue;
            }
            let Some(before) = self.alike_before(id) else { continue };
            let is_kept = added.last().is_some_and(|(last, _)| *last == before) || self.is_mostly_kept(before);
            let rows = self.facts.context.rows(self.page, id);
            if is_kept && self.continues(&rows, before, doc.name(id) == LocalName::LI) {
                at = doc.end(id);
                added.push((id, rows));
            }
        }
        added.into_iter().map(|(_, rows)| rows).collect()
    }

    /// The element right before a section or item, where it has its name and class.
    fn alike_before(&self, id: NodeId) -> Option<NodeId> {
        const NEAR: usize = 3;
        let doc = self.page.doc;
        let class = |id: NodeId| doc.attr(id, LocalName::CLASS);
        let is_named = match doc.name(id) {
            LocalName::LI | LocalName::SECTION => true,
            LocalName::DIV | LocalName::ARTICLE => class(id).is_some(),
            _ => false,
        };
        let mut before = std::iter::successors(doc.prev_sibling(id), |&id| doc.prev_sibling(id)).take(NEAR);
        let before = is_named.then(|| before.find(|&id| doc.is_element(id))).flatten()?;
        (doc.name(before) == doc.name(id) && class(before) == class(id)).then_some(before)
    }

    fn is_mostly_kept(&self, id: NodeId) -> bool {
        let rows = self.facts.context.rows(self.page, id);
        !rows.is_empty() && sum(&self.kept, &rows) >= 0.5 * sum(&self.words, &rows)
    }

    /// Whether rows go on with what an element before them says: as its item, or as a section with a heading of the same rank.
    fn continues(&self, rows: &Range<usize>, before: NodeId, is_item: bool) -> bool {
        let least = match self.facts.types.best().0 {
            PageType::Documentation | PageType::Article | PageType::Service if is_item => LEAST_OF_ITEM,
            PageType::Documentation => LEAST_OF_PART,
            PageType::Article | PageType::Service => LEAST_OF_SECTION,
            _ => return false,
        };
        if rows.is_empty() || sum(&self.kept, rows) > 0.0 || sum(&self.main, rows) < least * sum(&self.words, rows) {
            return false;
        }
        let rank = |row: usize| self.page.row_rank(&self.page.rows[row]);
        let first = self.facts.context.rows(self.page, before).start;
        let is_section = || rank(rows.start) > 0 && rank(rows.start) == rank(first) && rows.len() > 1;
        let is_control = |row: &Row| self.is_control(row);
        (is_item || is_section())
            && (!self.is_of_links(rows, 0.5) || self.is_of_places(rows))
            && !self.page.rows[rows.clone()].iter().any(is_control)
    }

    /// Rows right below a kept table that begin with a sign which stands in it, and its foot, as journals call it.
    pub(super) fn remarks(&self, area: NodeId) -> Vec<Range<usize>> {
        const SIGNS: [char; 5] = ['*', '†', '‡', '§', '¶'];
        const MAX_ROWS: usize = 5;
        let (page, doc) = (self.page, self.page.doc);
        let text = |row: usize| page.row_text(&page.rows[row]);
        let mut remarks = Vec::new();
        for table in doc.subtree(area).filter(|&id| doc.name(id) == LocalName::TABLE) {
            let rows = self.facts.context.rows(page, table);
            let is_kept = rows.end.checked_sub(1).is_some_and(|last| rows.contains(&last) && self.decision.keep[last]);
            if !is_kept || !is_data_table(doc, table) {
                continue;
            }
            let said = &page.text[page.rows[rows.start].start as usize..page.rows[rows.end - 1].end as usize];
            let refers = |&row: &usize| {
                let sign = text(row).trim_start().chars().next().filter(|sign| SIGNS.contains(sign));
                sign.is_some_and(|sign| said.contains(sign)) && !self.page.rows[row].is_link()
            };
            let below = (rows.end..page.rows.len()).take(MAX_ROWS).take_while(refers).count();
            remarks.extend((below > 0).then_some(rows.end..rows.end + below));
            remarks.extend(self.foot(table, &rows));
        }
        remarks
    }

    /// The few rows below a table, in a box of both, that are called its foot.
    fn foot(&self, table: NodeId, rows: &Range<usize>) -> Option<Range<usize>> {
        const LEVELS: usize = 3;
        const MAX_ROWS: usize = 12;
        const NEAR: usize = 2;
        let doc = self.page.doc;
        let is_foot = |id: &NodeId| {
            matches!(doc.name(*id), LocalName::DIV | LocalName::SECTION | LocalName::UL)
                && is_named(doc, *id, &["foot", "footnotes"])
        };
        let around =
            doc.ancestors(table).take(LEVELS).find(|&id| self.facts.context.rows(self.page, id).end > rows.end)?;
        let foot = doc.children(around).filter(|id| id.index() >= doc.end(table)).find(is_foot)?;
        let own = self.facts.context.rows(self.page, foot);
        ((1..=MAX_ROWS).contains(&own.len()) && own.start <= rows.end + NEAR && !self.is_of_links(&own, 0.5))
            .then_some(own)
    }

    /// The heading right above footnotes and nothing else: notes stand where they are referred to, or at the end.
    pub(super) fn heading_of_notes(&self, notes: &[Range<usize>]) -> Option<usize> {
        let first = notes.iter().map(|rows| rows.start).min()?;
        let heading = self.heading_before[first];
        let is_note = |row: usize| notes.iter().any(|rows| rows.contains(&row));
        // Links to edit the section may stand below its heading.
        let is_other = |row: usize| self.decision.keep[row] && self.page.rows[row].link_chars == 0 && !is_note(row);
        let section = heading..self.heading_after[first];
        let is_own = heading > 0 && section.len() < MAX_NOTE_ROWS && !section.into_iter().any(is_other);
        // The summary of what is folded may stand for one, and a line in a box that is called so.
        let is_summary = |row: &usize| {
            const BOXES: &[&str] = &["footnotes", "endnotes", "notes"];
            const AROUND: usize = 4;
            let doc = self.page.doc;
            let mut around =
                doc.ancestors(self.page.leaves[self.page.rows[*row].first_leaf as usize].node).take(AROUND);
            notes::is_heading_of_notes(self.page, *row)
                && around.any(|id| doc.name(id) == LocalName::SUMMARY || is_named(doc, id, BOXES))
        };
        let above = || first.checked_sub(1).filter(is_summary);
        is_own.then(|| heading - 1).or_else(above)
    }

    /// The rows right above footnotes that only number them: `Footnote 1` before its text.
    pub(super) fn numbers_of_notes(&self, notes: &[Range<usize>]) -> Vec<usize> {
        const MAX_CHARS: u32 = 24;
        let is_number = |row: &usize| {
            let is_note = notes.iter().any(|rows| rows.contains(row));
            let row = &self.page.rows[*row];
            !is_note && row.chars <= MAX_CHARS && notes::is_number_of_note(self.page.row_text(row))
        };
        notes.iter().filter_map(|rows| rows.start.checked_sub(1)).filter(is_number).collect()
    }

    /// The rows of footnotes that a kept row refers to.
    pub(super) fn notes(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let notes = self.page.notes();
        let row = |node: usize| {
            let leaf = self.page.leaves.partition_point(|leaf| leaf.node.index() < node);
            self.page.leaves.get(leaf).map(|leaf| leaf.row as usize)
        };
        let is_kept = move |row: usize| self.decision.keep[row];
        let linked = notes.references.iter().map(|reference| (reference.nodes.start, reference.note));
        let written = notes.written.iter().map(|reference| (reference.node, reference.note));
        let kept = linked.chain(written).filter(move |(node, _)| row(*node).is_some_and(is_kept));
        kept.map(move |(_, note)| self.facts.context.rows_between(&notes.notes[note].nodes))
    }

    /// The other items of lists of which most are such notes.
    pub(super) fn other_notes(&self, notes: &[Range<usize>]) -> Vec<Range<usize>> {
        let doc = self.page.doc;
        let item = |rows: &Range<usize>| {
            let block = self.page.rows.get(rows.start)?.block;
            std::iter::once(block).chain(doc.ancestors(block)).take(3).find(|&id| doc.name(id) == LocalName::LI)
        };
        let known: HashSet<NodeId> = notes.iter().filter_map(item).collect();
        let lists: HashSet<NodeId> = known.iter().filter_map(|&item| doc.parent(item)).collect();
        let others = |list: NodeId| {
            let items = doc.children(list).filter(|&id| doc.name(id) == LocalName::LI);
            let (own, others): (Vec<NodeId>, Vec<NodeId>) = items.partition(|item| known.contains(item));
            if others.len() < own.len() { others } else { Vec::new() }
        };
        lists.into_iter().flat_map(others).map(|id| self.facts.context.rows(self.page, id)).collect()
    }

    /// Runs of rows that the page declares to be one of several texts of what it is about: the items of a list, the steps of a guide, the pairs of a
    /// specification. One row in between may be something else, such as the name of a part of the list. What says again what is kept
    /// is left out.
    pub(super) fn declared(&self) -> Vec<Range<usize>> {
        const HALF: f32 = 0.5;
        const LEAST: usize = 3;
        let Some(witness) = &self.facts.witness else { return Vec::new() };
        let is_declared = |row: &usize| witness.listed(*row) >= HALF && !self.page.rows[*row].is_link();
        let declared: Vec<usize> = (0..self.page.rows.len()).filter(is_declared).collect();
        let kept = self.decision.keep.iter().zip(&self.facts.copies).filter(|(keep, _)| **keep);
        let said: HashSet<u32> = kept.map(|(_, copy)| *copy).collect();
        let is_near = |row: &usize, next: &usize| next - row <= 2;
        let lacks = |row: &usize| !self.decision.keep[*row] && !said.contains(&self.facts.copies[*row]);
        let runs = declared.chunk_by(is_near).filter(|run| run.len() >= LEAST);
        let missing: Vec<usize> = runs.flatten().copied().filter(lacks).collect();
        missing.chunk_by(is_near).map(|run| run[0]..run[run.len() - 1] + 1).collect()
    }

    /// What is likely to be of the text between two kept rows: a row, up to three that are sentences, in documentation up to five beside
    /// kept ones of their kind, or one of a table. Chosen on all packages, of which none has a lower score by it.
    pub(super) fn gaps(&self) -> Vec<Range<usize>> {
        let n = self.page.rows.len();
        let keep = &self.decision.keep;
        let starts = (1..n).filter(|&row| keep[row - 1] && !keep[row]);
        let gaps = starts.map(|row| row..self.kept_after[row]).filter(|gap| gap.end < n);
        gaps.filter(|gap| self.fits_gap(gap) && !self.is_of_links(gap, 0.5)).collect()
    }

    fn fits_gap(&self, gap: &Range<usize>) -> bool {
        const LONG: u32 = 120;
        let (words, main) = (sum(&self.words, gap), sum(&self.main, gap));
        let rows = &self.page.rows[gap.clone()];
        let is_documentation = self.facts.types.best().0 == PageType::Documentation;
        let is_alike = |row: usize| self.is_alike(row, gap.start - 1) || self.is_alike(row, gap.end);
        let are_sentences = || {
            let chars =
                |least: u32| rows.iter().map(|row| row.chars).filter(|chars| *chars >= least).sum::<u32>() as f32;
            chars(LONG) >= 0.8 * chars(0)
        };
        let fits = match main / words.max(1.0) {
            0.3.. if gap.len() == 1 => true,
            0.35.. if gap.len() <= 3 && are_sentences() => true,
            0.2.. if is_documentation && gap.len() <= 5 && gap.clone().all(is_alike) => true,
            0.1.. => is_documentation && gap.len() == 1 && self.shares_table(gap),
            _ => false,
        };
        fits && !rows.iter().any(|row| self.is_control(row))
    }

    /// Whether some rows and those around them stand in one table.
    fn shares_table(&self, rows: &Range<usize>) -> bool {
        let doc = self.page.doc;
        let table = |row: usize| {
            let block = self.page.rows[row].block;
            std::iter::once(block).chain(doc.ancestors(block)).find(|&id| doc.name(id) == LocalName::TABLE)
        };
        let own = table(rows.start);
        own.is_some() && own == table(rows.start - 1) && own == table(rows.end)
    }

    /// Rows that name a kept list or table right below them, behind what is kept: `Returns:`.
    pub(super) fn labels(&self) -> Vec<usize> {
        const LEAST: f32 = 0.08;
        let keep = &self.decision.keep;
        let is_open = |row: &usize| !keep[*row] && keep[row + 1] && self.kept_before[*row] > 0;
        let rows = (0..keep.len().saturating_sub(1)).filter(is_open);
        rows.filter(|&row| self.decision.probabilities[row] >= LEAST && self.is_label_of_list(row)).collect()
    }

    fn is_label_of_list(&self, row: usize) -> bool {
        const MAX_CHARS: u32 = 60;
        let Some(next) = self.page.rows.get(row + 1) else { return false };
        let is_list = |id: NodeId| {
            matches!(self.page.doc.name(id), LocalName::LI | LocalName::DT | LocalName::TD | LocalName::TH)
        };
        let label = &self.page.rows[row];
        let is_item = |block: NodeId| is_list(block) || self.page.doc.ancestors(block).take(2).any(is_list);
        label.chars <= MAX_CHARS
            && self.page.row_text(label).ends_with([':', '：'])
            && is_item(next.block)
            && !is_item(label.block)
    }

    /// Whether a row is what is touched to do something, but for a label of that.
    fn is_button(&self, row: &Row) -> bool {
        let leaves = self.page.row_leaves(row);
        2 * leaves.iter().filter(|leaf| self.in_button(leaf.node)).count() >= leaves.len().max(1)
    }

    fn in_button(&self, leaf: NodeId) -> bool {
        self.page.doc.ancestors(leaf).take(4).any(|id| self.page.doc.name(id) == LocalName::BUTTON)
    }

    /// Whether a row is a number, an advertisement, or what is touched to do something stands in it.
    pub(super) fn is_control(&self, row: &Row) -> bool {
        let doc = self.page.doc;
        let is_advertisement = || {
            let mut around = std::iter::once(row.block).chain(doc.ancestors(row.block)).take(3);
            around.any(|id| is_named(doc, id, &["ad", "ads", "advert", "advertisement", "advertising"]))
        };
        self.page.row_text(row).bytes().all(|byte| byte.is_ascii_digit())
            || self.page.row_leaves(row).iter().any(|leaf| self.in_button(leaf.node))
            || is_advertisement()
    }

    /// Whether two rows are neighbouring blocks of one name and class.
    fn is_alike(&self, row: usize, other: usize) -> bool {
        let doc = self.page.doc;
        let (row, other) = (self.page.rows[row].block, self.page.rows[other].block);
        let class = |id| doc.attr(id, LocalName::CLASS).unwrap_or("");
        doc.parent(row) == doc.parent(other) && doc.name(row) == doc.name(other) && class(row) == class(other)
    }

    /// Head and caption above the first kept row of the table of data that holds the main area.
    pub(super) fn head(&self, area: NodeId) -> Vec<Range<usize>> {
        let doc = self.page.doc;
        let mut around = std::iter::once(area).chain(doc.ancestors(area));
        let table = around.find(|&id| doc.name(id) == LocalName::TABLE).filter(|&table| is_data_table(doc, table));
        let Some(table) = table else { return Vec::new() };
        let first = self.kept_after[self.facts.context.rows(self.page, table).start];
        let parts = doc.subtree(table).filter(|&id| [LocalName::CAPTION, LocalName::TH].contains(&doc.name(id)));
        parts.map(|id| self.facts.context.rows(self.page, id)).take_while(|rows| rows.end <= first).collect()
    }

    fn lacks(&self, block: SectionBlock, id: NodeId, rows: &Range<usize>) -> bool {
        if rows.is_empty() || rows.clone().all(|row| self.decision.keep[row]) {
            return false;
        }
        match block {
            SectionBlock::Code => self.is_code(rows),
            SectionBlock::Heading if !self.is_headed(rows.end) || !self.is_within(rows.start) => false,
            SectionBlock::List if self.facts.types.best().0 == PageType::Forum => false,
            _ => {
                let (words, main) = (sum(&self.words, rows), sum(&self.main, rows));
                let belongs = block == SectionBlock::Heading
                    || self.is_announced(rows)
                    || self.is_between(rows)
                    || self.may_end(block, rows.start, main / words.max(1.0)) && self.is_behind(id, rows);
                // What is quoted in a thread stands in it already.
                let is_again = block == SectionBlock::Quote && self.facts.types.best().0 == PageType::Forum;
                let least = match block {
                    _ if is_again => QUOTE_OF_THREAD,
                    SectionBlock::Quote if is_named(self.page.doc, id, POSTS) => 0.0,
                    // Menus are lists of items; pairs are facts.
                    SectionBlock::List if has_several_names(self.page.doc, id) => LEAST_OF_PAIRS,
                    _ => block.least(),
                };
                let is_led = self.is_of_links(rows, if block == SectionBlock::Quote { MOST_OF_QUOTE } else { 0.5 });
                belongs && main >= least * words && (!is_led || self.leads_within(rows))
            }
        }
    }

    /// Whether something is kept right below a heading, which then is that of it, or behind a row that is not, in its section: what stands
    /// above the next heading, or in documentation a link to the source. Buttons in between do not count.
    fn is_headed(&self, end: usize) -> bool {
        const MAX_BUTTONS: usize = 6;
        let rows = &self.page.rows[end..];
        let end = end + rows.iter().take(MAX_BUTTONS).take_while(|row| self.is_button(row)).count();
        let kept = self.kept_after[end];
        let is_documentation = self.facts.types.best().0 == PageType::Documentation;
        let is_source = || is_documentation && self.page.rows.get(end).is_some_and(Row::is_link);
        kept == end || kept == end + 1 && (self.heading_after[end] == kept || is_source())
    }

    /// Whether something before a row is kept, or the title of the page stands right above it.
    fn is_within(&self, row: usize) -> bool {
        let is_title = |row: usize| self.page.row_rank(&self.page.rows[row]) == 1;
        let is_forum = self.facts.types.best().0 == PageType::Forum;
        self.kept_before[row] > 0 || !is_forum && row.checked_sub(1).is_some_and(is_title)
    }

    /// Whether a block of code is more than the numbers of lines.
    fn is_code(&self, rows: &Range<usize>) -> bool {
        let rows = &self.page.rows[rows.clone()];
        let words = || rows.iter().flat_map(|row| self.page.row_text(row).split_ascii_whitespace());
        let first = words().next().and_then(|word| word.parse::<usize>().ok()).unwrap_or(0);
        let is_counted = words().zip(first..).all(|(word, number)| word.parse() == Ok(number));
        !is_counted || words().nth(1).is_none() && first != 1
    }

    /// Whether more than a share of the characters are those of links.
    pub(super) fn is_of_links(&self, rows: &Range<usize>, share: f32) -> bool {
        let rows = &self.page.rows[rows.clone()];
        let sum = |of: fn(&gristmill_page::Row) -> u32| rows.iter().map(of).sum::<u32>();
        sum(|row| row.link_chars) as f32 > share * sum(|row| row.chars) as f32
    }

    /// Whether all links of some rows are places that others lead to, such as numbered paragraphs.
    fn is_of_places(&self, rows: &Range<usize>) -> bool {
        let doc = self.page.doc;
        let leads = |leaf: NodeId| {
            let link = doc.ancestors(leaf).find(|&id| doc.name(id) == LocalName::A);
            link.is_some_and(|link| {
                doc.attr(link, LocalName::HREF).is_some() || doc.attr(link, LocalName::NAME).is_none()
            })
        };
        let mut leaves = self.page.rows[rows.clone()].iter().flat_map(|row| self.page.row_leaves(row));
        leaves.all(|leaf| !leaf.in_link || !leads(leaf.node))
    }

    /// Whether a row is a heading that leads to its own place.
    fn leads_within(&self, rows: &Range<usize>) -> bool {
        let doc = self.page.doc;
        let row = &self.page.rows[rows.start];
        let leaf = &self.page.leaves[row.first_leaf as usize];
        let link = doc.ancestors(leaf.node).take(6).find(|&id| doc.name(id) == LocalName::A);
        let href = link.and_then(|link| doc.attr(link, LocalName::HREF));
        let own = doc.attr(row.block, LocalName::ID);
        let is_own = href
            .and_then(|href| href.trim_start().split_once('#'))
            .is_some_and(|(page, place)| page.is_empty() || own == Some(place));
        // Documentation has a page for each of its parts.
        let is_likely = || {
            self.facts.types.best().0 == PageType::Documentation
                && self.decision.probabilities[rows.start] >= LIKELY
                && rows.len() <= 2
        };
        // The page may be that of the heading.
        let is_anchor = link.is_some_and(|link| is_named(doc, link, &["anchor", "permalink"])) && rows.len() <= 2;
        row.in_heading
            && (rows.len() == 1 && is_own || is_anchor || is_likely())
            && is_said_once(self.facts, rows.start)
    }

    /// Whether rows before and after are kept, or a part of it is. A heading in between that was not begins a section that was not.
    fn is_between(&self, rows: &Range<usize>) -> bool {
        let n = self.page.rows.len();
        let before = self.kept_before[rows.start];
        self.kept_before[rows.end] > rows.start
            || before > 0 && self.kept_after[rows.end] < n && self.heading_before[rows.start] <= before
    }

    /// Whether a block with this mean probability may be the last of its section. Tables and lists at the end of other texts than
    /// documentation are as often of the site.
    fn may_end(&self, block: SectionBlock, row: usize, mean: f32) -> bool {
        let is_documentation = self.facts.types.best().0 == PageType::Documentation;
        match block {
            // Galleries say the same below each picture.
            SectionBlock::Caption => is_said_once(self.facts, row),
            SectionBlock::Table => is_documentation || mean >= LEAST_OF_LAST_TABLE,
            SectionBlock::List => is_documentation,
            _ => true,
        }
    }

    /// Whether something of its section is kept before it in the element that holds it: the last block of a section, too.
    fn is_behind(&self, id: NodeId, rows: &Range<usize>) -> bool {
        const LEVELS: usize = 2;
        let before = self.kept_before[rows.start];
        let doc = self.page.doc;
        let is_part = |around: NodeId| self.facts.context.rows(self.page, around).start < before;
        before > self.heading_before[rows.start] && doc.ancestors(id).take(LEVELS).any(is_part)
    }

    /// Whether the heading above is kept and nothing else of its section.
    fn is_announced(&self, rows: &Range<usize>) -> bool {
        let heading = self.heading_before[rows.start];
        heading > 0 && self.decision.keep[heading - 1] && self.kept_after[heading] >= self.heading_after[heading]
    }
}

/// `src/mill.rs`, `Makefile.am`: one word with an ending.
fn is_file_name(text: &str) -> bool {
    const MAX_ENDING: usize = 8;
    let text = text.trim();
    let ending = text.rsplit_once('.').map(|(_, ending)| ending);
    let is_ending = |ending: &str| {
        (1..=MAX_ENDING).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    !text.contains(char::is_whitespace) && ending.is_some_and(is_ending)
}

/// Sums over the rows before each and before the end.
pub(super) fn sums(n_rows: usize, of: impl Fn(usize) -> f32) -> Vec<f32> {
    let mut sums = vec![0.0; n_rows + 1];
    (0..n_rows).for_each(|row| sums[row + 1] = sums[row] + of(row));
    sums
}

/// The sum over some rows, of [`sums`].
pub(super) fn sum(sums: &[f32], rows: &Range<usize>) -> f32 {
    sums[rows.end] - sums[rows.start]
}

/// For each place between flags one past the last set flag before it, or 0.
fn before(flags: &[bool]) -> Vec<usize> {
    let mut before = vec![0; flags.len() + 1];
    (0..flags.len()).for_each(|at| before[at + 1] = if flags[at] { at + 1 } else { before[at] });
    before
}

/// For each place between flags the first set flag after it, or their number.
fn after(flags: &[bool]) -> Vec<usize> {
    let mut after = vec![flags.len(); flags.len() + 1];
    (0..flags.len()).rev().for_each(|at| after[at] = if flags[at] { at } else { after[at + 1] });
    after
}
