//! Blocks within text that are hard to tell from boilerplate by themselves.

use std::sync::LazyLock;

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::attribute_words::is_named;
use gristmill_page::{Page, is_heading, tables::is_data_table};
use gristmill_text::{ByHash, hash};

use crate::render::{CAPTION, is_caption};

/// What stands within text and is hard to tell from boilerplate by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum SectionBlock {
    Code,
    Table,
    List,
    Caption,
    /// Of a table or of code.
    DataCaption,
    Quote,
    Heading,
    Formula,
    /// The title of a box that says to take care.
    BoxTitle,
}

impl SectionBlock {
    pub(super) fn of(page: &Page<'_>, id: NodeId, names: &BlockNames) -> Option<SectionBlock> {
        let doc = page.doc;
        match doc.name(id) {
            _ if page.verbatim().is_block(id) => Some(SectionBlock::Code),
            LocalName::TABLE => is_data_table(doc, id).then_some(SectionBlock::Table),
            LocalName::UL | LocalName::OL | LocalName::DL => Some(SectionBlock::List),
            LocalName::FIGCAPTION if is_of_data(page, id) => Some(SectionBlock::DataCaption),
            LocalName::FIGCAPTION => Some(SectionBlock::Caption),
            LocalName::LABEL if is_before_code(page, id) => Some(SectionBlock::DataCaption),
            LocalName::BLOCKQUOTE => Some(SectionBlock::Quote),
            name if is_heading(name) => Some(SectionBlock::Heading),
            LocalName::DIV | LocalName::P => names.block(page, id),
            LocalName::TEXT => doc.formula(id).map(|_| SectionBlock::Formula),
            _ => None,
        }
    }

    /// The mean probability that a block needs. Chosen on sites that the model had not seen, where lists of links and credits of
    /// pictures stand between kept rows, too (`docs/best.md`).
    pub(super) fn least(self) -> f32 {
        match self {
            SectionBlock::Code | SectionBlock::Formula | SectionBlock::BoxTitle | SectionBlock::DataCaption => 0.0,
            SectionBlock::Table | SectionBlock::Heading => 0.1,
            SectionBlock::Caption | SectionBlock::Quote => 0.2,
            SectionBlock::List => 0.3,
        }
    }
}

/// Words of classes and ids of formulas: data, not code.
const FORMULA: &[&str] =
    &["math", "kdmath", "mathjax", "katex", "equation", "formula", "displaymath", "formel", "gongshi"];

/// The same of boxes beside the text, and of their titles.
const BOX: &[&str] = &["callout", "admonition", "alert", "macro"];

const BOX_TITLE: &[&str] = &["title", "heading"];

/// The same of boxes that say what was wrong in a text, or how it came to be.
const NOTE: &[&str] = &[
    "correction",
    "corrections",
    "update",
    "updates",
    "updated",
    "amended",
    "amendment",
    "methodology",
    "clarification",
    "note",
    "notes",
    "editornote",
    "disclosure",
];

/// Which blocks the classes and ids of a page name, each distinct word read once.
pub(super) struct BlockNames {
    of_values: Vec<u8>,
}

/// The words of the lists by their hashes, with one bit for each list that has them.
static LISTED: LazyLock<ByHash<u8>> = LazyLock::new(|| {
    let mut listed = ByHash::default();
    for (bit, list) in (0..).zip([FORMULA, BOX, BOX_TITLE, CAPTION, NOTE]) {
        list.iter().for_each(|word| *listed.entry(hash(word.as_bytes())).or_insert(0) |= 1 << bit);
    }
    listed
});

impl BlockNames {
    pub(super) fn new(page: &Page<'_>) -> BlockNames {
        let bits = |word: u64| LISTED.get(&word).copied().unwrap_or(0);
        BlockNames { of_values: page.named().by_value(bits, |all: &mut u8, bits| *all |= bits) }
    }

    /// Whether an element is called a correction or the like.
    pub(super) fn is_note(&self, page: &Page<'_>, id: NodeId) -> bool {
        page.named().bits_of(page.doc, id, &self.of_values) >> 4 & 1 == 1
    }

    /// Whether an element is called a box beside the text.
    pub(super) fn is_box(&self, page: &Page<'_>, id: NodeId) -> bool {
        page.named().bits_of(page.doc, id, &self.of_values) >> 1 & 1 == 1
    }

    fn block(&self, page: &Page<'_>, id: NodeId) -> Option<SectionBlock> {
        let bits = page.named().bits_of(page.doc, id, &self.of_values);
        let says = |list: u8| bits >> list & 1 == 1;
        match bits {
            0 => None,
            _ if says(0) => Some(SectionBlock::Formula),
            _ if says(2) && (says(1) || is_of_note(page.doc, id)) => Some(SectionBlock::BoxTitle),
            _ => (says(3) && is_caption(page, id)).then_some(SectionBlock::Caption),
        }
    }
}

/// Whether a block of code stands right behind an element: `<label>Listing 1</label><pre>…`.
fn is_before_code(page: &Page<'_>, id: NodeId) -> bool {
    page.doc.elements_behind(id).next().is_some_and(|next| page.verbatim().is_block(next))
}

/// Whether an element stands in a box that says what it is by its role or name. The title of a quote says whose it is.
fn is_of_note(doc: &Doc, id: NodeId) -> bool {
    doc.parent(id).is_some_and(|around| {
        matches!(doc.attr(around, LocalName::ROLE), Some("note" | "alert"))
            || doc.name(around) == LocalName::ASIDE && !is_named(doc, around, &["quote"])
    })
}

/// Whether a caption is that of a table or of code, and not of a picture, beside which others stand: in one figure with it, or beside it.
fn is_of_data(page: &Page<'_>, caption: NodeId) -> bool {
    const MAX_NODES: usize = 400;
    let doc = page.doc;
    let is_data = |id: NodeId| matches!(doc.name(id), LocalName::TABLE | LocalName::PRE);
    let figure = doc.parent(caption).filter(|&id| doc.name(id) == LocalName::FIGURE);
    let element = |next: &dyn Fn(NodeId) -> Option<NodeId>| {
        std::iter::successors(next(caption), |&id| next(id)).take(3).find(|&id| doc.is_element(id))
    };
    let beside = || [element(&|id| doc.next_sibling(id)), element(&|id| doc.prev_sibling(id))];
    match figure {
        Some(figure) => doc.subtree(figure).take(MAX_NODES).any(is_data),
        None => beside().into_iter().flatten().any(is_data),
    }
}
