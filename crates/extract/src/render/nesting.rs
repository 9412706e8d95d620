//! What a row is, and which quotes, lists and tables it stands in.

use std::collections::HashMap;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::{Page, heading_rank, notes::Notes, tables::is_data_table, verbatim::language};

use super::block::{Block, BlockRole, Container, MAX_NESTING, Marker};
use super::grid::{CellPosition, places};
use super::spans::StyledRun;
use super::units::OutputUnit;

/// Asked for one row after the other, in document order.
pub(super) struct Nesting<'d> {
    doc: &'d Doc,
    notes: &'d Notes,
    /// The places of the cells of data tables; `None` for other tables.
    tables: HashMap<NodeId, Option<HashMap<NodeId, CellPosition>>>,
    /// For each list the last item that was asked for, and its number.
    numbers: HashMap<NodeId, (NodeId, usize)>,
    /// For each list its last item.
    last_items: HashMap<NodeId, Container>,
    /// Whether the items of a list are sections.
    of_sections: HashMap<NodeId, bool>,
}

/// What the elements around a row say, from the inside out.
#[derive(Default)]
struct Surroundings {
    within: Vec<Container>,
    heading: Option<u8>,
    is_term: bool,
    /// It says what is folded away below it.
    is_summary: bool,
    caption: Option<BlockRole>,
    cell: Option<BlockRole>,
}

/// The first text of a row or a block of code.
fn first_node(page: &Page<'_>, unit: &OutputUnit<'_>) -> Option<NodeId> {
    unit.rows().first().map(|row| page.leaves[row.first_leaf as usize].node)
}

impl<'d> Nesting<'d> {
    pub(super) fn new(page: &'d Page<'d>) -> Nesting<'d> {
        Nesting {
            doc: page.doc,
            notes: page.notes(),
            tables: HashMap::new(),
            numbers: HashMap::new(),
            last_items: HashMap::new(),
            of_sections: HashMap::new(),
        }
    }

    /// The role of a row or a block of code behind the block `before`, and its containers from the outside in. O(depth).
    pub(super) fn role(
        &mut self,
        page: &Page<'_>,
        unit: &OutputUnit<'_>,
        before: Option<&Block<'_>>,
    ) -> (BlockRole, Vec<Container>) {
        let doc = self.doc;
        let note = first_node(page, unit).and_then(|node| self.notes.around(node));
        let seen = match unit {
            OutputUnit::Row(row) => self.look(std::iter::once(row.block).chain(doc.ancestors(row.block)), note),
            OutputUnit::Code(block, _) => self.look(doc.ancestors(block.node), note),
        };
        let within = self.settle(seen.within, seen.is_term, before);
        let role = match unit {
            _ if seen.cell.is_some() => seen.cell.unwrap_or(BlockRole::Paragraph),
            OutputUnit::Code(block, _) => BlockRole::Code { language: language(doc, block.node) },
            OutputUnit::Row(row) => match (seen.heading, seen.caption) {
                (Some(rank), _) => BlockRole::Heading(rank),
                (None, Some(caption)) => caption,
                _ if seen.is_summary || is_box_title(doc, row.block) => BlockRole::Summary,
                _ if seen.is_term && matches!(within.last(), Some(Container::Terms(_))) => BlockRole::Term,
                _ => BlockRole::Paragraph,
            },
        };
        (role, within)
    }

    /// A block of its own for an image, a cell in data tables, else a paragraph; or for a rule. O(depth).
    pub(super) fn image<'s>(&mut self, id: NodeId, span: StyledRun<'s>) -> Block<'s> {
        let seen = self.look(self.doc.ancestors(id), self.notes.around(id));
        let within = self.settle(seen.within, false, None);
        if self.doc.name(id) == LocalName::HR {
            return Block { role: BlockRole::Rule, within, spans: Vec::new(), rtl: is_rtl(self.doc, id) };
        }
        Block { role: seen.cell.unwrap_or(BlockRole::Paragraph), within, spans: vec![span], rtl: is_rtl(self.doc, id) }
    }

    /// Of a row in a footnote, elements around the note are not looked at: it is no item of a list or cell of a table.
    fn look(&mut self, elements: impl Iterator<Item = NodeId>, note: Option<usize>) -> Surroundings {
        let doc = self.doc;
        let mut seen = Surroundings::default();
        let outside = note.map(|note| self.notes.notes[note].nodes.start);
        for id in elements.take_while(|id| outside.is_none_or(|outside| id.index() > outside)) {
            match doc.name(id) {
                LocalName::BLOCKQUOTE => seen.within.push(Container::Quote(id)),
                LocalName::UL if self.is_of_sections(id) => {}
                LocalName::LI if doc.parent(id).is_some_and(|list| self.is_of_sections(list)) => {}
                LocalName::UL | LocalName::OL | LocalName::MENU | LocalName::DIR => {
                    seen.within.push(Container::List(id, is_numbered(doc, id)));
                }
                LocalName::LI => {
                    let list = doc.parent(id).filter(|&list| is_numbered(doc, list));
                    let marker = match list {
                        Some(list) => Marker::Number(self.number(list, id)),
                        None => tick(doc, id).map_or(Marker::Bullet, |ticked| Marker::Box { ticked }),
                    };
                    seen.within.push(Container::Item(id, marker));
                }
                LocalName::DL => seen.within.push(Container::Terms(id)),
                LocalName::DD => seen.within.push(Container::Definition(id)),
                LocalName::DT => seen.is_term |= seen.within.is_empty(),
                LocalName::SUMMARY => seen.is_summary = !holds_heading(doc, id),
                LocalName::TD | LocalName::TH => {
                    let line = match seen.cell {
                        Some(BlockRole::Cell { row, .. }) => Some(row),
                        _ => None,
                    };
                    if let Some(cell) = self.cell(id, line, outside) {
                        // What is in a cell stands on its lines, and the outermost table is the one.
                        seen = Surroundings { cell: Some(cell), ..Surroundings::default() };
                    }
                }
                LocalName::CAPTION if seen.caption.is_none() => seen.caption = self.caption(id),
                name => seen.heading = seen.heading.or_else(|| heading_rank(name).or_else(|| said_rank(doc, id))),
            }
        }
        seen.within.extend(note.map(Container::Note));
        seen
    }

    /// From the outside in, without containers that make nothing of their own.
    fn settle(&mut self, within: Vec<Container>, is_term: bool, before: Option<&Block<'_>>) -> Vec<Container> {
        let mut settled: Vec<Container> = Vec::with_capacity(within.len());
        let mut rest = within.into_iter().rev().peekable();
        while let Some(container) = rest.next() {
            match (container, rest.peek()) {
                (Container::List(..), Some(Container::Item(..))) => settled.push(container),
                // A list that is a child of a list stands below the item before it.
                (Container::List(list, _), Some(Container::List(..))) => {
                    if let Some(item) = self.last_items.get(&list) {
                        settled.extend([container, *item]);
                    }
                }
                (Container::List(..), _) => {}
                (Container::Item(item, _), _) => {
                    match settled.last() {
                        Some(Container::List(list, _)) => drop(self.last_items.insert(*list, container)),
                        _ => settled.push(Container::List(self.doc.parent(item).unwrap_or(item), false)),
                    }
                    settled.push(container);
                }
                (Container::Terms(_), None) if is_term => settled.push(container),
                (Container::Terms(_), Some(Container::Definition(_)))
                    if before.is_some_and(|before| before.within.contains(&container)) =>
                {
                    settled.push(container);
                }
                (Container::Terms(_), _) => {}
                (Container::Definition(_), _) if !matches!(settled.last(), Some(Container::Terms(_))) => {}
                (Container::Quote(_) | Container::Definition(_) | Container::Note(_), _) => settled.push(container),
            }
        }
        settled.truncate(MAX_NESTING);
        if let Some(Container::List(..)) = settled.last() {
            settled.pop();
        }
        settled
    }

    /// Whether each item of a list without numbers begins with a heading that has something below it in the item.
    fn is_of_sections(&mut self, list: NodeId) -> bool {
        let doc = self.doc;
        let is_item = |id: &NodeId| doc.name(*id) == LocalName::LI;
        let of = || {
            let mut items = doc.children(list).filter(is_item).peekable();
            doc.name(list) == LocalName::UL && items.peek().is_some() && items.all(|item| is_section(doc, item))
        };
        *self.of_sections.entry(list).or_insert_with(of)
    }

    fn table(&mut self, table: NodeId) -> Option<&HashMap<NodeId, CellPosition>> {
        let doc = self.doc;
        self.tables.entry(table).or_insert_with(|| is_data_table(doc, table).then(|| places(doc, table))).as_ref()
    }

    /// Nothing where the table begins before `outside`.
    fn cell(&mut self, cell: NodeId, line: Option<NodeId>, outside: Option<usize>) -> Option<BlockRole> {
        let doc = self.doc;
        let row = doc.ancestors(cell).find(|&id| doc.name(id) == LocalName::TR)?;
        let table = doc.ancestors(row).find(|&id| doc.name(id) == LocalName::TABLE)?;
        if outside.is_some_and(|outside| table.index() < outside) {
            return None;
        }
        let place = self.table(table)?.get(&cell).copied().unwrap_or_default();
        Some(BlockRole::Cell { table, row, cell, header: doc.name(cell) == LocalName::TH, place, line })
    }

    fn caption(&mut self, caption: NodeId) -> Option<BlockRole> {
        let table = self.doc.parent(caption).filter(|&table| self.doc.name(table) == LocalName::TABLE)?;
        self.table(table)?;
        Some(BlockRole::Caption { table })
    }

    /// The number that a browser shows, whether or not the items before are kept. Amortised O(items).
    fn number(&mut self, list: NodeId, item: NodeId) -> usize {
        let doc = self.doc;
        let attribute = |id, name| doc.attr(id, name).and_then(|value| value.trim().parse::<usize>().ok());
        let is_reversed = doc.attributes(list).any(|attribute| doc.name_str(attribute.name) == "reversed");
        let n_items = || doc.children(list).filter(|&id| doc.name(id) == LocalName::LI).count();
        let of = |id: NodeId, next: usize| attribute(id, LocalName::VALUE).unwrap_or(next);
        let known = self.numbers.get(&list).copied().filter(|(at, _)| *at <= item);
        let start = || attribute(list, LocalName::START).unwrap_or_else(|| if is_reversed { n_items() } else { 1 });
        let first = || doc.children(list).find(|&id| doc.name(id) == LocalName::LI).map(|id| (id, of(id, start())));
        let Some((mut at, mut number)) = known.or_else(first) else { return start() };
        while at < item {
            let Some(next) = doc.next_sibling(at) else { break };
            at = next;
            if doc.name(at) == LocalName::LI {
                number = of(at, if is_reversed { number.saturating_sub(1) } else { number.saturating_add(1) });
            }
        }
        self.numbers.insert(list, (at, number));
        number
    }
}

/// Whether an element is the title of a box in a text by its class: `admonition-title`, `custom-block-title`, `admonitionHeading_Gvgb`.
fn is_box_title(doc: &Doc, id: NodeId) -> bool {
    const BOXES: [&str; 5] = ["admonition", "callout", "alert", "custom-block", "aside__"];
    let is_title = |class: &str| {
        let class = class.to_ascii_lowercase();
        BOXES.iter().any(|of| class.contains(of)) && (class.contains("title") || class.contains("heading"))
    };
    matches!(doc.name(id), LocalName::P | LocalName::DIV | LocalName::SPAN)
        && doc.attr(id, LocalName::CLASS).is_some_and(|class| class.split_ascii_whitespace().any(is_title))
}

/// Whether a heading stands in it, which then is the heading of what it unfolds.
fn holds_heading(doc: &Doc, id: NodeId) -> bool {
    const MAX_NODES: usize = 200;
    doc.subtree(id).take(MAX_NODES).any(|id| heading_rank(doc.name(id)).is_some())
}

/// The rank of an element that is no heading by its name and says that it is one.
fn said_rank(doc: &Doc, id: NodeId) -> Option<u8> {
    if !matches!(doc.name(id), LocalName::DIV | LocalName::P) || doc.attr(id, LocalName::ROLE) != Some("heading") {
        return None;
    }
    let rank = doc.attributes(id).find(|attribute| doc.name_str(attribute.name) == "aria-level");
    Some(rank.and_then(|rank| rank.value.trim().parse::<u8>().ok()).unwrap_or(2).clamp(1, 6))
}

/// Whether the items of a list have numbers: by its name, or by the style of a plain one.
fn is_numbered(doc: &Doc, list: NodeId) -> bool {
    let is_counted = |style: &str| style.contains("list-style") && style.contains("decimal");
    match doc.name(list) {
        LocalName::OL => !have_labels(doc, list),
        LocalName::UL => doc.attr(list, LocalName::STYLE).is_some_and(is_counted),
        _ => false,
    }
}

/// Whether the items of a list say their numbers themselves, and others than a list would: `(a)`, `1.1`.
fn have_labels(doc: &Doc, list: NodeId) -> bool {
    const MAX_NODES: usize = 8;
    let items = doc.children(list).filter(|&id| doc.name(id) == LocalName::LI);
    let mut texts = items.map(|item| {
        let mut texts = doc.subtree(item).take(MAX_NODES).map(|id| doc.text(id).trim_start());
        texts.find(|text| !text.is_empty()).unwrap_or("")
    });
    let [Some(first), Some(second)] = [texts.next(), texts.next()] else { return false };
    is_label(first) && is_label(second)
}

/// Whether a text begins with a label in brackets or a number of several parts.
fn is_label(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or("");
    let inner = word.strip_prefix('(').and_then(|word| word.strip_suffix(')'));
    let is_bracketed =
        inner.is_some_and(|inner| inner.len() <= 4 && inner.bytes().all(|byte| byte.is_ascii_alphanumeric()));
    let is_part = |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let number = word.trim_end_matches('.');
    is_bracketed && !word.is_empty() || number.contains('.') && number.split('.').all(is_part)
}

/// Whether the nearest element that says in which direction it is written says from right to left.
pub(super) fn is_rtl(doc: &Doc, node: NodeId) -> bool {
    let said =
        doc.ancestors(node).find_map(|id| doc.attr(id, LocalName::DIR).filter(|dir| !dir.eq_ignore_ascii_case("auto")));
    said.is_some_and(|dir| dir.trim().eq_ignore_ascii_case("rtl"))
}

/// Whether an element is drawn as a box that is ticked, or that is not: in Notion and Asciidoctor.
fn drawn_box(doc: &Doc, id: NodeId) -> Option<bool> {
    let class = doc.attr(id, LocalName::CLASS)?;
    class.split_ascii_whitespace().find_map(|class| match class {
        "checkbox-on" | "fa-check-square-o" | "fa-check-square" => Some(true),
        "checkbox-off" | "fa-square-o" => Some(false),
        _ => None,
    })
}

/// Whether the box before an item of a list of tasks is ticked; `None` where it is not for readers to tick.
fn tick(doc: &Doc, item: NodeId) -> Option<bool> {
    const MAX_NODES: usize = 8;
    let is_box = |id: &NodeId| doc.name(*id) == LocalName::INPUT && doc.attr(*id, LocalName::TYPE) == Some("checkbox");
    let has = |id: NodeId, name: &str| doc.attributes(id).any(|attribute| doc.name_str(attribute.name) == name);
    // Editors say it of the item, others draw the box.
    let said = doc.attributes(item).find(|attribute| doc.name_str(attribute.name) == "data-checked");
    if let Some(said) = said {
        return Some(said.value == "true");
    }
    let before_text = || doc.subtree(item).take(MAX_NODES).take_while(|&id| doc.text(id).trim().is_empty());
    if let Some(drawn) = before_text().find_map(|id| drawn_box(doc, id)) {
        return Some(drawn);
    }
    let id = before_text().find(is_box)?;
    let is_task = has(id, "disabled") || doc.attr(item, LocalName::CLASS).is_some_and(|class| class.contains("task"));
    is_task.then(|| has(id, "checked"))
}

/// Whether an item of a list begins with a heading of its own, and more follows.
fn is_section(doc: &Doc, item: NodeId) -> bool {
    const LEVELS: usize = 4;
    let says = |id: &NodeId| doc.is_element(*id) || !doc.text(*id).trim().is_empty();
    let first = |id: NodeId| doc.children(id).find(says);
    let mut inside = std::iter::successors(first(item), |&id| first(id)).take(LEVELS);
    let heading = inside.find(|&id| heading_rank(doc.name(id)).is_some());
    heading.is_some_and(|heading| {
        (doc.end(heading)..doc.end(item)).any(|at| doc.is_text(doc.id(at)) && !doc.text(doc.id(at)).trim().is_empty())
    })
}
