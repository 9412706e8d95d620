//! What of a page's structure the results keep.

use gristmill_html::{LocalName, NodeId};
use gristmill_page::{Page, Selection, attribute_words::is_named, is_heading, tables::is_data_table};

/// What text, Markdown and HTML keep of the structure of what a method kept. Default: all but images.
///
/// Except for links and images, what is not kept goes with its words, and from all renderings alike. That is a matter of
/// the result, not of the method: neither confidence nor rescue look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Structure {
    /// `h1` to `h6`.
    pub headings: bool,
    /// Ordered and plain lists.
    pub lists: bool,
    /// Tables of data; tables for layout are not meant.
    pub tables: bool,
    /// Blocks of code and other preformatted text; code within a sentence is not meant.
    pub code: bool,
    /// Block quotes.
    pub quotes: bool,
    /// `figcaption`, and short elements whose class or id says that they are one.
    pub captions: bool,
    /// Footnotes and what refers to them.
    pub notes: bool,
    /// Addresses of links; their words stay.
    pub links: bool,
    /// Images between kept rows, and of figures whose caption is kept, in Markdown and HTML; they add no words to the
    /// text.
    pub images: bool,
}

impl Default for Structure {
    fn default() -> Self {
        let mut structure = Structure::ALL;
        structure.images = false;
        structure
    }
}

/// Longer texts are no captions, whatever their class is.
const MAX_CAPTION_CHARS: u32 = 600;
/// Words of classes and ids of captions in several languages: data, not code.
pub(crate) const CAPTION: &[&str] =
    &["caption", "bildunterschrift", "bildtext", "legende", "didascalia", "leyenda", "tushuo"];

impl Structure {
    /// Everything.
    pub const ALL: Structure = Structure {
        headings: true,
        lists: true,
        tables: true,
        code: true,
        quotes: true,
        captions: true,
        notes: true,
        links: true,
        images: true,
    };

    /// Whether nothing goes with its words.
    pub(crate) fn keeps_all_words(&self) -> bool {
        Structure { links: true, images: true, ..*self } == Structure::ALL
    }

    /// The selection without the words of what is not kept. O(nodes); nothing to do by default.
    pub fn select(&self, page: &Page<'_>, selection: Selection) -> Selection {
        if self.keeps_all_words() {
            return selection;
        }
        let selection = if self.notes { selection } else { without_notes(page, selection) };
        let doc = page.doc;
        let mut dropped: Vec<(usize, usize)> = Vec::new();
        let mut at = 1;
        while at < doc.len() {
            let id = doc.id(at);
            at += 1;
            if doc.is_element(id) && self.drops(page, id) {
                dropped.push((id.index(), doc.end(id)));
                at = doc.end(id);
            }
        }
        selection.without(page, &dropped)
    }

    fn drops(&self, page: &Page<'_>, id: NodeId) -> bool {
        match page.doc.name(id) {
            _ if !self.code && page.verbatim().is_block(id) => true,
            LocalName::UL | LocalName::OL | LocalName::MENU | LocalName::DIR => !self.lists,
            LocalName::BLOCKQUOTE => !self.quotes,
            LocalName::TABLE => !self.tables && is_data_table(page.doc, id),
            name if is_heading(name) => !self.headings,
            _ => !self.captions && is_caption(page, id),
        }
    }
}

fn without_notes(page: &Page<'_>, selection: Selection) -> Selection {
    let notes = page.notes();
    let references = notes.references.iter().map(|reference| &reference.nodes);
    let mut dropped: Vec<_> =
        references.chain(notes.notes.iter().map(|note| &note.nodes)).map(|nodes| (nodes.start, nodes.end)).collect();
    dropped.sort_unstable();
    let written: Vec<_> = notes.written.iter().map(|reference| reference.range.clone()).collect();
    selection.without(page, &dropped).without_text(page, &written)
}

/// Whether an element is the caption of something.
pub(crate) fn is_caption(page: &Page<'_>, id: NodeId) -> bool {
    let short = || page.elements().below(id).chars <= MAX_CAPTION_CHARS;
    page.doc.name(id) == LocalName::FIGCAPTION || is_named(page.doc, id, CAPTION) && short()
}
