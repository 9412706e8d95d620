//! Where white space is text: blocks of code, and elements whose style keeps their lines.

mod facts;
mod language;
mod lines;
mod style;

pub(crate) use language::is_name;
pub use language::language;
pub use lines::{code, raw_part};

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_text::hash;

use crate::attribute_words::AttributeWords;
use crate::blocks::is_dropped;
use crate::rows::{Row, Rows};
use facts::CodeBlockSignals;

/// What becomes of the white space of an element, as CSS has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhiteSpaceMode {
    /// Runs become one space.
    Collapse,
    /// Lines stay, other runs become one space (`pre-line`).
    Lines,
    /// All stays.
    Keep,
}

/// An element whose rows are lines of code, or of anything else that is laid out with spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeBlock {
    pub node: NodeId,
    pub space: WhiteSpaceMode,
    /// Paragraphs, headings and the like stand in it, as below a `pre` that was never closed: only rows that have no
    /// other block around them are code.
    mixed: bool,
}

/// Blocks of code and kept white space of a page.
#[derive(Debug, Clone, Default)]
pub struct Verbatim {
    /// In document order, none in another.
    blocks: Vec<CodeBlock>,
    /// From the node with this index on white space is treated so; empty on most pages.
    spaces: Vec<(usize, WhiteSpaceMode)>,
}

impl Verbatim {
    /// O(nodes + attributes).
    pub fn new(page: &Rows<'_>, names: &AttributeWords) -> Verbatim {
        let mut finder = Finder::new(page, names);
        finder.run();
        finder.found
    }

    /// The block of code that a row belongs to. O(log blocks).
    pub fn block_of(&self, page: &Rows<'_>, row: &Row) -> Option<&CodeBlock> {
        let leaf = page.leaves[row.first_leaf as usize].node;
        let block = self.around(page, leaf)?;
        (!row.in_heading && (!block.mixed || row.block == block.node)).then_some(block)
    }

    /// The block around a node or that is the node.
    pub fn around(&self, page: &Rows<'_>, node: NodeId) -> Option<&CodeBlock> {
        let after = self.blocks.partition_point(|block| block.node <= node);
        self.blocks[..after].last().filter(|block| page.doc.contains(block.node, node))
    }

    /// The blocks below an element, itself included. O(log blocks).
    pub fn within(&self, page: &Rows<'_>, node: NodeId) -> &[CodeBlock] {
        let first = self.blocks.partition_point(|block| block.node < node);
        let end = self.blocks.partition_point(|block| block.node.index() < page.doc.end(node));
        &self.blocks[first..end.max(first)]
    }

    /// Whether this element is such a block. O(log blocks).
    pub fn is_block(&self, node: NodeId) -> bool {
        self.blocks.binary_search_by_key(&node, |block| block.node).is_ok()
    }

    /// All blocks, in document order.
    pub fn blocks(&self) -> &[CodeBlock] {
        &self.blocks
    }

    /// Whether white space collapses everywhere outside of blocks of code.
    pub fn collapses(&self) -> bool {
        self.spaces.is_empty()
    }

    /// How white space is treated at a node outside of blocks of code. O(log changes).
    pub fn space_at(&self, node: NodeId) -> WhiteSpaceMode {
        let after = self.spaces.partition_point(|(from, _)| *from <= node.index());
        self.spaces[..after].last().map_or(WhiteSpaceMode::Collapse, |(_, space)| *space)
    }
}

/// Words of classes that name code: the gate before [`STRONG`] and [`WEAK`] are asked.
const WORDS: [&str; 27] = [
    "ace",
    "blob",
    "blockcode",
    "cm",
    "codesnippet",
    "code",
    "codeblock",
    "codehilite",
    "crayon",
    "dp",
    "enlighter",
    "fancyvrb",
    "fragment",
    "geshi",
    "highlight",
    "highlighter",
    "hljs",
    "listing",
    "lstlisting",
    "monaco",
    "prettyprint",
    "rouge",
    "snippet",
    "source",
    "syntaxhighlighter",
    "sourcecode",
    "verbatim",
];
/// Classes of what programs that colour code make.
const STRONG: [&str; 23] = [
    "blob-wrapper",
    "blockcode",
    "codesnippet",
    "code-block",
    "code-toolbar",
    "code_block",
    "codeblock",
    "codehilite",
    "crayon-pre",
    "dp-highlighter",
    "enlighter-code",
    "fancyvrb",
    "geshi",
    "highlighter-rouge",
    "hljs",
    "js-file-line-container",
    "lstlisting",
    "ltx_listing",
    "ltx_lstlisting",
    "prettyprint",
    "sourcecode",
    "syntaxhighlighter",
    "verbatim",
];
/// Classes of what holds the lines in editors that run in a page; lines may be `pre`.
const EDITORS: [&str; 5] = ["cm-content", "codemirror-code", "ace_text-layer", "view-lines", "ql-code-block-container"];
/// Classes of the same that others use for boxes and marked words: what is in it has to look like code, too.
const WEAK: [&str; 5] = ["code", "fragment", "highlight", "snippet", "source"];

/// Whether an element that may hold lines of code begins with a piece of code.
fn begins_with_code(doc: &Doc, id: NodeId, name: LocalName) -> bool {
    let mut children = doc.children(id).skip_while(|&id| doc.is_text(id) && doc.text(id).trim().is_empty());
    let may_hold = [LocalName::P, LocalName::DIV, LocalName::TD, LocalName::FIGURE, LocalName::BLOCKQUOTE];
    may_hold.contains(&name) && children.next().is_some_and(|id| facts::MONOSPACE.contains(&doc.name(id)))
}

struct Finder<'p, 'd> {
    page: &'p Rows<'d>,
    names: &'p AttributeWords,
    /// For each value of a class whether it has one of [`WORDS`].
    named: Vec<bool>,
    /// Nodes that may still be looked at below candidates, which can lie in one another.
    budget: usize,
    /// (end of the element, how white space was treated before it)
    open: Vec<(usize, WhiteSpaceMode)>,
    found: Verbatim,
}

impl<'p, 'd> Finder<'p, 'd> {
    fn new(page: &'p Rows<'d>, names: &'p AttributeWords) -> Finder<'p, 'd> {
        let hashes = WORDS.map(|word| hash(word.as_bytes()));
        let named = match names.has_word(&hashes) {
            true => names.by_value(|word| hashes.contains(&word), |said: &mut bool, word| *said |= word),
            false => Vec::new(),
        };
        Finder { page, names, named, budget: 8 * page.doc.len() + 1_000, open: Vec::new(), found: Verbatim::default() }
    }

    fn run(&mut self) {
        let doc = self.page.doc;
        let mut at = 1;
        while at < doc.len() {
            while let Some((_, before)) = self.open.pop_if(|(end, _)| *end <= at) {
                self.change(at, before);
            }
            let id = doc.id(at);
            at += 1;
            if !doc.is_element(id) {
                continue;
            }
            let block = match doc.name(id) {
                name if is_dropped(name) => {
                    at = doc.end(id);
                    continue;
                }
                LocalName::PRE => {
                    let facts = CodeBlockSignals::new(self.page, id);
                    let space = style::of(doc, id).map_or(WhiteSpaceMode::Keep, |style| style.space);
                    (facts.chars > 0).then_some(CodeBlock { node: id, space, mixed: facts.prose })
                }
                name => self.candidate(id, name),
            };
            if let Some(block) = block {
                at = doc.end(id);
                self.found.blocks.push(block);
            }
        }
    }

    fn candidate(&mut self, id: NodeId, name: LocalName) -> Option<CodeBlock> {
        let doc = self.page.doc;
        let (mut classed, mut styled, mut named) = (false, None, false);
        for at in doc.attribute_range(id) {
            match doc.attribute_name(at) {
                LocalName::CLASS if !self.named.is_empty() => {
                    classed = self.names.at(at).is_some_and(|value| self.named[value]);
                }
                LocalName::STYLE => styled = style::read(doc.attribute_value(at)),
                other => named |= language::names_one(doc.name_str(other), doc.attribute_value(at)),
            }
        }
        let by_name = matches!(
            name,
            LocalName::CODE
                | LocalName::SAMP
                | LocalName::TT
                | LocalName::XMP
                | LocalName::PLAINTEXT
                | LocalName::TEXTAREA
        );
        let length = doc.end(id) - id.index();
        let is_candidate = by_name || classed || named || styled.is_some() || begins_with_code(doc, id, name);
        if is_candidate && length <= self.budget {
            self.budget -= length;
            let facts = CodeBlockSignals::new(self.page, id);
            let space = facts.block(doc, id, classed, styled).or_else(|| facts.block_of_lines(name, named));
            if let Some(space) = space {
                return Some(CodeBlock { node: id, space, mixed: false });
            }
        }
        if let Some(style) = styled
            && length > 1
        {
            self.open.push((doc.end(id), self.space()));
            self.change(id.index(), style.space);
        }
        None
    }

    fn space(&self) -> WhiteSpaceMode {
        self.found.spaces.last().map_or(WhiteSpaceMode::Collapse, |(_, space)| *space)
    }

    fn change(&mut self, at: usize, space: WhiteSpaceMode) {
        if self.space() != space {
            self.found.spaces.push((at, space));
        }
    }
}
