//! What programs put around tables and into them a second time: copies of their heads, the title of its column in each cell, what
//! searches and turns them.

use std::ops::Range;

use gristmill_html::{Doc, LocalName, NodeId};

use super::known::LeftoverContext;
use crate::rows::TextNode;

/// O(nodes + text of the tables).
pub(super) fn find(page: &LeftoverContext, found: &mut Vec<Range<u32>>) {
    let doc = page.doc;
    let tables: Vec<NodeId> = doc.ids().filter(|&id| doc.name(id) == LocalName::TABLE).collect();
    for pair in tables.windows(2).filter(|pair| is_copy_of_head(page, pair[0], pair[1])) {
        found.extend(leaves(page, pair[0]).iter().map(range));
    }
    tables.iter().for_each(|&table| found.extend(labels(page, table)));
    if doc.mentions("dataTables_") || doc.mentions("dt-") {
        let controls = doc.ids().filter(|&id| doc.is_element(id) && is_control(doc, id));
        found.extend(controls.flat_map(|id| leaves(page, id)).map(range));
    }
}

fn leaves<'p>(page: &'p LeftoverContext, id: NodeId) -> &'p [TextNode] {
    &page.leaves[page.leaves_in(id.index()..page.doc.end(id))]
}

fn range(leaf: &TextNode) -> Range<u32> {
    leaf.start..leaf.end
}

/// Whether a table is one row of header cells with which the next table begins: it stays on the screen while that one scrolls.
fn is_copy_of_head(page: &LeftoverContext, copy: NodeId, table: NodeId) -> bool {
    const LEAST: usize = 2;
    let doc = page.doc;
    let (copied, all) = (leaves(page, copy), leaves(page, table));
    let is_head = || doc.subtree(copy).all(|id| doc.name(id) != LocalName::TD);
    (LEAST..all.len()).contains(&copied.len())
        && !doc.contains(copy, table)
        && copied.iter().zip(all).all(|(copied, own)| page.leaf_text(copied) == page.leaf_text(own))
        && is_head()
}

/// Titles of columns that stand in each cell below them, for screens on which its cells stand below one another. O(nodes + text).
fn labels(page: &LeftoverContext, table: NodeId) -> Vec<Range<u32>> {
    const MAX_LEAVES: usize = 8;
    let rows = cells(page.doc, table);
    let Some((head, rows)) = rows.split_first() else { return Vec::new() };
    let text = |cell: NodeId| {
        let texts = leaves(page, cell).iter().take(MAX_LEAVES).map(|leaf| page.leaf_text(leaf));
        texts.collect::<Vec<_>>().join(" ")
    };
    if rows.is_empty() || !head.iter().all(|&cell| page.doc.name(cell) == LocalName::TH) {
        return Vec::new();
    }
    let titles: Vec<String> = head.iter().map(|&cell| text(cell)).collect();
    let (mut labels, mut n_cells) = (Vec::new(), 0);
    for row in rows.iter().filter(|row| row.len() == titles.len()) {
        for (&cell, title) in row.iter().zip(&titles) {
            let [first, rest @ ..] = leaves(page, cell) else { continue };
            n_cells += 1;
            let is_title = page.leaf_text(first).trim_end_matches([':', '：']) == title.trim_end_matches([':', '：']);
            labels.extend((is_title && !rest.is_empty()).then(|| range(first)));
        }
    }
    // A cell of a few may begin with that word.
    if 2 * labels.len() > n_cells { labels } else { Vec::new() }
}

/// The cells of the rows of a table, those of tables inside of it left out.
fn cells(doc: &Doc, table: NodeId) -> Vec<Vec<NodeId>> {
    let mut rows: Vec<Vec<NodeId>> = Vec::new();
    let mut at = table.index() + 1;
    while at < doc.end(table) {
        let id = doc.id(at);
        at += 1;
        match doc.name(id) {
            LocalName::TABLE => at = doc.end(id),
            LocalName::TR => rows.push(Vec::new()),
            LocalName::TD | LocalName::TH => rows.last_mut().into_iter().for_each(|row| row.push(id)),
            _ => {}
        }
    }
    rows
}

/// Whether an element searches a table, turns its pages or counts them, as DataTables calls them.
fn is_control(doc: &Doc, id: NodeId) -> bool {
    const PARTS: [&str; 7] = ["filter", "search", "length", "info", "paginate", "paging", "processing"];
    let is_part = |class: &str| {
        let part = class.strip_prefix("dataTables_").or_else(|| class.strip_prefix("dt-"));
        part.is_some_and(|part| PARTS.contains(&part))
    };
    doc.attr(id, LocalName::CLASS).is_some_and(|value| value.split_ascii_whitespace().any(is_part))
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;
    use crate::page::Page;

    fn left_out(html: &str) -> Vec<String> {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let text = |range: &std::ops::Range<u32>| page.text[range.start as usize..range.end as usize].trim().to_owned();
        page.leftovers().iter().map(text).collect()
    }

    const HEAD: &str = "<tr><th>Year<th>Sacks";

    #[test]
    fn a_copy_of_a_head_is_no_table() {
        let table = format!("<table>{HEAD}<tr><td>1764<td>120<tr><td>1765<td>131</table>");
        assert_eq!(left_out(&format!("<table>{HEAD}</table>{table}")), ["Year", "Sacks"]);
        assert!(left_out(&format!("{table}{table}")).is_empty());
        assert!(left_out(&format!("<table>{HEAD}</table><table>{HEAD}</table>")).is_empty());
        assert!(left_out(&format!("<table><tr><td>Year<td>Sacks</table>{table}")).is_empty());
    }

    #[test]
    fn cells_do_not_repeat_the_titles_of_their_columns() {
        let rows = |first: &str, last: &str| {
            format!(
                "<table>{HEAD}<tr><td><b>{first}</b> 1764<td><b>{last}</b> 120<tr><td><b>{first}</b> 1765<td>131</table>"
            )
        };
        assert_eq!(left_out(&rows("Year:", "Sacks")), ["Year:", "Sacks", "Year:"]);
        assert!(left_out(&rows("In", "Sacks")).is_empty());
        assert!(left_out(&format!("<table>{HEAD}<tr><td>Year<td>Sacks</table>")).is_empty());
    }

    #[test]
    fn what_searches_a_table_is_none_of_it() {
        let html = "<div class=dataTables_filter><label>Search:</label></div><table><tr><th>Year<tr><td>1764</table>\
            <div class='dt-info'>Showing 1 of 1</div><p class=info>Text";
        assert_eq!(left_out(html), ["Search:", "Showing 1 of 1"]);
    }
}
