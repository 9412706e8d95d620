//! The modes before the body (HTML §13.2.6.4.1 to 6).

use crate::doc::ByteRange;
use crate::name::LocalName;
use crate::tokenizer::TokenizerState;
use crate::tree::arena::NONE;
use crate::tree::open::{FormattingEntry, OpenElement};
use crate::tree::sets::{HEAD_CONTENT, is};
use crate::tree::{DOCUMENT, InsertionMode, Mark, TokenResult, TreeBuilder};

impl TreeBuilder<'_> {
    pub(super) fn initial(&mut self, mark: Mark) -> TokenResult {
        match mark {
            Mark::Comment => self.comment(DOCUMENT),
            Mark::Doctype => {
                self.mode = InsertionMode::BeforeHtml;
                TokenResult::Done
            }
            _ => {
                self.quirks = true;
                self.again(InsertionMode::BeforeHtml)
            }
        }
    }

    pub(super) fn before_html(&mut self, mark: Mark) -> TokenResult {
        match mark {
            Mark::Doctype => TokenResult::Done,
            Mark::Comment => self.comment(DOCUMENT),
            Mark::Start(LocalName::HTML) => {
                self.insert(LocalName::HTML);
                self.mode = InsertionMode::BeforeHead;
                TokenResult::Done
            }
            Mark::End(name) if !matches!(name, LocalName::HEAD | LocalName::BODY | LocalName::HTML | LocalName::BR) => {
                TokenResult::Done
            }
            _ => {
                self.insert_implied(LocalName::HTML);
                self.again(InsertionMode::BeforeHead)
            }
        }
    }

    pub(super) fn before_head(&mut self, mark: Mark) -> TokenResult {
        match mark {
            Mark::Comment => self.comment_here(),
            Mark::Doctype => TokenResult::Done,
            Mark::Start(LocalName::HTML) => self.in_body(mark),
            Mark::Start(LocalName::HEAD) => {
                self.head = self.insert(LocalName::HEAD);
                self.mode = InsertionMode::InHead;
                TokenResult::Done
            }
            Mark::End(name) if !matches!(name, LocalName::HEAD | LocalName::BODY | LocalName::HTML | LocalName::BR) => {
                TokenResult::Done
            }
            _ => {
                self.head = self.insert_implied(LocalName::HEAD);
                self.again(InsertionMode::InHead)
            }
        }
    }

    pub(super) fn in_head(&mut self, mark: Mark) -> TokenResult {
        match mark {
            Mark::Comment => self.comment_here(),
            Mark::Doctype => TokenResult::Done,
            Mark::Start(LocalName::HTML) => self.in_body(mark),
            Mark::Start(
                name @ (LocalName::BASE | LocalName::BASEFONT | LocalName::BGSOUND | LocalName::LINK | LocalName::META),
            ) => {
                self.insert_void(name);
                TokenResult::Done
            }
            Mark::Start(LocalName::TITLE) => self.insert_text_element(LocalName::TITLE, TokenizerState::Rcdata),
            Mark::Start(name @ (LocalName::NOFRAMES | LocalName::STYLE)) => {
                self.insert_text_element(name, TokenizerState::Rawtext)
            }
            Mark::Start(LocalName::NOSCRIPT) => {
                self.insert(LocalName::NOSCRIPT);
                self.mode = InsertionMode::InHeadNoscript;
                TokenResult::Done
            }
            Mark::Start(LocalName::SCRIPT) => self.insert_text_element(LocalName::SCRIPT, TokenizerState::ScriptData),
            Mark::Start(LocalName::TEMPLATE) => {
                self.insert(LocalName::TEMPLATE);
                self.formatting.push(FormattingEntry::Marker);
                self.frameset_ok = false;
                self.mode = InsertionMode::InTemplate;
                self.template_modes.push(InsertionMode::InTemplate);
                TokenResult::Done
            }
            Mark::End(LocalName::TEMPLATE) => self.end_template(),
            Mark::Start(LocalName::HEAD) => TokenResult::Done,
            Mark::End(LocalName::HEAD) => {
                self.stack.pop();
                self.mode = InsertionMode::AfterHead;
                TokenResult::Done
            }
            Mark::End(name) if !matches!(name, LocalName::BODY | LocalName::HTML | LocalName::BR) => TokenResult::Done,
            _ => {
                self.stack.pop();
                self.again(InsertionMode::AfterHead)
            }
        }
    }

    pub(super) fn in_head_noscript(&mut self, mark: Mark) -> TokenResult {
        match mark {
            Mark::Doctype => TokenResult::Done,
            Mark::Start(LocalName::HTML) => self.in_body(mark),
            Mark::End(LocalName::NOSCRIPT) => {
                self.stack.pop();
                self.mode = InsertionMode::InHead;
                TokenResult::Done
            }
            Mark::Comment => self.in_head(mark),
            Mark::Start(
                LocalName::BASEFONT
                | LocalName::BGSOUND
                | LocalName::LINK
                | LocalName::META
                | LocalName::NOFRAMES
                | LocalName::STYLE,
            ) => self.in_head(mark),
            Mark::Start(LocalName::HEAD | LocalName::NOSCRIPT) => TokenResult::Done,
            Mark::End(name) if name != LocalName::BR => TokenResult::Done,
            _ => {
                self.stack.pop();
                self.again(InsertionMode::InHead)
            }
        }
    }

    pub(super) fn after_head(&mut self, mark: Mark) -> TokenResult {
        match mark {
            Mark::Comment => self.comment_here(),
            Mark::Doctype => TokenResult::Done,
            Mark::Start(LocalName::HTML) => self.in_body(mark),
            Mark::Start(LocalName::BODY) => {
                self.insert(LocalName::BODY);
                self.frameset_ok = false;
                self.mode = InsertionMode::InBody;
                TokenResult::Done
            }
            Mark::Start(LocalName::FRAMESET) => {
                self.insert(LocalName::FRAMESET);
                self.mode = InsertionMode::InFrameset;
                TokenResult::Done
            }
            Mark::Start(name) if is(name, HEAD_CONTENT) => self.in_head_again(mark),
            Mark::End(LocalName::TEMPLATE) => self.in_head(mark),
            Mark::Start(LocalName::HEAD) => TokenResult::Done,
            Mark::End(name) if !matches!(name, LocalName::BODY | LocalName::HTML | LocalName::BR) => TokenResult::Done,
            _ => {
                self.insert_implied(LocalName::BODY);
                self.again(InsertionMode::InBody)
            }
        }
    }

    /// What belongs into the head and comes behind it goes into it.
    fn in_head_again(&mut self, mark: Mark) -> TokenResult {
        let head = self.head;
        debug_assert!(head != NONE, "there is one behind its end");
        self.arena.reopen(head);
        self.stack.push(OpenElement::html(head, LocalName::HEAD));
        let step = self.in_head(mark);
        self.stack.remove(head);
        step
    }

    /// Text in the modes before the body: what is left of it for the mode that follows.
    pub(super) fn text_before_body(&mut self, text: ByteRange) -> Option<ByteRange> {
        let (space, rest) = self.split_space(text);
        let is_kept =
            !matches!(self.mode, InsertionMode::Initial | InsertionMode::BeforeHtml | InsertionMode::BeforeHead);
        if is_kept && space.len > 0 {
            self.text_here(space);
        }
        if rest.len == 0 {
            return None;
        }
        match self.mode {
            InsertionMode::Initial => {
                self.quirks = true;
                self.mode = InsertionMode::BeforeHtml;
            }
            InsertionMode::BeforeHtml => {
                self.insert_implied(LocalName::HTML);
                self.mode = InsertionMode::BeforeHead;
            }
            InsertionMode::BeforeHead => {
                self.head = self.insert_implied(LocalName::HEAD);
                self.mode = InsertionMode::InHead;
            }
            InsertionMode::InHeadNoscript => {
                self.stack.pop();
                self.mode = InsertionMode::InHead;
            }
            InsertionMode::InHead => {
                self.stack.pop();
                self.mode = InsertionMode::AfterHead;
            }
            _ => {
                self.insert_implied(LocalName::BODY);
                self.mode = InsertionMode::InBody;
            }
        }
        Some(rest)
    }
}
