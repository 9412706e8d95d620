//! A page as flat arrays: leaves, rows and per-node prefix counts, so that any subtree's text or sum is one lookup.

use gristmill_html::{Doc, Name, NodeId};
use gristmill_text::Collapser;

/// A text node with something in it, outside of dropped subtrees.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Leaf {
    pub(crate) node: u32,
    /// Byte range in [`View::text`]; may begin with one space.
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) row: u32,
}

/// The text between two block boundaries: a range of leaves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub(crate) first: u32,
    pub(crate) last: u32,
    /// The nearest block element around its first leaf.
    pub(crate) block: u32,
}

/// A byte range of [`View::text`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    pub(crate) fn is_empty(self) -> bool {
        self.start >= self.end
    }

    pub(crate) fn len(self) -> usize {
        (self.end.saturating_sub(self.start)) as usize
    }
}

/// The flat arrays of one page. Built in one pass over the nodes; O(nodes + text) time and memory.
#[derive(Debug)]
pub(crate) struct View<'d> {
    pub(crate) doc: &'d Doc,
    /// All rows in order, white space collapsed, `\n` between rows.
    pub(crate) text: String,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) rows: Vec<Row>,
    /// Per node (and one more): how many leaves start before it.
    leaf_before: Vec<u32>,
    /// Per node (and one more): how many `input`, `select`, `textarea`, `button` start before it.
    control_before: Vec<u32>,
    /// Per node (and one more): how many `img` start before it.
    image_before: Vec<u32>,
    /// Per leaf (and one more): bytes of link text before it.
    link_before: Vec<u32>,
    /// Per node: the nearest block element at or above it.
    block_of: Vec<u32>,
}

const fn table(names: &[Name], more: &[Name]) -> [bool; Name::TABLE_LEN] {
    let mut table = [false; Name::TABLE_LEN];
    let mut n = 0;
    while n < names.len() {
        table[names[n].index()] = true;
        n += 1;
    }
    n = 0;
    while n < more.len() {
        table[more[n].index()] = true;
        n += 1;
    }
    table
}

/// Options are choices and not what a product has.
static DROPPED: [bool; Name::TABLE_LEN] = table(gristmill_html::DROPPED, &[Name::SELECT, Name::OPTION, Name::TEXTAREA]);

static BLOCK: [bool; Name::TABLE_LEN] = table(gristmill_html::BLOCKS, &[Name::TITLE, Name::BUTTON]);

fn flag(table: &[bool; Name::TABLE_LEN], name: Name) -> bool {
    table.get(name.index()).copied().unwrap_or(false)
}

/// Whether the element starts and ends a row.
pub(crate) fn is_block(name: Name) -> bool {
    flag(&BLOCK, name)
}

impl<'d> View<'d> {
    /// Lays out the page. Hidden elements are kept: folded tab panels hold specifications.
    pub(crate) fn new(doc: &'d Doc) -> View<'d> {
        let n = doc.len();
        let mut view = View {
            doc,
            text: String::new(),
            leaves: Vec::new(),
            rows: Vec::new(),
            leaf_before: Vec::with_capacity(n + 1),
            control_before: Vec::with_capacity(n + 1),
            image_before: Vec::with_capacity(n + 1),
            link_before: vec![0],
            block_of: vec![0; n],
        };
        let mut state = Layout::default();
        for index in 0..n {
            view.visit(index, &mut state);
        }
        view.leaf_before.push(view.leaves.len() as u32);
        view.control_before.push(state.controls);
        view.image_before.push(state.images);
        view
    }

    fn visit(&mut self, index: usize, state: &mut Layout) {
        let id = self.doc.id(index);
        self.leaf_before.push(self.leaves.len() as u32);
        self.control_before.push(state.controls);
        self.image_before.push(state.images);
        let name = self.doc.name(id);
        let parent = self.doc.parent(id).map_or(0, NodeId::index);
        self.block_of[index] = if is_block(name) { index as u32 } else { self.block_of[parent] };
        match name {
            Name::INPUT => {
                let hidden = self.doc.attr(id, Name::TYPE).is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"));
                state.controls += u32::from(!hidden);
            }
            Name::SELECT | Name::TEXTAREA | Name::BUTTON => state.controls += 1,
            Name::IMG => state.images += 1,
            _ => {}
        }
        if index < state.dropped_until {
            return;
        }
        if name == Name::TEXT {
            self.push_leaf(id, state);
        } else if flag(&DROPPED, name) || self.doc.is_foreign(id) {
            state.dropped_until = self.doc.end(id);
        } else if name == Name::A {
            state.link_until = state.link_until.max(self.doc.end(id));
        }
    }

    fn push_leaf(&mut self, id: NodeId, state: &mut Layout) {
        let source = self.doc.text(id);
        let block = self.block_of[id.index()];
        let new_row = self.starts_row(id, block, state);
        if new_row {
            state.collapser.restart();
        }
        let start = self.text.len();
        let separator = new_row && !self.text.is_empty();
        if separator {
            self.text.push('\n');
        }
        let begin = self.text.len();
        let n_chars = state.collapser.push(&mut self.text, source);
        if n_chars == 0 {
            self.text.truncate(start);
            if new_row {
                // The boundary stands for the next leaf.
                state.collapser.restart();
                state.boundary = true;
            }
            return;
        }
        state.boundary = false;
        let at = self.leaves.len() as u32;
        if new_row || self.rows.is_empty() {
            self.rows.push(Row { first: at, last: at, block });
        }
        let row = self.rows.len() - 1;
        self.rows[row].last = at;
        let link = id.index() < state.link_until;
        let (begin, end) = (begin as u32, self.text.len() as u32);
        self.leaves.push(Leaf { node: id.index() as u32, start: begin, end, row: row as u32 });
        let links = self.link_before[self.link_before.len() - 1] + if link { end - begin } else { 0 };
        self.link_before.push(links);
        state.last_leaf = id.index();
    }

    /// Whether a block boundary or `br` lies between the last leaf and this one.
    fn starts_row(&self, id: NodeId, block: u32, state: &mut Layout) -> bool {
        if self.leaves.is_empty() || state.boundary {
            return true;
        }
        let last = state.last_leaf;
        if self.block_of[last] != block {
            return true;
        }
        // Same block around both, but a whole block or a `br` may stand between them.
        let from = state.scanned.max(last + 1);
        let found = (from..id.index()).any(|n| {
            let name = self.doc.name(self.doc.id(n));
            name == Name::BR || is_block(name)
        });
        state.scanned = id.index();
        state.boundary |= found;
        found
    }

    pub(crate) fn name(&self, node: usize) -> Name {
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

    pub(crate) fn n_controls(&self, node: usize) -> u32 {
        self.control_before[self.end(node)] - self.control_before[node]
    }

    pub(crate) fn n_images(&self, node: usize) -> u32 {
        self.image_before[self.end(node)] - self.image_before[node]
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
    pub(crate) fn span(&self, a: usize, b: usize) -> Span {
        if a >= b {
            return Span::default();
        }
        self.trim(Span { start: self.leaves[a].start, end: self.leaves[b - 1].end })
    }

    /// The trimmed text span of everything below `node`.
    pub(crate) fn span_of(&self, node: usize) -> Span {
        let (a, b) = self.leaf_range(node);
        self.span(a, b)
    }

    /// The span without white space at its ends.
    pub(crate) fn trim(&self, span: Span) -> Span {
        let text = self.slice(span);
        let start = span.start + (text.len() - text.trim_start().len()) as u32;
        Span { start, end: start + text.trim().len() as u32 }
    }

    pub(crate) fn slice(&self, span: Span) -> &str {
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
        while at != 0 && self.name(at) != Name::BODY && self.leaf_range(self.parent(at)) == range {
            at = self.parent(at);
        }
        at
    }
}

#[derive(Default)]
struct Layout {
    dropped_until: usize,
    link_until: usize,
    controls: u32,
    images: u32,
    last_leaf: usize,
    scanned: usize,
    boundary: bool,
    collapser: Collapser,
}

#[cfg(test)]
mod tests {
    use super::*;
    use gristmill_html::Limits;

    fn rows(html: &str) -> Vec<String> {
        let doc = Doc::parse(html, &Limits::default());
        let view = View::new(&doc);
        view.text.split('\n').map(str::to_owned).collect()
    }

    #[test]
    fn blocks_and_breaks_divide_rows_and_inline_elements_do_not() {
        assert_eq!(rows("<p>a <b>b</b>c</p>d<br>e<div></div>f"), ["a bc", "d", "e", "f"]);
        assert_eq!(rows("<li>x<br> <br><span> y </span>z"), ["x", "y z"]);
        assert_eq!(rows("<td>x<script>s</script>y<select><option>o</select>"), ["xy"]);
    }

    #[test]
    fn a_subtree_is_a_span_of_the_text() {
        let doc = Doc::parse("<ul><li>one <b>two</b><li> three</ul>", &Limits::default());
        let view = View::new(&doc);
        let list = doc.first(Name::UL).unwrap().index();
        assert_eq!(view.slice(view.span_of(list)), "one two\nthree");
        assert_eq!(view.n_leaves(list), 3);
    }
}
