//! What `<` may begin in the data state: tags, comments, doctypes, CDATA sections (§13.2.5.6, 7, 41 to 53, 69 to 71).

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memmem};

use super::bytes::has_word;
use super::{Token, Tokenizer};
use crate::doc::ByteRange;
use crate::store::ParseBuffers;

/// Whether the `<` at `at` is more than text.
pub(super) fn begins(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at + 1) {
        Some(b'!' | b'?') => true,
        Some(b'/') => at + 2 < bytes.len(),
        Some(next) => next.is_ascii_alphabetic(),
        None => false,
    }
}

/// The text with U+FFFD for U+0000, copied only if there is any.
pub(super) fn without_nul(text: &str) -> Cow<'_, str> {
    match memchr(0, text.as_bytes()) {
        Some(_) => Cow::Owned(text.replace('\0', "\u{FFFD}")),
        None => Cow::Borrowed(text),
    }
}

impl Tokenizer<'_> {
    /// Reads what begins with the `<` at `pos`; `None` if it means nothing at all, as `</>`.
    pub(super) fn markup(&mut self, store: &mut ParseBuffers, cdata: bool) -> Option<Token> {
        let bytes = self.source.as_bytes();
        let at = self.pos + 1;
        match bytes.get(at)? {
            b'/' => match bytes.get(at + 1)? {
                b'>' => {
                    self.pos = at + 2;
                    None
                }
                next if next.is_ascii_alphabetic() => Some(self.end_tag(store, at + 1)),
                _ => Some(self.bogus_comment(at + 1)),
            },
            b'!' => self.declaration(at + 1, cdata),
            b'?' => Some(self.bogus_comment(at)),
            _ => Some(self.start_tag(store, at)),
        }
    }

    /// What follows `<!`; `None` for an empty CDATA section.
    fn declaration(&mut self, at: usize, cdata: bool) -> Option<Token> {
        let rest = self.source.as_bytes().get(at..)?;
        if rest.starts_with(b"--") {
            Some(self.comment(at + 2))
        } else if has_word(rest, 0, b"doctype") {
            Some(self.read_doctype(at + 7))
        } else if cdata && rest.starts_with(b"[CDATA[") {
            self.cdata_section(at + 7)
        } else {
            Some(self.bogus_comment(at))
        }
    }

    /// A comment up to the next `>`, which needs no dashes.
    fn bogus_comment(&mut self, from: usize) -> Token {
        let rest = self.slice(from, self.source.len());
        let length = memchr(b'>', rest.as_bytes()).unwrap_or(rest.len());
        self.finish_comment(from, from + length, from + length + 1)
    }

    /// The comment whose text begins at `from`. Whatever happens inside, it ends with the first `-->` or `--!>` of its
    /// text; only `>` and `->` at its very start end it as well.
    fn comment(&mut self, from: usize) -> Token {
        let rest = self.slice(from, self.source.len()).as_bytes();
        if rest.starts_with(b">") {
            return self.finish_comment(from, from, from + 1);
        }
        if rest.starts_with(b"->") {
            return self.finish_comment(from, from, from + 2);
        }
        for close in memchr_iter(b'>', rest) {
            if let Some(length) = closing_dashes(&rest[..close]) {
                return self.finish_comment(from, from + close - length, from + close + 1);
            }
        }
        // The page ends in what may have become the end of the comment, which is not part of its text.
        let begun = closing_dashes(rest).unwrap_or_else(|| usize::from(rest.ends_with(b"-")));
        self.finish_comment(from, from + rest.len() - begun, self.source.len())
    }

    /// A comment with its text between two offsets, where the page goes on at `next`.
    fn finish_comment(&mut self, from: usize, to: usize, next: usize) -> Token {
        self.pos = next.min(self.source.len());
        self.comment = ByteRange::between(from, to);
        Token::Comment
    }

    /// The text of a CDATA section, up to its `]]>` or the end of the page; `None` if it is empty.
    fn cdata_section(&mut self, from: usize) -> Option<Token> {
        let rest = self.slice(from, self.source.len());
        let length = memmem::find(rest.as_bytes(), b"]]>").unwrap_or(rest.len());
        self.pos = (from + length + 3).min(self.source.len());
        (length > 0).then(|| self.text_token(from, from + length))
    }
}

/// The length of the `--` or `--!` that a comment ends with.
fn closing_dashes(text: &[u8]) -> Option<usize> {
    if text.ends_with(b"--") { Some(2) } else { text.ends_with(b"--!").then_some(3) }
}
