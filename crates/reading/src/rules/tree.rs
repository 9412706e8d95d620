//! The page as the tree that CSS selectors are matched on.

use std::collections::HashMap;

use gristmill_html::{Doc, NodeId};
use html5ever::tendril::StrTendril;
use html5ever::{Attribute, LocalName, QualName, ns};
use scraper::node::{Element, Text};
use scraper::{ElementRef, Html, Node, Selector};

/// A copy of a document, with the way back to its nodes.
pub(crate) struct SelectorTree {
    html: Html,
    ids: HashMap<ego_tree::NodeId, NodeId>,
}

impl SelectorTree {
    /// Copies a document. O(nodes + text); the document's own limits bound it.
    pub(crate) fn of(doc: &Doc) -> SelectorTree {
        let mut html = Html::new_document();
        let mut ids = HashMap::with_capacity(doc.len());
        // The copies of the node at hand's ancestors, the document first.
        let mut open = vec![(doc.len(), html.tree.root().id())];
        for id in doc.ids().skip(1) {
            while open.last().is_some_and(|(end, _)| *end <= id.index()) {
                open.pop();
            }
            let (_, parent) = *open.last().expect("the document ends after every node");
            let mut parent = html.tree.get_mut(parent).expect("it was just made");
            if doc.is_text(id) {
                parent.append(Node::Text(Text { text: StrTendril::from(doc.text(id)) }));
            } else {
                let copy = parent.append(Node::Element(element(doc, id))).id();
                ids.insert(copy, id);
                open.push((doc.end(id), copy));
            }
        }
        SelectorTree { html, ids }
    }

    /// Elements that match, in document order, at most `limit`.
    pub(crate) fn select<'t>(&'t self, selector: &'t Selector, limit: usize) -> impl Iterator<Item = Match<'t>> {
        self.html.select(selector).take(limit).map(|element| self.matched(element))
    }

    /// Elements below `row`, or else the row itself, that match.
    pub(crate) fn select_in<'t>(&'t self, row: &Match<'t>, selector: &Selector) -> Option<Match<'t>> {
        let below = row.element.select(selector).next();
        below.or_else(|| selector.matches(&row.element).then_some(row.element)).map(|element| self.matched(element))
    }

    fn matched<'t>(&self, element: ElementRef<'t>) -> Match<'t> {
        Match { element, id: self.ids[&element.id()] }
    }
}

/// An element that a selector found.
#[derive(Clone, Copy)]
pub(crate) struct Match<'t> {
    element: ElementRef<'t>,
    pub(crate) id: NodeId,
}

fn element(doc: &Doc, id: NodeId) -> Element {
    let attribute = |attribute: gristmill_html::Attribute<'_>| Attribute {
        name: QualName::new(None, ns!(), LocalName::from(doc.name_str(attribute.name))),
        value: StrTendril::from(attribute.value),
    };
    let name = QualName::new(None, ns!(html), LocalName::from(doc.name_str(doc.name(id))));
    Element::new(name, doc.attributes(id).map(attribute).collect())
}
