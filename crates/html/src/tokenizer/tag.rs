//! Tags and their attributes (§13.2.5.6 to 8 and 32 to 40).

use memchr::{memchr, memchr2};

use super::bytes::{self, ENDS_ATTR_NAME, ENDS_TAG_NAME, ENDS_VALUE, eight, find2};
use super::references::decode_value;
use super::{Token, Tokenizer};
use crate::doc::{Attr, ByteRange};
use crate::name::LocalName;
use crate::store::ParseBuffers;

/// A start tag, or an end tag without its attributes.
#[derive(Debug)]
pub(crate) struct Tag {
    pub(crate) name: LocalName,
    /// Where its attributes begin in the store, without those that have the name of an earlier one, and how many there are.
    pub(crate) first: u32,
    pub(crate) n_attributes: u32,
    pub(crate) self_closing: bool,
}

impl Default for Tag {
    fn default() -> Self {
        Tag { name: LocalName::TEXT, first: 0, n_attributes: 0, self_closing: false }
    }
}

impl Tag {
    pub(crate) fn attributes<'d>(&self, store: &'d ParseBuffers) -> &'d [Attr] {
        &store.attributes[self.first as usize..][..self.n_attributes as usize]
    }
}

/// Which names the attributes of the current tag have: for each number of a name, the last tag that had it. So one look
/// finds a duplicate, however many attributes a tag has.
#[derive(Debug, Default)]
pub(super) struct AttributeNameSet {
    last: Vec<u64>,
    tag: u64,
}

impl AttributeNameSet {
    fn next_tag(&mut self) {
        self.tag += 1;
    }

    /// Whether the name is new to the current tag.
    fn insert(&mut self, name: LocalName) -> bool {
        if name.index() >= self.last.len() {
            self.last.resize((name.index() + 1).max(LocalName::NAMED_LEN), 0);
        }
        std::mem::replace(&mut self.last[name.index()], self.tag) != self.tag
    }
}

/// A value in the source.
struct Value {
    span: ByteRange,
    /// Whether it has `&` or U+0000, and so may mean something else than it says.
    special: bool,
}

impl Value {
    fn empty(at: usize) -> Self {
        Value { span: ByteRange::between(at, at), special: false }
    }
}

impl Tokenizer<'_> {
    /// The start tag whose name begins at `from`; the end of the page in place of an unfinished one.
    pub(super) fn start_tag(&mut self, store: &mut ParseBuffers, from: usize) -> Token {
        self.seen.next_tag();
        let end = self.tag_name(store, from);
        self.last_start = (from, end);
        self.attributes(end, store, true, Token::StartTag)
    }

    /// The end tag whose name begins at `from`; the end of the page in place of an unfinished one.
    pub(super) fn end_tag(&mut self, store: &mut ParseBuffers, from: usize) -> Token {
        let end = self.tag_name(store, from);
        self.attributes(end, store, false, Token::EndTag)
    }

    /// Begins a new tag; the offset behind its name.
    fn tag_name(&mut self, store: &mut ParseBuffers, from: usize) -> usize {
        let (name, end) = self.name::<false>(store, from);
        self.tag = Tag { name, first: store.attributes.len() as u32, n_attributes: 0, self_closing: false };
        end
    }

    /// The name that begins at `from`, and the offset behind it.
    #[inline(always)]
    fn name<const OF_ATTRIBUTE: bool>(&mut self, store: &mut ParseBuffers, from: usize) -> (LocalName, usize) {
        let source = self.source.as_bytes();
        let class = if OF_ATTRIBUTE { ENDS_ATTR_NAME } else { ENDS_TAG_NAME };
        if let Some(word) = eight(source, from)
            && let ends = if OF_ATTRIBUTE { bytes::attr_name_ends(word) } else { bytes::tag_name_ends(word) }
            && let Some((name, length)) = self.lookup.short(word, ends)
            && bytes::is(source[from + length], class)
        {
            return (name, from + length);
        }
        self.other_name(store, from, usize::from(OF_ATTRIBUTE), class)
    }

    /// The same for a name that is long or not known, of which so many bytes are part whatever they are.
    #[inline(never)]
    fn other_name(&mut self, store: &mut ParseBuffers, from: usize, least: usize, class: u8) -> (LocalName, usize) {
        let end = bytes::until(self.source.as_bytes(), from + least, class);
        (self.lookup.name(self.source, from, end, &mut store.names), end)
    }

    /// Reads from behind the name of a tag to behind its `>`. If they are not kept, attributes are read over.
    fn attributes(&mut self, mut at: usize, store: &mut ParseBuffers, kept: bool, token: Token) -> Token {
        let source = self.source.as_bytes();
        loop {
            at = bytes::skip_space(source, at);
            match source.get(at) {
                None => {
                    self.pos = source.len();
                    return Token::Eof;
                }
                Some(b'>') => break,
                Some(b'/') => {
                    at += 1;
                    if source.get(at) == Some(&b'>') {
                        self.tag.self_closing = true;
                        break;
                    }
                }
                Some(_) => {
                    self.steps += 1;
                    at = if kept { self.attribute(at, store) } else { self.skip_attribute(at) };
                }
            }
        }
        self.pos = at + 1;
        token
    }

    fn skip_attribute(&self, at: usize) -> usize {
        let end = bytes::until(self.source.as_bytes(), at + 1, ENDS_ATTR_NAME);
        self.read_value(end).1
    }

    /// Adds an attribute to the tag if it has room for it, and none of that name; the offset from which the tag goes on.
    fn attribute(&mut self, at: usize, store: &mut ParseBuffers) -> usize {
        if self.tag.n_attributes as usize >= self.max_attributes || store.is_full() {
            self.attributes_hit = true;
            return self.skip_attribute(at);
        }
        let (name, end) = self.name::<true>(store, at);
        let (Value { span, special }, end) = self.read_value(end);
        if self.seen.insert(name) {
            let value = if special { self.decoded(span, store) } else { span };
            store.attributes.push(Attr { name, value });
            self.tag.n_attributes += 1;
        }
        end
    }

    fn decoded(&self, value: ByteRange, store: &mut ParseBuffers) -> ByteRange {
        let start = store.text.len();
        decode_value(self.source.get(value.range()).unwrap_or_default(), &mut store.text);
        ByteRange::between(start, store.text.len())
    }

    /// The value behind the name of an attribute, which is empty where there is none, and the offset from which the tag
    /// goes on. An unfinished value ends with the page, and the tag with it.
    fn read_value(&self, at: usize) -> (Value, usize) {
        let source = self.source.as_bytes();
        let at = bytes::skip_space(source, at);
        if source.get(at) != Some(&b'=') {
            return (Value::empty(at), at);
        }
        let at = bytes::skip_space(source, at + 1);
        match source.get(at) {
            Some(&quote @ (b'"' | b'\'')) => self.quoted(at + 1, quote),
            Some(b'>') | None => (Value::empty(at), at),
            Some(_) => {
                let to = bytes::until(source, at, ENDS_VALUE);
                let special = memchr2(b'&', 0, &source[at..to]).is_some();
                (Value { span: ByteRange::between(at, to), special }, to)
            }
        }
    }

    /// The value from `from` up to its quote, and the offset behind that.
    fn quoted(&self, from: usize, quote: u8) -> (Value, usize) {
        let source = self.source.as_bytes();
        let mut to = find2(source, from, quote, b'&');
        let mut special = source.get(to) == Some(&b'&');
        if special {
            to = memchr(quote, &source[to..]).map_or(source.len(), |offset| to + offset);
        }
        special |= self.has_nul && memchr(0, &source[from..to]).is_some();
        (Value { span: ByteRange::between(from, to), special }, (to + 1).min(source.len()))
    }
}
