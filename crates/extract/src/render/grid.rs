//! Where the cells of a data table stand.

use std::collections::HashMap;

use gristmill_html::{Doc, LocalName, NodeId};

/// The place of one cell.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CellPosition {
    /// How many columns are before it, those that cells of rows above reach into included.
    pub(super) column: usize,
    /// How many cells of its row are before it.
    pub(super) ordinal: usize,
    /// How many columns it reaches over.
    pub(super) columns: usize,
    /// How many rows it reaches over.
    pub(super) rows: usize,
}

/// Wider and higher cells are cut to this.
const MAX_SPAN: usize = 50;
/// Columns of a table; more stand in the last.
const MAX_COLUMNS: usize = 500;
/// Places that cells of one table take beyond one each; after that they reach no further.
const MAX_EXTRA: usize = 20_000;

/// The places of the cells of a table, those of tables inside of it left out. O(nodes), and O(columns) for each row.
pub(super) fn places(doc: &Doc, table: NodeId) -> HashMap<NodeId, CellPosition> {
    let mut places = HashMap::new();
    // For each column how many rows are still taken from above.
    let mut taken: Vec<usize> = Vec::new();
    let (mut column, mut ordinal, mut extra) = (0, 0, 0);
    let mut inside = 0;
    for id in doc.subtree(table).skip(1) {
        if id.index() < inside {
            continue;
        }
        match doc.name(id) {
            LocalName::TABLE => inside = doc.end(id),
            LocalName::TR => {
                taken.iter_mut().for_each(|rows| *rows = rows.saturating_sub(1));
                (column, ordinal) = (0, 0);
            }
            LocalName::TD | LocalName::TH => {
                let span = |name| doc.attr(id, name).and_then(|n| n.trim().parse().ok()).unwrap_or(1);
                let (mut columns, mut rows) =
                    (span(LocalName::COLSPAN).clamp(1, MAX_SPAN), span(LocalName::ROWSPAN).clamp(1, MAX_SPAN));
                extra += columns * rows - 1;
                if extra > MAX_EXTRA {
                    (columns, rows) = (1, 1);
                }
                while taken.get(column).is_some_and(|rows| *rows > 0) {
                    column += 1;
                }
                let column_of_cell = column.min(MAX_COLUMNS);
                places.insert(id, CellPosition { column: column_of_cell, ordinal, columns, rows });
                column = column_of_cell + columns;
                if rows > 1 {
                    taken.resize(taken.len().max(column), 0);
                    taken[column_of_cell..column].fill(rows);
                }
                ordinal += 1;
            }
            _ => {}
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;

    #[test]
    fn cells_stand_where_wide_and_high_cells_leave_room() {
        let html = "<table><tr><th rowspan=2>a<th colspan=2>b<tr><td>c<td>d<tr><td>e<td>f<td>g</table>";
        let doc = Doc::parse(html, &TreeLimits::default());
        let places = places(&doc, doc.first(LocalName::TABLE).unwrap());
        let mut columns: Vec<(NodeId, usize)> = places.iter().map(|(id, place)| (*id, place.column)).collect();
        columns.sort();
        assert_eq!(columns.iter().map(|(_, column)| *column).collect::<Vec<_>>(), [0, 1, 1, 2, 0, 1, 2]);
    }

    #[test]
    fn cells_of_any_width_take_bounded_room() {
        let html =
            format!("<table>{}</table>", "<tr><td colspan=99999999999 rowspan=1000000>x<td colspan=-1>y".repeat(3_000));
        let doc = Doc::parse(&html, &TreeLimits::default());
        let places = places(&doc, doc.first(LocalName::TABLE).unwrap());
        let sum: usize = places.values().map(|place| place.columns * place.rows).sum();
        assert!(sum <= MAX_EXTRA + places.len() && places.values().all(|place| place.column <= MAX_COLUMNS), "{sum}");
    }
}
