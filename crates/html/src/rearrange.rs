//! A document with parts of it in other places.

use crate::doc::{Doc, FOREIGN, Node, NodeId};

/// What the walk over the new tree does next.
enum RearrangeStep {
    /// Writes a node of the old document below one of the new.
    Enter { old: u32, parent: u32, depth: u16 },
    /// Ends a node of the new document.
    Leave(u32),
}

impl Doc {
    /// Makes each first of `moves` the last child of the element beside it, in their order.
    ///
    /// Node ids are new: positions in document order. A move of the document, or into what is moved with it, leaves all as it is. O(nodes).
    pub fn rearrange(&mut self, moves: &[(NodeId, NodeId)]) {
        let mut moved = vec![false; self.nodes.len()];
        let mut taken_in: Vec<(u32, u32)> = Vec::with_capacity(moves.len());
        for (what, to) in moves.iter().filter(|(what, to)| self.is_element(*to) && *what != NodeId::DOCUMENT) {
            if !std::mem::replace(&mut moved[what.index()], true) {
                taken_in.push((to.0, what.0));
            }
        }
        taken_in.sort_by_key(|(to, _)| *to);
        let Some((nodes, places)) = self.walk(&moved, &taken_in) else { return };
        self.nodes = nodes;
        let place = |id: &mut NodeId| *id = NodeId(places[id.index()]);
        self.head.iter_mut().for_each(place);
        self.head.sort_unstable();
        self.formulas.iter_mut().for_each(|(id, _)| place(id));
        self.formulas.sort_unstable_by_key(|(id, _)| *id);
    }

    /// The nodes in their new order, and where each old one is found; nothing where some would be lost.
    fn walk(&self, moved: &[bool], taken_in: &[(u32, u32)]) -> Option<(Vec<Node>, Vec<u32>)> {
        let mut nodes: Vec<Node> = Vec::with_capacity(self.nodes.len());
        let mut places = vec![0; self.nodes.len()];
        let mut steps = vec![RearrangeStep::Enter { old: 0, parent: 0, depth: 0 }];
        while let Some(step) = steps.pop() {
            let (old, parent, depth) = match step {
                RearrangeStep::Leave(id) => {
                    nodes[id as usize].end = nodes.len() as u32;
                    continue;
                }
                RearrangeStep::Enter { old, parent, depth } => (old, parent, depth),
            };
            let id = nodes.len() as u32;
            let node = self.nodes[old as usize];
            nodes.push(Node { parent, end: id + 1, depth: node.depth & FOREIGN | depth, ..node });
            places[old as usize] = id;
            steps.push(RearrangeStep::Leave(id));
            let below = depth.checked_add(1).filter(|depth| depth & FOREIGN == 0)?;
            let first = steps.len();
            let enter = |old: u32| RearrangeStep::Enter { old, parent: id, depth: below };
            steps.extend(self.children(NodeId(old)).filter(|child| !moved[child.index()]).map(|child| enter(child.0)));
            let from = taken_in.partition_point(|(to, _)| *to < old);
            steps.extend(taken_in[from..].iter().take_while(|(to, _)| *to == old).map(|(_, what)| enter(*what)));
            steps[first..].reverse();
        }
        (nodes.len() == self.nodes.len()).then_some((nodes, places))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Doc, LocalName, TreeLimits};

    fn moved(html: &str, what: &str, to: LocalName) -> String {
        let mut doc = Doc::parse(html, &TreeLimits::default());
        let has_id = |id: &crate::NodeId| doc.attr(*id, LocalName::ID) == Some(what);
        let (what, to) = (doc.ids().find(has_id).unwrap(), doc.first(to).unwrap());
        doc.rearrange(&[(what, to)]);
        for id in doc.ids().skip(1) {
            let parent = doc.parent(id).unwrap();
            assert!(doc.contains(parent, id) && doc.end(id) <= doc.end(parent));
            assert_eq!(doc.depth(id), doc.depth(parent) + 1);
        }
        assert_eq!(doc.title().as_deref(), Some("t"));
        doc.text_content(doc.body().unwrap())
    }

    #[test]
    fn a_part_becomes_the_last_child_of_another() {
        let html = "<title>t</title><p>a<b id=x>b<i>c</i></b>d</p><section>e<u>f</u></section>g";
        assert_eq!(moved(html, "x", LocalName::SECTION), "adefbcg");
        assert_eq!(moved(html, "x", LocalName::P), "adbcefg");
    }

    #[test]
    fn nothing_moves_into_itself() {
        let html = "<title>t</title><p id=x>a<b>b</b></p>c";
        assert_eq!(moved(html, "x", LocalName::B), "abc");
        assert_eq!(moved(html, "x", LocalName::P), "abc");
    }
}
