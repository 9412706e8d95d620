//! Text in every mode. White space, U+0000 and other characters mean different things, so runs of them are told apart where it
//! matters; in the body, where nearly all text is, one look at the bytes does.

use memchr::memchr;

use crate::name::Name;
use crate::tree::open::Open;
use crate::tree::{Mode, TreeBuilder};

/// White space as the rules mean it.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0c' | b' ')
}

/// The white space at the beginning of a text, and the rest.
pub(super) fn split_space(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().position(|byte| !is_space(byte)).unwrap_or(text.len()))
}

impl TreeBuilder<'_> {
    /// Text that the tokenizer gave.
    pub(super) fn text(&mut self, text: &str) {
        let mut text = text;
        if std::mem::take(&mut self.ignore_line_feed) {
            text = text.strip_prefix('\n').unwrap_or(text);
        }
        while !text.is_empty() {
            if self.is_foreign_text() {
                return self.foreign_text(text);
            }
            match self.mode {
                Mode::InBody | Mode::InCaption | Mode::InCell | Mode::InTemplate => return self.text_in_body(text),
                Mode::Text => {
                    let place = self.current_place();
                    return self.arena.text(place, text);
                }
                Mode::Initial
                | Mode::BeforeHtml
                | Mode::BeforeHead
                | Mode::InHead
                | Mode::InHeadNoscript
                | Mode::AfterHead => match self.text_before_body(text) {
                    Some(rest) => text = rest,
                    None => return,
                },
                Mode::InTable | Mode::InTableBody | Mode::InRow => {
                    let in_part = |open: &Open| open.is_table_part() || open.is(Name::TEMPLATE);
                    if !self.stack.last().is_some_and(in_part) {
                        self.foster = true;
                        self.text_in_body(text);
                        self.foster = false;
                        return;
                    }
                    self.original_mode = self.mode;
                    self.mode = Mode::InTableText;
                }
                Mode::InTableText => {
                    self.table_text.extend(text.split('\0'));
                    return;
                }
                Mode::InColumnGroup => {
                    text = self.leading_space(text);
                    if !text.is_empty() && !self.end_column_group() {
                        // In a template there is no column group to leave, and only white space stays.
                        let n_other = text.bytes().position(is_space).unwrap_or(text.len());
                        text = &text[n_other..];
                    }
                }
                Mode::AfterBody | Mode::AfterAfterBody => {
                    let (space, rest) = split_space(text);
                    if !space.is_empty() {
                        self.text_in_body(space);
                    }
                    if rest.is_empty() {
                        return;
                    }
                    self.mode = Mode::InBody;
                    text = rest;
                }
                Mode::InFrameset | Mode::AfterFrameset | Mode::AfterAfterFrameset => {
                    return self.text_of_frameset(text);
                }
            }
        }
    }

    /// Inserts white space at the beginning of a text; the rest.
    fn leading_space<'t>(&mut self, text: &'t str) -> &'t str {
        let (space, rest) = split_space(text);
        if !space.is_empty() {
            let place = self.current_place();
            self.arena.text(place, space);
        }
        rest
    }

    pub(super) fn text_in_body(&mut self, text: &str) {
        if memchr(0, text.as_bytes()).is_some() {
            return text.split('\0').filter(|part| !part.is_empty()).for_each(|part| self.text_in_body(part));
        }
        self.reconstruct_formatting();
        if self.frameset_ok && !text.bytes().all(is_space) {
            self.frameset_ok = false;
        }
        let place = self.current_place();
        self.arena.text(place, text);
    }

    fn foreign_text(&mut self, text: &str) {
        if self.frameset_ok && !text.bytes().all(|byte| is_space(byte) || byte == 0) {
            self.frameset_ok = false;
        }
        let place = self.current_place();
        if memchr(0, text.as_bytes()).is_some() {
            return self.arena.text(place, &text.replace('\0', "\u{fffd}"));
        }
        self.arena.text(place, text);
    }

    fn text_of_frameset(&mut self, text: &str) {
        let kept: String = text.chars().filter(|c| u8::try_from(*c).is_ok_and(is_space)).collect();
        if kept.is_empty() {
            return;
        }
        // Behind the last end tag white space goes where the rules of the body put it.
        let place = self.current_place();
        self.arena.text(place, &kept);
    }
}
