//! What lies below each element: characters, links, tags, marks, summed in one bottom-up pass.

use gristmill_html::{LocalName, NodeId};

use crate::blocks::is_dropped;
use crate::rows::Rows;

/// Sums over the subtree of a node, the node itself not counted; dropped subtrees count for nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SubtreeStats {
    /// Characters of text without white space.
    pub chars: u32,
    /// Those of them under an `a` (of the subtree or around it).
    pub link_chars: u32,
    /// Punctuation marks, summed over leaves.
    pub marks: u32,
    /// Leaves.
    pub leaves: u32,
    /// Elements.
    pub tags: u32,
    /// `a` elements with an address.
    pub links: u32,
}

impl SubtreeStats {
    fn add(&mut self, other: SubtreeStats) {
        self.chars += other.chars;
        self.link_chars += other.link_chars;
        self.marks += other.marks;
        self.leaves += other.leaves;
        self.tags += other.tags;
        self.links += other.links;
    }
}

/// [`SubtreeStats`] for every node of a page. A text node has the numbers of its own text. O(nodes).
#[derive(Debug, Clone)]
pub struct ElementStats {
    below: Vec<SubtreeStats>,
}

impl ElementStats {
    pub fn new(page: &Rows<'_>) -> ElementStats {
        let doc = page.doc;
        let mut below = vec![SubtreeStats::default(); doc.len()];
        for leaf in &page.leaves {
            below[leaf.node.index()] = SubtreeStats {
                chars: leaf.chars,
                link_chars: if leaf.in_link { leaf.chars } else { 0 },
                marks: leaf.marks.all,
                leaves: 1,
                tags: 0,
                links: 0,
            };
        }
        // A descendant has the larger number, so each node is complete when its turn comes.
        for id in doc.ids().skip(1).rev() {
            let Some(parent) = doc.parent(id) else { continue };
            if is_dropped(doc.name(id)) {
                below[id.index()] = SubtreeStats::default();
                continue;
            }
            let mut sum = below[id.index()];
            if doc.is_element(id) {
                sum.tags += 1;
                sum.links += u32::from(doc.name(id) == LocalName::A && doc.attr(id, LocalName::HREF).is_some());
            }
            below[parent.index()].add(sum);
        }
        ElementStats { below }
    }

    /// The sums below a node.
    #[inline]
    pub fn below(&self, id: NodeId) -> SubtreeStats {
        self.below[id.index()]
    }
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;

    #[test]
    fn sums_leave_out_the_element_itself_and_dropped_subtrees() {
        let html = "<body><div>ab, <a href=x>cd</a><svg><text>no</text></svg></div><a>ef</a>";
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = crate::page::Page::new(&doc);
        let div = doc.first(LocalName::DIV).unwrap();
        let below = page.elements().below(div);
        assert_eq!(below, SubtreeStats { chars: 5, link_chars: 2, marks: 1, leaves: 2, tags: 1, links: 1 });
        let body = page.elements().below(doc.body().unwrap());
        assert_eq!((body.chars, body.link_chars, body.tags, body.links), (7, 4, 3, 1));
    }
}
