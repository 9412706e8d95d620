//! Doctypes (§13.2.5.53 to 68).

use std::borrow::Cow;

use memchr::{memchr, memchr2};

use super::bytes::{self, ENDS_VALUE, has_word};
use super::markup::without_nul;
use super::{Token, Tokenizer};

/// What a doctype says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Doctype<'s> {
    /// In lower case.
    pub(crate) name: Option<Cow<'s, str>>,
    pub(crate) public: Option<Cow<'s, str>>,
    pub(crate) system: Option<Cow<'s, str>>,
    /// Whether it is so broken that the page is meant for quirks mode.
    pub(crate) force_quirks: bool,
}

/// Where a doctype has been read to.
enum Then {
    /// Here its next part stands.
    On(usize),
    /// All it says has been read: the rest up to `>`, from here, means nothing.
    Over(usize),
}

impl<'s> Tokenizer<'s> {
    /// The doctype behind `<!doctype`.
    pub(super) fn read_doctype(&mut self, from: usize) -> Token {
        let mut doctype = Doctype::default();
        let over = match self.doctype_name(from, &mut doctype) {
            Then::On(at) => self.doctype_ids(at, &mut doctype),
            Then::Over(at) => at,
        };
        let rest = self.slice(over, self.source.len()).as_bytes();
        self.pos = memchr(b'>', rest).map_or(self.source.len(), |length| over + length + 1);
        self.doctype = doctype;
        Token::Doctype
    }

    /// Reads the name, and the white space around it.
    fn doctype_name(&self, from: usize, doctype: &mut Doctype<'s>) -> Then {
        let bytes = self.source.as_bytes();
        let start = bytes::skip_space(bytes, from);
        let end = bytes::until(bytes, start, ENDS_VALUE);
        if start < end {
            let name = self.slice(start, end);
            let name = if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
                Cow::Owned(name.to_ascii_lowercase().replace('\0', "\u{FFFD}"))
            } else {
                without_nul(name)
            };
            doctype.name = Some(name);
        }
        let at = bytes::skip_space(bytes, end);
        let ends = self.ends(at, doctype);
        doctype.force_quirks |= start == end;
        if ends { Then::Over(at) } else { Then::On(at) }
    }

    /// Reads `PUBLIC` or `SYSTEM` at `at` and what follows; the offset from which the rest means nothing.
    fn doctype_ids(&self, at: usize, doctype: &mut Doctype<'s>) -> usize {
        let bytes = self.source.as_bytes();
        let is_public = has_word(bytes, at, b"public");
        if !is_public && !has_word(bytes, at, b"system") {
            doctype.force_quirks = true;
            return at;
        }
        let mut at = at + 6;
        if is_public {
            at = match self.doctype_id(at, doctype, |doctype, id| doctype.public = Some(id)) {
                Then::On(at) => bytes::skip_space(bytes, at),
                Then::Over(at) => return at,
            };
            if bytes.get(at) == Some(&b'>') {
                return at;
            }
        }
        match self.doctype_id(at, doctype, |doctype, id| doctype.system = Some(id)) {
            Then::On(at) => {
                let at = bytes::skip_space(bytes, at);
                self.ends(at, doctype);
                at
            }
            Then::Over(at) => at,
        }
    }

    /// Reads white space and an identifier in quotes, without which the doctype is broken.
    fn doctype_id(
        &self,
        at: usize,
        doctype: &mut Doctype<'s>,
        set: impl FnOnce(&mut Doctype<'s>, Cow<'s, str>),
    ) -> Then {
        let bytes = self.source.as_bytes();
        let at = bytes::skip_space(bytes, at);
        let Some(&quote @ (b'"' | b'\'')) = bytes.get(at) else {
            doctype.force_quirks = true;
            return Then::Over(at);
        };
        let rest = self.slice(at + 1, bytes.len());
        let length = memchr2(quote, b'>', rest.as_bytes()).unwrap_or(rest.len());
        set(doctype, without_nul(self.slice(at + 1, at + 1 + length)));
        let end = at + 1 + length;
        if bytes.get(end) == Some(&quote) {
            return Then::On(end + 1);
        }
        doctype.force_quirks = true;
        Then::Over(end)
    }

    /// Whether the doctype ends at `at`; the end of the page is too early for it.
    fn ends(&self, at: usize, doctype: &mut Doctype<'s>) -> bool {
        let next = self.source.as_bytes().get(at);
        doctype.force_quirks |= next.is_none();
        matches!(next, None | Some(b'>'))
    }
}
