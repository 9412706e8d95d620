//! The foot of a table, which HTML 4 has before the body and browsers draw below it.

use gristmill_html::{Doc, LocalName, NodeId};

/// Puts each foot behind the rows of its table. O(nodes).
pub(crate) fn write(doc: &mut Doc) {
    const ROWS: [LocalName; 2] = [LocalName::TBODY, LocalName::TR];
    let is_followed = |doc: &Doc, foot: NodeId| {
        let behind = std::iter::successors(doc.next_sibling(foot), |&id| doc.next_sibling(id));
        behind.take(8).any(|id| ROWS.contains(&doc.name(id)))
    };
    let feet = doc.ids().filter(|&id| doc.name(id) == LocalName::TFOOT && is_followed(doc, id));
    let moves: Vec<(NodeId, NodeId)> = feet
        .filter_map(|foot| Some((foot, doc.parent(foot).filter(|&table| doc.name(table) == LocalName::TABLE)?)))
        .collect();
    if !moves.is_empty() {
        doc.rearrange(&moves);
    }
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;
    use crate::Page;

    #[test]
    fn the_foot_stands_below_the_rows() {
        let html = "<table><thead><tr><th>Year<tfoot><tr><td>Total<tbody><tr><td>2023<tr><td>2024</table><p>End.";
        let mut doc = Doc::parse(html, &TreeLimits::default());
        write(&mut doc);
        assert_eq!(Page::new(&doc).text.trim(), "Year\n2023\n2024\nTotal\nEnd.");
        let html = "<table><tbody><tr><td>2023<tfoot><tr><td>Total</table>";
        let mut doc = Doc::parse(html, &TreeLimits::default());
        write(&mut doc);
        assert_eq!(Page::new(&doc).text.trim(), "2023\nTotal");
    }
}
