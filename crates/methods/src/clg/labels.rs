//! Which nodes of a training page are positive, from clip paths or from a gold text.

use gristmill_html::{Doc, NodeId};
use gristmill_page::Page;

use crate::labels::gold_rows;

/// The class of a node (§5 of the paper). Models are trained on positive nodes against all others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeLabel {
    /// It and all below it is main text.
    Positive,
    /// Some below it is main text and some is not.
    Neutral,
    /// None of it is.
    Negative,
}

/// Labels by what a person selected and cut out again, one for each node; the paper's rules in the order a, b, c, d, e.
/// O(nodes · depth of the selected and deselected ones).
pub fn labels_of_clips(doc: &Doc, selected: &[NodeId], deselected: &[NodeId]) -> Vec<NodeLabel> {
    let mark = |below: &[NodeId]| {
        let mut marks = vec![false; doc.len()];
        for &id in below {
            marks[id.index()..doc.end(id)].fill(true);
        }
        marks
    };
    let above = |nodes: &[NodeId]| {
        let mut marks = vec![false; doc.len()];
        for &id in nodes {
            marks[id.index()] = true;
            doc.ancestors(id).for_each(|ancestor| marks[ancestor.index()] = true);
        }
        marks
    };
    let (below_selected, below_deselected) = (mark(selected), mark(deselected));
    let (above_selected, above_deselected) = (above(selected), above(deselected));
    let label = |at: usize| match () {
        () if below_deselected[at] => NodeLabel::Negative,
        () if below_selected[at] && !above_deselected[at] => NodeLabel::Positive,
        () if below_selected[at] || above_selected[at] => NodeLabel::Neutral,
        () => NodeLabel::Negative,
    };
    (0..doc.len()).map(label).collect()
}

/// Labels by a gold text, one for each node: a leaf is gold if its row is ([`gold_rows`]); a node is positive if all
/// its leaves are, neutral if some are, negative if none is or it has none. O(words + nodes · log leaves).
///
/// Ours: the paper's pages were labelled by clip paths; packages of pages have text.
pub fn labels_of_text(page: &Page<'_>, gold: &str) -> Vec<NodeLabel> {
    let rows = gold_rows(page, gold);
    let mut gold_before = vec![0u32; page.leaves.len() + 1];
    for (at, leaf) in page.leaves.iter().enumerate() {
        gold_before[at + 1] = gold_before[at] + u32::from(rows[leaf.row as usize]);
    }
    let doc = page.doc;
    let label = |id: NodeId| {
        let from = page.leaves.partition_point(|leaf| leaf.node < id);
        let to = from + page.leaves[from..].partition_point(|leaf| leaf.node.index() < doc.end(id));
        match (gold_before[to] - gold_before[from]) as usize {
            0 => NodeLabel::Negative,
            gold if gold == to - from => NodeLabel::Positive,
            _ => NodeLabel::Neutral,
        }
    };
    doc.ids().map(label).collect()
}

#[cfg(test)]
mod tests {
    use gristmill_html::{LocalName, TreeLimits};

    use super::*;

    fn by_id(doc: &Doc, labels: &[NodeLabel], name: &str) -> NodeLabel {
        labels[node(doc, name).index()]
    }

    fn node(doc: &Doc, name: &str) -> NodeId {
        doc.ids().find(|&id| doc.attr(id, LocalName::ID) == Some(name)).unwrap()
    }

    #[test]
    fn the_labels_of_figure_4_come_out() {
        let html =
            "<body id=v1><div id=v2><div id=v3><p id=v4><b id=below>no</b></p><p id=v5>x</p></div><p id=v6>y</p></div>
            <div id=v7>z</div>";
        let doc = Doc::parse(html, &TreeLimits::default());
        let labels = labels_of_clips(&doc, &[node(&doc, "v2")], &[node(&doc, "v4")]);
        let is = |names: &[&str], label| names.iter().all(|name| by_id(&doc, &labels, name) == label);
        assert!(is(&["v4", "below", "v7"], NodeLabel::Negative));
        assert!(is(&["v1", "v2", "v3"], NodeLabel::Neutral));
        assert!(is(&["v5", "v6"], NodeLabel::Positive));
    }

    #[test]
    fn a_gold_text_labels_nodes_by_their_leaves() {
        let html = "<div id=menu>Home page</div><div id=all><div id=text><p>The storm hit the coast on Monday.</p>
            <p>Nobody knew when it would end.</p></div><p id=ad>Subscribe to our letter of the week</p></div><i id=none></i>";
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let labels = labels_of_text(&page, "The storm hit the coast on Monday. Nobody knew when it would end.");
        assert_eq!(by_id(&doc, &labels, "text"), NodeLabel::Positive);
        assert_eq!(by_id(&doc, &labels, "all"), NodeLabel::Neutral);
        assert!(["menu", "ad", "none"].iter().all(|name| by_id(&doc, &labels, name) == NodeLabel::Negative));
    }
}
