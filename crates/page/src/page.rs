//! A page: its rows, and what is computed of them once for all who ask.

use std::cell::OnceCell;
use std::ops::{Deref, Range};

use gristmill_html::Doc;

use crate::attribute_words::AttributeWords;
use crate::blocks::BlockRules;
use crate::declared::{EmbeddedItems, JsonLd};
use crate::elements::ElementStats;
use crate::leftovers;
use crate::notes::Notes;
use crate::paths::TagPaths;
use crate::rows::Rows;
use crate::tokens::{TokenStream, WordUnit};
use crate::verbatim::Verbatim;

/// A document with its leaves, rows and their statistics, computed once for all methods.
///
/// O(nodes + text) to build; the only allocations are flat arrays. What only some need is computed when the first of
/// them asks, and kept for the others. It is its [`Rows`] with these sums beside them.
#[derive(Debug, Clone)]
pub struct Page<'d> {
    base: Rows<'d>,
    elements: OnceCell<ElementStats>,
    named: OnceCell<AttributeWords>,
    paths: OnceCell<TagPaths>,
    tokens: OnceCell<TokenStream>,
    verbatim: OnceCell<Verbatim>,
    notes: OnceCell<Notes>,
    leftovers: OnceCell<Vec<Range<u32>>>,
    json_ld: OnceCell<JsonLd>,
    embedded: OnceCell<EmbeddedItems>,
}

impl<'d> Deref for Page<'d> {
    type Target = Rows<'d>;

    #[inline]
    fn deref(&self) -> &Rows<'d> {
        &self.base
    }
}

impl<'d> Page<'d> {
    /// Gathers leaves and rows of `doc`.
    pub fn new(doc: &'d Doc) -> Page<'d> {
        Page {
            base: Rows::new(doc, BlockRules::TEXT),
            elements: OnceCell::new(),
            named: OnceCell::new(),
            paths: OnceCell::new(),
            tokens: OnceCell::new(),
            verbatim: OnceCell::new(),
            notes: OnceCell::new(),
            leftovers: OnceCell::new(),
            json_ld: OnceCell::new(),
            embedded: OnceCell::new(),
        }
    }

    /// Sums below every element.
    #[inline]
    pub fn elements(&self) -> &ElementStats {
        self.elements.get_or_init(|| ElementStats::new(&self.base))
    }

    /// Class names and the like.
    #[inline]
    pub fn named(&self) -> &AttributeWords {
        self.named.get_or_init(|| AttributeWords::new(self.base.doc))
    }

    /// Tag paths.
    #[inline]
    pub fn paths(&self) -> &TagPaths {
        self.paths.get_or_init(|| TagPaths::new(self.base.doc))
    }

    /// Tags and words as one stream.
    pub fn tokens(&self) -> &TokenStream {
        self.tokens.get_or_init(|| TokenStream::new(&self.base, WordUnit::Word))
    }

    /// Where white space is text.
    #[inline]
    pub fn verbatim(&self) -> &Verbatim {
        self.verbatim.get_or_init(|| Verbatim::new(&self.base, self.named()))
    }

    /// What its JSON-LD declares.
    pub fn json_ld(&self) -> &JsonLd {
        self.json_ld.get_or_init(|| JsonLd::of(self.base.doc))
    }

    /// What its attributes declare.
    pub fn embedded(&self) -> &EmbeddedItems {
        self.embedded.get_or_init(|| EmbeddedItems::of(self.base.doc))
    }

    /// Footnotes.
    pub fn notes(&self) -> &Notes {
        self.notes.get_or_init(|| Notes::new(&self.base, self.named()))
    }

    /// What no reader is meant to read, as ranges of [`Rows::text`] in order.
    #[inline]
    pub fn leftovers(&self) -> &[Range<u32>] {
        self.leftovers.get_or_init(|| leftovers::find(&self.base, self.named(), self.verbatim(), self.notes()))
    }
}
