//! `selectedcontent`: shows a copy of the option that is selected (HTML, "clone an option into a selectedcontent").
//!
//! The specification copies whenever an option ends; here it is done once, when the page has ended, with the option that is
//! selected then.

use std::collections::HashSet;

use crate::name::LocalName;
use crate::tree::TreeBuilder;
use crate::tree::arena::{InsertionLocation, NONE};

impl TreeBuilder<'_> {
    /// Fills the elements that were met. O(nodes of their `select`), each of which is looked through once.
    pub(super) fn fill_selected_contents(&mut self) {
        let mut done = HashSet::new();
        for content in std::mem::take(&mut self.selected_contents) {
            let Some(select) = self.select_of(content).filter(|select| done.insert(*select)) else { continue };
            self.arena.link();
            if let Some(option) = self.selected_option(select) {
                self.copy_children(option, content);
            }
        }
    }

    /// The `select` that a node is in, if it takes one option only.
    fn select_of(&self, node: u32) -> Option<u32> {
        let mut at = node;
        loop {
            at = self.arena.nodes.get(at as usize)?.parent;
            match self.arena.nodes.get(at as usize)?.name {
                LocalName::SELECT => return (!self.has_attribute(at, "multiple")).then_some(at),
                // It would hold itself.
                LocalName::OPTION => return None,
                _ => {}
            }
        }
    }

    fn has_attribute(&self, node: u32, name: &str) -> bool {
        self.arena.attributes_of(node).iter().any(|attr| self.arena.store.names.text(attr.name) == name)
    }

    /// The last option that says it is selected, else the first that is not disabled.
    fn selected_option(&self, select: u32) -> Option<u32> {
        let (mut first, mut selected) = (None, None);
        let mut at = self.next_below(select, select);
        while let Some(node) = at {
            if self.arena.nodes[node as usize].name == LocalName::OPTION {
                if self.has_attribute(node, "selected") {
                    selected = Some(node);
                }
                if first.is_none() && !self.has_attribute(node, "disabled") {
                    first = Some(node);
                }
            }
            at = self.next_below(node, select);
        }
        selected.or(first)
    }

    /// The node behind `node` in document order, below `root`.
    fn next_below(&self, node: u32, root: u32) -> Option<u32> {
        let first = self.arena.links[node as usize].first_child;
        if first != NONE {
            return Some(first);
        }
        let mut at = node;
        while at != root {
            let next = self.arena.links.get(at as usize)?.next;
            if next != NONE {
                return Some(next);
            }
            at = self.arena.nodes.get(at as usize)?.parent;
        }
        None
    }

    fn copy_children(&mut self, from: u32, to: u32) {
        // What `to` holds is replaced.
        while let child = self.arena.links[to as usize].first_child
            && child != NONE
        {
            self.arena.detach(child);
        }
        let mut node = from;
        // The open elements of the source, and their copies.
        let mut open = vec![(from, to)];
        while let Some(next) = self.next_below(node, from) {
            if self.arena.nodes.len() >= self.limits.max_nodes {
                return self.arena.hit(crate::limits::LimitHit::Nodes);
            }
            let above = self.arena.nodes[next as usize].parent;
            while open.len() > 1 && open.last().is_some_and(|(source, _)| *source != above) {
                open.pop();
            }
            let place = InsertionLocation::In(open.last().map_or(to, |(_, copy)| *copy));
            let copy = self.arena.add_like(next, place);
            open.push((next, copy));
            node = next;
        }
    }
}
