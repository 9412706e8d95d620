//! Kept rows with their role on the page: the common ground of the Markdown and the HTML renderer.

use gristmill_html::{LocalName, NodeId};
use gristmill_page::{Page, Row, Selection, is_block, is_heading, verbatim::code};

use super::block::{Block, BlockRole, Container};
use super::nesting::{Nesting, is_rtl};
use super::spans::{StyledRun, all_spans, kept_spans, plain, same_style};
use super::units::{OutputUnit, readable, units};
use super::{Structure, addresses, formulas, images, raised};
use crate::metadata;

/// The kept rows as blocks; addresses are absolute where `url` or the page says against what. O(rows · depth).
pub(super) fn blocks<'d>(
    page: &Page<'d>,
    selection: &Selection,
    structure: &Structure,
    url: Option<&str>,
) -> Vec<Block<'d>> {
    let readable = readable(page, selection);
    let (has_note, unlabelled) = notes(page, &readable);
    let selection = unlabelled.as_ref().unwrap_or(&readable);
    let images = images::images(page, selection, structure);
    let has_raised = raised::is_in(page.doc);
    let mut blocks = blocks_of(page, images, |unit, images| match unit {
        OutputUnit::Row(row) => kept_spans(page, row, selection, has_raised, &has_note, images),
        OutputUnit::Code(block, rows) => code_spans(code(page, block, rows, selection, false)),
    });
    let own = url.map(|url| url.split_once('#').map_or(url, |(page, _)| page));
    let leads_within = |span: &StyledRun<'_>| span.link.as_ref().is_some_and(|link| leads_within(link, own));
    for block in &mut blocks {
        // A heading or term that leads to its own place or back to the table of contents is no link for readers.
        let is_title = matches!(block.role, BlockRole::Heading(_) | BlockRole::Term);
        if !structure.links || is_title && block.spans.iter().any(leads_within) {
            unlink(&mut block.spans, |span| !structure.links || leads_within(span));
        }
    }
    formulas::split(page.doc, &mut blocks);
    addresses::resolve(&mut blocks, metadata::base(page.doc, url).as_ref());
    blocks
}

/// For each footnote whether any of it is kept, and what is kept without the labels that the notes have of themselves.
fn notes(page: &Page<'_>, selection: &Selection) -> (Vec<bool>, Option<Selection>) {
    let notes = &page.notes().notes;
    if notes.is_empty() {
        return (Vec::new(), None);
    }
    let mut has_note = vec![false; notes.len()];
    for (_, leaf) in page.leaves.iter().enumerate().filter(|(at, _)| selection.keeps(*at)) {
        if let Some(note) = page.notes().around(leaf.node) {
            has_note[note] = true;
        }
    }
    let labels: Vec<_> = notes.iter().flat_map(|note| note.own_label.iter().cloned()).collect();
    (has_note, Some(selection.without_text(page, &labels)))
}

/// All rows as blocks, each span knowing whether it is kept. O(rows · depth).
pub(super) fn all_blocks<'d>(page: &Page<'d>, selection: &Selection) -> Vec<Block<'d>> {
    let selection = &readable(page, selection);
    let has_raised = raised::is_in(page.doc);
    blocks_of(page, Vec::new(), |unit, _| match unit {
        OutputUnit::Row(row) => all_spans(page, row, selection, has_raised),
        OutputUnit::Code(block, rows) => code_spans(code(page, block, rows, selection, true)),
    })
}

fn code_spans(runs: Vec<(String, bool)>) -> Vec<StyledRun<'static>> {
    runs.into_iter().map(|(text, kept)| StyledRun { kept, text, ..plain("") }).collect()
}

/// Whether an address is that of a place of the page itself, whose own address may be known.
fn leads_within(link: &str, own: Option<&str>) -> bool {
    own.and_then(|own| link.strip_prefix(own)).unwrap_or(link).starts_with('#')
}

/// Takes addresses off, and joins what they kept apart.
fn unlink(spans: &mut Vec<StyledRun<'_>>, is_off: impl Fn(&StyledRun<'_>) -> bool) {
    let mut joined: Vec<StyledRun<'_>> = Vec::with_capacity(spans.len());
    for span in spans.drain(..) {
        let span = if is_off(&span) { StyledRun { link: None, ..span } } else { span };
        match joined.last_mut() {
            Some(last) if same_style(last, &span) => last.text.push_str(&span.text),
            _ => joined.push(span),
        }
    }
    *spans = joined;
}

fn blocks_of<'d>(
    page: &Page<'d>,
    images: Vec<(NodeId, StyledRun<'d>)>,
    spans: impl Fn(&OutputUnit<'_>, Vec<(NodeId, StyledRun<'d>)>) -> Vec<StyledRun<'d>>,
) -> Vec<Block<'d>> {
    let mut blocks: Vec<Block<'d>> = Vec::new();
    let mut nesting = Nesting::new(page);
    let mut images = images.into_iter().peekable();
    // The row that the last block is made of, if another may go on with it.
    let mut open: Option<&Row> = None;
    for unit in units(page) {
        let [first, ..] = unit.rows() else { continue };
        let begins = page.leaves[first.first_leaf as usize].node;
        while let Some((id, span)) = images.next_if(|(id, _)| *id < begins) {
            blocks.push(nesting.image(id, span));
            open = None;
        }
        let ends = unit.rows().last().map_or(begins, |row| page.leaves[row.end_leaf as usize - 1].node);
        let inner = std::iter::from_fn(|| images.next_if(|(id, _)| *id < ends)).collect();
        let mut spans = spans(&unit, inner);
        let before = open.take();
        if spans.is_empty() {
            continue;
        }
        let asides: Vec<StyledRun<'d>> = spans.extract_if(.., |span| span.aside.is_some()).collect();
        let (role, within) = nesting.role(page, &unit, blocks.last());
        let is_bold = || spans.iter().all(|span| span.strong || span.text.trim().is_empty());
        // A heading is bold by itself.
        if matches!(role, BlockRole::Heading(_)) && is_bold() {
            spans.iter_mut().for_each(|span| span.strong = false);
        }
        if let OutputUnit::Row(row) = unit {
            open = Some(row);
            if let Some(last) = blocks.last_mut()
                && last.within == within
                && before.is_some_and(|before| follows_line_break(page, before, row))
            {
                last.spans.push(plain("\n"));
                last.spans.append(&mut spans);
                continue;
            }
            if let Some(last) = blocks.last_mut()
                && matches!(role, BlockRole::Heading(_))
                && before.is_some_and(|before| is_same_heading(page, before, row))
            {
                last.spans.push(plain(" "));
                last.spans.append(&mut spans);
                continue;
            }
            if let Some(last) = blocks.last_mut()
                && role == BlockRole::Paragraph
                && last.role == role
                && before.is_some_and(|before| is_marker_of(page, before, row))
            {
                last.spans.push(plain(" "));
                last.spans.append(&mut spans);
                continue;
            }
        } else if matches!(role, BlockRole::Cell { .. }) {
            spans.iter_mut().for_each(|span| span.code = true);
        }
        if role == BlockRole::Summary {
            spans.iter_mut().for_each(|span| span.strong = true);
        }
        let paragraphs = match role {
            _ if matches!(unit, OutputUnit::Code(..)) => vec![spans],
            BlockRole::Paragraph => paragraphs(spans),
            _ => vec![paragraphs(spans).into_iter().reduce(on_one_more_line).unwrap_or_default()],
        };
        let rtl = is_rtl(page.doc, begins);
        let block = |spans| Block { role: role.clone(), within: within.clone(), spans, rtl };
        blocks.extend(paragraphs.into_iter().map(block));
        for aside in asides.chunk_by(|a, b| a.aside == b.aside) {
            let within = aside[0].aside.map(Container::Note).into_iter().collect();
            blocks.push(Block { role: BlockRole::Paragraph, within, spans: aside.to_vec(), rtl });
            open = None;
        }
    }
    blocks.extend(images.map(|(id, span)| nesting.image(id, span)));
    blocks
}

/// Cuts text at its blank lines, and leaves line feeds between visible lines only.
fn paragraphs(spans: Vec<StyledRun<'_>>) -> Vec<Vec<StyledRun<'_>>> {
    if !spans.iter().any(|span| span.text.contains('\n')) {
        return vec![spans];
    }
    let mut paragraphs = vec![Vec::new()];
    let mut breaks = 0;
    for span in spans {
        for (n, line) in span.text.split('\n').enumerate() {
            breaks += usize::from(n > 0);
            if line.trim().is_empty() && (breaks > 0 || line.is_empty()) {
                continue;
            }
            let begun = paragraphs.last().is_some_and(|paragraph: &Vec<StyledRun<'_>>| !paragraph.is_empty());
            if begun && breaks > 1 {
                paragraphs.push(Vec::new());
            }
            let Some(paragraph) = paragraphs.last_mut() else { continue };
            if begun && breaks == 1 {
                paragraph.push(plain("\n"));
            }
            paragraph.push(StyledRun { text: line.to_owned(), ..span.clone() });
            breaks = 0;
        }
    }
    paragraphs
}

fn on_one_more_line<'d>(mut lines: Vec<StyledRun<'d>>, mut more: Vec<StyledRun<'d>>) -> Vec<StyledRun<'d>> {
    lines.push(plain("\n"));
    lines.append(&mut more);
    lines
}

/// Whether two neighbouring rows stand in one heading: a badge beside its words, or a line below them.
fn is_same_heading(page: &Page<'_>, before: &Row, row: &Row) -> bool {
    let heading = |row: &Row| {
        std::iter::once(row.block).chain(page.doc.ancestors(row.block)).find(|&id| is_heading(page.doc.name(id)))
    };
    before.in_heading && row.in_heading && before.end_leaf == row.first_leaf && heading(before) == heading(row)
}

/// Whether a row is the number or sign of the item of a list that a table draws, in the cell before that of the next row.
fn is_marker_of(page: &Page<'_>, before: &Row, row: &Row) -> bool {
    const MAX_BYTES: usize = 8;
    let doc = page.doc;
    let text = page.row_text(before).trim();
    let label = text.trim_matches(['(', ')', '[', ']', '.', ':', ' ']);
    let is_label =
        label.chars().all(char::is_alphanumeric) && (label.len() < text.len() || label.parse::<u16>().is_ok());
    let is_sign = !text.contains(char::is_alphanumeric) && text.chars().count() == 1;
    if text.is_empty() || text.len() > MAX_BYTES || !(is_label || is_sign) || before.end_leaf != row.first_leaf {
        return false;
    }
    let cell = |row: &Row| {
        std::iter::once(row.block).chain(doc.ancestors(row.block)).find(|&id| doc.name(id) == LocalName::TD)
    };
    let (Some(marker), Some(item)) = (cell(before), cell(row)) else { return false };
    let first = doc.parent(marker).and_then(|line| doc.children(line).find(|&id| doc.is_element(id)));
    marker != item && doc.parent(marker) == doc.parent(item) && first == Some(marker)
}

/// Whether one line break, and nothing else that ends a row, divides two neighbouring rows.
fn follows_line_break(page: &Page<'_>, before: &Row, row: &Row) -> bool {
    let doc = page.doc;
    if before.block != row.block || before.end_leaf != row.first_leaf {
        return false;
    }
    let last = page.leaves[before.end_leaf as usize - 1].node.index();
    let first = page.leaves[row.first_leaf as usize].node.index();
    let mut breaks = 0;
    for name in (last + 1..first).map(|at| doc.name(doc.id(at))) {
        breaks += usize::from(name == LocalName::BR);
        if is_block(name) || breaks > 1 {
            return false;
        }
    }
    breaks == 1
}
