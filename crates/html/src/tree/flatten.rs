//! Makes the document of the grown tree.

use crate::doc::{Doc, FOREIGN, Node};
use crate::name::LocalName;
use crate::tree::arena::{Arena, NONE};

/// One pass, no recursion. Where all came in document order, as on most pages, the nodes are those of the document.
pub(crate) fn flatten(mut arena: Arena, frames: Vec<String>) -> Doc {
    if !arena.added.is_empty() {
        arena.link();
    }
    if arena.links.is_empty() {
        end(&mut arena.nodes);
    } else {
        walk(&mut arena);
    }
    let mut doc = Doc {
        nodes: arena.nodes,
        attributes: arena.store.attributes,
        text: arena.store.text,
        names: arena.store.names,
        head: Vec::new(),
        frames,
        formulas: Vec::new(),
        limits_hit: arena.limits_hit,
    };
    doc.find_head();
    doc
}

/// Ends each node with its last descendant.
fn end(nodes: &mut [Node]) {
    nodes[0].parent = 0;
    nodes[0].end = nodes.len() as u32;
    for id in (1..nodes.len()).rev() {
        let Node { parent, end, .. } = nodes[id];
        let above = &mut nodes[parent as usize];
        above.end = above.end.max(end);
    }
}

/// Follows the links of the nodes.
fn walk(arena: &mut Arena) {
    let mut nodes = Vec::with_capacity(arena.nodes.len());
    let mut attributes = Vec::with_capacity(arena.store.attributes.len());
    let mut current = 0u32;
    // The chain of elements that are not ended yet.
    let mut open: Vec<u32> = Vec::new();
    'nodes: loop {
        let mut node = arena.nodes[current as usize];
        let id = nodes.len() as u32;
        (node.parent, node.end) = (open.last().copied().unwrap_or(0), id + 1);
        node.depth = (node.depth & FOREIGN) | (open.len() as u16).min(FOREIGN - 1);
        if node.name != LocalName::TEXT {
            node.start = attributes.len() as u32;
            attributes.extend_from_slice(arena.attributes_of(current));
            attributes.extend(arena.added.get(&current).into_iter().flatten());
            node.len = attributes.len() as u32 - node.start;
        }
        nodes.push(node);
        if arena.links[current as usize].first_child != NONE {
            open.push(id);
            current = arena.links[current as usize].first_child;
            continue;
        }
        loop {
            let Some(&parent) = open.last() else { break 'nodes };
            let next = arena.links[current as usize].next;
            if next != NONE {
                current = next;
                break;
            }
            nodes[parent as usize].end = nodes.len() as u32;
            open.pop();
            current = arena.nodes[current as usize].parent;
        }
    }
    (arena.nodes, arena.store.attributes) = (nodes, attributes);
}
