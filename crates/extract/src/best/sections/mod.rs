//! What a kept section is not left without: its code, tables, lists, formulas, captions, quotes, headings, footnotes and what the page declares.

mod block;
mod body;
mod boxes;
mod ends;
mod entries;
mod filters;
mod folded;
mod plain;
mod posts;
mod section;
mod speakers;
mod standfirst;
mod unwanted;

use std::ops::Range;

use gristmill_html::{LocalName, NodeId};
use gristmill_page::attribute_words::is_named;
use gristmill_page::{Page, PageType, Row};

use super::features::PageFeatures;
use super::row_decision::RowDecision;
use block::{BlockNames, SectionBlock};
use entries::keep_entries;
use section::Sections;

/// Words of classes and ids of who said what is quoted.
const ATTRIBUTION: &[&str] = &["attribution", "cite", "citation", "quotee", "speaker"];

/// Adds all code of the main area, and other blocks that stand between kept rows of one section or alone below a kept heading; drops
/// headings that are left without their section.
///
/// The main area is the smallest element with nearly all that was kept, without `nav` and `footer`. Where that is a part of a table, head
/// and caption are added, which say what its cells are. Lists of threads are left to the
/// model: they are signatures and buttons. O(nodes + rows).
pub(super) fn complete(page: &Page<'_>, facts: &PageFeatures, weights: &[f32], decision: &mut RowDecision) {
    keep_entries(page, facts, decision);
    let menus = Sections::new(page, facts, weights, decision).menus();
    menus.iter().for_each(|&row| decision.keep[row] = false);
    let sections = Sections::new(page, facts, weights, decision);
    let Some(area) = sections.area() else { return };
    let names = BlockNames::new(page);
    let mut added = sections.head(area);
    added.extend(sections.blocks(area, &names, |block| block != SectionBlock::Heading));
    let notes: Vec<Range<usize>> = sections.notes().collect();
    let heading_of_notes = sections.heading_of_notes(&notes);
    let numbers_of_notes = sections.numbers_of_notes(&notes);
    added.extend(sections.other_notes(&notes));
    added.extend(notes);
    added.extend(sections.declared());
    added.extend(sections.gaps());
    added.extend(sections.alike(area));
    added.extend(sections.plain_blocks(area));
    added.extend(sections.split_lists(area));
    added.extend(sections.posts());
    added.extend(sections.lost_posts());
    added.extend(sections.announced_lists());
    added.extend(sections.of_body(area));
    if is_of_text(facts) {
        added.extend(sections.standfirst());
        added.extend(sections.boxes(area, &names));
        added.extend(sections.questions(area));
        added.extend(sections.captions(area));
        added.extend(sections.ends(area));
    }
    let mut dropped = sections.equation_numbers();
    dropped.extend(menus);
    dropped.extend(sections.signups(area));
    dropped.extend(sections.filters(area));
    // Threads quote what stands in them, and say who writes.
    if is_of_text(facts) {
        dropped.extend(sections.pulled_quotes(area));
        dropped.extend(sections.biographies(area));
        dropped.extend(sections.called_boxes(area));
    }
    dropped.extend(sections.navigation(area));
    dropped.extend(sections.beside_mail());
    dropped.extend(sections.subjects_of_replies());
    dropped.extend(sections.boilerplate(area));
    dropped.extend(heading_of_notes);
    dropped.extend(numbers_of_notes);
    added.into_iter().for_each(|rows| decision.keep[rows].fill(true));
    // A heading may be that of what was added, and of another heading. On products and lists the latter are names of boxes.
    let is_text = is_of_text(facts);
    for _ in 0..if is_text { 2 } else { 1 } {
        let sections = Sections::new(page, facts, weights, decision);
        let headings = sections.blocks(area, &names, |block| block == SectionBlock::Heading);
        headings.into_iter().for_each(|rows| decision.keep[rows].fill(true));
    }
    let sections = Sections::new(page, facts, weights, decision);
    let (labels, speakers) = (sections.labels(), sections.speakers());
    let bodies = sections.bodies(area, &names);
    // Notes and feet of what was added.
    let notes: Vec<Range<usize>> = sections.notes().collect();
    let beside = sections.remarks(area);
    labels.into_iter().chain(speakers).for_each(|row| decision.keep[row] = true);
    bodies.into_iter().chain(notes).chain(beside).for_each(|rows| decision.keep[rows].fill(true));
    dropped.iter().for_each(|&row| decision.keep[row] = false);
    let sections = Sections::new(page, facts, weights, decision);
    dropped.extend(sections.lone_headings());
    dropped.extend(sections.headings_of_menus(area));
    sections.summaries(area).into_iter().for_each(|rows| decision.keep[rows].fill(true));
    keep_attributions(page, facts, area, decision);
    if facts.types.best().0 == PageType::Documentation {
        keep_terms(page, facts, area, decision);
    }
    dropped.into_iter().for_each(|row| decision.keep[row] = false);
}

/// Whether a page is of a type whose text has sections.
fn is_of_text(facts: &PageFeatures) -> bool {
    matches!(facts.types.best().0, PageType::Documentation | PageType::Article | PageType::Service)
}

/// Keeps the terms right above descriptions of which something is kept: signatures are nothing but names and signs. O(nodes).
fn keep_terms(page: &Page<'_>, facts: &PageFeatures, area: NodeId, decision: &mut RowDecision) {
    const MAX_ROWS: usize = 20;
    let doc = page.doc;
    for description in doc.subtree(area).filter(|&id| doc.name(id) == LocalName::DD) {
        let mut rows = facts.context.rows(page, description);
        if !rows.any(|row| decision.keep[row]) || page.notes().around(description).is_some() {
            continue;
        }
        let terms = doc.elements_before(description).take(MAX_ROWS).take_while(|&id| doc.name(id) == LocalName::DT);
        for rows in terms.map(|term| facts.context.rows(page, term)) {
            decision.keep[rows].fill(true);
        }
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
