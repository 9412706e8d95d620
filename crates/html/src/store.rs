//! What the parser fills: the text that tokens, text nodes and values are spans of, the attributes, and the names.

use crate::doc::{Attr, ByteRange};
use crate::name::ExtraNames;

/// Copies of formatting elements repeat their attributes, so there is a bound on all of a page.
const MAX_ATTRIBUTES: usize = 4_000_000;

#[derive(Debug, Default)]
pub(crate) struct ParseBuffers {
    /// The page, and behind it what does not stand in it as it is read: resolved references, and text from several places.
    pub(crate) text: String,
    /// Length of the page.
    page: usize,
    pub(crate) attributes: Vec<Attr>,
    pub(crate) names: ExtraNames,
}

impl ParseBuffers {
    /// Takes the arrays of another document, which are empty.
    pub(crate) fn new(page: &str, mut text: String, mut attributes: Vec<Attr>) -> ParseBuffers {
        text.reserve(page.len() + page.len() / 16);
        text.push_str(page);
        attributes.reserve(64 + page.len() / 40);
        ParseBuffers { text, page: page.len(), attributes, names: ExtraNames::default() }
    }

    /// Whether there is no room for another attribute.
    pub(crate) fn is_full(&self) -> bool {
        self.attributes.len() >= MAX_ATTRIBUTES
    }

    /// The text of a span.
    pub(crate) fn get(&self, span: ByteRange) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Adds text that does not stand in the page.
    pub(crate) fn push(&mut self, text: &str) -> ByteRange {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        ByteRange { start, len: text.len() as u32 }
    }

    /// One span with the text of both, if that costs a copy of the first one at most once: it ends where the second begins, or it
    /// ends the text, or it stands in the page.
    pub(crate) fn join(&mut self, first: ByteRange, second: ByteRange) -> Option<ByteRange> {
        let len = first.len + second.len;
        if first.end() == second.start {
            return Some(ByteRange { len, ..first });
        }
        if first.end() as usize == self.text.len() {
            self.text.extend_from_within(second.range());
            return Some(ByteRange { len, ..first });
        }
        ((first.start as usize) < self.page).then(|| {
            let start = self.text.len() as u32;
            self.text.extend_from_within(first.range());
            self.text.extend_from_within(second.range());
            ByteRange { start, len }
        })
    }
}
