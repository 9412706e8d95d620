//! Tables with a product in each column: the variants of what the page sells, or the models of a series.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use gristmill_html::LocalName;

use crate::candidate::{PairLayout, clean_name, is_name};
use crate::context::{CandidateContext, group};
use crate::dictionary::Dictionary;
use crate::heading::{heading, words};
use crate::invisible;
use crate::pair::{Pair, PairProvenance, PairSource};
use crate::product_tables::{PROBABILITY, names_products};
use crate::readers::{TableRow, table_rows};
use crate::view::{ByteRange, RecordView};

/// Least rows, and how many columns of values.
const MIN_ROWS: usize = 3;
const COLUMNS: std::ops::RangeInclusive<usize> = 2..=11;

/// Longest head of a column and longest value, in bytes.
const MAX_HEAD: usize = 60;
const MAX_VALUE: usize = 300;

/// What the head of a column is called where no cell stands over the names.
const NAME: &str = "name";

/// What such tables say.
#[derive(Debug, Default)]
pub(crate) struct Variants {
    /// Records are numbered from 1; what is the same in all columns of a table belongs to 0, the page's product.
    pairs: Vec<Pair>,
    n_records: u32,
    /// The nodes of these tables.
    tables: Vec<Range<usize>>,
}

impl Variants {
    /// Reads the tables of a page that have at least three rows of a name and a cell below each head of the first row, where
    ///
    /// * the name over the names identifies a product (`Model`), and three in five names are known as attributes, or
    /// * all heads have the same words of the page's heading in them, and none is a link: where one has more of them than the others, the
    ///   page is about that one and compares it with other products.
    ///
    /// A size chart has sizes as heads. No row is read once there are more than `most` pairs. O(nodes + text).
    pub(crate) fn read(view: &RecordView, dictionary: &Dictionary, most: usize) -> Variants {
        let mut variants = Variants::default();
        let mut around = Around::default();
        for id in view.doc.ids().filter(|&id| view.doc.name(id) == LocalName::TABLE) {
            if variants.pairs.len() > most {
                break;
            }
            if let Some(table) = Table::of(view, id.index())
                && table.is_of_variants(view, dictionary, &mut around)
            {
                table.read(view, dictionary, most, &mut variants);
                variants.tables.push(table.node..view.end(table.node));
            }
        }
        variants
    }

    /// Puts the pairs of the page's product among those of the page, in page order, and behind all of them the others, record by record,
    /// with numbers behind those that there are.
    pub(crate) fn add_to(self, pairs: &mut Vec<Pair>) {
        let before = pairs.iter().map(|pair| pair.record).max().unwrap_or(0);
        let (own, mut others): (Vec<Pair>, Vec<Pair>) = self.pairs.into_iter().partition(|pair| pair.record == 0);
        if !own.is_empty() {
            pairs.extend(own);
            pairs.sort_by_key(|pair| pair.provenance.row);
        }
        others.sort_by_key(|pair| pair.record);
        pairs.extend(others.into_iter().map(|pair| Pair { record: before + pair.record, ..pair }));
    }

    /// Whether a node stands in one of these tables.
    pub(crate) fn hold(&self, node: u32) -> bool {
        self.tables.iter().any(|table| table.contains(&(node as usize)))
    }
}

/// What is asked of the page around its tables, once.
#[derive(Default)]
struct Around {
    title: Option<HashSet<String>>,
    context: Option<CandidateContext>,
}

impl Around {
    /// Whether the heads have the same words of the page's heading, or else of its title, and at least one.
    fn name(&mut self, view: &RecordView, heads: &HashSet<&str>) -> bool {
        let title = self.title.get_or_insert_with(|| {
            let heading = heading(view).map(|id| view.slice(view.span_of(id.index())).to_owned());
            words(&heading.or_else(|| view.doc.title()).unwrap_or_default()).into_iter().collect()
        });
        let shared =
            |head: &&str| -> BTreeSet<String> { words(head).into_iter().filter(|word| title.contains(word)).collect() };
        let all: HashSet<BTreeSet<String>> = heads.iter().map(shared).collect();
        all.len() == 1 && all.iter().all(|words| words.iter().any(|word| word.len() > 1))
    }

    fn is_elsewhere(&mut self, view: &RecordView, table: usize) -> bool {
        let context = self.context.get_or_insert_with(|| CandidateContext::new(view));
        context.near(view, table) & (group("compare") | group("related") | group("size")) != 0
    }
}

/// A table with heads over its columns and names before its rows, as nodes of cells.
struct Table {
    node: usize,
    head_row: usize,
    /// The head of the column of names, if it has text.
    corner: Option<usize>,
    heads: Vec<usize>,
    lines: Vec<Line>,
}

/// A row: a name, and the value of each column, if it has text, or one for all of them.
struct Line {
    node: usize,
    name: usize,
    values: Vec<Option<usize>>,
}

impl Line {
    fn of(view: &RecordView, row: &TableRow, width: usize) -> Option<Line> {
        let cells = cells(view, row.node);
        let is_whole = row.width == width && (cells.len() == width || cells.len() == 2);
        let (&name, values) = cells.split_first().filter(|_| is_whole)?;
        // The row knows its cells with text; one with a table in it is none of them.
        let has_text = |cell: &usize| row.cells.contains(cell);
        let values: Vec<Option<usize>> = values.iter().map(|cell| Some(*cell).filter(has_text)).collect();
        (has_text(&name) && values.iter().any(Option::is_some)).then_some(Line { node: row.node, name, values })
    }
}

/// The cells of a row, with text or without.
fn cells(view: &RecordView, row: usize) -> Vec<usize> {
    let children = view.doc.children(view.doc.id(row)).map(|id| id.index());
    children.filter(|&cell| matches!(view.name(cell), LocalName::TD | LocalName::TH)).collect()
}

impl Table {
    fn of(view: &RecordView, node: usize) -> Option<Table> {
        let mut rows = table_rows(view, node).into_iter().filter(|row| !row.cells.is_empty());
        let head = rows.next()?;
        let corner = cells(view, head.node).first().copied().filter(|&cell| cell == head.cells[0]);
        let heads = head.cells[usize::from(corner.is_some())..].to_vec();
        let width = heads.len() + 1;
        if head.width != width || !COLUMNS.contains(&heads.len()) {
            return None;
        }
        let rows: Vec<TableRow> = rows.collect();
        let lines: Vec<Line> = rows.iter().filter_map(|row| Line::of(view, row, width)).collect();
        let n_wide = lines.iter().filter(|line| line.values.len() == heads.len()).count();
        let is_enough = n_wide >= MIN_ROWS && n_wide * 2 > rows.len();
        is_enough.then_some(Table { node, head_row: head.node, corner, heads, lines })
    }

    fn is_of_variants(&self, view: &RecordView, dictionary: &Dictionary, around: &mut Around) -> bool {
        let text = |cell: usize| view.slice(view.span_of(cell));
        let names: Vec<&str> = self.lines.iter().map(|line| text(line.name)).collect();
        let heads: HashSet<&str> = self.heads.iter().map(|&head| text(head)).collect();
        let mut values = self.lines.iter().flat_map(|line| line.values.iter().flatten());
        let are_short = names.iter().all(|name| is_name(name))
            && heads.iter().all(|head| head.len() <= MAX_HEAD && !head.contains('\n'))
            && values.all(|&value| text(value).len() <= MAX_VALUE);
        let differ = heads.len() == self.heads.len() && names.iter().collect::<HashSet<_>>().len() == names.len();
        let corner = self.corner.map(text);
        let identifies =
            || corner.is_some_and(|corner| names_products(dictionary, corner, names.iter().copied(), names.len()));
        let mut is_named =
            || view.n_links(self.head_row) == 0 && around.name(view, &heads) && !around.is_elsewhere(view, self.node);
        are_short && differ && (identifies() || is_named())
    }

    fn read(&self, view: &RecordView, dictionary: &Dictionary, most: usize, out: &mut Variants) {
        let before = out.n_records;
        let shown = |span: ByteRange| view.slice(invisible::seen(view, span)).replace('\n', " ");
        let pair = |row: usize, name: Option<usize>, value: usize, record: u32| {
            let value = view.span_of(value);
            let name = name.map(|cell| clean_name(view, view.span_of(cell)).0);
            let row_number = view.leaves[view.leaf_at(name.unwrap_or(value).start)].row;
            let path = view.doc.path(view.doc.id(row));
            let provenance =
                PairProvenance { source: PairSource::Layout(PairLayout::Records), path, row: Some(row_number) };
            let name = name.map_or_else(|| NAME.to_owned(), shown);
            Pair { record, ..Pair::of(dictionary, name, shown(value), provenance, PROBABILITY) }
        };
        out.n_records += self.heads.len() as u32;
        let heads = self.heads.iter().zip(before + 1..);
        out.pairs.extend(heads.map(|(&head, record)| pair(self.head_row, self.corner, head, record)));
        for line in &self.lines {
            if out.pairs.len() > most {
                return;
            }
            let text = |cell: Option<usize>| cell.map(|cell| view.slice(view.span_of(cell)));
            if let Some(first) = line.values[0]
                && line.values.iter().all(|&value| text(value) == text(Some(first)))
            {
                out.pairs.push(pair(line.node, Some(line.name), first, 0));
            } else {
                let values = line.values.iter().zip(before + 1..).filter_map(|(&value, record)| Some((value?, record)));
                out.pairs.extend(values.map(|(value, record)| pair(line.node, Some(line.name), value, record)));
            }
        }
    }
}
