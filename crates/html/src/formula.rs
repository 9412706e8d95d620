//! Formulas as text nodes in the place of the elements that drew them.

use crate::doc::{ByteRange, Doc, FOREIGN, Node, NodeId};
use crate::name::LocalName;

/// How a formula stands on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormulaStyle {
    /// Within a line.
    Inline,
    /// On a line of its own.
    Display,
}

impl Doc {
    /// Puts a text node with this TeX in the place of an element. What was below the element stays as empty text nodes, so that all
    /// other ids mean what they meant. Calls must come in document order; nothing is done to the document node. O(subtree).
    pub fn set_formula(&mut self, id: NodeId, tex: &str, style: FormulaStyle) {
        debug_assert!(self.formulas.last().is_none_or(|(last, _)| *last < id));
        if id == NodeId::DOCUMENT {
            return;
        }
        self.clear(id);
        let start = self.text.len();
        self.text.push_str(tex);
        let ByteRange { start, len } = ByteRange::between(start, self.text.len());
        let node = &mut self.nodes[id.index()];
        (node.start, node.len) = (start, len);
        self.formulas.push((id, style));
    }

    /// Gives a text node another text; nothing is done to elements. O(text).
    pub fn set_text(&mut self, id: NodeId, text: &str) {
        if self.name(id) == LocalName::TEXT {
            let start = self.text.len();
            self.text.push_str(text);
            let ByteRange { start, len } = ByteRange::between(start, self.text.len());
            (self.nodes[id.index()].start, self.nodes[id.index()].len) = (start, len);
        }
    }

    /// Makes another element of one; nothing is done to text and to the document node.
    pub fn set_name(&mut self, id: NodeId, name: LocalName) {
        if self.is_element(id) && name != LocalName::TEXT && name != LocalName::DOCUMENT {
            self.nodes[id.index()].name = name;
        }
    }

    /// Makes an element and all below it empty text nodes; nothing is done to the document node. O(subtree), and O(elements of the head)
    /// where one of them is below it.
    pub fn clear(&mut self, id: NodeId) {
        if id == NodeId::DOCUMENT {
            return;
        }
        let top = self.nodes[id.index()];
        for at in id.0..top.end {
            let node = Node { end: at + 1, start: 0, len: 0, name: LocalName::TEXT, ..top };
            self.nodes[at as usize] = Node { depth: node.depth & !FOREIGN, ..node };
        }
        // In the order of the document.
        let place = |at: u32| self.head.partition_point(|head| head.0 < at);
        let cleared = place(id.0)..place(top.end);
        self.head.drain(cleared);
    }

    /// How a text node stands on the page when it is a formula. O(log formulas).
    #[inline]
    pub fn formula(&self, id: NodeId) -> Option<FormulaStyle> {
        if self.formulas.is_empty() {
            return None;
        }
        let at = self.formulas.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(self.formulas[at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TreeLimits;

    #[test]
    fn a_formula_takes_the_place_of_its_element_and_other_ids_stay() {
        let mut doc = Doc::parse("<p>a<span><b>x</b>y</span>c<i>d</i>", &TreeLimits::default());
        let names: Vec<LocalName> = doc.ids().map(|id| doc.name(id)).collect();
        let span = doc.first(LocalName::SPAN).unwrap();
        doc.set_formula(span, "x^2", FormulaStyle::Display);
        assert_eq!(doc.text_content(NodeId::DOCUMENT), "ax^2cd");
        assert_eq!((doc.formula(span), doc.formula(doc.id(1))), (Some(FormulaStyle::Display), None));
        let p = doc.first(LocalName::P).unwrap();
        assert_eq!(doc.children(p).map(|id| doc.text(id)).collect::<String>(), "ax^2c");
        let italic = doc.first(LocalName::I).unwrap();
        assert_eq!(names[italic.index()], LocalName::I);
        assert_eq!(doc.prev_sibling(italic).map(|id| doc.text(id)), Some("c"));
        assert_eq!(doc.without(&[doc.first(LocalName::P).unwrap()]).formulas.len(), 0);
        let moved = doc.without(&[doc.id(p.index() + 1)]);
        assert_eq!(
            moved.ids().filter(|&id| moved.formula(id).is_some()).map(|id| moved.text(id)).collect::<String>(),
            "x^2"
        );
    }
}
