//! A document with parts of it left out.

use crate::doc::{Doc, Node, NodeId};

impl Doc {
    /// This document without the subtrees of `parts`, in any order, nested or repeated; the document node itself stays.
    ///
    /// Node ids are new: positions in document order among what is left. O(nodes + text).
    pub fn without(&self, parts: &[NodeId]) -> Doc {
        let mut left_out = vec![false; self.nodes.len()];
        for part in parts.iter().filter(|part| **part != NodeId::DOCUMENT) {
            left_out[part.index()..self.end(*part)].fill(true);
        }
        // Where each old position is found in the new document: the number of nodes kept before it.
        let mut moved = Vec::with_capacity(self.nodes.len() + 1);
        let mut n_kept = 0u32;
        for out in &left_out {
            moved.push(n_kept);
            n_kept += u32::from(!out);
        }
        moved.push(n_kept);
        let keep = |node: &Node| Node { parent: moved[node.parent as usize], end: moved[node.end as usize], ..*node };
        let nodes = self.nodes.iter().zip(&left_out).filter(|(_, out)| !**out).map(|(node, _)| keep(node)).collect();
        let head = self.head.iter().filter(|id| !left_out[id.index()]).map(|id| NodeId(moved[id.index()])).collect();
        let formulas = self.formulas.iter().filter(|(id, _)| !left_out[id.index()]);
        let formulas = formulas.map(|&(id, style)| (NodeId(moved[id.index()]), style)).collect();
        Doc {
            nodes,
            head,
            attributes: self.attributes.clone(),
            text: self.text.clone(),
            names: self.names.clone(),
            frames: self.frames.clone(),
            formulas,
            limits_hit: self.limits_hit,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Doc, LocalName, NodeId, TreeLimits};

    fn all(doc: &Doc, name: LocalName) -> Vec<NodeId> {
        doc.ids().filter(|&id| doc.name(id) == name).collect()
    }

    #[test]
    fn what_is_left_is_the_document_that_never_had_the_parts() {
        let page = |nav: &str| format!("<title>T</title><p>a<b>b</b>c</p>{nav}<ul id=x><li class=y>d</li></ul>");
        let with = Doc::parse(&page("<nav>n<a href=/>l</a><nav>m</nav></nav>"), &TreeLimits::default());
        let plain = Doc::parse(&page(""), &TreeLimits::default());
        let without = with.without(&all(&with, LocalName::NAV));
        assert_eq!(without.len(), plain.len());
        for (id, other) in without.ids().zip(plain.ids()) {
            assert_eq!((without.name(id), without.end(id)), (plain.name(other), plain.end(other)));
            assert_eq!((without.parent(id), without.depth(id)), (plain.parent(other), plain.depth(other)));
            let values = |doc: &Doc, id| doc.attributes(id).map(|a| a.value.to_owned()).collect::<Vec<_>>();
            assert_eq!(values(&without, id), values(&plain, other));
            assert_eq!(without.text_content(id), plain.text_content(other));
        }
        assert_eq!(without.title(), Some("T".to_owned()));
    }

    #[test]
    fn the_document_itself_cannot_be_left_out() {
        let doc = Doc::parse("<p>a</p>", &TreeLimits::default());
        assert_eq!(doc.without(&[NodeId::DOCUMENT]).text_content(NodeId::DOCUMENT), "a");
    }
}
