//! A document from a tree that somebody else parsed, such as a browser's snapshot.

use crate::doc::{Attr, ByteRange, Doc, FOREIGN, Node, NodeId};
use crate::limits::{LimitHit, TreeLimits};
use crate::name::{ExtraNames, LocalName};

/// Builds a [`Doc`] in document order: `open`, `text` and `close` as the nodes come.
///
/// Bounded by [`TreeLimits`]: what would exceed one is refused with the [`LimitHit`], and nothing was added then.
/// `max_bytes` bounds the text and, apart from it, the attribute values. O(input).
#[derive(Debug)]
pub struct DocBuilder {
    doc: Doc,
    limits: TreeLimits,
    open: Vec<u32>,
    /// Bytes of text, and of attribute values.
    n_text: usize,
    n_values: usize,
}

impl DocBuilder {
    /// An empty document.
    pub fn new(limits: &TreeLimits) -> DocBuilder {
        let document = Node { parent: 0, end: 1, start: 0, len: 0, name: LocalName::DOCUMENT, depth: 0 };
        // Ids, offsets and depths are 32 and 15 bits wide.
        let limits = TreeLimits {
            max_bytes: limits.max_bytes.min(1 << 29),
            max_nodes: limits.max_nodes.min(1 << 30),
            max_depth: limits.max_depth.min(8_000),
            ..limits.clone()
        };
        let doc = Doc {
            nodes: vec![document],
            attributes: Vec::new(),
            text: String::new(),
            names: ExtraNames::default(),
            head: Vec::new(),
            frames: Vec::new(),
            formulas: Vec::new(),
            limits_hit: 0,
        };
        DocBuilder { doc, limits, open: vec![0], n_text: 0, n_values: 0 }
    }

    /// Opens an element below the one that is open. `name` and the attributes' names are in lower case; of
    /// attributes with the same name the first counts. A `#` before the name is left out. `foreign`: the element is SVG or MathML.
    pub fn open<'t>(
        &mut self,
        name: &str,
        foreign: bool,
        attributes: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> Result<NodeId, LimitHit> {
        if self.open.len() > self.limits.max_depth {
            return Err(LimitHit::Depth);
        }
        self.check_nodes()?;
        let (start, text, n_values) = (self.doc.attributes.len(), self.doc.text.len(), self.n_values);
        if let Err(hit) = self.attributes(attributes, start) {
            self.doc.attributes.truncate(start);
            self.doc.text.truncate(text);
            self.n_values = n_values;
            return Err(hit);
        }
        let len = self.doc.attributes.len() - start;
        // `#text` and `#document` are our names for what is no element.
        let name = self.doc.names.intern(name.trim_start_matches('#'));
        let id = self.push(name, foreign, start as u32, len as u32);
        self.open.push(id.0);
        Ok(id)
    }

    fn attributes<'t>(
        &mut self,
        attributes: impl IntoIterator<Item = (&'t str, &'t str)>,
        first: usize,
    ) -> Result<(), LimitHit> {
        for (name, value) in attributes {
            let name = self.doc.names.intern(name);
            if self.doc.attributes[first..].iter().any(|attr| attr.name == name) {
                continue;
            }
            let full = self.doc.attributes.len() - first >= self.limits.max_attributes;
            if full || self.n_values + value.len() > self.limits.max_bytes {
                return Err(LimitHit::Attributes);
            }
            self.n_values += value.len();
            let value = self.add_text(value);
            self.doc.attributes.push(Attr { name, value });
        }
        Ok(())
    }

    /// Adds a text node to the element that is open.
    pub fn text(&mut self, text: &str) -> Result<NodeId, LimitHit> {
        self.check_nodes()?;
        if self.n_text + text.len() > self.limits.max_bytes {
            return Err(LimitHit::Bytes);
        }
        self.n_text += text.len();
        let ByteRange { start, len } = self.add_text(text);
        Ok(self.push(LocalName::TEXT, false, start, len))
    }

    /// Closes the element that is open; the document itself stays open.
    pub fn close(&mut self) {
        if self.open.len() > 1 {
            let id = self.open.pop().expect("more than the document is open");
            self.doc.nodes[id as usize].end = self.doc.nodes.len() as u32;
        }
    }

    /// The document, with all that is still open closed.
    pub fn finish(mut self) -> Doc {
        for id in std::mem::take(&mut self.open) {
            self.doc.nodes[id as usize].end = self.doc.nodes.len() as u32;
        }
        self.doc.find_head();
        self.doc
    }

    fn add_text(&mut self, text: &str) -> ByteRange {
        let start = self.doc.text.len();
        self.doc.text.push_str(text);
        ByteRange::between(start, self.doc.text.len())
    }

    fn check_nodes(&self) -> Result<(), LimitHit> {
        if self.doc.nodes.len() < self.limits.max_nodes { Ok(()) } else { Err(LimitHit::Nodes) }
    }

    fn push(&mut self, name: LocalName, foreign: bool, start: u32, len: u32) -> NodeId {
        let id = self.doc.nodes.len() as u32;
        let parent = *self.open.last().expect("the document is open");
        let depth = self.open.len() as u16 | if foreign { FOREIGN } else { 0 };
        self.doc.nodes.push(Node { parent, end: id + 1, start, len, name, depth });
        NodeId(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_built_document_equals_the_parsed_one() {
        let parsed =
            Doc::parse("<html><head></head><body class=a><p>x<b id=i>y</b></p>z</body></html>", &TreeLimits::default());
        let mut builder = DocBuilder::new(&TreeLimits::default());
        builder.open("html", false, []).unwrap();
        builder.open("head", false, []).unwrap();
        builder.close();
        builder.open("body", false, [("class", "a"), ("class", "b")]).unwrap();
        builder.open("p", false, []).unwrap();
        builder.text("x").unwrap();
        builder.open("b", false, [("id", "i")]).unwrap();
        builder.text("y").unwrap();
        builder.close();
        builder.close();
        builder.text("z").unwrap();
        let built = builder.finish();
        assert_eq!(built.len(), parsed.len());
        for id in built.ids() {
            assert_eq!(
                (built.name(id), built.end(id), built.parent(id)),
                (parsed.name(id), parsed.end(id), parsed.parent(id))
            );
            assert_eq!((built.text(id), built.depth(id)), (parsed.text(id), parsed.depth(id)));
            assert!(built.attributes(id).eq(parsed.attributes(id)));
        }
    }

    #[test]
    fn an_element_that_calls_itself_text_is_an_element() {
        let mut builder = DocBuilder::new(&TreeLimits::default());
        let ids = ["#text", "#document", "##"].map(|name| builder.open(name, false, [("a", "b")]).unwrap());
        let doc = builder.finish();
        assert!(ids.iter().all(|&id| doc.is_element(id) && doc.text(id).is_empty() && doc.attributes(id).count() == 1));
    }

    #[test]
    fn every_limit_refuses_what_exceeds_it() {
        let limits =
            TreeLimits { max_bytes: 3, max_nodes: 4, max_depth: 2, max_attributes: 1, ..TreeLimits::default() };
        let mut builder = DocBuilder::new(&limits);
        assert_eq!(builder.open("p", false, [("a", "1"), ("b", "2")]), Err(LimitHit::Attributes));
        assert_eq!(builder.open("p", false, [("a", "1234")]), Err(LimitHit::Attributes));
        assert!(builder.open("p", false, [("a", "123")]).is_ok());
        assert_eq!(builder.text("abcd"), Err(LimitHit::Bytes));
        assert!(builder.open("b", false, []).is_ok());
        assert_eq!(builder.open("i", false, []), Err(LimitHit::Depth));
        assert!(builder.text("abc").is_ok());
        assert_eq!(builder.text(""), Err(LimitHit::Nodes));
        assert_eq!(builder.finish().len(), 4);
    }
}
