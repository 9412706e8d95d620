//! Tables and lists that a page draws with other elements, by what their roles say.

use gristmill_html::{Doc, LocalName, NodeId};

/// What a part of a table is called: a role, a class of LaTeXML, one of a common generator of tables of `div`, its `display`, the
/// element that it is.
const PARTS: [(&str, &str, &str, &str, LocalName); 11] = [
    ("table", "ltx_tabular", "divTable", "table", LocalName::TABLE),
    ("grid", "ltx_tabular", "divTable", "table", LocalName::TABLE),
    ("rowgroup", "ltx_tbody", "divTableBody", "table-row-group", LocalName::TBODY),
    ("rowgroup", "ltx_thead", "divTableHeading", "table-header-group", LocalName::THEAD),
    ("row", "ltx_tr", "divTableRow", "table-row", LocalName::TR),
    ("columnheader", "ltx_th", "divTableHead", "", LocalName::TH),
    ("rowheader", "ltx_th", "divTableHead", "", LocalName::TH),
    ("cell", "ltx_td", "divTableCell", "table-cell", LocalName::TD),
    ("gridcell", "ltx_td", "divTableCell", "table-cell", LocalName::TD),
    ("caption", "", "", "table-caption", LocalName::CAPTION),
    ("rowgroup", "ltx_tfoot", "divTableFoot", "table-footer-group", LocalName::TFOOT),
];

/// Gives lists of Quill's editor and tables of `div` and `span` the names of the elements that they stand for; tables
/// where they have two rows of two cells at least. O(nodes).
pub(crate) fn write(doc: &mut Doc) {
    if doc.mentions("col-last") {
        summaries(doc);
    }
    if doc.mentions("memItemLeft") {
        members(doc);
    }
    // Candidates may lie in one another.
    let mut budget = 4 * doc.len();
    let mut at = 1;
    while at < doc.len() {
        let id = doc.id(at);
        at += 1;
        if let Some(name) = bulleted(doc, id) {
            doc.set_name(id, name);
            continue;
        }
        let length = doc.end(id) - id.index();
        if length < 8 || length > budget || part(doc, id) != Some(LocalName::TABLE) {
            continue;
        }
        budget -= length;
        let parts: Vec<(NodeId, LocalName)> = doc.subtree(id).filter_map(|id| Some((id, part(doc, id)?))).collect();
        let count = |names: &[LocalName]| parts.iter().filter(|(_, name)| names.contains(name)).count();
        let (tables, rows, cells) =
            (count(&[LocalName::TABLE]), count(&[LocalName::TR]), count(&[LocalName::TD, LocalName::TH]));
        if tables == 1 && rows > 1 && cells >= 2 * rows {
            at = doc.end(id);
            parts.into_iter().for_each(|(id, name)| doc.set_name(id, name));
        }
    }
}

/// Makes lists of names with descriptions of the summaries of Javadoc, whose rows are no elements: the last cell of each describes what
/// the others name.
fn summaries(doc: &mut Doc) {
    let class = |doc: &Doc, id: NodeId, word: &str| {
        doc.attr(id, LocalName::CLASS).is_some_and(|class| class.split_ascii_whitespace().any(|own| own == word))
    };
    let is_cell = |doc: &Doc, id: NodeId| doc.attr(id, LocalName::CLASS).is_some_and(|class| class.contains("col-"));
    let first = |doc: &Doc, id: NodeId| doc.children(id).find(|&id| doc.is_element(id));
    let is_headed = |doc: &Doc, id: NodeId| first(doc, id).is_some_and(|first| class(doc, first, "table-header"));
    let tables: Vec<NodeId> = doc.ids().filter(|&id| doc.name(id) == LocalName::DIV && is_headed(doc, id)).collect();
    for table in tables {
        let cells: Vec<NodeId> = doc.children(table).filter(|&id| doc.is_element(id)).collect();
        let (last, others): (Vec<NodeId>, Vec<NodeId>) = cells.iter().partition(|&&id| class(doc, id, "col-last"));
        if last.len() > 1 && !others.is_empty() && cells.iter().all(|&id| is_cell(doc, id)) {
            doc.set_name(table, LocalName::DL);
            others.into_iter().for_each(|id| doc.set_name(id, LocalName::DT));
            last.into_iter().for_each(|id| doc.set_name(id, LocalName::DD));
        }
    }
}

/// Makes one line of the two cells that Doxygen divides a declaration into, its type and its name.
fn members(doc: &mut Doc) {
    let is_half = |id: &NodeId| {
        let class = doc.attr(*id, LocalName::CLASS).unwrap_or_default();
        doc.name(*id) == LocalName::TD && (class.starts_with("memItem") || class.starts_with("memTempl"))
    };
    let halves: Vec<NodeId> = doc.ids().filter(is_half).collect();
    halves.into_iter().for_each(|id| doc.set_name(id, LocalName::SPAN));
}

/// A list of Quill's editor, which numbers every list and says of its items that they have bullets.
fn bulleted(doc: &Doc, id: NodeId) -> Option<LocalName> {
    let says = |item: NodeId| {
        doc.attributes(item).any(|attribute| doc.name_str(attribute.name) == "data-list" && attribute.value == "bullet")
    };
    let first = || doc.children(id).find(|&item| doc.name(item) == LocalName::LI);
    (doc.name(id) == LocalName::OL && first().is_some_and(says)).then_some(LocalName::UL)
}

/// The part of a table that an element without a meaning of its own says it is.
fn part(doc: &Doc, id: NodeId) -> Option<LocalName> {
    if !matches!(doc.name(id), LocalName::DIV | LocalName::SPAN) || doc.is_foreign(id) {
        return None;
    }
    let role = doc.attr(id, LocalName::ROLE);
    let class = doc.attr(id, LocalName::CLASS).filter(|class| class.contains("ltx_") || class.contains("divTable"));
    let display = doc.attr(id, LocalName::STYLE).filter(|style| style.contains("table")).and_then(display);
    if role.is_none() && class.is_none() && display.is_none() {
        return None;
    }
    let has = |word: &str| class.is_some_and(|class| class.split_ascii_whitespace().any(|own| own == word));
    PARTS
        .iter()
        .find(|(said, latexml, generator, shown, _)| {
            role == Some(*said) || has(latexml) || has(generator) || display == Some(*shown)
        })
        .map(|(.., name)| *name)
}

/// The value of `display` in a style.
fn display(style: &str) -> Option<&str> {
    let (_, value) =
        style.split(';').filter_map(|said| said.split_once(':')).find(|(name, _)| name.trim() == "display")?;
    Some(value.trim())
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;

    #[test]
    fn lists_of_quill_have_bullets_where_it_says_so() {
        let html = "<ol><li data-list=bullet>a</ol><ol><li data-list=ordered>b</ol>";
        let mut doc = Doc::parse(html, &TreeLimits::default());
        write(&mut doc);
        let count = |name| doc.ids().filter(|&id| doc.name(id) == name).count();
        assert_eq!([LocalName::UL, LocalName::OL].map(count), [1, 1]);
    }

    #[test]
    fn elements_that_say_so_are_tables_where_they_have_rows_of_cells() {
        let row = "<div role=row><div role=cell>a</div><div role=cell>b</div></div>";
        for (rows, n) in [(1, 0), (2, 4)] {
            let html = format!("<div role=table>{}</div>", row.repeat(rows));
            let mut doc = Doc::parse(&html, &TreeLimits::default());
            write(&mut doc);
            assert_eq!(doc.ids().filter(|&id| doc.name(id) == LocalName::TD).count(), n);
        }
        let mut doc =
            Doc::parse(&format!("<div role=table>{}", "<div role=table>".repeat(5_000)), &TreeLimits::default());
        write(&mut doc);
        assert_eq!(doc.first(LocalName::TABLE), None);
    }
}
