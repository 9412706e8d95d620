//! The tree while it grows: linked nodes that the tree builder may still move, flattened at the end.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, ExpandedName, LocalName, Namespace, QualName, ns};

use crate::doc::{Attr, Doc, FOREIGN, Node, NodeId};
use crate::limits::{LimitHit, Limits};
use crate::name::{ExtraNames, Name};

const NONE: u32 = u32::MAX;
/// Attribute values may be repeated by reopened formatting elements; their sum is bounded by this plus twice the input.
const SPARE_VALUE_BYTES: usize = 1 << 16;
const MAX_ATTRIBUTES_IN_ALL: usize = 4_000_000;

/// What the tree builder holds of a node. The name travels with the id because the builder asks for it at every step.
#[derive(Debug, Clone)]
pub(crate) struct Handle {
    id: u32,
    ns: Namespace,
    local: LocalName,
}

struct Growing {
    parent: u32,
    first_child: u32,
    last_child: u32,
    prev: u32,
    next: u32,
    name: Name,
    foreign: bool,
    /// A comment stood after this text node, so that later text starts a new one.
    sealed: bool,
    /// Text: first and last piece. Element: range of attributes.
    a: u32,
    b: u32,
}

/// A run of text in arrival order; one text node may own several when the builder moved text about.
struct Piece {
    start: u32,
    len: u32,
    next: u32,
}

/// Atoms are unique per text, so their 64 bits are already a good key.
#[derive(Default)]
struct AtomHasher(u64);

impl Hasher for AtomHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0.rotate_left(5) ^ u64::from(byte)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
    }
    fn write_u64(&mut self, n: u64) {
        self.0 = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

struct Arena {
    nodes: Vec<Growing>,
    pieces: Vec<Piece>,
    raw: String,
    attributes: Vec<Attr>,
    /// Attributes that a second `<html>` or `<body>` tag added; kept apart because ranges are closed by then.
    added: HashMap<u32, Vec<Attr>>,
    values: String,
    max_value_bytes: usize,
    names: ExtraNames,
    by_atom: HashMap<u64, Name, BuildHasherDefault<AtomHasher>>,
    limits: Limits,
    limits_hit: u8,
}

impl Arena {
    fn name(&mut self, atom: &LocalName) -> Name {
        if atom.is_dynamic() {
            // The bits of a dynamic atom are an address that may be used again.
            return self.names.intern(atom);
        }
        if let Some(&name) = self.by_atom.get(&atom.unsafe_data()) {
            return name;
        }
        let name = self.names.intern(atom);
        self.by_atom.insert(atom.unsafe_data(), name);
        name
    }

    fn push(&mut self, name: Name, foreign: bool, a: u32, b: u32) -> u32 {
        let id = self.nodes.len() as u32;
        self.nodes.push(Growing {
            parent: NONE,
            first_child: NONE,
            last_child: NONE,
            prev: NONE,
            next: NONE,
            name,
            foreign,
            sealed: false,
            a,
            b,
        });
        id
    }

    fn attribute(&mut self, attribute: &Attribute) -> Option<Attr> {
        let value: &str = &attribute.value;
        if self.values.len() + value.len() > self.max_value_bytes || self.attributes.len() >= MAX_ATTRIBUTES_IN_ALL {
            self.limits_hit |= LimitHit::Attributes.bit();
            return None;
        }
        let start = self.values.len() as u32;
        self.values.push_str(value);
        Some(Attr { name: self.name(&attribute.name.local), start, len: value.len() as u32 })
    }

    fn element(&mut self, name: &QualName, attrs: &[Attribute]) -> u32 {
        let start = self.attributes.len() as u32;
        for attribute in attrs.iter().take(self.limits.max_attributes) {
            if let Some(attr) = self.attribute(attribute) {
                self.attributes.push(attr);
            }
        }
        let len = self.attributes.len() as u32 - start;
        let foreign = name.ns != ns!(html);
        let name = self.name(&name.local);
        self.push(name, foreign, start, len)
    }

    fn piece(&mut self, text: &str) -> u32 {
        let start = self.raw.len() as u32;
        self.raw.push_str(text);
        self.pieces.push(Piece { start, len: text.len() as u32, next: NONE });
        self.pieces.len() as u32 - 1
    }

    /// Adds text to a text node that takes it, else returns false.
    fn extend_text(&mut self, node: u32, text: &str) -> bool {
        let Some(target) = self.nodes.get(node as usize) else { return false };
        if target.name != Name::TEXT || target.sealed {
            return false;
        }
        let last = target.b as usize;
        if (self.pieces[last].start + self.pieces[last].len) as usize == self.raw.len() {
            self.raw.push_str(text);
            self.pieces[last].len += text.len() as u32;
        } else {
            let piece = self.piece(text);
            self.pieces[last].next = piece;
            self.nodes[node as usize].b = piece;
        }
        true
    }

    fn text_node(&mut self, text: &str) -> u32 {
        let piece = self.piece(text);
        self.push(Name::TEXT, false, piece, piece)
    }

    fn append(&mut self, parent: u32, child: u32) {
        self.detach(child);
        let last = self.nodes[parent as usize].last_child;
        let node = &mut self.nodes[child as usize];
        node.parent = parent;
        node.prev = last;
        node.next = NONE;
        match last {
            NONE => self.nodes[parent as usize].first_child = child,
            last => self.nodes[last as usize].next = child,
        }
        self.nodes[parent as usize].last_child = child;
    }

    fn insert_before(&mut self, sibling: u32, child: u32) {
        self.detach(child);
        let (parent, prev) = (self.nodes[sibling as usize].parent, self.nodes[sibling as usize].prev);
        if parent == NONE {
            return;
        }
        let node = &mut self.nodes[child as usize];
        node.parent = parent;
        node.prev = prev;
        node.next = sibling;
        self.nodes[sibling as usize].prev = child;
        match prev {
            NONE => self.nodes[parent as usize].first_child = child,
            prev => self.nodes[prev as usize].next = child,
        }
    }

    fn detach(&mut self, child: u32) {
        let node = &mut self.nodes[child as usize];
        let (parent, prev, next) = (node.parent, node.prev, node.next);
        if parent == NONE {
            return;
        }
        (node.parent, node.prev, node.next) = (NONE, NONE, NONE);
        match prev {
            NONE => self.nodes[parent as usize].first_child = next,
            prev => self.nodes[prev as usize].next = next,
        }
        match next {
            NONE => self.nodes[parent as usize].last_child = prev,
            next => self.nodes[next as usize].prev = prev,
        }
    }
}

/// The tree builder's view of the growing tree.
pub(crate) struct Sink {
    arena: RefCell<Arena>,
    /// Work done for the page, see [`Limits::max_steps`].
    steps: Cell<u64>,
}

impl Sink {
    pub(crate) fn new(html: &str, limits: &Limits) -> Sink {
        let mut arena = Arena {
            nodes: Vec::with_capacity(64 + html.len() / 40),
            pieces: Vec::with_capacity(64 + html.len() / 80),
            raw: String::with_capacity(html.len() / 2),
            attributes: Vec::with_capacity(64 + html.len() / 40),
            added: HashMap::new(),
            values: String::with_capacity(html.len() / 3),
            max_value_bytes: 2 * html.len() + SPARE_VALUE_BYTES,
            names: ExtraNames::default(),
            by_atom: HashMap::default(),
            limits: limits.clone(),
            limits_hit: 0,
        };
        arena.push(Name::DOCUMENT, false, 0, 0);
        Sink { arena: RefCell::new(arena), steps: Cell::new(0) }
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.arena.borrow().nodes.len()
    }

    pub(crate) fn steps(&self) -> u64 {
        self.steps.get()
    }

    pub(crate) fn spend(&self, steps: usize) {
        self.steps.set(self.steps.get() + steps as u64);
    }

    pub(crate) fn hit(&self, limit: LimitHit) {
        self.arena.borrow_mut().limits_hit |= limit.bit();
    }

    fn handle(&self, id: u32) -> Handle {
        Handle { id, ns: ns!(), local: LocalName::default() }
    }
}

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = Doc;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Doc {
        flatten(self.arena.into_inner())
    }

    fn parse_error(&self, _: std::borrow::Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        self.handle(0)
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        self.spend(1);
        ExpandedName { ns: &target.ns, local: &target.local }
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, _: ElementFlags) -> Handle {
        let id = self.arena.borrow_mut().element(&name, &attrs);
        Handle { id, ns: name.ns, local: name.local }
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        self.handle(NONE)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle {
        self.handle(NONE)
    }

    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        let arena = &mut *self.arena.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) if child.id == NONE => {
                let last = arena.nodes[parent.id as usize].last_child;
                if let Some(last) = arena.nodes.get_mut(last as usize) {
                    last.sealed = true;
                }
            }
            NodeOrText::AppendNode(child) => arena.append(parent.id, child.id),
            NodeOrText::AppendText(text) => {
                let last = arena.nodes[parent.id as usize].last_child;
                if !arena.extend_text(last, &text) {
                    let node = arena.text_node(&text);
                    arena.append(parent.id, node);
                }
            }
        }
    }

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let arena = &mut *self.arena.borrow_mut();
        match child {
            NodeOrText::AppendNode(child) if child.id == NONE => {}
            NodeOrText::AppendNode(child) => arena.insert_before(sibling.id, child.id),
            NodeOrText::AppendText(text) => {
                let prev = arena.nodes[sibling.id as usize].prev;
                if !arena.extend_text(prev, &text) {
                    let node = arena.text_node(&text);
                    arena.insert_before(sibling.id, node);
                }
            }
        }
    }

    fn append_based_on_parent_node(&self, element: &Handle, prev_element: &Handle, child: NodeOrText<Handle>) {
        let has_parent = self.arena.borrow().nodes[element.id as usize].parent != NONE;
        if has_parent {
            self.append_before_sibling(element, child);
        } else {
            self.append(prev_element, child);
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    /// The contents of a template stay below it: everyone leaves templates out by name anyway.
    fn get_template_contents(&self, target: &Handle) -> Handle {
        target.clone()
    }

    fn same_node(&self, x: &Handle, y: &Handle) -> bool {
        self.spend(1);
        x.id == y.id
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn add_attrs_if_missing(&self, target: &Handle, attrs: Vec<Attribute>) {
        let arena = &mut *self.arena.borrow_mut();
        let node = &arena.nodes[target.id as usize];
        let (start, len) = (node.a as usize, node.b as usize);
        for attribute in &attrs {
            let name = arena.name(&attribute.name.local);
            let added = arena.added.get(&target.id).map_or(&[][..], Vec::as_slice);
            if len + added.len() >= arena.limits.max_attributes {
                arena.limits_hit |= LimitHit::Attributes.bit();
                return;
            }
            let mut present = arena.attributes[start..start + len].iter().chain(added);
            if present.all(|attr| attr.name != name)
                && let Some(attr) = arena.attribute(attribute)
            {
                arena.added.entry(target.id).or_default().push(attr);
            }
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        if target.id != NONE {
            self.arena.borrow_mut().detach(target.id);
        }
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        let arena = &mut *self.arena.borrow_mut();
        loop {
            let child = arena.nodes[node.id as usize].first_child;
            if child == NONE {
                return;
            }
            arena.append(new_parent.id, child);
        }
    }
}

/// Lays the tree out in document order. One pass, no recursion.
fn flatten(arena: Arena) -> Doc {
    let mut doc = Doc {
        nodes: Vec::with_capacity(arena.nodes.len()),
        attributes: Vec::with_capacity(arena.attributes.len()),
        text: String::with_capacity(arena.raw.len()),
        values: arena.values,
        names: arena.names,
        head: Vec::new(),
        frames: Vec::new(),
        limits_hit: arena.limits_hit,
    };
    // (node in the arena, its parent in the document); `open` holds the chain of elements not yet ended.
    let mut current = 0u32;
    let mut open: Vec<u32> = Vec::new();
    loop {
        let source = &arena.nodes[current as usize];
        let id = doc.nodes.len() as u32;
        let (start, len) = if source.name == Name::TEXT {
            copy_text(&mut doc.text, &arena.raw, &arena.pieces, source.a)
        } else {
            let start = doc.attributes.len();
            doc.attributes.extend_from_slice(&arena.attributes[source.a as usize..(source.a + source.b) as usize]);
            if let Some(added) = arena.added.get(&current) {
                doc.attributes.extend_from_slice(added);
            }
            (start as u32, (doc.attributes.len() - start) as u32)
        };
        let foreign = if source.foreign { FOREIGN } else { 0 };
        let depth = (open.len() as u16).min(FOREIGN - 1) | foreign;
        let parent = open.last().copied().unwrap_or(0);
        doc.nodes.push(Node { parent, end: id + 1, start, len, name: source.name, depth });

        if source.first_child != NONE {
            open.push(id);
            current = source.first_child;
            continue;
        }
        loop {
            let Some(&parent) = open.last() else {
                note_head(&mut doc);
                return doc;
            };
            let next = arena.nodes[current as usize].next;
            if next != NONE {
                current = next;
                break;
            }
            doc.nodes[parent as usize].end = doc.nodes.len() as u32;
            open.pop();
            current = arena.nodes[current as usize].parent;
        }
    }
}

fn copy_text(text: &mut String, raw: &str, pieces: &[Piece], first: u32) -> (u32, u32) {
    let start = text.len();
    let mut next = first;
    while let Some(piece) = pieces.get(next as usize) {
        text.push_str(&raw[piece.start as usize..(piece.start + piece.len) as usize]);
        next = piece.next;
    }
    (start as u32, (text.len() - start) as u32)
}

/// Lists the elements of interest to the head.
pub(crate) fn note_head(doc: &mut Doc) {
    let head = doc
        .ids()
        .filter(|&id| match doc.name(id) {
            Name::TITLE | Name::BASE | Name::META | Name::LINK => !doc.is_foreign(id),
            Name::SCRIPT => doc.attr(id, Name::TYPE).is_some_and(is_json_ld),
            _ => false,
        })
        .collect::<Vec<NodeId>>();
    doc.head = head;
}

fn is_json_ld(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or("").trim();
    essence.eq_ignore_ascii_case("application/ld+json")
}
