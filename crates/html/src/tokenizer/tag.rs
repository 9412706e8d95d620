//! Tags and their attributes (§13.2.5.6 to 8 and 32 to 40).

use memchr::{memchr, memchr2, memchr3};

use super::bytes::{self, ENDS_ATTR_NAME, ENDS_TAG_NAME, ENDS_VALUE};
use super::references::decode_value;
use super::{Token, Tokenizer};
use crate::name::{ExtraNames, Name};

/// An attribute; [`Tokenizer::value`] has its value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TagAttr {
    pub(crate) name: Name,
    /// Where the value begins and ends, in the source or in the decoded buffer.
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) decoded: bool,
}

/// A start tag, or an end tag without its attributes.
#[derive(Debug)]
pub(crate) struct Tag {
    pub(crate) name: Name,
    /// Without those that have the name of an earlier one.
    pub(crate) attrs: Vec<TagAttr>,
    pub(crate) self_closing: bool,
}

impl Default for Tag {
    fn default() -> Self {
        Tag { name: Name::TEXT, attrs: Vec::new(), self_closing: false }
    }
}

/// Which names the attributes of the current tag have: for each number of a name, the last tag that had it. So one look
/// finds a duplicate, however many attributes a tag has.
#[derive(Debug, Default)]
pub(super) struct Seen {
    last: Vec<u64>,
    tag: u64,
}

impl Seen {
    fn next_tag(&mut self) {
        self.tag += 1;
    }

    /// Whether the name is new to the current tag.
    fn insert(&mut self, name: Name) -> bool {
        if name.index() >= self.last.len() {
            self.last.resize((name.index() + 1).max(Name::NAMED_LEN), 0);
        }
        std::mem::replace(&mut self.last[name.index()], self.tag) != self.tag
    }
}

/// A value in the source.
struct Value {
    from: usize,
    to: usize,
    /// Whether it has `&` or U+0000, and so may mean something else than it says.
    special: bool,
}

impl Value {
    const fn empty(at: usize) -> Self {
        Value { from: at, to: at, special: false }
    }
}

impl<'s> Tokenizer<'s> {
    /// The start tag whose name begins at `from`; the end of the page in place of an unfinished one.
    pub(super) fn start_tag(&mut self, names: &mut ExtraNames, from: usize) -> Token<'s> {
        self.seen.next_tag();
        let end = self.tag_name(names, from);
        self.last_start = (from, end);
        self.attributes(end, Some(names), Token::StartTag)
    }

    /// The end tag whose name begins at `from`; the end of the page in place of an unfinished one.
    pub(super) fn end_tag(&mut self, names: &mut ExtraNames, from: usize) -> Token<'s> {
        let end = self.tag_name(names, from);
        self.attributes(end, None, Token::EndTag)
    }

    /// Begins a new tag; the offset behind its name.
    fn tag_name(&mut self, names: &mut ExtraNames, from: usize) -> usize {
        let end = bytes::until(self.source.as_bytes(), from, ENDS_TAG_NAME);
        self.decoded.clear();
        self.tag.attrs.clear();
        self.tag.self_closing = false;
        self.tag.name = self.lookup.name(self.source, from, end, names);
        end
    }

    /// Reads from behind the name of a tag to behind its `>`. Without `names`, attributes are read over.
    fn attributes(&mut self, mut at: usize, mut names: Option<&mut ExtraNames>, token: Token<'s>) -> Token<'s> {
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
                    // The first byte is always part of the name, even if it is a `=`.
                    let name = (at, bytes::until(source, at + 1, ENDS_ATTR_NAME));
                    let value;
                    (value, at) = read_value(source, name.1);
                    self.steps += 1;
                    if let Some(names) = &mut names {
                        self.keep(name, &value, names);
                    }
                }
            }
        }
        self.pos = at + 1;
        token
    }

    /// Adds an attribute to the tag if it has room for it, and none of that name.
    fn keep(&mut self, name: (usize, usize), value: &Value, names: &mut ExtraNames) {
        if self.tag.attrs.len() >= self.max_attributes {
            self.attributes_hit = true;
            return;
        }
        let name = self.lookup.name(self.source, name.0, name.1, names);
        if !self.seen.insert(name) {
            return;
        }
        let mut attr = TagAttr { name, from: value.from, to: value.to, decoded: value.special };
        if value.special {
            attr.from = self.decoded.len();
            decode_value(self.source.get(value.from..value.to).unwrap_or_default(), &mut self.decoded);
            attr.to = self.decoded.len();
        }
        self.tag.attrs.push(attr);
    }
}

/// The value behind the name of an attribute, which is empty where there is none, and the offset from which the tag
/// goes on. An unfinished value ends with the page, and the tag with it.
fn read_value(source: &[u8], at: usize) -> (Value, usize) {
    let at = bytes::skip_space(source, at);
    if source.get(at) != Some(&b'=') {
        return (Value::empty(at), at);
    }
    let at = bytes::skip_space(source, at + 1);
    match source.get(at) {
        Some(&quote @ (b'"' | b'\'')) => quoted(source, at + 1, quote),
        Some(b'>') | None => (Value::empty(at), at),
        Some(_) => {
            let to = bytes::until(source, at, ENDS_VALUE);
            let special = memchr2(b'&', 0, &source[at..to]).is_some();
            (Value { from: at, to, special }, to)
        }
    }
}

/// The value from `from` up to its quote, and the offset behind that.
fn quoted(source: &[u8], from: usize, quote: u8) -> (Value, usize) {
    let Some(rest) = source.get(from..) else { return (Value::empty(from), from) };
    let first = memchr3(quote, b'&', 0, rest).unwrap_or(rest.len());
    let (length, special) = match rest.get(first) {
        Some(&byte) if byte != quote => (first + memchr(quote, &rest[first..]).unwrap_or(rest.len() - first), true),
        _ => (first, false),
    };
    let to = from + length;
    (Value { from, to, special }, (to + 1).min(source.len()))
}
