//! Text in which tags mean nothing: RCDATA, RAWTEXT, script data and PLAINTEXT (§13.2.5.2 to 5 and 9 to 31).
//!
//! The end of such text is looked for once; up to there, only U+0000 and references interrupt it.

use memchr::{memchr, memchr2};

use super::bytes::{self, ENDS_TAG_NAME, has_word};
use super::references::reference;
use super::{Token, Tokenizer, TokenizerState};
use crate::store::ParseBuffers;

impl Tokenizer<'_> {
    /// The next token of raw text, or the end tag behind it, which leads back to the data state.
    pub(super) fn raw(&mut self, store: &mut ParseBuffers) -> Token {
        if self.pending.is_some() {
            return self.pending_reference(store);
        }
        let end = match self.raw_end {
            Some(end) => end,
            None => *self.raw_end.insert(self.find_raw_end()),
        };
        if self.pos < end {
            return self.raw_text(store, end);
        }
        if end == self.source.len() {
            return Token::Eof;
        }
        self.set_state(TokenizerState::Data);
        self.end_tag(store, end + 2)
    }

    /// A token of the raw text that ends at `end`, which is behind `pos`.
    fn raw_text(&mut self, store: &mut ParseBuffers, end: usize) -> Token {
        let start = self.pos;
        let text = self.slice(start, end).as_bytes();
        let mut at = 0;
        while let Some(offset) = self.interruption(&text[at..]) {
            at += offset;
            let found = if text[at] == 0 {
                // Not a reference, but what it becomes is not in the source either.
                Some((super::ReferenceChars::one(char::REPLACEMENT_CHARACTER), start + at + 1))
            } else {
                reference(text, at + 1, false).map(|(characters, after)| (characters, start + after))
            };
            if found.is_some() {
                self.pending = found;
                break;
            }
            self.steps += 1;
            at += 1;
        }
        if self.pending.is_none() {
            at = text.len();
        } else if at == 0 {
            return self.pending_reference(store);
        }
        self.pos = start + at;
        self.text_token(start, self.pos)
    }

    fn interruption(&self, text: &[u8]) -> Option<usize> {
        match self.state {
            TokenizerState::Rcdata => memchr2(b'&', 0, text),
            _ if self.has_nul => memchr(0, text),
            _ => None,
        }
    }

    /// Where the raw text that begins at `pos` ends: at its end tag, or with the page.
    fn find_raw_end(&self) -> usize {
        let (source, last) = (self.source.as_bytes(), self.last_start);
        // The names of such end tags are letters only; without a start tag there is none.
        let name = &source[last.0..last.1];
        let can_end = !name.is_empty() && name.iter().all(u8::is_ascii_alphabetic);
        let end = RawEnd { source, name };
        match self.state {
            TokenizerState::Rcdata | TokenizerState::Rawtext if can_end => end.of_text(self.pos),
            TokenizerState::ScriptData if can_end => end.of_script(self.pos),
            _ => source.len(),
        }
    }
}

/// Looks for the end tag of one element.
struct RawEnd<'a> {
    source: &'a [u8],
    name: &'a [u8],
}

impl RawEnd<'_> {
    /// Whether the `<` at `at` begins the end tag. Its name must be followed by something, or all is text.
    fn is_here(&self, at: usize) -> bool {
        self.source.get(at + 1) == Some(&b'/') && self.word_ends(at + 2, self.name).is_some()
    }

    /// The offset behind the byte that ends the word at `at`, if that is the given one.
    fn word_ends(&self, at: usize, word: &[u8]) -> Option<usize> {
        let same = self.source.get(at..at + word.len())?.eq_ignore_ascii_case(word);
        let end = at + word.len();
        (same && bytes::is(*self.source.get(end)?, ENDS_TAG_NAME)).then_some(end + 1)
    }

    /// The offset of the next `<` from `at` on.
    fn next_open(&self, at: usize) -> Option<usize> {
        Some(at + memchr(b'<', self.source.get(at..)?)?)
    }

    fn of_text(&self, mut at: usize) -> usize {
        while let Some(open) = self.next_open(at) {
            if self.is_here(open) {
                return open;
            }
            at = open + 1;
        }
        self.source.len()
    }

    /// As `of_text`, and `<!--` begins an escaped part that ends with `-->`.
    fn of_script(&self, mut at: usize) -> usize {
        while let Some(open) = self.next_open(at) {
            if self.is_here(open) {
                return open;
            }
            at = open + 1;
            if has_word(self.source, at, b"!--") {
                // The dashes that open it may close it too.
                match self.escaped(open + 2) {
                    Ok(after) => at = after,
                    Err(end) => return end,
                }
            }
        }
        self.source.len()
    }

    /// The escaped part of a script whose first dashes are at `from`: `Ok` with the offset behind its `-->`, or `Err`
    /// with the end of the script, if that comes first. Between `<script` and `</script` in it, no end tag counts.
    fn escaped(&self, from: usize) -> Result<usize, usize> {
        let (mut at, mut nested) = (from, false);
        while let Some(offset) = self.source.get(at..).and_then(|rest| memchr2(b'<', b'>', rest)) {
            let found = at + offset;
            at = found + 1;
            if self.source[found] == b'>' {
                if self.source[from..found].ends_with(b"--") {
                    return Ok(at);
                }
            } else if nested {
                if self.source.get(at) == Some(&b'/')
                    && let Some(after) = self.word_ends(at + 1, b"script")
                {
                    (at, nested) = (after, false);
                }
            } else if self.is_here(found) {
                return Err(found);
            } else if let Some(after) = self.word_ends(at, b"script") {
                (at, nested) = (after, true);
            }
        }
        Err(self.source.len())
    }
}
