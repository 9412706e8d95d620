//! The tree while it grows: linked nodes that the rules may still move.

use std::cell::Cell;
use std::collections::HashMap;

use crate::doc::{Attr, Node};
use crate::limits::LimitHit;
use crate::name::Name;
use crate::spare::Arrays;

pub(crate) const NONE: u32 = u32::MAX;
/// Attribute values may not be longer together than this plus twice the input, which is not reached by pages.
const SPARE_VALUE_BYTES: usize = 1 << 16;
const MAX_ATTRIBUTES_IN_ALL: usize = 4_000_000;

pub(crate) struct Growing {
    pub(crate) parent: u32,
    pub(crate) first_child: u32,
    pub(crate) last_child: u32,
    pub(crate) prev: u32,
    pub(crate) next: u32,
    pub(crate) name: Name,
    pub(crate) foreign: bool,
    /// A comment stood after this text node, so that later text starts a new one.
    sealed: bool,
    /// Text: first and last piece. Element: first attribute and their number.
    pub(crate) a: u32,
    pub(crate) b: u32,
}

/// A run of text in arrival order; one text node may own several when text was put elsewhere.
pub(crate) struct Piece {
    pub(crate) start: u32,
    pub(crate) len: u32,
    pub(crate) next: u32,
}

/// Where a node or text goes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place {
    /// Behind the last child.
    In(u32),
    Before(u32),
}

/// Most nodes whose memory a thread keeps from page to page, some 4 MiB; and as many pieces of text, 1 MiB.
const MOST_KEPT: usize = 100_000;

thread_local! {
    static SPARE: Cell<(Vec<Growing>, Vec<Piece>)> = const { Cell::new((Vec::new(), Vec::new())) };
}

pub(crate) struct Arena {
    pub(crate) nodes: Vec<Growing>,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) raw: String,
    pub(crate) attributes: Vec<Attr>,
    /// Attributes that a second `<html>` or `<body>` tag added; kept apart because ranges are closed by then.
    pub(crate) added: HashMap<u32, Vec<Attr>>,
    pub(crate) values: String,
    /// Empty; for the nodes of the document.
    pub(crate) laid_out: Vec<Node>,
    max_value_bytes: usize,
    pub(crate) limits_hit: u8,
    /// Whether a node, or a part of its text, was put before one that came earlier, or taken away from where it was.
    pub(crate) moved: bool,
}

impl Arena {
    /// For a page of so many bytes; holds the document node.
    pub(crate) fn new(bytes: usize) -> Arena {
        let (mut nodes, mut pieces) = SPARE.take();
        nodes.clear();
        pieces.clear();
        nodes.reserve(64 + bytes / 40);
        pieces.reserve(64 + bytes / 80);
        let mut laid = Arrays::take();
        laid.text.reserve(bytes / 2);
        laid.attributes.reserve(64 + bytes / 40);
        laid.values.reserve(bytes / 3);
        let mut arena = Arena {
            nodes,
            pieces,
            raw: laid.text,
            attributes: laid.attributes,
            added: HashMap::new(),
            values: laid.values,
            laid_out: laid.nodes,
            max_value_bytes: 2 * bytes + SPARE_VALUE_BYTES,
            limits_hit: 0,
            moved: false,
        };
        arena.push(Name::DOCUMENT, false, 0, 0);
        arena
    }

    pub(crate) fn hit(&mut self, limit: LimitHit) {
        self.limits_hit |= limit.bit();
    }

    /// A node that is nowhere yet.
    pub(crate) fn push(&mut self, name: Name, foreign: bool, a: u32, b: u32) -> u32 {
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

    /// An attribute with its value; none when there are too many.
    pub(crate) fn attribute(&mut self, name: Name, value: &str) -> Option<Attr> {
        if self.values.len() + value.len() > self.max_value_bytes || self.attributes.len() >= MAX_ATTRIBUTES_IN_ALL {
            self.hit(LimitHit::Attributes);
            return None;
        }
        let start = self.values.len() as u32;
        self.values.push_str(value);
        Some(Attr { name, start, len: value.len() as u32 })
    }

    /// A node like `node`, with its attributes or its text, that is nowhere yet.
    pub(crate) fn like(&mut self, node: u32) -> u32 {
        let Growing { name, foreign, a, b, .. } = self.nodes[node as usize];
        if name == Name::TEXT {
            // Two nodes have one text now.
            self.moved = true;
            return self.push(name, foreign, a, b);
        }
        let start = self.attributes.len() as u32;
        self.attributes.extend_from_within(a as usize..(a + b) as usize);
        self.push(name, foreign, start, b)
    }

    /// The attributes of an element, without those that were added.
    pub(crate) fn attributes_of(&self, node: u32) -> &[Attr] {
        let node = &self.nodes[node as usize];
        &self.attributes[node.a as usize..(node.a + node.b) as usize]
    }

    pub(crate) fn value(&self, attr: &Attr) -> &str {
        &self.values[attr.start as usize..(attr.start + attr.len) as usize]
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
            self.moved = true;
            self.nodes[node as usize].b = piece;
        }
        true
    }

    /// Puts text at a place: into the text node before it, if there is one.
    pub(crate) fn text(&mut self, place: Place, text: &str) {
        let before = match place {
            Place::In(parent) => self.nodes[parent as usize].last_child,
            Place::Before(sibling) => self.nodes[sibling as usize].prev,
        };
        if !self.extend_text(before, text) {
            let piece = self.piece(text);
            let node = self.push(Name::TEXT, false, piece, piece);
            self.put(place, node);
        }
    }

    /// A comment stands behind the last child: text that comes is another text node.
    pub(crate) fn seal(&mut self, parent: u32) {
        let last = self.nodes[parent as usize].last_child;
        if let Some(last) = self.nodes.get_mut(last as usize) {
            last.sealed = true;
        }
    }

    pub(crate) fn put(&mut self, place: Place, child: u32) {
        match place {
            Place::In(parent) => self.append(parent, child),
            Place::Before(sibling) => self.insert_before(sibling, child),
        }
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
        self.moved = true;
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

    pub(crate) fn detach(&mut self, child: u32) {
        let node = &mut self.nodes[child as usize];
        let (parent, prev, next) = (node.parent, node.prev, node.next);
        if parent == NONE {
            return;
        }
        self.moved = true;
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

    /// Moves all children of `node` behind those of `parent`.
    pub(crate) fn move_children(&mut self, node: u32, parent: u32) {
        loop {
            let child = self.nodes[node as usize].first_child;
            if child == NONE {
                return;
            }
            self.append(parent, child);
        }
    }
}

impl Drop for Arena {
    /// The memory of the nodes serves the next page of the thread: the kernel would clear it for each.
    fn drop(&mut self) {
        if self.nodes.capacity().max(self.pieces.capacity()) <= MOST_KEPT {
            let kept = (std::mem::take(&mut self.nodes), std::mem::take(&mut self.pieces));
            // At the end of a thread there is nobody to keep it for.
            let _ = SPARE.try_with(|spare| spare.set(kept));
        }
    }
}
