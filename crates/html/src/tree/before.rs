//! The modes before the body (HTML §13.2.6.4.1 to 6).

use crate::doc::Span;
use crate::name::Name;
use crate::tokenizer::State;
use crate::tree::arena::NONE;
use crate::tree::open::{Entry, Open};
use crate::tree::sets::{HEAD_CONTENT, is};
use crate::tree::{DOCUMENT, Mark, Mode, Step, TreeBuilder};

impl TreeBuilder<'_> {
    pub(super) fn initial(&mut self, mark: Mark) -> Step {
        match mark {
            Mark::Comment => self.comment(DOCUMENT),
            Mark::Doctype => {
                self.mode = Mode::BeforeHtml;
                Step::Done
            }
            _ => {
                self.quirks = true;
                self.again(Mode::BeforeHtml)
            }
        }
    }

    pub(super) fn before_html(&mut self, mark: Mark) -> Step {
        match mark {
            Mark::Doctype => Step::Done,
            Mark::Comment => self.comment(DOCUMENT),
            Mark::Start(Name::HTML) => {
                self.insert(Name::HTML);
                self.mode = Mode::BeforeHead;
                Step::Done
            }
            Mark::End(name) if !matches!(name, Name::HEAD | Name::BODY | Name::HTML | Name::BR) => Step::Done,
            _ => {
                self.insert_implied(Name::HTML);
                self.again(Mode::BeforeHead)
            }
        }
    }

    pub(super) fn before_head(&mut self, mark: Mark) -> Step {
        match mark {
            Mark::Comment => self.comment_here(),
            Mark::Doctype => Step::Done,
            Mark::Start(Name::HTML) => self.in_body(mark),
            Mark::Start(Name::HEAD) => {
                self.head = self.insert(Name::HEAD);
                self.mode = Mode::InHead;
                Step::Done
            }
            Mark::End(name) if !matches!(name, Name::HEAD | Name::BODY | Name::HTML | Name::BR) => Step::Done,
            _ => {
                self.head = self.insert_implied(Name::HEAD);
                self.again(Mode::InHead)
            }
        }
    }

    pub(super) fn in_head(&mut self, mark: Mark) -> Step {
        match mark {
            Mark::Comment => self.comment_here(),
            Mark::Doctype => Step::Done,
            Mark::Start(Name::HTML) => self.in_body(mark),
            Mark::Start(name @ (Name::BASE | Name::BASEFONT | Name::BGSOUND | Name::LINK | Name::META)) => {
                self.insert_void(name);
                Step::Done
            }
            Mark::Start(Name::TITLE) => self.insert_text_element(Name::TITLE, State::Rcdata),
            Mark::Start(name @ (Name::NOFRAMES | Name::STYLE)) => self.insert_text_element(name, State::Rawtext),
            Mark::Start(Name::NOSCRIPT) => {
                self.insert(Name::NOSCRIPT);
                self.mode = Mode::InHeadNoscript;
                Step::Done
            }
            Mark::Start(Name::SCRIPT) => self.insert_text_element(Name::SCRIPT, State::ScriptData),
            Mark::Start(Name::TEMPLATE) => {
                self.insert(Name::TEMPLATE);
                self.formatting.push(Entry::Marker);
                self.frameset_ok = false;
                self.mode = Mode::InTemplate;
                self.template_modes.push(Mode::InTemplate);
                Step::Done
            }
            Mark::End(Name::TEMPLATE) => self.end_template(),
            Mark::Start(Name::HEAD) => Step::Done,
            Mark::End(Name::HEAD) => {
                self.stack.pop();
                self.mode = Mode::AfterHead;
                Step::Done
            }
            Mark::End(name) if !matches!(name, Name::BODY | Name::HTML | Name::BR) => Step::Done,
            _ => {
                self.stack.pop();
                self.again(Mode::AfterHead)
            }
        }
    }

    pub(super) fn in_head_noscript(&mut self, mark: Mark) -> Step {
        match mark {
            Mark::Doctype => Step::Done,
            Mark::Start(Name::HTML) => self.in_body(mark),
            Mark::End(Name::NOSCRIPT) => {
                self.stack.pop();
                self.mode = Mode::InHead;
                Step::Done
            }
            Mark::Comment => self.in_head(mark),
            Mark::Start(Name::BASEFONT | Name::BGSOUND | Name::LINK | Name::META | Name::NOFRAMES | Name::STYLE) => {
                self.in_head(mark)
            }
            Mark::Start(Name::HEAD | Name::NOSCRIPT) => Step::Done,
            Mark::End(name) if name != Name::BR => Step::Done,
            _ => {
                self.stack.pop();
                self.again(Mode::InHead)
            }
        }
    }

    pub(super) fn after_head(&mut self, mark: Mark) -> Step {
        match mark {
            Mark::Comment => self.comment_here(),
            Mark::Doctype => Step::Done,
            Mark::Start(Name::HTML) => self.in_body(mark),
            Mark::Start(Name::BODY) => {
                self.insert(Name::BODY);
                self.frameset_ok = false;
                self.mode = Mode::InBody;
                Step::Done
            }
            Mark::Start(Name::FRAMESET) => {
                self.insert(Name::FRAMESET);
                self.mode = Mode::InFrameset;
                Step::Done
            }
            Mark::Start(name) if is(name, HEAD_CONTENT) => self.in_head_again(mark),
            Mark::End(Name::TEMPLATE) => self.in_head(mark),
            Mark::Start(Name::HEAD) => Step::Done,
            Mark::End(name) if !matches!(name, Name::BODY | Name::HTML | Name::BR) => Step::Done,
            _ => {
                self.insert_implied(Name::BODY);
                self.again(Mode::InBody)
            }
        }
    }

    /// What belongs into the head and comes behind it goes into it.
    fn in_head_again(&mut self, mark: Mark) -> Step {
        let head = self.head;
        debug_assert!(head != NONE, "there is one behind its end");
        self.arena.reopen(head);
        self.stack.push(Open::html(head, Name::HEAD));
        let step = self.in_head(mark);
        self.stack.remove(head);
        step
    }

    /// Text in the modes before the body: what is left of it for the mode that follows.
    pub(super) fn text_before_body(&mut self, text: Span) -> Option<Span> {
        let (space, rest) = self.split_space(text);
        let is_kept = !matches!(self.mode, Mode::Initial | Mode::BeforeHtml | Mode::BeforeHead);
        if is_kept && space.len > 0 {
            self.text_here(space);
        }
        if rest.len == 0 {
            return None;
        }
        match self.mode {
            Mode::Initial => {
                self.quirks = true;
                self.mode = Mode::BeforeHtml;
            }
            Mode::BeforeHtml => {
                self.insert_implied(Name::HTML);
                self.mode = Mode::BeforeHead;
            }
            Mode::BeforeHead => {
                self.head = self.insert_implied(Name::HEAD);
                self.mode = Mode::InHead;
            }
            Mode::InHeadNoscript => {
                self.stack.pop();
                self.mode = Mode::InHead;
            }
            Mode::InHead => {
                self.stack.pop();
                self.mode = Mode::AfterHead;
            }
            _ => {
                self.insert_implied(Name::BODY);
                self.mode = Mode::InBody;
            }
        }
        Some(rest)
    }
}
