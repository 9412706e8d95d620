//! The rows of a page as readers of records see them, with per-node prefix counts: any subtree's text or sum is one look-up.

use std::ops::{Deref, Range};
use std::sync::OnceLock;

use gristmill_html::{LocalName, NodeId};
use gristmill_page::{BlockRules, Page, Row, Rows};

/// A byte range of [`Rows::text`](gristmill_page::Rows).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct ByteRange {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl ByteRange {
    pub(crate) fn is_empty(self) -> bool {
        self.start >= self.end
    }

    pub(crate) fn len(self) -> usize {
        (self.end.saturating_sub(self.start)) as usize
    }
}

/// The rows of one page, by [`Rules::RECORDS`], and their counts. Built in one pass over the nodes; O(nodes + text) time and memory.
#[derive(Debug)]
pub(crate) struct RecordView<'p> {
    /// The page itself, for what all readers share.
    pub(crate) page: &'p Page<'p>,
    rows: Rows<'p>,
    /// Per node (and one more): how many leaves start before it.
    leaf_before: Vec<u32>,
    /// Per node (and one more): how many `input`, `select`, `textarea` and `button` with words start before it.
    control_before: Vec<u32>,
    /// Per node (and one more): how many `img` start before it.
    image_before: Vec<u32>,
    /// Per node (and one more): how many links start before it.
    anchor_before: Vec<u32>,
    /// Per leaf (and one more): bytes of link text before it.
    link_before: Vec<u32>,
    /// Per node: the nearest block element at or above it.
    block_of: Vec<u32>,
    /// Which rows may tell of the page's own product, once somebody asked.
    pub(crate) own_rows: OnceLock<(usize, usize)>,
    /// Its buttons that sell without saying so, likewise.
    pub(crate) seller_buttons: OnceLock<Vec<NodeId>>,
}

impl<'p> Deref for RecordView<'p> {
    type Target = Rows<'p>;

    #[inline]
    fn deref(&self) -> &Rows<'p> {
        &self.rows
    }
}

/// Whether the element starts and ends a row.
pub(crate) fn is_block(name: LocalName) -> bool {
    BlockRules::RECORDS.is_block(name)
}

impl<'p> RecordView<'p> {
    /// Lays out the page. Hidden elements are kept: folded tab panels hold specifications.
    pub(crate) fn new(page: &'p Page<'p>) -> RecordView<'p> {
        let n = page.doc.len();
        let mut view = RecordView {
            page,
            rows: Rows::new(page.doc, BlockRules::RECORDS),
            leaf_before: Vec::with_capacity(n + 1),
            control_before: Vec::with_capacity(n + 1),
            image_before: Vec::with_capacity(n + 1),
            anchor_before: Vec::with_capacity(n + 1),
            link_before: Vec::new(),
            block_of: Vec::with_capacity(n),
            own_rows: OnceLock::new(),
            seller_buttons: OnceLock::new(),
        };
        view.count_nodes();
        view.count_links();
        view
    }

    fn count_nodes(&mut self) {
        let (doc, leaves) = (self.rows.doc, &self.rows.leaves);
        let (mut n_leaves, mut controls, mut images, mut anchors) = (0, 0, 0, 0);
        for id in doc.ids() {
            self.leaf_before.push(n_leaves);
            self.control_before.push(controls);
            self.image_before.push(images);
            self.anchor_before.push(anchors);
            n_leaves += u32::from(leaves.get(n_leaves as usize).is_some_and(|leaf| leaf.node == id));
            let name = doc.name(id);
            let parent = doc.parent(id).map_or(0, NodeId::index);
            let around = self.block_of.get(parent).copied().unwrap_or(0);
            self.block_of.push(if is_block(name) { id.index() as u32 } else { around });
            let is_control = match name {
                LocalName::INPUT => {
                    !doc.attr(id, LocalName::TYPE).is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
                }
                // A button without words, or with a `?`, shows what a name means.
                LocalName::BUTTON => leaves.get(n_leaves as usize).is_some_and(|leaf| {
                    leaf.node.index() < doc.end(id)
                        && !matches!(doc.text(leaf.node).trim(), "?" | "？" | "i" | "ⓘ" | "ℹ")
                }),
                _ => matches!(name, LocalName::SELECT | LocalName::TEXTAREA),
            };
            controls += u32::from(is_control);
            images += u32::from(name == LocalName::IMG);
            anchors += u32::from(name == LocalName::A);
        }
        self.leaf_before.push(n_leaves);
        self.control_before.push(controls);
        self.image_before.push(images);
        self.anchor_before.push(anchors);
    }

    fn count_links(&mut self) {
        let mut links = 0;
        self.link_before.push(links);
        for leaf in &self.rows.leaves {
            links += if leaf.in_link { leaf.end - leaf.start } else { 0 };
            self.link_before.push(links);
        }
    }

    /// The trimmed text span of a row.
    pub(crate) fn row_span(&self, row: &Row) -> ByteRange {
        self.span(row.first_leaf as usize, row.end_leaf as usize)
    }

    pub(crate) fn name(&self, node: usize) -> LocalName {
        self.doc.name(self.doc.id(node))
    }

    pub(crate) fn parent(&self, node: usize) -> usize {
        self.doc.parent(self.doc.id(node)).map_or(0, NodeId::index)
    }

    pub(crate) fn end(&self, node: usize) -> usize {
        self.doc.end(self.doc.id(node))
    }

    /// The leaves below `node`, as a range.
    pub(crate) fn leaf_range(&self, node: usize) -> (usize, usize) {
        (self.leaf_before[node] as usize, self.leaf_before[self.end(node)] as usize)
    }

    pub(crate) fn n_leaves(&self, node: usize) -> usize {
        let (a, b) = self.leaf_range(node);
        b - a
    }

    /// How many leaves start before `node`.
    pub(crate) fn leaves_before(&self, node: usize) -> usize {
        self.leaf_before[node] as usize
    }

    /// A node and all below it.
    fn nodes(&self, node: usize) -> Range<u32> {
        node as u32..self.end(node) as u32
    }

    pub(crate) fn n_controls(&self, node: usize) -> u32 {
        self.controls_in(&self.nodes(node))
    }

    pub(crate) fn n_images(&self, node: usize) -> u32 {
        self.images_in(&self.nodes(node))
    }

    pub(crate) fn n_links(&self, node: usize) -> u32 {
        self.links_in(&self.nodes(node))
    }

    /// How many controls start among the nodes of a range.
    pub(crate) fn controls_in(&self, nodes: &Range<u32>) -> u32 {
        self.control_before[nodes.end as usize] - self.control_before[nodes.start as usize]
    }

    pub(crate) fn images_in(&self, nodes: &Range<u32>) -> u32 {
        self.image_before[nodes.end as usize] - self.image_before[nodes.start as usize]
    }

    pub(crate) fn links_in(&self, nodes: &Range<u32>) -> u32 {
        self.anchor_before[nodes.end as usize] - self.anchor_before[nodes.start as usize]
    }

    /// Bytes of text that start among the nodes of a range.
    pub(crate) fn bytes_in(&self, nodes: &Range<u32>) -> usize {
        self.span(self.leaf_before[nodes.start as usize] as usize, self.leaf_before[nodes.end as usize] as usize).len()
    }

    pub(crate) fn block_of(&self, node: usize) -> usize {
        self.block_of[node] as usize
    }

    /// Bytes of link text among the leaves `a..b`.
    pub(crate) fn link_bytes(&self, a: usize, b: usize) -> u32 {
        self.link_before[b] - self.link_before[a]
    }

    /// How many rows the leaves `a..b` touch.
    pub(crate) fn n_rows(&self, a: usize, b: usize) -> usize {
        if a >= b { 0 } else { (self.leaves[b - 1].row - self.leaves[a].row) as usize + 1 }
    }

    /// The trimmed text span of the leaves `a..b`.
    pub(crate) fn span(&self, a: usize, b: usize) -> ByteRange {
        if a >= b {
            return ByteRange::default();
        }
        self.trim(ByteRange { start: self.leaves[a].start, end: self.leaves[b - 1].end })
    }

    /// The trimmed text span of everything below `node`.
    pub(crate) fn span_of(&self, node: usize) -> ByteRange {
        let (a, b) = self.leaf_range(node);
        self.span(a, b)
    }

    /// The span without white space at its ends.
    pub(crate) fn trim(&self, span: ByteRange) -> ByteRange {
        let text = self.slice(span);
        let start = span.start + (text.len() - text.trim_start().len()) as u32;
        ByteRange { start, end: start + text.trim().len() as u32 }
    }

    pub(crate) fn slice(&self, span: ByteRange) -> &str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// The leaf that holds the byte at `position` of the text (or the one before it).
    pub(crate) fn leaf_at(&self, position: u32) -> usize {
        self.leaves.partition_point(|leaf| leaf.start <= position).saturating_sub(1)
    }

    /// The children of `node` that hold text, at most `limit` of them.
    pub(crate) fn items(&self, node: usize, limit: usize) -> Vec<usize> {
        let children = self.doc.children(self.doc.id(node)).map(NodeId::index);
        children.filter(|&child| self.n_leaves(child) > 0).take(limit).collect()
    }

    /// Climbs from `node` to the highest ancestor that holds exactly the same leaves.
    pub(crate) fn widest(&self, node: usize) -> usize {
        let range = self.leaf_range(node);
        let mut at = node;
        while at != 0 && self.name(at) != LocalName::BODY && self.leaf_range(self.parent(at)) == range {
            at = self.parent(at);
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_html::{Doc, TreeLimits};

    fn rows(html: &str) -> Vec<String> {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let view = RecordView::new(&page);
        view.rows.rows.iter().map(|row| view.slice(view.row_span(row)).to_owned()).collect()
    }

    #[test]
    fn blocks_and_breaks_divide_rows_and_inline_elements_do_not() {
        assert_eq!(rows("<p>a <b>b</b>c</p>d<br>e<div></div>f"), ["a bc", "d", "e", "f"]);
        assert_eq!(rows("<li>x<br> <br><span> y </span>z"), ["x", "y z"]);
        assert_eq!(rows("<td>x<script>s</script>y<select><option>o</select>"), ["xy"]);
    }

    #[test]
    fn a_subtree_is_a_span_of_the_text() {
        let doc = Doc::parse("<ul><li>one <b>two</b><li> three</ul>", &TreeLimits::default());
        let page = Page::new(&doc);
        let view = RecordView::new(&page);
        let list = doc.first(LocalName::UL).unwrap().index();
        assert_eq!(view.slice(view.span_of(list)), "one two\nthree");
        assert_eq!(view.n_leaves(list), 3);
    }
}
