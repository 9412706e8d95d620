//! Tables: rows of two cells, of four cells, a header row over values, a header row over records.

use gristmill_html::LocalName;

use super::parts::pair;
use crate::candidate::{Candidate, CandidateList, PairLayout};
use crate::units::unit;
use crate::view::RecordView;

/// Most cells of a row that are looked at; the value of `colspan` is capped to it too.
const MAX_CELLS: usize = 32;
/// Most columns of a table of records.
const MAX_COLUMNS: usize = 12;

/// A row of a table, as nodes.
pub(crate) struct TableRow {
    pub(crate) node: usize,
    /// Cells with text.
    pub(crate) cells: Vec<usize>,
    /// All cells, the spanned ones counted, capped.
    pub(crate) width: usize,
    in_head: bool,
}

pub(super) fn read(view: &RecordView, table: usize, found: &mut CandidateList) {
    let rows = rows(view, table);
    let columns = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let compares = compares(view, &rows);
    for (n, row) in rows.iter().enumerate().filter(|(_, row)| !is_header(view, row, &rows)) {
        if row.cells.len() < 4 || !compares {
            read_row(view, table, row, n == 0, columns, found);
        }
    }
    read_header(view, table, &rows, found);
}

/// The rows of this table, nested tables left out: a row with a nested table in it has no cells.
pub(crate) fn rows(view: &RecordView, table: usize) -> Vec<TableRow> {
    let mut rows: Vec<TableRow> = Vec::new();
    let (mut index, end) = (table + 1, view.end(table));
    let mut head_until = 0;
    while index < end {
        match view.name(index) {
            LocalName::TABLE => {
                // The cell around a nested table is layout, not data.
                if let Some(row) = rows.last_mut()
                    && view.end(row.node) > index
                {
                    row.cells.retain(|&cell| view.end(cell) <= index);
                }
                index = view.end(index);
                continue;
            }
            LocalName::THEAD => head_until = view.end(index),
            LocalName::TR => {
                rows.push(TableRow { node: index, cells: Vec::new(), width: 0, in_head: index < head_until });
            }
            LocalName::TD | LocalName::TH => {
                if let Some(row) = rows.last_mut()
                    && view.parent(index) == row.node
                    && row.width < MAX_CELLS
                {
                    row.width += span(view, index, LocalName::COLSPAN);
                    if view.n_leaves(index) > 0 {
                        row.cells.push(index);
                    }
                }
            }
            _ => {}
        }
        index += 1;
    }
    rows
}

/// Whether a table holds the same fact of several products side by side: what would be names behind the first are values, begin
/// with digits or stand there twice.
fn compares(view: &RecordView, rows: &[TableRow]) -> bool {
    let text = |cell: usize| view.slice(view.span_of(cell));
    let (mut n_names, mut n_values) = (0, 0);
    for row in rows.iter().filter(|row| row.cells.len() >= 4 && row.cells.len() % 2 == 0) {
        for (at, &cell) in row.cells.iter().enumerate().skip(2).step_by(2) {
            let is_again =
                row.cells.iter().enumerate().any(|(other, &cell)| other != at && text(cell) == text(row.cells[at]));
            n_names += 1;
            n_values += usize::from(is_again || text(cell).starts_with(|c: char| c.is_ascii_digit()));
        }
    }
    n_values * 4 > n_names
}

/// Whether a row names the columns instead of holding a pair: all of its cells are `th` while other rows have `td`,
/// or it says so in words (`Specification | Value`).
fn is_header(view: &RecordView, row: &TableRow, rows: &[TableRow]) -> bool {
    let th = |cell: &usize| view.name(*cell) == LocalName::TH;
    let all = |row: &TableRow| row.cells.iter().all(th);
    if row.cells.len() >= 2 && all(row) && rows.iter().any(|row| row.cells.len() >= 2 && !all(row)) {
        return true;
    }
    let [name, value] = row.cells[..] else { return false };
    let is = |cell: usize, words: &[&str]| {
        let text = view.slice(view.span_of(cell));
        text.len() <= 30 && words.contains(&text.trim_end_matches([':', '：']).to_lowercase().as_str())
    };
    is(name, &COLUMN_NAMES) && is(value, &COLUMN_VALUES)
}

/// What stands over a column of names, and over one of values.
const COLUMN_NAMES: [&str; 22] = [
    "specification",
    "specifications",
    "property",
    "attribute",
    "attribute name",
    "feature",
    "name",
    "title",
    "parameter",
    "item",
    "eigenschaft",
    "merkmal",
    "caractéristique",
    "característica",
    "caratteristica",
    "характеристика",
    "параметр",
    "属性",
    "参数",
    "项目",
    "名称",
    "規格",
];
const COLUMN_VALUES: [&str; 18] = [
    "value",
    "values",
    "description",
    "detail",
    "details",
    "attribute value",
    "wert",
    "beschreibung",
    "valeur",
    "valor",
    "valore",
    "descripción",
    "значение",
    "описание",
    "值",
    "内容",
    "参数",
    "說明",
];

/// `colspan` or `rowspan`, between 1 and [`MAX_CELLS`] whatever the page says.
fn span(view: &RecordView, cell: usize, name: LocalName) -> usize {
    let text = view.doc.attr(view.doc.id(cell), name).unwrap_or("1").trim();
    text.parse::<u64>().unwrap_or(1).clamp(1, MAX_CELLS as u64) as usize
}

fn read_row(view: &RecordView, table: usize, row: &TableRow, first: bool, columns: usize, found: &mut CandidateList) {
    let cells = &row.cells;
    match cells.len() {
        2 => push(view, table, row, (cells[0], cells[1]), PairLayout::Row, first, columns, found),
        3 => {
            // A cell that spans the rows of its group stands before name and value.
            let grouped = span(view, cells[0], LocalName::ROWSPAN) > 1;
            let (name, value) = if grouped { (cells[1], cells[2]) } else { (cells[0], cells[2]) };
            let delimiter =
                !grouped && view.slice(view.span_of(cells[1])).trim_matches([':', '：', '-', ' ']).is_empty();
            if grouped || delimiter {
                push(view, table, row, (name, value), PairLayout::Row, first, columns, found);
            } else if is_measured(view, cells) {
                push(view, table, row, (cells[0], cells[1]), PairLayout::Row, first, columns, found);
            }
        }
        4 | 6 | 8 => {
            for two in cells.chunks_exact(2) {
                push(view, table, row, (two[0], two[1]), PairLayout::FourCells, first, columns, found);
            }
        }
        _ => {}
    }
}

/// Whether the second of three cells is a number and the third its unit.
fn is_measured(view: &RecordView, cells: &[usize]) -> bool {
    let text = |cell: usize| view.slice(view.span_of(cell)).trim();
    let is_number = text(cells[1]).starts_with(|c: char| c.is_ascii_digit());
    is_number && unit(text(cells[2])).is_some_and(|unit| !unit.is_empty())
}

#[allow(clippy::too_many_arguments, reason = "private, and each is a plain fact of the row")]
fn push(
    view: &RecordView,
    table: usize,
    row: &TableRow,
    (name, value): (usize, usize),
    layout: PairLayout,
    first: bool,
    columns: usize,
    found: &mut CandidateList,
) {
    let mut candidate = pair(layout, view.span_of(name), view.span_of(value), row.node, table);
    // The unit of a value may have a column of its own.
    if layout == PairLayout::Row && row.cells.len() == 3 && is_measured(view, &row.cells) {
        candidate.value.end = view.span_of(row.cells[2]).end;
    }
    let th = |cell| view.name(cell) == LocalName::TH;
    let marked = th(name) || super::is_marked(view, view.leaves_before(name), name);
    for (holds, fact) in [
        (th(name), Candidate::NAME_TH),
        (th(value), Candidate::VALUE_TH),
        (first, Candidate::FIRST_ROW),
        (row.in_head, Candidate::IN_HEAD),
        (marked, Candidate::NAME_MARKED),
        (span(view, name, LocalName::ROWSPAN) > 1, Candidate::GROUPED),
    ] {
        candidate.facts |= if holds { fact } else { 0 };
    }
    candidate.columns = columns.max(row.width) as u16;
    found.push(view, candidate);
}

/// A header row (all `th`, or in `thead`) over one row of values gives pairs; over several rows, records.
fn read_header(view: &RecordView, table: usize, rows: &[TableRow], found: &mut CandidateList) {
    let mut filled = rows.iter().filter(|row| !row.cells.is_empty());
    let Some(header) = filled.next() else { return };
    let n = header.cells.len();
    let is_header = header.in_head || header.cells.iter().all(|&cell| view.name(cell) == LocalName::TH);
    let body: Vec<&TableRow> = filled.filter(|row| row.cells.len() == n).collect();
    let plain = body.len() == 1 && rows.len() == 2;
    if !(2..=MAX_COLUMNS).contains(&n) || body.is_empty() || !(is_header || plain && n > 2) {
        return;
    }
    let layout = if body.len() == 1 { PairLayout::Header } else { PairLayout::Records };
    for (record, row) in body.iter().enumerate() {
        for (&name, &value) in header.cells.iter().zip(&row.cells) {
            let mut candidate = pair(layout, view.span_of(name), view.span_of(value), row.node, table);
            candidate.record = record as u32;
            candidate.columns = n as u16;
            candidate.facts |= if is_header { Candidate::NAME_TH } else { 0 };
            found.push(view, candidate);
        }
    }
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};
    use gristmill_page::Page;

    use super::*;
    use crate::dictionary::Dictionary;

    #[test]
    fn the_unit_of_a_value_may_have_a_column_of_its_own() {
        let html = "<table><tr><td>Width<td>42<td>cm<tr><td>Load<td>25<td>kg<tr><td>Colour<td>red<td>blue</table>";
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let view = RecordView::new(&page);
        let found = crate::readers::read(&view, &Dictionary::built_in());
        let rows = found.candidates.iter().filter(|pair| pair.layout == PairLayout::Row);
        let values: Vec<String> = rows.map(|pair| view.slice(pair.value).replace('\n', " ")).collect();
        assert_eq!(values, ["42 cm", "25 kg"]);
    }
}
