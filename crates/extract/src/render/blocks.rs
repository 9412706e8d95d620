//! Kept rows with their role on the page: the common ground of the Markdown and the HTML renderer.

use std::collections::HashMap;

use gristmill_html::{Doc, Name, NodeId};
use gristmill_page::{
    Page, Row, Selection, heading_rank, is_block,
    tables::is_data_table,
    verbatim::{code, language},
};

use super::block::{Block, MAX_NESTING, Role};
use super::grid::{Place, places};
use super::spans::{Span, all_spans, kept_spans, plain, same_style};
use super::units::{Unit, readable, units};
use super::{Structure, addresses, images};
use crate::metadata;

/// The kept rows as blocks; addresses are absolute where `url` or the page says against what. O(rows · depth).
pub(super) fn blocks<'d>(
    page: &Page<'d>,
    selection: &Selection,
    structure: &Structure,
    url: Option<&str>,
) -> Vec<Block<'d>> {
    let selection = &readable(page, selection);
    let images = if structure.images { images::images(page, selection) } else { Vec::new() };
    let mut blocks = blocks_of(page, images, |unit| match unit {
        Unit::Row(row) => kept_spans(page, row, selection),
        Unit::Code(block, rows) => code_spans(code(page, block, rows, selection, false)),
    });
    if !structure.links {
        blocks.iter_mut().filter(|block| block.role != Role::Image).for_each(|block| unlink(&mut block.spans));
    }
    addresses::resolve(&mut blocks, metadata::base(page.doc, url).as_ref());
    blocks
}

/// All rows as blocks, each span knowing whether it is kept. O(rows · depth).
pub(super) fn all_blocks<'d>(page: &Page<'d>, selection: &Selection) -> Vec<Block<'d>> {
    let selection = &readable(page, selection);
    blocks_of(page, Vec::new(), |unit| match unit {
        Unit::Row(row) => all_spans(page, row, selection),
        Unit::Code(block, rows) => code_spans(code(page, block, rows, selection, true)),
    })
}

fn code_spans(runs: Vec<(String, bool)>) -> Vec<Span<'static>> {
    runs.into_iter().map(|(text, kept)| Span { kept, text, ..plain("") }).collect()
}

/// Takes the addresses off, and joins what they kept apart.
fn unlink(spans: &mut Vec<Span<'_>>) {
    let mut joined: Vec<Span<'_>> = Vec::with_capacity(spans.len());
    for span in spans.drain(..) {
        let span = Span { link: None, ..span };
        match joined.last_mut() {
            Some(last) if same_style(last, &span) => last.text.push_str(&span.text),
            _ => joined.push(span),
        }
    }
    *spans = joined;
}

fn blocks_of<'d>(
    page: &Page<'d>,
    images: Vec<(NodeId, Block<'d>)>,
    spans: impl Fn(&Unit<'_>) -> Vec<Span<'d>>,
) -> Vec<Block<'d>> {
    let mut blocks: Vec<Block<'d>> = Vec::new();
    let mut context = Context::new(page.doc);
    let mut images = images.into_iter().peekable();
    // The row that the last block is made of, if another may go on with it.
    let mut open: Option<&Row> = None;
    for unit in units(page) {
        let [first, ..] = unit.rows() else { continue };
        let begins = page.leaves[first.first_leaf as usize].node;
        while let Some((_, image)) = images.next_if(|(id, _)| *id < begins) {
            blocks.push(image);
            open = None;
        }
        let mut spans = spans(&unit);
        let before = open.take();
        if spans.is_empty() {
            continue;
        }
        let (role, quotes) = context.role(page, &unit);
        if let Unit::Row(row) = unit {
            open = Some(row);
            if let Some(last) = blocks.last_mut()
                && before.is_some_and(|before| follows_line_break(page, before, row))
            {
                last.spans.push(plain("\n"));
                last.spans.append(&mut spans);
                continue;
            }
        } else if matches!(role, Role::Cell { .. }) {
            spans.iter_mut().for_each(|span| span.code = true);
        }
        let paragraphs = match role {
            _ if matches!(unit, Unit::Code(..)) => vec![spans],
            Role::Paragraph => paragraphs(spans),
            _ => vec![paragraphs(spans).into_iter().reduce(on_one_more_line).unwrap_or_default()],
        };
        blocks.extend(paragraphs.into_iter().map(|spans| Block { role: role.clone(), quotes, spans }));
    }
    blocks.extend(images.map(|(_, image)| image));
    blocks
}

/// Cuts text at its blank lines, and leaves line feeds between visible lines only.
fn paragraphs(spans: Vec<Span<'_>>) -> Vec<Vec<Span<'_>>> {
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
            let begun = paragraphs.last().is_some_and(|paragraph: &Vec<Span<'_>>| !paragraph.is_empty());
            if begun && breaks > 1 {
                paragraphs.push(Vec::new());
            }
            let Some(paragraph) = paragraphs.last_mut() else { continue };
            if begun && breaks == 1 {
                paragraph.push(plain("\n"));
            }
            paragraph.push(Span { text: line.to_owned(), ..span.clone() });
            breaks = 0;
        }
    }
    paragraphs
}

fn on_one_more_line<'d>(mut lines: Vec<Span<'d>>, mut more: Vec<Span<'d>>) -> Vec<Span<'d>> {
    lines.push(plain("\n"));
    lines.append(&mut more);
    lines
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
        breaks += usize::from(name == Name::BR);
        if is_block(name) || breaks > 1 {
            return false;
        }
    }
    breaks == 1
}

struct Context<'d> {
    doc: &'d Doc,
    /// The places of the cells of data tables; `None` for other tables.
    tables: HashMap<NodeId, Option<HashMap<NodeId, Place>>>,
    /// For each list the last item that was asked for, and its number.
    numbers: HashMap<NodeId, (NodeId, usize)>,
    last_item: Option<NodeId>,
}

impl<'d> Context<'d> {
    fn new(doc: &'d Doc) -> Context<'d> {
        Context { doc, tables: HashMap::new(), numbers: HashMap::new(), last_item: None }
    }

    fn role(&mut self, page: &Page<'_>, unit: &Unit<'_>) -> (Role, usize) {
        let doc = self.doc;
        let innermost = match unit {
            Unit::Row(row) => row.block,
            Unit::Code(block, _) => block.node,
        };
        let (mut quotes, mut lists, mut item, mut cell, mut heading, mut caption) = (0, 0, None, None, None, None);
        for id in std::iter::once(innermost).chain(doc.ancestors(innermost)) {
            match doc.name(id) {
                Name::BLOCKQUOTE => quotes += 1,
                Name::UL | Name::OL | Name::MENU | Name::DIR if cell.is_none() => lists += 1,
                Name::LI if item.is_none() && cell.is_none() => item = Some(id),
                Name::TD | Name::TH if cell.is_none() && item.is_none() => cell = Some(id),
                Name::CAPTION if cell.is_none() && item.is_none() => caption = Some(id),
                name @ (Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::H5 | Name::H6) => {
                    heading = heading.or(heading_rank(name))
                }
                _ => {}
            }
        }
        let quotes = quotes.min(MAX_NESTING);
        let cell = cell.filter(|&cell| cell != innermost || matches!(unit, Unit::Row(_)));
        if let Some(cell) = cell.and_then(|cell| self.cell(cell)) {
            return (cell, quotes);
        }
        if let Unit::Code(block, _) = unit {
            return (Role::Code { language: language(page.doc, block.node) }, quotes);
        }
        if let Some(rank) = heading {
            return (Role::Heading(rank), quotes);
        }
        let role = match (item, caption.and_then(|caption| self.caption(caption))) {
            (Some(item), _) => self.item(item, lists.clamp(1, MAX_NESTING)),
            (None, Some(caption)) => caption,
            (None, None) => Role::Paragraph,
        };
        (role, quotes)
    }

    fn table(&mut self, table: NodeId) -> Option<&HashMap<NodeId, Place>> {
        let doc = self.doc;
        self.tables.entry(table).or_insert_with(|| is_data_table(doc, table).then(|| places(doc, table))).as_ref()
    }

    fn cell(&mut self, cell: NodeId) -> Option<Role> {
        let doc = self.doc;
        let row = doc.ancestors(cell).find(|&id| doc.name(id) == Name::TR)?;
        let table = doc.ancestors(row).find(|&id| doc.name(id) == Name::TABLE)?;
        let place = self.table(table)?.get(&cell).copied().unwrap_or_default();
        Some(Role::Cell { table, row, cell, header: doc.name(cell) == Name::TH, place })
    }

    fn caption(&mut self, caption: NodeId) -> Option<Role> {
        let table = self.doc.parent(caption).filter(|&table| self.doc.name(table) == Name::TABLE)?;
        self.table(table)?;
        Some(Role::Caption { table })
    }

    fn item(&mut self, item: NodeId, lists: usize) -> Role {
        let first = self.last_item != Some(item);
        self.last_item = Some(item);
        let list = self.doc.parent(item).filter(|&list| self.doc.name(list) == Name::OL);
        Role::Item { lists, number: list.map(|list| self.number(list, item)), first }
    }

    /// The number that a browser shows, whether or not the items before are kept. Amortised O(items).
    fn number(&mut self, list: NodeId, item: NodeId) -> usize {
        let doc = self.doc;
        let attribute = |id, name| doc.attr(id, name).and_then(|value| value.trim().parse::<usize>().ok());
        let start = attribute(list, Name::START).unwrap_or(1);
        let of = |id: NodeId, next: usize| attribute(id, Name::VALUE).unwrap_or(next);
        let first = || doc.children(list).find(|&id| doc.name(id) == Name::LI).map(|id| (id, of(id, start)));
        let Some((mut at, mut number)) = self.numbers.get(&list).copied().filter(|(at, _)| *at <= item).or_else(first)
        else {
            return start;
        };
        while at < item {
            let Some(next) = doc.next_sibling(at) else { break };
            at = next;
            if doc.name(at) == Name::LI {
                number = of(at, number.saturating_add(1));
            }
        }
        self.numbers.insert(list, (at, number));
        number
    }
}
