//! The tree while it grows: the nodes of the document, in its order for as long as nothing is put before what came earlier, and
//! linked from then on.

use std::collections::{BTreeMap, HashMap};

use crate::doc::{Attr, ByteRange, FOREIGN, Node};
use crate::limits::LimitHit;
use crate::name::LocalName;
use crate::store::ParseBuffers;

pub(crate) const NONE: u32 = u32::MAX;

/// The neighbours of a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NodeLinks {
    pub(crate) first_child: u32,
    pub(crate) last_child: u32,
    pub(crate) prev: u32,
    pub(crate) next: u32,
    /// A comment stood after this text node, so that later text starts a new one.
    sealed: bool,
}

const NOWHERE: NodeLinks = NodeLinks { first_child: NONE, last_child: NONE, prev: NONE, next: NONE, sealed: false };

/// Where a node or text goes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum InsertionLocation {
    /// Behind the last child.
    In(u32),
    Before(u32),
}

pub(crate) struct Arena {
    pub(crate) nodes: Vec<Node>,
    /// Empty while the nodes are in document order: each lies below the one before it, or below one of those that this one lies in.
    pub(crate) links: Vec<NodeLinks>,
    pub(crate) store: ParseBuffers,
    /// Attributes that a second `<html>` or `<body>` tag added; kept apart because ranges are closed by then.
    pub(crate) added: HashMap<u32, Vec<Attr>>,
    /// Text nodes that go on elsewhere.
    pieces: BTreeMap<u32, Vec<ByteRange>>,
    /// While nodes are in order: the text nodes behind which a comment stood.
    sealed: Vec<u32>,
    pub(crate) limits_hit: u8,
}

impl Arena {
    /// Holds the document node. `nodes` is empty.
    pub(crate) fn new(store: ParseBuffers, mut nodes: Vec<Node>) -> Arena {
        nodes.reserve(64 + store.text.len() / 40);
        nodes.push(Node { parent: NONE, end: 0, start: 0, len: 0, name: LocalName::DOCUMENT, depth: 0 });
        Arena {
            nodes,
            links: Vec::new(),
            store,
            added: HashMap::new(),
            pieces: BTreeMap::new(),
            sealed: Vec::new(),
            limits_hit: 0,
        }
    }

    pub(crate) fn hit(&mut self, limit: LimitHit) {
        self.limits_hit |= limit.bit();
    }

    fn is_linked(&self) -> bool {
        !self.links.is_empty()
    }

    /// Links the nodes, which may go anywhere from now on. O(nodes), once.
    pub(crate) fn link(&mut self) {
        if self.is_linked() {
            return;
        }
        self.links.resize(self.nodes.len(), NOWHERE);
        for id in 1..self.nodes.len() as u32 {
            self.link_last(self.nodes[id as usize].parent, id);
        }
        for id in std::mem::take(&mut self.sealed) {
            self.links[id as usize].sealed = true;
        }
    }

    /// Whether a node that is put into this one comes last in the document.
    fn is_open(&self, node: u32) -> bool {
        let mut at = self.nodes.len() as u32 - 1;
        while at > node {
            at = self.nodes[at as usize].parent;
        }
        at == node
    }

    /// Goes on with a node that was left, as with the head behind its end.
    pub(crate) fn reopen(&mut self, node: u32) {
        if !self.is_linked() && !self.is_open(node) {
            self.link();
        }
    }

    /// Adds an element or a text node.
    #[inline]
    pub(crate) fn add(&mut self, place: InsertionLocation, name: LocalName, foreign: bool, span: ByteRange) -> u32 {
        let id = self.nodes.len() as u32;
        let ByteRange { start, len } = span;
        let depth = if foreign { FOREIGN } else { 0 };
        let mut node = Node { parent: NONE, end: id + 1, start, len, name, depth };
        match place {
            InsertionLocation::In(parent) if !self.is_linked() => {
                debug_assert!(self.is_open(parent), "only what is open is put into");
                node.parent = parent;
                node.depth |= (self.nodes[parent as usize].depth & !FOREIGN) + 1;
                self.nodes.push(node);
            }
            _ => self.add_linked(place, node),
        }
        id
    }

    #[inline(never)]
    fn add_linked(&mut self, place: InsertionLocation, node: Node) {
        self.link();
        let id = self.nodes.len() as u32;
        self.nodes.push(node);
        self.links.push(NOWHERE);
        self.put(place, id);
    }

    /// A node like `node`, with its attributes or its text, at a place.
    pub(crate) fn add_like(&mut self, node: u32, place: InsertionLocation) -> u32 {
        let (name, foreign, span) = self.copied(node);
        self.add(place, name, foreign, span)
    }

    /// The same, nowhere yet; once the nodes are linked.
    pub(crate) fn like(&mut self, node: u32) -> u32 {
        let (name, foreign, ByteRange { start, len }) = self.copied(node);
        let depth = if foreign { FOREIGN } else { 0 };
        self.nodes.push(Node { parent: NONE, end: 0, start, len, name, depth });
        self.links.push(NOWHERE);
        self.nodes.len() as u32 - 1
    }

    fn copied(&mut self, node: u32) -> (LocalName, bool, ByteRange) {
        let Node { name, depth, start, len, .. } = self.nodes[node as usize];
        let mut span = ByteRange { start, len };
        if name != LocalName::TEXT {
            if self.store.is_full() {
                self.hit(LimitHit::Attributes);
                span.len = 0;
            }
            let attributes = &mut self.store.attributes;
            let start = attributes.len() as u32;
            attributes.extend_from_within(span.range());
            span.start = start;
        }
        (name, depth & FOREIGN != 0, span)
    }

    /// The attributes of an element, without those that were added.
    pub(crate) fn attributes_of(&self, node: u32) -> &[Attr] {
        let node = &self.nodes[node as usize];
        &self.store.attributes[node.start as usize..][..node.len as usize]
    }

    /// Puts text at a place: into the text node before it, if there is one.
    pub(crate) fn text(&mut self, place: InsertionLocation, text: ByteRange) {
        let before = match place {
            InsertionLocation::In(parent) if !self.is_linked() => self.last_text(parent),
            InsertionLocation::In(parent) => self.links[parent as usize].last_child,
            InsertionLocation::Before(sibling) => {
                self.link();
                self.links[sibling as usize].prev
            }
        };
        if !self.extend_text(before, text) {
            self.add(place, LocalName::TEXT, false, text);
        }
    }

    /// While nodes are in order, the last child of an open node, if it is text and takes more.
    fn last_text(&self, parent: u32) -> u32 {
        let id = self.nodes.len() as u32 - 1;
        let last = &self.nodes[id as usize];
        if last.name == LocalName::TEXT && last.parent == parent && self.sealed.last() != Some(&id) { id } else { NONE }
    }

    /// Adds text to a text node that takes it, else returns false.
    fn extend_text(&mut self, node: u32, text: ByteRange) -> bool {
        let Some(target) = self.nodes.get_mut(node as usize) else { return false };
        if target.name != LocalName::TEXT || self.links.get(node as usize).is_some_and(|links| links.sealed) {
            return false;
        }
        let own = ByteRange { start: target.start, len: target.len };
        if let Some(pieces) = self.pieces.get_mut(&node) {
            pieces.push(text);
        } else if let Some(ByteRange { start, len }) = self.store.join(own, text) {
            (target.start, target.len) = (start, len);
        } else {
            self.pieces.insert(node, vec![text]);
        }
        true
    }

    /// Gives each text node one span; once no more text comes.
    pub(crate) fn settle_text(&mut self) {
        for (node, pieces) in std::mem::take(&mut self.pieces) {
            let node = &mut self.nodes[node as usize];
            let own = ByteRange { start: node.start, len: node.len };
            let text = &mut self.store.text;
            let start = text.len();
            std::iter::once(own).chain(pieces).for_each(|span| text.extend_from_within(span.range()));
            (node.start, node.len) = (start as u32, (text.len() - start) as u32);
        }
    }

    /// A comment stands behind the last child: text that comes is another text node.
    pub(crate) fn seal(&mut self, parent: u32) {
        if !self.is_linked() {
            return self.sealed.extend(Some(self.last_text(parent)).filter(|last| *last != NONE));
        }
        let last = self.links[parent as usize].last_child;
        if let Some(last) = self.links.get_mut(last as usize) {
            last.sealed = true;
        }
    }

    /// Moves a node.
    pub(crate) fn put(&mut self, place: InsertionLocation, child: u32) {
        self.detach(child);
        match place {
            InsertionLocation::In(parent) => self.link_last(parent, child),
            InsertionLocation::Before(sibling) => self.link_before(sibling, child),
        }
    }

    fn link_last(&mut self, parent: u32, child: u32) {
        let last = self.links[parent as usize].last_child;
        self.nodes[child as usize].parent = parent;
        let links = &mut self.links[child as usize];
        (links.prev, links.next) = (last, NONE);
        match last {
            NONE => self.links[parent as usize].first_child = child,
            last => self.links[last as usize].next = child,
        }
        self.links[parent as usize].last_child = child;
    }

    fn link_before(&mut self, sibling: u32, child: u32) {
        let (parent, prev) = (self.nodes[sibling as usize].parent, self.links[sibling as usize].prev);
        if parent == NONE {
            return;
        }
        self.nodes[child as usize].parent = parent;
        let links = &mut self.links[child as usize];
        (links.prev, links.next) = (prev, sibling);
        self.links[sibling as usize].prev = child;
        match prev {
            NONE => self.links[parent as usize].first_child = child,
            prev => self.links[prev as usize].next = child,
        }
    }

    pub(crate) fn detach(&mut self, child: u32) {
        self.link();
        let parent = std::mem::replace(&mut self.nodes[child as usize].parent, NONE);
        if parent == NONE {
            return;
        }
        let links = &mut self.links[child as usize];
        let (prev, next) = (links.prev, links.next);
        (links.prev, links.next) = (NONE, NONE);
        match prev {
            NONE => self.links[parent as usize].first_child = next,
            prev => self.links[prev as usize].next = next,
        }
        match next {
            NONE => self.links[parent as usize].last_child = prev,
            next => self.links[next as usize].prev = prev,
        }
    }

    /// Moves all children of `node` behind those of `parent`.
    pub(crate) fn move_children(&mut self, node: u32, parent: u32) {
        while let child = self.links[node as usize].first_child
            && child != NONE
        {
            self.put(InsertionLocation::In(parent), child);
        }
    }
}
