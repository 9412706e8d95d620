//! Text in every mode. White space, U+0000 and other characters mean different things, so runs of them are told apart where it
//! matters; in the body, where nearly all text is, one look at the bytes does.

use memchr::memchr;

use crate::doc::ByteRange;
use crate::name::LocalName;
use crate::tree::open::OpenElement;
use crate::tree::{InsertionMode, TreeBuilder};

/// White space as the rules mean it.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b' ')
}

impl TreeBuilder<'_> {
    /// Text that the tokenizer gave.
    pub(super) fn text(&mut self, text: ByteRange) {
        let mut text = text;
        if std::mem::take(&mut self.ignore_line_feed) && self.arena.store.get(text).starts_with('\n') {
            text = text.behind(1);
        }
        while text.len > 0 {
            if self.is_foreign_text() {
                return self.foreign_text(text);
            }
            match self.mode {
                InsertionMode::InBody
                | InsertionMode::InCaption
                | InsertionMode::InCell
                | InsertionMode::InTemplate => return self.text_in_body(text),
                InsertionMode::Text => {
                    return self.text_here(text);
                }
                InsertionMode::Initial
                | InsertionMode::BeforeHtml
                | InsertionMode::BeforeHead
                | InsertionMode::InHead
                | InsertionMode::InHeadNoscript
                | InsertionMode::AfterHead => match self.text_before_body(text) {
                    Some(rest) => text = rest,
                    None => return,
                },
                InsertionMode::InTable | InsertionMode::InTableBody | InsertionMode::InRow => {
                    let in_part = |open: &OpenElement| open.is_table_part() || open.is(LocalName::TEMPLATE);
                    if !self.stack.last().is_some_and(in_part) {
                        self.foster = true;
                        self.text_in_body(text);
                        self.foster = false;
                        return;
                    }
                    self.original_mode = self.mode;
                    self.mode = InsertionMode::InTableText;
                }
                InsertionMode::InTableText => {
                    self.table_text.extend(self.arena.store.get(text).split('\0'));
                    return;
                }
                InsertionMode::InColumnGroup => {
                    text = self.leading_space(text);
                    if text.len > 0 && !self.end_column_group() {
                        // In a template there is no column group to leave, and only white space stays.
                        let rest = self.arena.store.get(text);
                        text = text.behind(rest.bytes().position(is_space).unwrap_or(rest.len()));
                    }
                }
                InsertionMode::AfterBody | InsertionMode::AfterAfterBody => {
                    let (space, rest) = self.split_space(text);
                    if space.len > 0 {
                        self.text_in_body(space);
                    }
                    if rest.len == 0 {
                        return;
                    }
                    self.mode = InsertionMode::InBody;
                    text = rest;
                }
                InsertionMode::InFrameset | InsertionMode::AfterFrameset | InsertionMode::AfterAfterFrameset => {
                    return self.text_of_frameset(text);
                }
            }
        }
    }

    /// The white space at the beginning of a text, and the rest.
    pub(super) fn split_space(&self, text: ByteRange) -> (ByteRange, ByteRange) {
        let space = self.arena.store.get(text).bytes().take_while(|byte| is_space(*byte)).count();
        (ByteRange { len: space as u32, ..text }, text.behind(space))
    }

    /// Inserts white space at the beginning of a text; the rest.
    fn leading_space(&mut self, text: ByteRange) -> ByteRange {
        let (space, rest) = self.split_space(text);
        if space.len > 0 {
            self.text_here(space);
        }
        rest
    }

    pub(super) fn text_here(&mut self, text: ByteRange) {
        let place = self.current_place();
        self.arena.text(place, text);
    }

    pub(super) fn text_in_body(&mut self, text: ByteRange) {
        if self.tokens.has_nul() && memchr(0, self.arena.store.get(text).as_bytes()).is_some() {
            return self.text_between_nul(text);
        }
        self.reconstruct_formatting();
        if self.frameset_ok && !self.arena.store.get(text).bytes().all(is_space) {
            self.frameset_ok = false;
        }
        self.text_here(text);
    }

    fn text_between_nul(&mut self, text: ByteRange) {
        let mut rest = text;
        while rest.len > 0 {
            let bytes = self.arena.store.get(rest).as_bytes();
            let length = memchr(0, bytes).unwrap_or(bytes.len());
            if length > 0 {
                self.text_in_body(ByteRange { len: length as u32, ..rest });
            }
            rest = rest.behind(length + 1);
        }
    }

    fn foreign_text(&mut self, text: ByteRange) {
        let here = self.arena.store.get(text);
        if self.frameset_ok && !here.bytes().all(|byte| is_space(byte) || byte == 0) {
            self.frameset_ok = false;
        }
        let mut text = text;
        if self.tokens.has_nul() && memchr(0, here.as_bytes()).is_some() {
            let replaced = here.replace('\0', "\u{fffd}");
            text = self.arena.store.push(&replaced);
        }
        self.text_here(text);
    }

    fn text_of_frameset(&mut self, text: ByteRange) {
        let here = self.arena.store.get(text);
        let kept: String = here.chars().filter(|c| u8::try_from(*c).is_ok_and(is_space)).collect();
        if kept.is_empty() {
            return;
        }
        // Behind the last end tag white space goes where the rules of the body put it.
        let kept = self.arena.store.push(&kept);
        self.text_here(kept);
    }
}
