//! The tokenizer of HTML (§13.2.5): from the text of a page to tags, text, comments and doctypes.
//!
//! The whole page is there, so this is no machine of states fed with characters: each construct is read by a function
//! that searches for its end. What a search has passed over belongs to the token that is read, or to a region of raw
//! text whose end is then known; so no byte is looked at more than a few times, whatever the page holds. Tokens borrow
//! from the page, and tags are read into buffers that are used again.

mod bytes;
mod doctype;
mod entities;
mod markup;
mod names;
mod raw;
mod references;
mod tag;
#[cfg(test)]
mod tests;

use memchr::memchr;

use self::bytes::find2;
use self::names::NameLookup;
use self::references::reference;
use self::tag::AttributeNameSet;
use crate::doc::{Attr, ByteRange};
use crate::store::ParseBuffers;

pub(crate) use self::doctype::Doctype;
pub(crate) use self::entities::{ReferenceChars, named};
pub(crate) use self::tag::Tag;

/// What the tree builder is fed with; what it says is in the tokenizer, so that a token is one byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    /// Text, which is in [`Tokenizer::text`], never empty: as it stands in the page, or one or two characters that a reference
    /// stands for. U+0000 is passed on in the data state and in CDATA sections; elsewhere it comes as U+FFFD. Several of these may
    /// follow each other.
    Text,
    /// A start tag, which is in [`Tokenizer::tag`].
    StartTag,
    /// An end tag, which is in [`Tokenizer::tag`], without attributes.
    EndTag,
    /// A comment, bogus ones included, which is in `Tokenizer::comment`.
    Comment,
    /// A doctype, even one without a name, which is in [`Tokenizer::doctype`].
    Doctype,
    /// The end of the page, from now on.
    Eof,
}

/// What text means from here on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenizerState {
    /// Tags, comments and references.
    Data,
    /// References, up to the end tag that fits the last start tag.
    Rcdata,
    /// Nothing but text, up to the end tag that fits the last start tag.
    Rawtext,
    /// As `Rawtext`, where the end tag may be hidden in `<!-- <script> -->`.
    ScriptData,
    /// Nothing but text, up to the end of the page.
    Plaintext,
}

/// Reads the tokens of one page, in which lines end with LF only.
pub(crate) struct Tokenizer<'s> {
    source: &'s str,
    /// All before this offset has been read.
    pos: usize,
    state: TokenizerState,
    /// In any state but `Data`: where its text ends, once that has been looked for. An end tag stands there, or
    /// nothing.
    raw_end: Option<usize>,
    /// The reference that stands at `pos`, and where it ends, if the end of the text before it has shown it.
    pending: Option<(ReferenceChars, usize)>,
    /// Where the name of the last start tag stands; empty before the first one.
    last_start: (usize, usize),
    text: ByteRange,
    tag: Tag,
    /// Where the text of the last comment stands.
    comment: ByteRange,
    doctype: Doctype<'s>,
    /// Whether U+0000 stands anywhere in the page.
    has_nul: bool,
    lookup: NameLookup,
    seen: AttributeNameSet,
    max_attributes: usize,
    attributes_hit: bool,
    steps: u64,
}

impl<'s> Tokenizer<'s> {
    /// Attributes of one tag beyond `max_attributes` are read over and left out.
    pub(crate) fn new(source: &'s str, max_attributes: usize) -> Self {
        Tokenizer {
            source,
            pos: 0,
            state: TokenizerState::Data,
            raw_end: None,
            pending: None,
            last_start: (0, 0),
            text: ByteRange::between(0, 0),
            tag: Tag::default(),
            comment: ByteRange::between(0, 0),
            doctype: Doctype::default(),
            has_nul: memchr(0, source.as_bytes()).is_some(),
            lookup: NameLookup::new(),
            seen: AttributeNameSet::default(),
            max_attributes,
            attributes_hit: false,
            steps: 0,
        }
    }

    /// The next token. `cdata`: whether `<![CDATA[` opens a CDATA section, which it does in foreign content only.
    /// `store` takes what is read, and must be that of the page.
    pub(crate) fn next(&mut self, store: &mut ParseBuffers, cdata: bool) -> Token {
        self.steps += 1;
        if self.state == TokenizerState::Data { self.data(store, cdata) } else { self.raw(store) }
    }

    /// The last text.
    pub(crate) fn text(&self) -> ByteRange {
        self.text
    }

    /// The tag of the last `StartTag` or `EndTag`.
    pub(crate) fn tag(&self) -> &Tag {
        &self.tag
    }

    /// Takes the attributes of the tag out of the store, if nothing was added since.
    pub(crate) fn hold_attributes(&self, store: &mut ParseBuffers) -> Vec<Attr> {
        let end = self.tag.first + self.tag.n_attributes;
        if store.attributes.len() > end as usize {
            return Vec::new();
        }
        store.attributes.split_off(self.tag.first as usize)
    }

    /// Puts them back behind what was added since.
    pub(crate) fn give_attributes(&mut self, store: &mut ParseBuffers, held: Vec<Attr>) {
        if !held.is_empty() {
            self.tag.first = store.attributes.len() as u32;
            store.attributes.extend(held);
        }
    }

    /// The last doctype.
    pub(crate) fn doctype(&self) -> &Doctype<'s> {
        &self.doctype
    }

    /// Whether U+0000 stands anywhere in the page, and so perhaps in a text.
    pub(crate) fn has_nul(&self) -> bool {
        self.has_nul
    }

    /// Changes what the text from here on means; for the tree builder, after a start tag. The end tag that ends raw
    /// text is the one of the last start tag.
    pub(crate) fn set_state(&mut self, state: TokenizerState) {
        self.state = state;
        self.raw_end = None;
        self.pending = None;
    }

    /// The work so far: a step for each token and each attribute, and for each `<` or `&` that turned out to be text.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether a tag had more than `max_attributes`.
    pub(crate) fn attributes_hit(&self) -> bool {
        self.attributes_hit
    }

    /// The token of a text of the page.
    fn text_token(&mut self, from: usize, to: usize) -> Token {
        self.text = ByteRange::between(from, to);
        Token::Text
    }

    /// The source between two offsets, both at characters of ASCII or at the end.
    fn slice(&self, from: usize, to: usize) -> &'s str {
        self.source.get(from..to).unwrap_or_default()
    }

    fn data(&mut self, store: &mut ParseBuffers, cdata: bool) -> Token {
        if self.pending.is_some() {
            return self.pending_reference(store);
        }
        loop {
            let start = self.pos;
            self.pos = self.text_end(start);
            if self.pos > start {
                return self.text_token(start, self.pos);
            }
            if self.pending.is_some() {
                return self.pending_reference(store);
            }
            if self.pos == self.source.len() {
                return Token::Eof;
            }
            if let Some(token) = self.markup(store, cdata) {
                return token;
            }
        }
    }

    /// The token of the reference that is pending.
    fn pending_reference(&mut self, store: &mut ParseBuffers) -> Token {
        let start = store.text.len();
        if let Some((characters, end)) = self.pending.take() {
            self.pos = end;
            store.text.extend(characters.chars());
        }
        self.text_token(start, store.text.len())
    }

    /// Where the text from `from` on ends: at markup, or at a reference, which is then `pending`.
    fn text_end(&mut self, from: usize) -> usize {
        let bytes = self.source.as_bytes();
        let mut at = from;
        loop {
            at = find2(bytes, at, b'<', b'&');
            match bytes.get(at) {
                None => return at,
                Some(b'<') if markup::begins(bytes, at) => return at,
                Some(b'<') => {}
                Some(_) => {
                    self.pending = reference(bytes, at + 1, false);
                    if self.pending.is_some() {
                        return at;
                    }
                }
            }
            self.steps += 1;
            at += 1;
        }
    }
}
