//! Kept rows with their role on the page: the common ground of the Markdown and the HTML renderer.

use std::collections::HashMap;

use gristmill_html::{Doc, Name, NodeId};
use gristmill_text::Collapser;

use super::{Structure, images, is_preformatted, push_verbatim};
use crate::page::{Page, Row, heading_rank, is_block, is_dropped};
use crate::selection::{Piece, Selection};
use crate::tables::is_data_table;

/// What a row is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Role {
    Paragraph,
    /// Rank 1 to 6.
    Heading(u8),
    /// `lists` are open around it, `number` for an ordered one; `first` row of its `li`.
    Item {
        lists: usize,
        number: Option<usize>,
        first: bool,
    },
    /// Preformatted; several rows of one element share `id`.
    Code {
        id: NodeId,
    },
    /// A cell of a data table.
    Cell {
        table: NodeId,
        row: NodeId,
        cell: NodeId,
        header: bool,
    },
    /// An image: one span with its description as text and its address as link.
    Image,
}

/// A run of text with one style.
#[derive(Debug, Clone)]
pub(super) struct Span<'d> {
    pub(super) text: String,
    pub(super) link: Option<&'d str>,
    pub(super) strong: bool,
    pub(super) emphasis: bool,
    pub(super) code: bool,
    /// Whether the method kept it; without meaning unless the whole page is shown.
    pub(super) kept: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Block<'d> {
    pub(super) role: Role,
    /// Block quotes around it.
    pub(super) quotes: usize,
    pub(super) spans: Vec<Span<'d>>,
}

/// Deeper nesting of lists and quotes is flattened to this.
pub(super) const MAX_NESTING: usize = 8;

/// The kept rows as blocks. O(rows · depth).
pub(super) fn blocks<'d>(page: &Page<'d>, selection: &Selection, structure: &Structure) -> Vec<Block<'d>> {
    let images = if structure.images { images::images(page, selection) } else { Vec::new() };
    let mut blocks = blocks_of(page, images, |row| spans(page, row, selection));
    if !structure.links {
        blocks.iter_mut().filter(|block| block.role != Role::Image).for_each(|block| unlink(&mut block.spans));
    }
    blocks
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

/// All rows as blocks, each span knowing whether it is kept. O(rows · depth).
pub(super) fn all_blocks<'d>(page: &Page<'d>, selection: &Selection) -> Vec<Block<'d>> {
    blocks_of(page, Vec::new(), |row| all_spans(page, row, selection))
}

fn blocks_of<'d>(
    page: &Page<'d>,
    images: Vec<(NodeId, Block<'d>)>,
    spans: impl Fn(&Row) -> Vec<Span<'d>>,
) -> Vec<Block<'d>> {
    let mut blocks = Vec::new();
    let mut context = Context { doc: page.doc, tables: HashMap::new(), numbers: HashMap::new(), last_item: None };
    let mut images = images.into_iter().peekable();
    for row in &page.rows {
        let begins = page.leaves[row.first_leaf as usize].node;
        while let Some((_, image)) = images.next_if(|(id, _)| *id < begins) {
            blocks.push(image);
        }
        let spans = spans(row);
        if !spans.is_empty() {
            let (role, quotes) = context.role(page, row);
            blocks.push(Block { role, quotes, spans });
        }
    }
    blocks.extend(images.map(|(_, image)| image));
    blocks
}

struct Context<'d> {
    doc: &'d Doc,
    tables: HashMap<NodeId, bool>,
    /// How many items of a list were shown.
    numbers: HashMap<NodeId, usize>,
    last_item: Option<NodeId>,
}

impl Context<'_> {
    fn role(&mut self, page: &Page<'_>, row: &Row) -> (Role, usize) {
        let doc = self.doc;
        let (mut quotes, mut lists, mut item, mut cell, mut heading) = (0, 0, None, None, None);
        for id in std::iter::once(row.block).chain(doc.ancestors(row.block)) {
            match doc.name(id) {
                Name::BLOCKQUOTE => quotes += 1,
                Name::UL | Name::OL | Name::MENU | Name::DIR if cell.is_none() => lists += 1,
                Name::LI if item.is_none() && cell.is_none() => item = Some(id),
                Name::TD | Name::TH if cell.is_none() && item.is_none() => cell = Some(id),
                name @ (Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::H5 | Name::H6) => {
                    heading = heading.or(heading_rank(name))
                }
                _ => {}
            }
        }
        let quotes = quotes.min(MAX_NESTING);
        if is_preformatted(page, row) {
            return (Role::Code { id: row.block }, quotes);
        }
        if let Some(cell) = cell.and_then(|cell| self.cell(cell)) {
            return (cell, quotes);
        }
        if let Some(rank) = heading {
            return (Role::Heading(rank), quotes);
        }
        match item {
            Some(item) => (self.item(item, lists.clamp(1, MAX_NESTING)), quotes),
            None => (Role::Paragraph, quotes),
        }
    }

    fn cell(&mut self, cell: NodeId) -> Option<Role> {
        let doc = self.doc;
        let row = doc.ancestors(cell).find(|&id| doc.name(id) == Name::TR)?;
        let table = doc.ancestors(row).find(|&id| doc.name(id) == Name::TABLE)?;
        let data = *self.tables.entry(table).or_insert_with(|| is_data_table(doc, table));
        data.then_some(Role::Cell { table, row, cell, header: doc.name(cell) == Name::TH })
    }

    fn item(&mut self, item: NodeId, lists: usize) -> Role {
        let first = self.last_item != Some(item);
        self.last_item = Some(item);
        let list = self.doc.parent(item).filter(|&list| self.doc.name(list) == Name::OL);
        let number = list.map(|list| {
            let start = self.doc.attr(list, Name::START).and_then(|start| start.parse().ok()).unwrap_or(1usize);
            let shown = self.numbers.entry(list).or_default();
            *shown += usize::from(first);
            start.saturating_add(*shown).saturating_sub(1)
        });
        Role::Item { lists, number, first }
    }
}

fn spans<'d>(page: &Page<'d>, row: &Row, selection: &Selection) -> Vec<Span<'d>> {
    if is_preformatted(page, row) {
        let mut text = String::new();
        push_verbatim(&mut text, page, row, selection);
        return if text.is_empty() { Vec::new() } else { vec![plain(&text)] };
    }
    styled(page, selection.kept(page, row).map(|piece| (piece, true)))
}

fn all_spans<'d>(page: &Page<'d>, row: &Row, selection: &Selection) -> Vec<Span<'d>> {
    let pieces = selection.pieces(page, row);
    if !is_preformatted(page, row) {
        return styled(page, pieces.into_iter());
    }
    let verbatim = |(piece, kept): &(Piece<'_>, bool)| {
        let text = match piece.is_whole() {
            true => page.doc.text(piece.leaf.node),
            false => &page.text[piece.start as usize..piece.end as usize],
        };
        Span { kept: *kept, ..plain(text) }
    };
    pieces.iter().map(verbatim).collect()
}

/// Pieces of one row as runs of one style.
fn styled<'d, 'p>(page: &Page<'d>, pieces: impl Iterator<Item = (Piece<'p>, bool)>) -> Vec<Span<'d>> {
    let mut spans: Vec<Span<'d>> = Vec::new();
    let mut collapser = Collapser::default();
    let mut before: Option<u32> = None;
    for (piece, kept) in pieces {
        if before.is_some_and(|end| end != piece.start) {
            collapser.space();
        }
        before = Some(piece.end);
        let mut span = Span { kept, ..style(page.doc, piece.leaf.node) };
        collapser.push(&mut span.text, &page.text[piece.start as usize..piece.end as usize]);
        match spans.last_mut() {
            Some(last) if same_style(last, &span) => last.text.push_str(&span.text),
            Some(last) if span.text.starts_with(' ') && !is_plain(&span) => {
                // A space between styles belongs to neither, else links and emphasis would begin with it.
                span.text.remove(0);
                if is_plain(last) {
                    last.text.push(' ')
                } else {
                    let kept = last.kept && kept;
                    spans.push(Span { kept, ..plain(" ") })
                }
                spans.push(span);
            }
            _ => spans.push(span),
        }
    }
    spans
}

pub(super) fn plain(text: &str) -> Span<'static> {
    Span { text: text.to_owned(), link: None, strong: false, emphasis: false, code: false, kept: true }
}

fn is_plain(span: &Span<'_>) -> bool {
    (span.link, span.strong, span.emphasis, span.code) == (None, false, false, false)
}

/// The style of a text node, from the inline elements between it and its block.
fn style(doc: &Doc, leaf: NodeId) -> Span<'_> {
    let mut span: Span<'_> = plain("");
    for id in doc.ancestors(leaf) {
        let name = doc.name(id);
        match name {
            Name::A => {
                span.link = span.link.or_else(|| doc.attr(id, Name::HREF).map(str::trim).filter(|href| is_safe(href)))
            }
            Name::STRONG | Name::B => span.strong = true,
            Name::EM | Name::I | Name::CITE => span.emphasis = true,
            Name::CODE | Name::KBD | Name::SAMP | Name::TT => span.code = true,
            _ => {}
        }
        if (is_block(name) && span.link.is_some()) || is_dropped(name) || name == Name::BODY {
            break;
        }
    }
    span
}

fn same_style(a: &Span<'_>, b: &Span<'_>) -> bool {
    (a.link, a.strong, a.emphasis, a.code, a.kept) == (b.link, b.strong, b.emphasis, b.code, b.kept)
}

/// Only web addresses and relative ones become links: no `javascript:`, `data:`, nor anything else with a scheme.
pub(super) fn is_safe(href: &str) -> bool {
    const MAX_BYTES: usize = 2_000;
    let scheme_end = href.find(['/', '?', '#']).unwrap_or(href.len());
    let lower = href.get(..8).unwrap_or(href).to_ascii_lowercase();
    let web = lower.starts_with("http://") || lower.starts_with("https://");
    let relative = !href[..scheme_end].contains([':', '&']);
    !href.is_empty() && href.len() <= MAX_BYTES && (web || relative) && !href.chars().any(char::is_control)
}
