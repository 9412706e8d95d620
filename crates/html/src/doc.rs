//! The parsed page: a tree laid out flat in document order.
//!
//! ```text
//! id      0          1     2     3     4      5
//! node    #document  html  head  body  p      #text
//! end     6          6     3     6     6      6        one past the last descendant
//! ```
//! A subtree is therefore the range `id..end`, and a walk over the tree is a loop over integers.

use crate::formula::FormulaStyle;
use crate::limits::LimitHit;
use crate::name::{ExtraNames, LocalName};

/// Position of a node in document order; the document itself is [`NodeId::DOCUMENT`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The root of every document.
    pub const DOCUMENT: NodeId = NodeId(0);

    /// As an index into arrays that run parallel to the nodes.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One node: 20 bytes and no pointer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(crate) parent: u32,
    pub(crate) end: u32,
    /// Text: byte range in `Doc::text`. Element: range in `Doc::attributes`.
    pub(crate) start: u32,
    pub(crate) len: u32,
    pub(crate) name: LocalName,
    /// Distance from the document, at most a little over `TreeLimits::max_depth`; the top bit marks SVG and MathML.
    pub(crate) depth: u16,
}

pub(crate) const FOREIGN: u16 = 1 << 15;

/// Where something stands in `Doc::text`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ByteRange {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl ByteRange {
    pub(crate) fn between(start: usize, end: usize) -> ByteRange {
        ByteRange { start: start as u32, len: (end - start) as u32 }
    }

    pub(crate) fn end(self) -> u32 {
        self.start + self.len
    }

    /// What is left behind so many bytes; nothing behind more than there are.
    pub(crate) fn behind(self, bytes: usize) -> ByteRange {
        let bytes = (bytes as u32).min(self.len);
        ByteRange { start: self.start + bytes, len: self.len - bytes }
    }

    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end() as usize
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Attr {
    pub(crate) name: LocalName,
    pub(crate) value: ByteRange,
}

/// One attribute of an element: its name, and its value with entities decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attribute<'d> {
    /// Lower-case name.
    pub name: LocalName,
    /// Decoded value, empty for a bare attribute.
    pub value: &'d str,
}

/// A page as the HTML5 tree builder yields it (scripting flag off, so `noscript` is ordinary content), without
/// comments, doctype and processing instructions. Frames are transparent: the content of `noframes` is parsed
/// as content, and the addresses of the frames are listed by [`Doc::frames`].
#[derive(Debug, Clone)]
pub struct Doc {
    pub(crate) nodes: Vec<Node>,
    pub(crate) attributes: Vec<Attr>,
    /// What the text of nodes and the values of attributes are spans of; of a parsed page, all of it.
    pub(crate) text: String,
    pub(crate) names: ExtraNames,
    /// Elements of interest to the head: title, base, meta, link, JSON-LD scripts, in document order.
    pub(crate) head: Vec<NodeId>,
    pub(crate) frames: Vec<String>,
    /// Text nodes that are TeX, in document order.
    pub(crate) formulas: Vec<(NodeId, FormulaStyle)>,
    pub(crate) limits_hit: u8,
}

impl Doc {
    /// Number of nodes, the document included; ids are `0..len`.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never true: the document node is always there. For Clippy's sake and generic callers.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes in document order, the document first.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// `id` and everything below it, in document order.
    pub fn subtree(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        (id.0..self.nodes[id.index()].end).map(NodeId)
    }

    /// The first node after the subtree of `id`; equals `len` at the end, so use it as a bound.
    #[inline]
    pub fn end(&self, id: NodeId) -> usize {
        self.nodes[id.index()].end as usize
    }

    /// The node at `index`, which must be below [`Doc::len`].
    #[inline]
    pub fn id(&self, index: usize) -> NodeId {
        debug_assert!(index < self.nodes.len());
        NodeId(index as u32)
    }

    /// The element's name, [`LocalName::TEXT`] for text and [`LocalName::DOCUMENT`] for the root.
    #[inline]
    pub fn name(&self, id: NodeId) -> LocalName {
        self.nodes[id.index()].name
    }

    /// The name as text; empty for a name that did not fit the table of a hostile page.
    pub fn name_str(&self, name: LocalName) -> &str {
        self.names.text(name)
    }

    /// The number that this document uses for a name (lower case), if it occurs or is a known one.
    pub fn find_name(&self, text: &str) -> Option<LocalName> {
        self.names.find(text)
    }

    /// Whether this stands anywhere in the texts and values of attributes, those that were taken out and the seams between them
    /// included: what a page does not mention needs no search of its nodes. O(bytes).
    pub fn mentions(&self, text: &str) -> bool {
        memchr::memmem::find(self.text.as_bytes(), text.as_bytes()).is_some()
    }

    /// Whether the node is a text node.
    #[inline]
    pub fn is_text(&self, id: NodeId) -> bool {
        self.name(id) == LocalName::TEXT
    }

    /// Whether the node is an element.
    #[inline]
    pub fn is_element(&self, id: NodeId) -> bool {
        !matches!(self.name(id), LocalName::TEXT | LocalName::DOCUMENT)
    }

    /// Whether the element is SVG or MathML, where names mean something else.
    pub fn is_foreign(&self, id: NodeId) -> bool {
        self.nodes[id.index()].depth & FOREIGN != 0
    }

    /// Steps from the document: `html` has 1.
    pub fn depth(&self, id: NodeId) -> usize {
        usize::from(self.nodes[id.index()].depth & !FOREIGN)
    }

    /// The parent; `None` for the document.
    #[inline]
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        (id != NodeId::DOCUMENT).then(|| NodeId(self.nodes[id.index()].parent))
    }

    /// The parents of `id`, nearest first, the document last.
    pub fn ancestors(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.parent(id), |&id| self.parent(id))
    }

    /// Whether `id` is `ancestor` or lies below it. O(1).
    pub fn contains(&self, ancestor: NodeId, id: NodeId) -> bool {
        ancestor <= id && id.0 < self.nodes[ancestor.index()].end
    }

    /// The first child.
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        (id.0 + 1 < self.nodes[id.index()].end).then_some(NodeId(id.0 + 1))
    }

    /// The last child. O(number of children).
    pub fn last_child(&self, id: NodeId) -> Option<NodeId> {
        self.children(id).last()
    }

    /// The next sibling.
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.parent(id)?;
        let end = self.nodes[id.index()].end;
        (end < self.nodes[parent.index()].end).then_some(NodeId(end))
    }

    /// The previous sibling. O(depth of its last descendant).
    pub fn prev_sibling(&self, id: NodeId) -> Option<NodeId> {
        let parent = self.parent(id)?;
        let mut before = NodeId(id.0 - 1);
        if before == parent {
            return None;
        }
        while self.nodes[before.index()].parent != parent.0 {
            before = NodeId(self.nodes[before.index()].parent);
        }
        Some(before)
    }

    /// The elements among the siblings behind, in order.
    pub fn elements_behind(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.next_sibling(id), |&id| self.next_sibling(id)).filter(|&id| self.is_element(id))
    }

    /// The elements among the siblings before, the nearest first.
    pub fn elements_before(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.prev_sibling(id), |&id| self.prev_sibling(id)).filter(|&id| self.is_element(id))
    }

    /// The children in order.
    pub fn children(&self, id: NodeId) -> Children<'_> {
        Children { doc: self, next: id.0 + 1, end: self.nodes[id.index()].end }
    }

    /// The decoded text of a text node; empty for anything else.
    #[inline]
    pub fn text(&self, id: NodeId) -> &str {
        let node = &self.nodes[id.index()];
        if node.name != LocalName::TEXT {
            return "";
        }
        &self.text[node.start as usize..(node.start + node.len) as usize]
    }

    /// All text below `id`, as it stands in the source; script and style text is included.
    pub fn text_content(&self, id: NodeId) -> String {
        self.subtree(id).map(|id| self.text(id)).collect()
    }

    /// The path of a node from `body` (or from the root, beside it), positions counted from 1 among siblings of the same name where
    /// there are several: `body/main/table/tr[3]`. At most the innermost 40 steps.
    ///
    /// Looks at up to 1,000 siblings of each ancestor.
    pub fn path(&self, id: NodeId) -> String {
        let mut steps = Vec::new();
        let mut at = id;
        while let Some(parent) = self.parent(at).filter(|_| steps.len() < 40) {
            let name = self.name(at);
            let (mut n_before, mut n) = (0, 0);
            for sibling in self.children(parent).filter(|&sibling| self.name(sibling) == name).take(1_000) {
                n += 1;
                n_before += usize::from(sibling < at);
            }
            let tag = self.name_str(name);
            steps.push(if n > 1 { format!("{tag}[{}]", n_before + 1) } else { tag.to_owned() });
            at = parent;
        }
        steps.reverse();
        steps.retain(|step| step != "html");
        steps.join("/")
    }

    /// The attributes of an element in source order; none for text.
    #[inline]
    pub fn attributes(&self, id: NodeId) -> impl Iterator<Item = Attribute<'_>> {
        self.raw_attributes(id).iter().map(|attr| Attribute { name: attr.name, value: self.value(attr) })
    }

    /// Where the attributes of an element stand among those of the document, for arrays that run parallel to them.
    #[inline]
    pub fn attribute_range(&self, id: NodeId) -> std::ops::Range<usize> {
        let node = &self.nodes[id.index()];
        match node.name {
            LocalName::TEXT | LocalName::DOCUMENT => 0..0,
            _ => node.start as usize..(node.start + node.len) as usize,
        }
    }

    /// How many attributes all elements have together.
    pub fn n_attributes(&self) -> usize {
        self.attributes.len()
    }

    /// The value of one attribute, `None` when it is absent.
    #[inline]
    pub fn attr(&self, id: NodeId, name: LocalName) -> Option<&str> {
        self.raw_attributes(id).iter().find(|attr| attr.name == name).map(|attr| self.value(attr))
    }

    /// The name of the attribute at this place of [`Doc::attribute_range`]. Cheaper than [`Doc::attributes`] where few
    /// values are wanted.
    #[inline]
    pub fn attribute_name(&self, at: usize) -> LocalName {
        self.attributes[at].name
    }

    /// The value of the attribute at this place.
    #[inline]
    pub fn attribute_value(&self, at: usize) -> &str {
        self.value(&self.attributes[at])
    }

    #[inline]
    fn raw_attributes(&self, id: NodeId) -> &[Attr] {
        &self.attributes[self.attribute_range(id)]
    }

    #[inline]
    fn value(&self, attr: &Attr) -> &str {
        &self.text[attr.value.range()]
    }

    /// The first element with this name, outside SVG and MathML. O(nodes).
    pub fn first(&self, name: LocalName) -> Option<NodeId> {
        self.ids().find(|&id| self.name(id) == name && !self.is_foreign(id))
    }

    /// The `body`; `None` only when a limit cut the page off before it.
    pub fn body(&self) -> Option<NodeId> {
        let html = self.children(NodeId::DOCUMENT).find(|&id| self.name(id) == LocalName::HTML)?;
        self.children(html).find(|&id| self.name(id) == LocalName::BODY)
    }

    /// The bounds that the page ran into.
    pub fn limits_hit(&self) -> impl Iterator<Item = LimitHit> + use<> {
        let bits = self.limits_hit;
        LimitHit::ALL.into_iter().filter(move |hit| bits & hit.bit() != 0)
    }
}

/// Iterator over the children of a node.
#[derive(Debug, Clone)]
pub struct Children<'d> {
    doc: &'d Doc,
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        if self.next >= self.end {
            return None;
        }
        let id = NodeId(self.next);
        self.next = self.doc.nodes[id.index()].end;
        Some(id)
    }
}
