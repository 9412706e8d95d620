//! Lays the grown tree out in document order.

use crate::doc::{Doc, FOREIGN, Node};
use crate::head::note_head;
use crate::name::{ExtraNames, Name};
use crate::tree::arena::{Arena, NONE, Piece};

/// One pass, no recursion.
pub(crate) fn flatten(arena: Arena, names: ExtraNames, frames: Vec<String>) -> Doc {
    let mut doc = Doc {
        nodes: Vec::with_capacity(arena.nodes.len()),
        attributes: Vec::with_capacity(arena.attributes.len()),
        text: String::with_capacity(arena.raw.len()),
        values: String::new(),
        names,
        head: Vec::new(),
        frames,
        limits_hit: arena.limits_hit,
    };
    let mut current = 0u32;
    // The chain of elements that are not ended yet.
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
                doc.values = arena.values;
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
