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

use std::borrow::Cow;

use memchr::memchr2;

use self::names::Lookup;
use self::references::reference;
use self::tag::Seen;
use crate::name::ExtraNames;

pub(crate) use self::doctype::Doctype;
pub(crate) use self::entities::{Characters, named};
pub(crate) use self::tag::{Tag, TagAttr};

/// What the tree builder is fed with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token<'s> {
    /// Text as it stands in the source, never empty. U+0000 is passed on in the data state and in CDATA sections;
    /// elsewhere it comes as U+FFFD. Several of these and of `Reference` may follow each other.
    Text(&'s str),
    /// The one or two characters of a character reference.
    Reference(Characters),
    /// A start tag, which is in [`Tokenizer::tag`].
    StartTag,
    /// An end tag, which is in [`Tokenizer::tag`], without attributes.
    EndTag,
    /// The text of a comment, bogus ones included.
    Comment(Cow<'s, str>),
    /// A doctype, even one without a name.
    Doctype(Doctype<'s>),
    /// The end of the page, from now on.
    Eof,
}

/// What text means from here on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
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
    state: State,
    /// In any state but `Data`: where its text ends, once that has been looked for. An end tag stands there, or
    /// nothing.
    raw_end: Option<usize>,
    /// The reference that stands at `pos`, and where it ends, if the end of the text before it has shown it.
    pending: Option<(Characters, usize)>,
    /// Where the name of the last start tag stands; empty before the first one.
    last_start: (usize, usize),
    tag: Tag,
    /// The values of the attributes of `tag` that are not as they stand in the source.
    decoded: String,
    lookup: Lookup,
    seen: Seen,
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
            state: State::Data,
            raw_end: None,
            pending: None,
            last_start: (0, 0),
            tag: Tag::default(),
            decoded: String::new(),
            lookup: Lookup::new(),
            seen: Seen::default(),
            max_attributes,
            attributes_hit: false,
            steps: 0,
        }
    }

    /// The next token. `cdata`: whether `<![CDATA[` opens a CDATA section, which it does in foreign content only.
    /// `names` takes the names that are not known, and must be the same for all tokens of a page.
    pub(crate) fn next(&mut self, names: &mut ExtraNames, cdata: bool) -> Token<'s> {
        self.steps += 1;
        if self.state == State::Data { self.data(names, cdata) } else { self.raw(names) }
    }

    /// The tag of the last `StartTag` or `EndTag`.
    pub(crate) fn tag(&self) -> &Tag {
        &self.tag
    }

    /// The value of an attribute of [`Self::tag`], with its references resolved.
    pub(crate) fn value(&self, attr: &TagAttr) -> &str {
        let from = if attr.decoded { &self.decoded } else { self.source };
        from.get(attr.from..attr.to).unwrap_or_default()
    }

    /// Changes what the text from here on means; for the tree builder, after a start tag. The end tag that ends raw
    /// text is the one of the last start tag.
    pub(crate) fn set_state(&mut self, state: State) {
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

    /// The source between two offsets, both at characters of ASCII or at the end.
    fn text(&self, from: usize, to: usize) -> &'s str {
        self.source.get(from..to).unwrap_or_default()
    }

    fn data(&mut self, names: &mut ExtraNames, cdata: bool) -> Token<'s> {
        if let Some(token) = self.pending_reference() {
            return token;
        }
        loop {
            let start = self.pos;
            self.pos = self.text_end(start);
            if self.pos > start {
                return Token::Text(self.text(start, self.pos));
            }
            if let Some(token) = self.pending_reference() {
                return token;
            }
            if self.pos == self.source.len() {
                return Token::Eof;
            }
            if let Some(token) = self.markup(names, cdata) {
                return token;
            }
        }
    }

    fn pending_reference(&mut self) -> Option<Token<'s>> {
        let (characters, end) = self.pending.take()?;
        self.pos = end;
        Some(Token::Reference(characters))
    }

    /// Where the text from `from` on ends: at markup, or at a reference, which is then `pending`.
    fn text_end(&mut self, from: usize) -> usize {
        let bytes = self.source.as_bytes();
        let mut at = from;
        while let Some(offset) = bytes.get(at..).and_then(|rest| memchr2(b'<', b'&', rest)) {
            at += offset;
            if bytes[at] == b'&' {
                self.pending = reference(bytes, at + 1, false);
                if self.pending.is_some() {
                    return at;
                }
            } else if markup::begins(bytes, at) {
                return at;
            }
            self.steps += 1;
            at += 1;
        }
        bytes.len()
    }
}
