//! The tree that html5ever builds, for comparison: without comments and doctypes, frames left out, as `Doc` has it.

use std::cell::{Ref, RefCell};
use std::collections::HashSet;

use gristmill_html::Doc;
use html5ever::interface::{ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, QualName, TokenizerResult, local_name, ns};

/// A node as both trees show it: depth, name or text, attributes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub depth: usize,
    pub what: String,
    pub foreign: bool,
    pub attributes: Vec<(String, String)>,
}

/// All nodes of a document in its order.
pub fn lines(doc: &Doc) -> Vec<Line> {
    doc.ids()
        .skip(1)
        .map(|id| Line {
            depth: doc.depth(id),
            what: if doc.is_text(id) { format!("\"{}", doc.text(id)) } else { doc.name_str(doc.name(id)).to_owned() },
            foreign: doc.is_foreign(id),
            attributes: doc
                .attributes(id)
                .map(|attr| (doc.name_str(attr.name).to_owned(), attr.value.to_owned()))
                .collect(),
        })
        .collect()
}

/// The same of html5ever.
pub fn html5ever_lines(html: &str) -> Vec<Line> {
    let options = TreeBuilderOpts { scripting_enabled: false, drop_doctype: true, ..Default::default() };
    let frames = Frames(TreeBuilder::new(Sink::default(), options));
    let tokenizer = Tokenizer::new(frames, TokenizerOpts { discard_bom: false, ..Default::default() });
    let queue = html5ever::buffer_queue::BufferQueue::default();
    queue.push_back(StrTendril::from_slice(html));
    while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink.0.sink.lines()
}

/// Leaves out the tags of frames.
struct Frames(TreeBuilder<usize, Sink>);

impl TokenSink for Frames {
    type Handle = usize;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<usize> {
        let is_frame =
            |tag: &Tag| matches!(tag.name, local_name!("frameset") | local_name!("noframes") | local_name!("frame"));
        match &token {
            Token::TagToken(tag) if is_frame(tag) => TokenSinkResult::Continue,
            _ => self.0.process_token(token, line),
        }
    }

    fn end(&self) {
        self.0.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.0.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

struct Node {
    name: QualName,
    /// A text node.
    text: Option<String>,
    is_comment: bool,
    attributes: Vec<(String, String)>,
    parent: Option<usize>,
    children: Vec<usize>,
}

struct Sink(RefCell<Vec<Node>>);

impl Default for Sink {
    fn default() -> Self {
        let sink = Sink(RefCell::default());
        sink.node(QualName::new(None, ns!(html), local_name!("")), None, false);
        sink
    }
}

fn pairs(attributes: Vec<Attribute>) -> Vec<(String, String)> {
    attributes.into_iter().map(|attr| (attr.name.local.to_string(), attr.value.to_string())).collect()
}

impl Sink {
    fn node(&self, name: QualName, text: Option<String>, is_comment: bool) -> usize {
        let mut nodes = self.0.borrow_mut();
        nodes.push(Node { name, text, is_comment, attributes: Vec::new(), parent: None, children: Vec::new() });
        nodes.len() - 1
    }

    fn nowhere(&self, text: Option<String>, is_comment: bool) -> usize {
        self.node(QualName::new(None, ns!(), local_name!("")), text, is_comment)
    }

    fn detach(&self, child: usize) {
        let mut nodes = self.0.borrow_mut();
        if let Some(parent) = nodes[child].parent.take() {
            nodes[parent].children.retain(|other| *other != child);
        }
    }

    /// Puts a node or text before the child at `at`.
    fn put(&self, parent: usize, at: usize, child: NodeOrText<usize>) {
        let (child, mut at) = match child {
            NodeOrText::AppendNode(child) => {
                let before = at.checked_sub(1).map(|before| self.0.borrow()[parent].children[before]);
                self.detach(child);
                let nodes = self.0.borrow();
                // It may have stood before the place itself.
                let place = before.and_then(|before| nodes[parent].children.iter().position(|other| *other == before));
                (child, place.map_or(at.min(nodes[parent].children.len()), |place| place + 1))
            }
            NodeOrText::AppendText(text) => {
                let mut nodes = self.0.borrow_mut();
                let before = at.checked_sub(1).map(|before| nodes[parent].children[before]);
                if let Some(before) = before
                    && let Some(own) = &mut nodes[before].text
                {
                    own.push_str(&text);
                    return;
                }
                drop(nodes);
                (self.nowhere(Some(text.to_string()), false), at)
            }
        };
        let mut nodes = self.0.borrow_mut();
        at = at.min(nodes[parent].children.len());
        nodes[parent].children.insert(at, child);
        nodes[child].parent = Some(parent);
    }

    fn lines(&self) -> Vec<Line> {
        let nodes = self.0.borrow();
        let mut out = Vec::new();
        let mut open: Vec<(usize, usize)> = nodes[0].children.iter().rev().map(|child| (*child, 1)).collect();
        while let Some((at, depth)) = open.pop() {
            let node = &nodes[at];
            if node.is_comment {
                continue;
            }
            let what = match &node.text {
                Some(text) => format!("\"{text}"),
                None => node.name.local.to_string(),
            };
            let foreign = node.text.is_none() && node.name.ns != ns!(html);
            out.push(Line { depth, what, foreign, attributes: node.attributes.clone() });
            open.extend(node.children.iter().rev().map(|child| (*child, depth + 1)));
        }
        out
    }
}

impl TreeSink for Sink {
    type Handle = usize;
    type Output = ();
    type ElemName<'a> = Ref<'a, QualName>;

    fn finish(self) {}

    fn parse_error(&self, _: std::borrow::Cow<'static, str>) {}

    fn get_document(&self) -> usize {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a usize) -> Ref<'a, QualName> {
        Ref::map(self.0.borrow(), |nodes| &nodes[*target].name)
    }

    fn create_element(&self, name: QualName, attributes: Vec<Attribute>, _: ElementFlags) -> usize {
        let id = self.node(name, None, false);
        self.0.borrow_mut()[id].attributes = pairs(attributes);
        id
    }

    fn create_comment(&self, _: StrTendril) -> usize {
        self.nowhere(None, true)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> usize {
        self.nowhere(None, true)
    }

    fn append(&self, parent: &usize, child: NodeOrText<usize>) {
        let at = self.0.borrow()[*parent].children.len();
        self.put(*parent, at, child);
    }

    fn append_before_sibling(&self, sibling: &usize, child: NodeOrText<usize>) {
        let parent = self.0.borrow()[*sibling].parent;
        let Some(parent) = parent else { return };
        let at = self.0.borrow()[parent].children.iter().position(|other| other == sibling);
        self.put(parent, at.unwrap_or(0), child);
    }

    fn append_based_on_parent_node(&self, element: &usize, before: &usize, child: NodeOrText<usize>) {
        let has_parent = self.0.borrow()[*element].parent.is_some();
        if has_parent { self.append_before_sibling(element, child) } else { self.append(before, child) }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &usize) -> usize {
        *target
    }

    fn same_node(&self, x: &usize, y: &usize) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn add_attrs_if_missing(&self, target: &usize, attributes: Vec<Attribute>) {
        let mut nodes = self.0.borrow_mut();
        let present: HashSet<String> = nodes[*target].attributes.iter().map(|(name, _)| name.clone()).collect();
        let missing = pairs(attributes).into_iter().filter(|(name, _)| !present.contains(name));
        nodes[*target].attributes.extend(missing);
    }

    fn remove_from_parent(&self, target: &usize) {
        self.detach(*target);
    }

    fn reparent_children(&self, node: &usize, parent: &usize) {
        let children = std::mem::take(&mut self.0.borrow_mut()[*node].children);
        let mut nodes = self.0.borrow_mut();
        for child in children {
            nodes[child].parent = Some(*parent);
            nodes[*parent].children.push(child);
        }
    }
}
