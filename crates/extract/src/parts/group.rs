//! Groups of siblings that look alike, and the rows of an element.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use gristmill_html::{Name, NodeId};
use gristmill_page::{Page, is_dropped, named::has};
use gristmill_text::hash;

use super::signs;

/// Siblings of one signature with text.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub(super) parent: NodeId,
    pub(super) members: Vec<NodeId>,
    signature: u64,
    /// Whether the signature is of a class or id, so that it means the same on all of the page.
    named: bool,
}

impl Group {
    /// All elements of the page that look like the members, whatever their parents: replies stand within what they
    /// answer. In document order. O(nodes).
    pub(super) fn everywhere(&self, page: &Page<'_>) -> Vec<NodeId> {
        if self.signature == SCATTERED {
            return self.members.clone();
        }
        let doc = page.doc;
        let name = self.members.first().map(|&id| doc.name(id));
        let alike = |id: &NodeId| Some(doc.name(*id)) == name && signature(page, *id) == self.signature;
        let with_text = |id: &NodeId| page.elements().below(*id).chars >= LEAST_CHARS;
        // Elements without a name are alike where they stand alike.
        let above = signature(page, self.parent);
        let same_place = |id: NodeId| {
            doc.parent(id)
                .map(|parent| signature(page, parent))
                .is_some_and(|parent| parent == above || parent == self.signature)
        };
        let here = |id: &NodeId| self.named || doc.contains(self.parent, *id) && same_place(*id);
        doc.ids().filter(here).filter(alike).filter(with_text).take(MAX_MEMBERS).collect()
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
                groups.push(Group { parent, members: Vec::new(), signature, named: named(page, child) });
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

/// Groups that look alike below parents that look alike, as one: the entries of all sections of a page.
/// O(groups · log groups).
pub(super) fn joined(page: &Page<'_>, groups: &[Group]) -> Vec<Group> {
    let mut of_key: HashMap<[u64; 3], usize> = HashMap::new();
    let mut found: Vec<(Group, usize)> = Vec::new();
    for group in groups {
        let above = page.doc.parent(group.parent).map_or(0, |id| signature(page, id));
        let next = found.len();
        let at = *of_key.entry([group.signature, signature(page, group.parent), above]).or_insert(next);
        if at == next {
            found.push((group.clone(), 1));
        } else if found[at].0.members.len() < MAX_MEMBERS {
            found[at].0.members.extend(&group.members);
            found[at].1 += 1;
        }
    }
    let mut joined: Vec<Group> = found.into_iter().filter(|(_, n)| *n > 1).map(|(group, _)| group).collect();
    joined.iter_mut().for_each(|group| group.members.sort_unstable());
    joined
}

/// Posts that are no siblings: elements named as posts, each in a wrapper of its own, and questions with their answers.
/// O(nodes · words of a name).
pub(super) fn scattered(page: &Page<'_>, groups: &[Group]) -> Vec<Group> {
    let doc = page.doc;
    let known: HashSet<u64> = groups.iter().map(|group| group.signature).collect();
    let mut found: Vec<Group> = Vec::new();
    let mut of_signature: HashMap<u64, usize> = HashMap::new();
    let mut asked: Vec<NodeId> = Vec::new();
    for id in doc.ids().filter(|&id| doc.is_element(id)) {
        let Some(word) = name(page, id).filter(|_| page.elements().below(id).chars >= LEAST_CHARS) else { continue };
        if asked.len() < MAX_MEMBERS && signs::ASKED.iter().any(|asks| word.eq_ignore_ascii_case(asks)) {
            asked.push(id);
        }
        let signature = signature(page, id);
        if known.contains(&signature) || !has(word, signs::POST) {
            continue;
        }
        let next = found.len();
        let at = *of_signature.entry(signature).or_insert(next);
        if at == next {
            found.push(Group { parent: NodeId::DOCUMENT, members: Vec::new(), signature, named: true });
        }
        if found[at].members.len() < MAX_MEMBERS {
            found[at].members.push(id);
        }
    }
    found.push(Group { parent: NodeId::DOCUMENT, members: asked, signature: SCATTERED, named: true });
    found.retain(|group| group.members.len() >= 2);
    found
}

/// No signature: the members are all there are.
const SCATTERED: u64 = 0;

/// The first class word, else an id that counts: `post-17`.
fn name<'d>(page: &Page<'d>, id: NodeId) -> Option<&'d str> {
    let doc = page.doc;
    let class = doc.attr(id, Name::CLASS).and_then(|class| class.split_ascii_whitespace().next());
    class.or_else(|| doc.attr(id, Name::ID).filter(|id| id.bytes().any(|byte| byte.is_ascii_digit())))
}

fn named(page: &Page<'_>, id: NodeId) -> bool {
    name(page, id).is_some()
}

/// Tag and name, digits left out: `post-17 odd` and `post-18 even` are alike.
fn signature(page: &Page<'_>, id: NodeId) -> u64 {
    let mut key: Vec<u8> = name(page, id).unwrap_or("").bytes().filter(|byte| !byte.is_ascii_digit()).collect();
    key.push(0);
    key.extend_from_slice(page.doc.name_str(page.doc.name(id)).as_bytes());
    hash(&key).max(SCATTERED + 1)
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
