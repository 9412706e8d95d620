//! Declarative shadow roots: what stands in them is drawn, unlike other templates, and what their element has itself stands in their slots.

use std::collections::{HashMap, HashSet};

use gristmill_html::{Doc, LocalName, NodeId};

/// Makes boxes of the templates that declare a shadow root, with what their elements have in the slots that are for it; what no slot is
/// for follows. O(nodes) where a page has one.
pub(crate) fn write(doc: &mut Doc) {
    let Some(mode) = doc.find_name("shadowrootmode") else { return };
    let is_root = |doc: &Doc, id: NodeId| doc.name(id) == LocalName::TEMPLATE && doc.attr(id, mode).is_some();
    let roots: Vec<NodeId> = doc.ids().filter(|&id| is_root(doc, id)).collect();
    let mut moves = Vec::new();
    let mut hosts = HashSet::new();
    for &root in &roots {
        // An element has one root.
        if let Some(host) = doc.parent(root).filter(|host| hosts.insert(*host)) {
            let slots = slots(doc, root, |id| is_root(doc, id));
            moves.extend(assigned(doc, host, root, &slots));
        }
    }
    let filled: HashSet<NodeId> = moves.iter().map(|(_, slot)| *slot).collect();
    let instead: Vec<NodeId> = filled.iter().flat_map(|&slot| doc.children(slot)).collect();
    instead.into_iter().for_each(|id| doc.clear(id));
    roots.into_iter().for_each(|root| doc.set_name(root, LocalName::DIV));
    if !moves.is_empty() {
        doc.rearrange(&moves);
    }
}

/// The first slot of each name that is the root's own.
fn slots(doc: &Doc, root: NodeId, is_root: impl Fn(NodeId) -> bool) -> HashMap<String, NodeId> {
    let mut slots = HashMap::new();
    let Some(slot) = doc.find_name("slot") else { return slots };
    let mut at = root.index() + 1;
    while at < doc.end(root) {
        let id = doc.id(at);
        at = if is_root(id) { doc.end(id) } else { at + 1 };
        if doc.name(id) == slot {
            slots.entry(doc.attr(id, LocalName::NAME).unwrap_or("").to_owned()).or_insert(id);
        }
    }
    slots
}

/// What an element has itself, with the slots that are for it.
fn assigned(doc: &Doc, host: NodeId, root: NodeId, slots: &HashMap<String, NodeId>) -> Vec<(NodeId, NodeId)> {
    let Some(slot) = doc.find_name("slot") else { return Vec::new() };
    let wanted = |id: NodeId| doc.attr(id, slot).unwrap_or("");
    let is_seen = |id: &NodeId| doc.is_element(*id) || !doc.text(*id).trim().is_empty();
    let own = doc.children(host).filter(|&id| id != root).filter(is_seen);
    own.filter_map(|id| Some((id, *slots.get(wanted(id))?))).collect()
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;
    use crate::Page;

    #[test]
    fn roots_are_text_and_other_templates_are_none() {
        let html = "<a-b><template shadowrootmode=open><p>One.</p></template><p>Two.</p></a-b><template><p>Three.</p></template>";
        let doc = Doc::parse(html, &TreeLimits::default());
        assert_eq!(Page::new(&doc).text.trim(), "Two.");
        let mut doc = doc;
        write(&mut doc);
        assert_eq!(Page::new(&doc).text.trim(), "One.\nTwo.");
    }

    #[test]
    fn what_an_element_has_stands_in_the_slots_for_it() {
        let html = "<a-b><template shadowrootmode=open><h1><slot name=title>Untitled</slot></h1><slot></slot><p>Last.</p>\
            <c-d><template shadowrootmode=open><i><slot></slot></i></template>Inner.</c-d></template>\
            <p>One.</p><b slot=title>Title</b>Two.<u slot=none>Three.</u></a-b>";
        let mut doc = Doc::parse(html, &TreeLimits::default());
        write(&mut doc);
        assert_eq!(Page::new(&doc).text.trim(), "Title\nOne.\nTwo.\nLast.\nInner.\nThree.");
    }

    #[test]
    fn roots_in_roots_end() {
        let html = "<a-b><template shadowrootmode=open><slot>".repeat(2_000);
        let mut doc = Doc::parse(&html, &TreeLimits::default());
        write(&mut doc);
        assert!(doc.find_name("a-b").is_some());
    }
}
