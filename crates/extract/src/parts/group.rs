//! Groups of siblings that look alike, and the rows of an element.

use std::collections::HashMap;
use std::ops::Range;

use gristmill_html::{Name, NodeId};
use gristmill_text::hash;

use crate::page::{Page, is_dropped};

/// Siblings of one signature with text.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub(super) parent: NodeId,
    pub(super) members: Vec<NodeId>,
    signature: u64,
}

impl Group {
    /// All elements of the page that look like the members, whatever their parents: replies stand within what they
    /// answer. In document order. O(nodes).
    pub(super) fn everywhere(&self, page: &Page<'_>) -> Vec<NodeId> {
        let doc = page.doc;
        let name = self.members.first().map(|&id| doc.name(id));
        let alike = |id: &NodeId| Some(doc.name(*id)) == name && signature(page, *id) == self.signature;
        let with_text = |id: &NodeId| page.elements().below(*id).chars >= LEAST_CHARS;
        doc.ids().filter(alike).filter(with_text).take(MAX_MEMBERS).collect()
    }
}

/// Most members of a group, and most groups of a page.
const MAX_MEMBERS: usize = 2_000;
const MAX_GROUPS: usize = 20_000;
/// Less text makes no member: letters of a bar, dots of a slide show.
const LEAST_CHARS: u32 = 8;

/// All groups of two or more, in document order of their parents. O(nodes).
pub(super) fn groups(page: &Page<'_>) -> Vec<Group> {
    let doc = page.doc;
    let elements = page.elements();
    let mut groups: Vec<Group> = Vec::new();
    let mut at = 1;
    while at < doc.len() && groups.len() < MAX_GROUPS {
        let parent = doc.id(at);
        if is_dropped(doc.name(parent)) {
            at = doc.end(parent);
            continue;
        }
        at += 1;
        if !doc.is_element(parent) || elements.below(parent).chars < 2 * LEAST_CHARS {
            continue;
        }
        let mut of_signature: HashMap<u64, usize> = HashMap::new();
        let first = groups.len();
        for child in doc.children(parent).filter(|&child| doc.is_element(child) && !is_dropped(doc.name(child))) {
            if elements.below(child).chars < LEAST_CHARS {
                continue;
            }
            let next = groups.len();
            let signature = signature(page, child);
            let group = *of_signature.entry(signature).or_insert(next);
            if group == next {
                groups.push(Group { parent, members: Vec::new(), signature });
            }
            if groups[group].members.len() < MAX_MEMBERS {
                groups[group].members.push(child);
            }
        }
        // Only what this parent added is looked at again, so that the whole stays linear.
        let added = groups.split_off(first);
        groups.extend(added.into_iter().filter(|group| group.members.len() >= 2));
    }
    groups
}

/// Tag and first class word, digits left out: `post-17 odd` and `post-18 even` are alike.
fn signature(page: &Page<'_>, id: NodeId) -> u64 {
    let doc = page.doc;
    let class = doc.attr(id, Name::CLASS).and_then(|class| class.split_ascii_whitespace().next()).unwrap_or("");
    let mut key: Vec<u8> = class.bytes().filter(|byte| !byte.is_ascii_digit()).collect();
    key.push(0);
    key.extend_from_slice(doc.name_str(doc.name(id)).as_bytes());
    hash(&key)
}

/// The rows that begin below an element. O(log leaves).
pub(super) fn rows(page: &Page<'_>, id: NodeId) -> Range<usize> {
    let first = page.leaves.partition_point(|leaf| leaf.node.index() <= id.index());
    let end = page.leaves.partition_point(|leaf| leaf.node.index() < page.doc.end(id));
    if first >= end {
        return 0..0;
    }
    let row = page.leaves[first].row as usize;
    // A row that began before belongs to what stands there.
    let row = if page.rows[row].first_leaf as usize == first { row } else { row + 1 };
    row..(page.leaves[end - 1].row as usize + 1).max(row)
}
