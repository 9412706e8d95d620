//! What the parser fills: the text that tokens, text nodes and values are spans of, the attributes, and the names.

use crate::doc::{Attr, Span};
use crate::name::ExtraNames;

/// Copies of formatting elements repeat their attributes, so there is a bound on all of a page.
const MAX_ATTRIBUTES: usize = 4_000_000;

#[derive(Debug, Default)]
pub(crate) struct Store {
    /// The page, and behind it what does not stand in it as it is read: resolved references, and text from several places.
    pub(crate) text: String,
    /// Length of the page.
    page: usize,
    pub(crate) attributes: Vec<Attr>,
    pub(crate) names: ExtraNames,
}

impl Store {
    /// Takes the arrays of another document, which are empty.
    pub(crate) fn new(page: &str, mut text: String, mut attributes: Vec<Attr>) -> Store {
        text.reserve(page.len() + page.len() / 16);
        text.push_str(page);
        attributes.reserve(64 + page.len() / 40);
        Store { text, page: page.len(), attributes, names: ExtraNames::default() }
    }

    /// Whether there is no room for another attribute.
    pub(crate) fn is_full(&self) -> bool {
        self.attributes.len() >= MAX_ATTRIBUTES
    }

    /// The text of a span.
    pub(crate) fn get(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Adds text that does not stand in the page.
    pub(crate) fn push(&mut self, text: &str) -> Span {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        Span { start, len: text.len() as u32 }
    }

    /// One span with the text of both, if that costs a copy of the first one at most once: it ends where the second begins, or it
    /// ends the text, or it stands in the page.
    pub(crate) fn join(&mut self, first: Span, second: Span) -> Option<Span> {
        let len = first.len + second.len;
        if first.end() == second.start {
            return Some(Span { len, ..first });
        }
        if first.end() as usize == self.text.len() {
            self.text.extend_from_within(second.range());
            return Some(Span { len, ..first });
        }
        ((first.start as usize) < self.page).then(|| {
            let start = self.text.len() as u32;
            self.text.extend_from_within(first.range());
            self.text.extend_from_within(second.range());
            Span { start, len }
        })
    }
}
