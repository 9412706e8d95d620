//! Lays the grown tree out in document order.

use crate::doc::{Doc, FOREIGN, Node};
use crate::name::{ExtraNames, Name};
use crate::tree::arena::{Arena, Growing, NONE, Piece};

/// One pass, no recursion. Where all came in document order, as on most pages, the arrays of the arena are those of the document.
pub(crate) fn flatten(arena: &mut Arena, names: ExtraNames, frames: Vec<String>) -> Doc {
    let mut doc = Doc {
        nodes: std::mem::take(&mut arena.laid_out),
        attributes: Vec::new(),
        text: String::new(),
        values: std::mem::take(&mut arena.values),
        names,
        head: Vec::new(),
        frames,
        limits_hit: arena.limits_hit,
    };
    doc.nodes.reserve(arena.nodes.len());
    let in_order = !arena.moved && arena.added.is_empty();
    if in_order && number(&mut doc, &arena.nodes, &arena.pieces) {
        doc.attributes = std::mem::take(&mut arena.attributes);
        doc.text = std::mem::take(&mut arena.raw);
    } else {
        doc.nodes.clear();
        doc.head.clear();
        walk(&mut doc, arena);
    }
    doc.settle_head();
    doc
}

/// Takes the nodes over as they came. False if one of them stands elsewhere: each must lie below the one before it, or below one of
/// those that this one lies in.
fn number(doc: &mut Doc, grown: &[Growing], pieces: &[Piece]) -> bool {
    doc.nodes.push(Node { parent: 0, end: 0, start: 0, len: 0, name: Name::DOCUMENT, depth: 0 });
    let mut last = 0;
    for (id, source) in (0u32..).zip(grown).skip(1) {
        if !close(&mut doc.nodes, last, source.parent, id) {
            return false;
        }
        let range = match source.name {
            Name::TEXT => (pieces[source.a as usize].start, pieces[source.a as usize].len),
            _ => (source.a, source.b),
        };
        let above = doc.nodes[source.parent as usize].depth & !FOREIGN;
        doc.push(laid(source, id, source.parent, above + 1, range));
        last = id;
    }
    close(&mut doc.nodes, last, 0, grown.len() as u32);
    doc.nodes[0].end = grown.len() as u32;
    true
}

/// Ends the nodes from `last` up to, and without, `parent`. False if that is none of its parents.
fn close(nodes: &mut [Node], last: u32, parent: u32, end: u32) -> bool {
    let mut at = last;
    while at != parent {
        if at == 0 {
            return false;
        }
        nodes[at as usize].end = end;
        at = nodes[at as usize].parent;
    }
    true
}

/// Follows the links of the nodes.
fn walk(doc: &mut Doc, arena: &Arena) {
    doc.attributes.reserve(arena.attributes.len());
    doc.text.reserve(arena.raw.len());
    let mut current = 0u32;
    // The chain of elements that are not ended yet.
    let mut open: Vec<u32> = Vec::new();
    loop {
        let source = &arena.nodes[current as usize];
        let id = doc.nodes.len() as u32;
        let range = if source.name == Name::TEXT {
            copy_text(&mut doc.text, &arena.raw, &arena.pieces, source.a)
        } else {
            let start = doc.attributes.len();
            doc.attributes.extend_from_slice(&arena.attributes[source.a as usize..(source.a + source.b) as usize]);
            if let Some(added) = arena.added.get(&current) {
                doc.attributes.extend_from_slice(added);
            }
            (start as u32, (doc.attributes.len() - start) as u32)
        };
        doc.push(laid(source, id, open.last().copied().unwrap_or(0), open.len() as u16, range));
        if source.first_child != NONE {
            open.push(id);
            current = source.first_child;
            continue;
        }
        loop {
            let Some(&parent) = open.last() else { return };
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

/// The node of a grown one, which ends with itself so far.
fn laid(source: &Growing, id: u32, parent: u32, depth: u16, (start, len): (u32, u32)) -> Node {
    let foreign = if source.foreign { FOREIGN } else { 0 };
    Node { parent, end: id + 1, start, len, name: source.name, depth: depth.min(FOREIGN - 1) | foreign }
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
