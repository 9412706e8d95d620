//! Groups of siblings that look alike, and the rows of an element.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use gristmill_html::NodeId;
use gristmill_page::{Page, attribute_words::has, is_dropped};
use gristmill_text::ByHash;

use super::class_words;
use super::signature::{SCATTERED, Signatures, name};

/// Siblings of one signature with text.
#[derive(Debug, Clone)]
pub(super) struct SiblingGroup {
    pub(super) parent: NodeId,
    pub(super) members: Vec<NodeId>,
    signature: u64,
    /// Whether the signature is of a class or id, so that it means the same on all of the page.
    named: bool,
}

impl SiblingGroup {
    /// All elements of the page that look like the members, whatever their parents: replies stand within what they
    /// answer. In document order. O(nodes).
    pub(super) fn everywhere(&self, page: &Page<'_>, signatures: &Signatures) -> Vec<NodeId> {
        if self.signature == SCATTERED {
            return self.members.clone();
        }
        let doc = page.doc;
        let with_text = |id: &NodeId| page.elements().below(*id).chars >= LEAST_CHARS;
        // Elements without a name are alike where they stand alike.
        let above = signatures.of(self.parent);
        let same_place = |id: NodeId| {
            doc.parent(id)
                .map(|parent| signatures.of(parent))
                .is_some_and(|parent| parent == above || parent == self.signature)
        };
        let here = |id: &NodeId| self.named || doc.contains(self.parent, *id) && same_place(*id);
        signatures.alike(page, self.signature).filter(here).filter(with_text).take(MAX_MEMBERS).collect()
    }
}

/// Most members of a group, and most groups of a page.
const MAX_MEMBERS: usize = 2_000;
const MAX_GROUPS: usize = 20_000;
/// Less text makes no member: letters of a bar, dots of a slide show.
const LEAST_CHARS: u32 = 8;

/// All groups of two or more, in document order of their parents. O(nodes).
pub(super) fn groups(page: &Page<'_>, signatures: &Signatures) -> Vec<SiblingGroup> {
    let doc = page.doc;
    let elements = page.elements();
    let mut groups: Vec<SiblingGroup> = Vec::new();
    let mut of_signature: ByHash<usize> = ByHash::default();
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
        of_signature.clear();
        let first = groups.len();
        for child in doc.children(parent).filter(|&child| doc.is_element(child) && !is_dropped(doc.name(child))) {
            if elements.below(child).chars < LEAST_CHARS {
                continue;
            }
            let next = groups.len();
            let signature = signatures.of(child);
            let group = *of_signature.entry(signature).or_insert(next);
            if group == next {
                groups.push(SiblingGroup {
                    parent,
                    members: Vec::new(),
                    signature,
                    named: name(page, child).is_some(),
                });
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
pub(super) fn joined(page: &Page<'_>, signatures: &Signatures, groups: &[SiblingGroup]) -> Vec<SiblingGroup> {
    let mut of_key: HashMap<[u64; 3], usize> = HashMap::new();
    let mut found: Vec<(SiblingGroup, usize)> = Vec::new();
    for group in groups {
        let above = page.doc.parent(group.parent).map_or(0, |id| signatures.of(id));
        let next = found.len();
        let at = *of_key.entry([group.signature, signatures.of(group.parent), above]).or_insert(next);
        if at == next {
            found.push((group.clone(), 1));
        } else if found[at].0.members.len() < MAX_MEMBERS {
            found[at].0.members.extend(&group.members);
            found[at].1 += 1;
        }
    }
    let mut joined: Vec<SiblingGroup> = found.into_iter().filter(|(_, n)| *n > 1).map(|(group, _)| group).collect();
    joined.iter_mut().for_each(|group| group.members.sort_unstable());
    joined
}

/// Posts that are no siblings: elements named as posts, each in a wrapper of its own, and questions with their answers.
/// O(nodes · words of a name).
pub(super) fn scattered(page: &Page<'_>, signatures: &Signatures, groups: &[SiblingGroup]) -> Vec<SiblingGroup> {
    let doc = page.doc;
    let known: HashSet<u64> = groups.iter().map(|group| group.signature).collect();
    let mut found: Vec<SiblingGroup> = Vec::new();
    let mut of_signature: HashMap<u64, usize> = HashMap::new();
    let mut asked: Vec<NodeId> = Vec::new();
    let elements = page.elements();
    for id in doc.ids().filter(|&id| doc.is_element(id) && elements.below(id).chars >= LEAST_CHARS) {
        let Some(word) = name(page, id) else { continue };
        if asked.len() < MAX_MEMBERS && class_words::ASKED.iter().any(|asks| word.eq_ignore_ascii_case(asks)) {
            asked.push(id);
        }
        let signature = signatures.of(id);
        if known.contains(&signature) || !has(word, class_words::POST) {
            continue;
        }
        let next = found.len();
        let at = *of_signature.entry(signature).or_insert(next);
        if at == next {
            found.push(SiblingGroup { parent: NodeId::DOCUMENT, members: Vec::new(), signature, named: true });
        }
        if found[at].members.len() < MAX_MEMBERS {
            found[at].members.push(id);
        }
    }
    found.push(SiblingGroup { parent: NodeId::DOCUMENT, members: asked, signature: SCATTERED, named: true });
    found.retain(|group| group.members.len() >= 2);
    found
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
