//! What a kept section is not left without: its code, tables, lists, formulas, captions, quotes, headings, footnotes and what the page declares.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::attribute_words::is_named;
use gristmill_page::hidden::hides_text;
use gristmill_page::{Page, PageType, Row, is_heading, notes, tables::is_data_table};
use gristmill_text::{ByHash, hash};

use super::features::PageFeatures;
use super::row_selection::RowDecision;
use crate::render::{CAPTION, is_caption};

/// What stands within text and is hard to tell from boilerplate by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Code,
    Table,
    List,
    Caption,
    /// Of a table or of code.
    DataCaption,
    Quote,
    Heading,
    Formula,
    /// The title of a box that says to take care.
    BoxTitle,
}

impl Block {
    fn of(page: &Page<'_>, id: NodeId, names: &BlockNames) -> Option<Block> {
        let doc = page.doc;
        match doc.name(id) {
            _ if page.verbatim().is_block(id) => Some(Block::Code),
            LocalName::TABLE => is_data_table(doc, id).then_some(Block::Table),
            LocalName::UL | LocalName::OL | LocalName::DL => Some(Block::List),
            LocalName::FIGCAPTION if is_of_data(page, id) => Some(Block::DataCaption),
            LocalName::FIGCAPTION => Some(Block::Caption),
            LocalName::BLOCKQUOTE => Some(Block::Quote),
            name if is_heading(name) => Some(Block::Heading),
            LocalName::DIV | LocalName::P => names.block(page, id),
            LocalName::TEXT => doc.formula(id).map(|_| Block::Formula),
            _ => None,
        }
    }

    /// The mean probability that a block needs. Chosen on sites that the model had not seen, where lists of links and credits of
    /// pictures stand between kept rows, too (`docs/best.md`).
    fn least(self) -> f32 {
        match self {
            Block::Code | Block::Formula | Block::BoxTitle | Block::DataCaption => 0.0,
            Block::Table | Block::Heading => 0.1,
            Block::Caption | Block::Quote => 0.2,
            Block::List => 0.3,
        }
    }
}

/// The probability that a heading of documentation needs which leads to another page.
const LIKELY: f32 = 0.3;
/// Share of what was kept that the main area holds.
const AREA: f32 = 0.9;
/// The mean probability that a quote of a thread needs.
const QUOTE_OF_THREAD: f32 = 0.3;
/// Share of a quote that links may be: messages name others, and have their day as a link.
const MOST_OF_QUOTE: f32 = 0.8;
/// A heading without a section is kept from this probability on.
const LONE: f32 = 0.5;
/// Words of classes and ids of formulas: data, not code.
const FORMULA: &[&str] =
    &["math", "kdmath", "mathjax", "katex", "equation", "formula", "displaymath", "formel", "gongshi"];

/// The same of boxes beside the text, and of their titles.
const BOX: &[&str] = &["callout", "admonition", "alert", "macro"];
const BOX_TITLE: &[&str] = &["title", "heading"];
/// The same of who said what is quoted.
const ATTRIBUTION: &[&str] = &["attribution", "cite", "citation", "quotee", "speaker"];
/// The same of the titles of code.
const CODE_TITLE: &[&str] = &["title", "caption", "filename", "name"];
/// The mean probability that a section of documentation needs, a section of other texts and an item of a list, where that before it is
/// kept. Less costs scores.
const LEAST_OF_PART: f32 = 0.12;
const LEAST_OF_SECTION: f32 = 0.2;
const LEAST_OF_ITEM: f32 = 0.15;
/// The same of a table at the end of a section of other texts than documentation.
const LEAST_OF_LAST_TABLE: f32 = 0.18;
/// A section with more rows is looked at for more than its notes.
const MAX_NOTE_ROWS: usize = 1_000;

/// Adds all code of the main area, and other blocks that stand between kept rows of one section or alone below a kept heading; drops
/// headings that are left without their section.
///
/// The main area is the smallest element with nearly all that was kept, without `nav` and `footer`. Where that is a part of a table, head
/// and caption are added, which say what its cells are. Lists of threads are left to the
/// model: they are signatures and buttons. O(nodes + rows).
pub(super) fn complete(page: &Page<'_>, facts: &PageFeatures, weights: &[f32], decision: &mut RowDecision) {
    keep_entries(page, facts, decision);
    let sections = Sections::new(page, facts, weights, decision);
    let Some(area) = sections.area() else { return };
    let names = BlockNames::new(page);
    let mut added = sections.head(area);
    added.extend(sections.blocks(area, &names, |block| block != Block::Heading));
    let notes: Vec<Range<usize>> = sections.notes().collect();
    let heading_of_notes = sections.heading_of_notes(&notes);
    added.extend(sections.other_notes(&notes));
    added.extend(notes);
    added.extend(sections.declared());
    added.extend(sections.gaps());
    added.extend(sections.alike(area));
    added.extend(sections.remarks(area));
    let mut dropped = sections.equation_numbers();
    dropped.extend(sections.signups(area));
    dropped.extend(sections.navigation(area));
    dropped.extend(heading_of_notes);
    added.into_iter().for_each(|rows| decision.keep[rows].fill(true));
    // A heading may be that of what was added.
    let sections = Sections::new(page, facts, weights, decision);
    let headings = sections.blocks(area, &names, |block| block == Block::Heading);
    dropped.extend(sections.lone_headings(&headings));
    dropped.extend(sections.headings_of_menus(area));
    headings.into_iter().for_each(|rows| decision.keep[rows].fill(true));
    keep_summaries(page, facts, area, decision);
    keep_attributions(page, facts, area, decision);
    dropped.into_iter().for_each(|row| decision.keep[row] = false);
}

/// Rows of an entry, and characters of the sentence in it.
const ENTRY_ROWS: std::ops::RangeInclusive<usize> = 2..=8;
const ENTRY_CHARS: u32 = 25;

/// Keeps the short rows of entries that follow one another and are built alike, such as the parameters of a function, where the text of
/// each is kept. Entries with links are teasers. O(rows).
fn keep_entries(page: &Page<'_>, facts: &PageFeatures, decision: &mut RowDecision) {
    const LEVELS: usize = 6;
    const NEAR: usize = 4;
    if !matches!(facts.types.best().0, PageType::Documentation | PageType::Article | PageType::Service) {
        return;
    }
    let doc = page.doc;
    let mut done = 0;
    for (at, row) in page.rows.iter().enumerate() {
        let is_sentence = decision.keep[at] && row.chars >= ENTRY_CHARS && row.link_chars == 0;
        let near = at.saturating_sub(NEAR)..page.rows.len().min(at + NEAR + 1);
        if !is_sentence || row.block.index() < done || decision.keep[near].iter().all(|keep| *keep) {
            continue;
        }
        let mut around = std::iter::once(row.block).chain(doc.ancestors(row.block)).take(LEVELS);
        let is_entry = |id: &NodeId| ENTRY_ROWS.contains(&facts.context.rows(page, *id).len());
        let group = around.find_map(|id| {
            Some(id).filter(is_entry).map(|id| entries(page, facts, id, decision)).filter(|all| all.len() > 1)
        });
        if let Some(group) = group {
            done = group.last().map_or(done, |&last| doc.end(last));
            complete_entries(page, facts, &group, decision);
        }
    }
}

/// An element with its neighbours of the same name and class, up to a number of them. What is not kept may stand between two: an
/// advertisement.
fn entries(page: &Page<'_>, facts: &PageFeatures, entry: NodeId, decision: &RowDecision) -> Vec<NodeId> {
    const MOST_BEFORE: usize = 50;
    const MOST: usize = 200;
    let doc = page.doc;
    let Some(class) = doc.attr(entry, LocalName::CLASS) else { return Vec::new() };
    let is_alike = |id: &NodeId| doc.name(*id) == doc.name(entry) && doc.attr(*id, LocalName::CLASS) == Some(class);
    let is_between = |id: NodeId| match doc.is_text(id) {
        true => doc.text(id).trim().is_empty(),
        false => {
            let rows = facts.context.rows(page, id);
            rows.len() <= 1 && !rows.into_iter().any(|row| decision.keep[row])
        }
    };
    let counts = |id: &NodeId| is_alike(id) || !is_between(*id);
    let before = std::iter::successors(doc.prev_sibling(entry), |&id| doc.prev_sibling(id)).take(MOST).filter(counts);
    let first = before.take(MOST_BEFORE).take_while(is_alike).last().unwrap_or(entry);
    let behind = std::iter::successors(Some(first), |&id| doc.next_sibling(id)).take(2 * MOST).filter(counts);
    behind.take(MOST).take_while(is_alike).collect()
}

/// Keeps what lacks of entries, if all of them have their sentence.
fn complete_entries(page: &Page<'_>, facts: &PageFeatures, group: &[NodeId], decision: &mut RowDecision) {
    const LEAST: f32 = 0.15;
    let rows: Vec<Range<usize>> = group.iter().map(|&id| facts.context.rows(page, id)).collect();
    if !rows.iter().all(|rows| is_kept_entry(page, rows, decision)) {
        return;
    }
    let doc = page.doc;
    let within = |row: &Row, name| {
        let leaf = page.leaves[row.first_leaf as usize].node;
        doc.ancestors(leaf).take(3).any(|id| doc.name(id) == name)
    };
    let says = |row: &Row| page.row_text(row).contains(char::is_alphabetic) || within(row, LocalName::TIME);
    let lacks = |at: &usize| {
        let row = &page.rows[*at];
        !decision.keep[*at] && says(row) && !within(row, LocalName::BUTTON)
    };
    let missing: Vec<usize> = rows.into_iter().flatten().filter(lacks).collect();
    let sum: f32 = missing.iter().map(|&row| decision.probabilities[row]).sum();
    if sum >= LEAST * missing.len() as f32 {
        missing.into_iter().for_each(|row| decision.keep[row] = true);
    }
}

/// Whether an entry has a few rows without links, and the longest of them is a sentence and kept.
fn is_kept_entry(page: &Page<'_>, rows: &Range<usize>, decision: &RowDecision) -> bool {
    if !ENTRY_ROWS.contains(&rows.len()) {
        return false;
    }
    let own = &page.rows[rows.clone()];
    let longest = (0..own.len()).max_by_key(|&row| own[row].chars).unwrap_or(0);
    own.iter().all(|row| row.link_chars == 0)
        && own[longest].chars >= ENTRY_CHARS
        && decision.keep[rows.start + longest]
}

/// Whether all the text of a caption is hidden and left to screen readers.
fn is_for_ears(page: &Page<'_>, caption: NodeId) -> bool {
    let doc = page.doc;
    let hides = |leaf: NodeId| doc.ancestors(leaf).take_while(|&id| id != caption).any(|id| hides_text(doc, id));
    let mut leaves = page.leaves[page.leaves_in(caption.index()..doc.end(caption))].iter();
    leaves.all(|leaf| hides(leaf.node))
}

/// Whether no row beside one says the same: in threads each post has the heading of the first.
fn is_said_once(facts: &PageFeatures, row: usize) -> bool {
    const NEAR: usize = 500;
    let own = facts.copies[row];
    let near = row.saturating_sub(NEAR)..facts.copies.len().min(row + NEAR);
    facts.copies[near].iter().filter(|copy| **copy == own).count() == 1
}

/// Whether a caption is that of a table or of code, and not of a picture, beside which others stand: in one figure with it, or beside it.
fn is_of_data(page: &Page<'_>, caption: NodeId) -> bool {
    const MAX_NODES: usize = 400;
    let doc = page.doc;
    let is_data = |id: NodeId| matches!(doc.name(id), LocalName::TABLE | LocalName::PRE);
    let figure = doc.parent(caption).filter(|&id| doc.name(id) == LocalName::FIGURE);
    let element = |next: &dyn Fn(NodeId) -> Option<NodeId>| {
        std::iter::successors(next(caption), |&id| next(id)).take(3).find(|&id| doc.is_element(id))
    };
    let beside = || [element(&|id| doc.next_sibling(id)), element(&|id| doc.prev_sibling(id))];
    match figure {
        Some(figure) => doc.subtree(figure).take(MAX_NODES).any(is_data),
        None => beside().into_iter().flatten().any(is_data),
    }
}

/// Keeps who said it below a quote that is kept, or at its end: a row that begins with a dash, or that is called so.
fn keep_attributions(page: &Page<'_>, facts: &PageFeatures, area: NodeId, decision: &mut RowDecision) {
    const DASHES: [char; 3] = ['—', '–', '―'];
    const MAX_CHARS: u32 = 120;
    const MAX_ROWS: usize = 2;
    let doc = page.doc;
    for quote in doc.subtree(area).filter(|&id| doc.name(id) == LocalName::BLOCKQUOTE) {
        let rows = facts.context.rows(page, quote);
        let is_name = |row: &Row| row.chars <= MAX_CHARS && !page.row_text(row).contains('©');
        if let Some(last) = rows.end.checked_sub(1).filter(|&last| last > rows.start && !decision.keep[last]) {
            let row = &page.rows[last];
            decision.keep[last] = decision.keep[last - 1] && is_name(row) && page.row_text(row).starts_with(DASHES);
        }
        let is_kept = rows.end.checked_sub(1).is_some_and(|last| rows.contains(&last) && decision.keep[last]);
        let Some(next) = page.rows.get(rows.end).filter(|_| is_kept) else { continue };
        let called = std::iter::once(next.block).chain(doc.ancestors(next.block)).take(2);
        let called = called.into_iter().find(|&id| is_named(doc, id, ATTRIBUTION));
        let begins = page.row_text(next).starts_with(DASHES);
        let end = called.map_or(rows.end + usize::from(begins), |id| facts.context.rows(page, id).end);
        let below = rows.end..end.max(rows.end);
        if below.len() <= MAX_ROWS && page.rows[below.clone()].iter().all(is_name) {
            decision.keep[below].fill(true);
        }
    }
}

/// Keeps the summary of what was folded where its first row is kept: it is the heading of that.
fn keep_summaries(page: &Page<'_>, facts: &PageFeatures, area: NodeId, decision: &mut RowDecision) {
    for summary in page.doc.subtree(area).filter(|&id| page.doc.name(id) == LocalName::SUMMARY) {
        let Some(folded) = page.doc.parent(summary) else { continue };
        let (rows, folded) = (facts.context.rows(page, summary), facts.context.rows(page, folded));
        let is_kept = rows.end < folded.end && decision.keep[rows.end];
        // Of one of several rows the method knows better: it has the signature of a function, and since when there is one.
        let is_words = rows.len() == 1 && page.row_text(&page.rows[rows.start]).contains(char::is_alphabetic);
        if is_kept && is_words && is_said_once(facts, rows.start) {
            decision.keep[rows].fill(true);
        }
    }
}

/// Which blocks the classes and ids of a page name, each distinct word read once.
struct BlockNames {
    of_values: Vec<u8>,
}

/// The words of the lists by their hashes, with one bit for each list that has them.
static LISTED: LazyLock<ByHash<u8>> = LazyLock::new(|| {
    let mut listed = ByHash::default();
    for (bit, list) in (0..).zip([FORMULA, BOX, BOX_TITLE, CAPTION]) {
        list.iter().for_each(|word| *listed.entry(hash(word.as_bytes())).or_insert(0) |= 1 << bit);
    }
    listed
});

impl BlockNames {
    fn new(page: &Page<'_>) -> BlockNames {
        let bits = |word: u64| LISTED.get(&word).copied().unwrap_or(0);
        BlockNames { of_values: page.named().by_value(bits, |all: &mut u8, bits| *all |= bits) }
    }

    fn block(&self, page: &Page<'_>, id: NodeId) -> Option<Block> {
        let bits = page.named().bits_of(page.doc, id, &self.of_values);
        let says = |list: u8| bits >> list & 1 == 1;
        match bits {
            0 => None,
            _ if says(0) => Some(Block::Formula),
            _ if says(2) && (says(1) || is_of_note(page.doc, id)) => Some(Block::BoxTitle),
            _ => (says(3) && is_caption(page, id)).then_some(Block::Caption),
        }
    }
}

/// Whether an element stands in a box that says what it is by its role.
fn is_of_note(doc: &Doc, id: NodeId) -> bool {
    let role = doc.parent(id).and_then(|around| doc.attr(around, LocalName::ROLE));
    matches!(role, Some("note" | "alert"))
}

struct Sections<'p> {
    page: &'p Page<'p>,
    facts: &'p PageFeatures,
    decision: &'p RowDecision,
    /// Sums over the rows before each: words, words by probability, kept words.
    words: Vec<f32>,
    main: Vec<f32>,
    kept: Vec<f32>,
    /// For each row and the end: one past the last kept row before it, and the first kept row from it on.
    kept_before: Vec<usize>,
    kept_after: Vec<usize>,
    /// The same of headings.
    heading_before: Vec<usize>,
    heading_after: Vec<usize>,
}

impl<'p> Sections<'p> {
    fn new(page: &'p Page<'p>, facts: &'p PageFeatures, weights: &[f32], decision: &'p RowDecision) -> Sections<'p> {
        let headings: Vec<bool> = page.rows.iter().map(|row| page.row_rank(row) > 0).collect();
        let keep = &decision.keep;
        let sums = |of: &dyn Fn(usize) -> f32| {
            let mut sums = vec![0.0; weights.len() + 1];
            (0..weights.len()).for_each(|row| sums[row + 1] = sums[row] + of(row));
            sums
        };
        Sections {
            words: sums(&|row| weights[row]),
            main: sums(&|row| weights[row] * decision.probabilities[row]),
            kept: sums(&|row| if keep[row] { weights[row] } else { 0.0 }),
            kept_before: before(keep),
            kept_after: after(keep),
            heading_before: before(&headings),
            heading_after: after(&headings),
            page,
            facts,
            decision,
        }
    }

    fn area(&self) -> Option<NodeId> {
        let doc = self.page.doc;
        let kept = |id: NodeId| {
            let rows = self.facts.context.rows(self.page, id);
            self.kept[rows.end] - self.kept[rows.start]
        };
        let mut area = doc.body()?;
        let all = kept(area);
        if all <= 0.0 {
            return None;
        }
        while let Some(inner) = doc.children(area).find(|&child| kept(child) >= AREA * all) {
            area = inner;
        }
        // A part of a block of code is none by itself.
        Some(self.page.verbatim().around(self.page, area).map_or(area, |block| block.node))
    }

    /// The rows of the wanted blocks that the main area lacks, and the titles of its code.
    fn blocks(&self, area: NodeId, names: &BlockNames, wanted: impl Fn(Block) -> bool) -> Vec<Range<usize>> {
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
            let Some(block) = Block::of(page, id, names).filter(|block| wanted(*block)) else { continue };
            let rows = self.facts.context.rows(page, id);
            if matches!(block, Block::Caption | Block::DataCaption) && is_for_ears(page, id) {
                continue;
            }
            if block == Block::Code {
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
    fn alike(&self, area: NodeId) -> Vec<Range<usize>> {
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
        let sum = |sums: &[f32]| sums[rows.end] - sums[rows.start];
        !rows.is_empty() && sum(&self.kept) >= 0.5 * sum(&self.words)
    }

    /// Whether rows go on with what an element before them says: as its item, or as a section with a heading of the same rank.
    fn continues(&self, rows: &Range<usize>, before: NodeId, is_item: bool) -> bool {
        let least = match self.facts.types.best().0 {
            PageType::Documentation | PageType::Article | PageType::Service if is_item => LEAST_OF_ITEM,
            PageType::Documentation => LEAST_OF_PART,
            PageType::Article | PageType::Service => LEAST_OF_SECTION,
            _ => return false,
        };
        let sum = |sums: &[f32]| sums[rows.end] - sums[rows.start];
        if rows.is_empty() || sum(&self.kept) > 0.0 || sum(&self.main) < least * sum(&self.words) {
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

    /// Rows right below a kept table that begin with a sign which stands in it.
    fn remarks(&self, area: NodeId) -> Vec<Range<usize>> {
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
        }
        remarks
    }

    /// Kept headings in menus of which nothing else is kept, and right above them: `Contents`.
    fn headings_of_menus(&self, area: NodeId) -> Vec<usize> {
        let doc = self.page.doc;
        let is_heading = |row: usize| self.page.row_rank(&self.page.rows[row]) > 0;
        let mut headings = Vec::new();
        for menu in doc.subtree(area).filter(|&id| doc.name(id) == LocalName::NAV) {
            let rows = self.facts.context.rows(self.page, menu);
            let kept = |row: &usize| self.decision.keep[*row];
            if !rows.is_empty() && rows.clone().filter(kept).all(is_heading) {
                let above = rows.start.checked_sub(1).filter(|&row| is_heading(row));
                // The title of the page may stand above a menu, and the text of a section behind one.
                let is_alone = self.kept_after[rows.end] >= self.heading_after[rows.end];
                let above = above.filter(|&row| is_alone && self.page.row_rank(&self.page.rows[row]) > 1);
                headings.extend(rows.clone().filter(kept).chain(above));
            }
        }
        headings
    }

    /// Unlikely rows of boxes of links that are called navigation, such as those below articles of an encyclopedia.
    fn navigation(&self, area: NodeId) -> Vec<usize> {
        const UNLIKELY: f32 = 0.6;
        let doc = self.page.doc;
        let is_navigation = |id: &NodeId| doc.attr(*id, LocalName::ROLE) == Some("navigation");
        let boxes = doc.subtree(area).filter(is_navigation).map(|id| self.facts.context.rows(self.page, id));
        let mut rows: Vec<usize> = boxes.filter(|rows| self.is_of_links(rows, 0.5)).flatten().collect();
        rows.retain(|&row| self.decision.probabilities[row] < UNLIKELY);
        rows
    }

    /// Unlikely rows of a box in which an address is asked for, to send letters to it.
    fn signups(&self, area: NodeId) -> Vec<usize> {
        const LEVELS: usize = 6;
        const MAX_ROWS: usize = 4;
        const MAX_WORDS: f32 = 60.0;
        const UNLIKELY: f32 = 0.5;
        let doc = self.page.doc;
        let is_email =
            |id: &NodeId| doc.name(*id) == LocalName::INPUT && doc.attr(*id, LocalName::TYPE) == Some("email");
        let mut rows = Vec::new();
        for field in doc.subtree(area).filter(is_email) {
            let around = doc.ancestors(field).take_while(|&id| id != area).take(LEVELS);
            let of = around.map(|id| self.facts.context.rows(self.page, id));
            let is_box = |rows: &Range<usize>| {
                rows.len() <= MAX_ROWS && self.words[rows.end] - self.words[rows.start] <= MAX_WORDS
            };
            rows.extend(of.take_while(is_box).last().into_iter().flatten());
        }
        rows.retain(|&row| self.decision.probabilities[row] < UNLIKELY);
        rows
    }

    /// Rows that number the formula beside them: `(1)` in a table of one.
    fn equation_numbers(&self) -> Vec<usize> {
        let is_number = |row: &usize| {
            let text = self.page.row_text(&self.page.rows[*row]).trim();
            let number = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
            number.is_some_and(|number| {
                number.len() <= 6
                    && number.bytes().any(|byte| byte.is_ascii_digit())
                    && number.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.')
            })
        };
        let numbers = (0..self.page.rows.len()).filter(is_number);
        numbers.filter(|&row| self.is_beside_formula(row)).collect()
    }

    fn is_beside_formula(&self, row: usize) -> bool {
        let doc = self.page.doc;
        let is_formula = |near: &usize| {
            let leaves = self.page.row_leaves(&self.page.rows[*near]);
            leaves.iter().any(|leaf| doc.formula(leaf.node).is_some())
        };
        let block = self.page.rows[row].block;
        let line = doc.ancestors(block).take(3).find(|&id| doc.name(id) == LocalName::TR);
        // Journals have an element for each.
        let near = line.or_else(|| doc.parent(block)).map(|around| self.facts.context.rows(self.page, around));
        near.is_some_and(|mut rows| rows.len() <= 3 && rows.any(|near| near != row && is_formula(&near)))
    }

    /// The heading right above footnotes and nothing else: notes stand where they are referred to, or at the end.
    fn heading_of_notes(&self, notes: &[Range<usize>]) -> Option<usize> {
        let first = notes.iter().map(|rows| rows.start).min()?;
        let heading = self.heading_before[first];
        let is_note = |row: usize| notes.iter().any(|rows| rows.contains(&row));
        // Links to edit the section may stand below its heading.
        let is_other = |row: usize| self.decision.keep[row] && self.page.rows[row].link_chars == 0 && !is_note(row);
        let section = heading..self.heading_after[first];
        let is_own = heading > 0 && section.len() < MAX_NOTE_ROWS && !section.into_iter().any(is_other);
        // The summary of what is folded may stand for one.
        let is_summary = |row: &usize| {
            let mut around = self.page.doc.ancestors(self.page.leaves[self.page.rows[*row].first_leaf as usize].node);
            notes::is_heading_of_notes(self.page, *row) && around.any(|id| self.page.doc.name(id) == LocalName::SUMMARY)
        };
        let above = || first.checked_sub(1).filter(is_summary);
        is_own.then(|| heading - 1).or_else(above)
    }

    /// The rows of footnotes that a kept row refers to.
    fn notes(&self) -> impl Iterator<Item = Range<usize>> + '_ {
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
    fn other_notes(&self, notes: &[Range<usize>]) -> Vec<Range<usize>> {
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
    fn declared(&self) -> Vec<Range<usize>> {
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
    /// kept ones of their kind. Chosen on all packages, of which none has a lower score by it.
    fn gaps(&self) -> Vec<Range<usize>> {
        let n = self.page.rows.len();
        let keep = &self.decision.keep;
        let starts = (1..n).filter(|&row| keep[row - 1] && !keep[row]);
        let gaps = starts.map(|row| row..self.kept_after[row]).filter(|gap| gap.end < n);
        gaps.filter(|gap| self.fits_gap(gap) && !self.is_of_links(gap, 0.5)).collect()
    }

    fn fits_gap(&self, gap: &Range<usize>) -> bool {
        const LONG: u32 = 120;
        let (words, main) = (self.words[gap.end] - self.words[gap.start], self.main[gap.end] - self.main[gap.start]);
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
            0.2.. => is_documentation && gap.len() <= 5 && gap.clone().all(is_alike),
            _ => false,
        };
        fits && !rows.iter().any(|row| self.is_control(row))
    }

    /// Whether a row is a number, an advertisement, or what is touched to do something stands in it.
    fn is_control(&self, row: &Row) -> bool {
        let doc = self.page.doc;
        let in_button = |leaf: NodeId| doc.ancestors(leaf).take(4).any(|id| doc.name(id) == LocalName::BUTTON);
        let is_advertisement = || {
            let mut around = std::iter::once(row.block).chain(doc.ancestors(row.block)).take(3);
            around.any(|id| is_named(doc, id, &["ad", "ads", "advert", "advertisement", "advertising"]))
        };
        self.page.row_text(row).bytes().all(|byte| byte.is_ascii_digit())
            || self.page.row_leaves(row).iter().any(|leaf| in_button(leaf.node))
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
    fn head(&self, area: NodeId) -> Vec<Range<usize>> {
        let doc = self.page.doc;
        let mut around = std::iter::once(area).chain(doc.ancestors(area));
        let table = around.find(|&id| doc.name(id) == LocalName::TABLE).filter(|&table| is_data_table(doc, table));
        let Some(table) = table else { return Vec::new() };
        let first = self.kept_after[self.facts.context.rows(self.page, table).start];
        let parts = doc.subtree(table).filter(|&id| [LocalName::CAPTION, LocalName::TH].contains(&doc.name(id)));
        parts.map(|id| self.facts.context.rows(self.page, id)).take_while(|rows| rows.end <= first).collect()
    }

    fn lacks(&self, block: Block, id: NodeId, rows: &Range<usize>) -> bool {
        if rows.is_empty() || rows.clone().all(|row| self.decision.keep[row]) {
            return false;
        }
        match block {
            Block::Code => self.is_code(rows),
            Block::Heading if !self.is_headed(rows.end) || !self.is_within(rows.start) => false,
            Block::List if self.facts.types.best().0 == PageType::Forum => false,
            _ => {
                let words = self.words[rows.end] - self.words[rows.start];
                let main = self.main[rows.end] - self.main[rows.start];
                let belongs = block == Block::Heading
                    || self.is_announced(rows)
                    || self.is_between(rows)
                    || self.may_end(block, rows.start, main / words.max(1.0)) && self.is_behind(id, rows);
                // What is quoted in a thread stands in it already.
                let is_again = block == Block::Quote && self.facts.types.best().0 == PageType::Forum;
                let least = if is_again { QUOTE_OF_THREAD } else { block.least() };
                let is_led = self.is_of_links(rows, if block == Block::Quote { MOST_OF_QUOTE } else { 0.5 });
                belongs && main >= least * words && (!is_led || self.leads_within(rows))
            }
        }
    }

    /// Whether something is kept right below a heading, which then is that of it, or behind a row that is not, in its section.
    fn is_headed(&self, end: usize) -> bool {
        let kept = self.kept_after[end];
        kept == end || kept == end + 1 && self.heading_after[end] == kept
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
    fn is_of_links(&self, rows: &Range<usize>, share: f32) -> bool {
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
        let is_own = href.is_some_and(|href| href.trim_start().starts_with('#'));
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
    fn may_end(&self, block: Block, row: usize, mean: f32) -> bool {
        let is_documentation = self.facts.types.best().0 == PageType::Documentation;
        match block {
            // Galleries say the same below each picture.
            Block::Caption => is_said_once(self.facts, row),
            Block::Table => is_documentation || mean >= LEAST_OF_LAST_TABLE,
            Block::List => is_documentation,
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

    /// Kept headings that are not sure and not of the first rank, below which nothing is kept up to the next of their rank or a higher one,
    /// though there is something.
    fn lone_headings(&self, added: &[Range<usize>]) -> Vec<usize> {
        let mut keep = self.decision.keep.clone();
        added.iter().for_each(|rows| keep[rows.clone()].fill(true));
        let mut lone = Vec::new();
        let (mut had, mut has) = ([false; 7], [false; 7]);
        for (at, row) in self.page.rows.iter().enumerate().rev() {
            let rank = match self.page.row_rank(row) {
                0 => 7,
                rank => usize::from(rank),
            };
            let is_empty = keep[at] && had[rank.min(6)] && !has[rank.min(6)];
            let is_lone = (2..7).contains(&rank) && is_empty && self.decision.probabilities[at] < LONE;
            if is_lone {
                lone.push(at);
            }
            let stays = keep[at] && !is_lone;
            for level in 0..7 {
                (had[level], has[level]) = if level >= rank { (false, false) } else { (true, has[level] || stays) };
            }
        }
        lone
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
