//! What comes behind the body, and framesets (HTML §13.2.6.4.19 to 23).

use crate::name::LocalName;
use crate::tree::{DOCUMENT, InsertionMode, Mark, TokenResult, TreeBuilder};

impl TreeBuilder<'_> {
    pub(super) fn after_body(&mut self, mark: Mark) -> TokenResult {
        match mark {
            Mark::Comment => self.comment(self.stack.first().map_or(DOCUMENT, |open| open.id)),
            Mark::Doctype | Mark::Eof => TokenResult::Done,
            Mark::Start(LocalName::HTML) => self.in_body(mark),
            Mark::End(LocalName::HTML) => {
                self.mode = InsertionMode::AfterAfterBody;
                TokenResult::Done
            }
            _ => self.again(InsertionMode::InBody),
        }
    }

    pub(super) fn in_frameset(&mut self, mark: Mark) -> TokenResult {
        match mark {
            Mark::Comment => self.comment_here(),
            Mark::Start(LocalName::HTML) => self.in_body(mark),
            Mark::Start(LocalName::FRAMESET) => {
                self.insert(LocalName::FRAMESET);
                TokenResult::Done
            }
            Mark::End(LocalName::FRAMESET) => {
                if self.stack.len() > 1 {
                    self.stack.pop();
                    if !self.current_is(LocalName::FRAMESET) {
                        self.mode = InsertionMode::AfterFrameset;
                    }
                }
                TokenResult::Done
            }
            Mark::Start(LocalName::FRAME) => {
                self.insert_void(LocalName::FRAME);
                TokenResult::Done
            }
            Mark::Start(LocalName::NOFRAMES) => self.in_head(mark),
            _ => TokenResult::Done,
        }
    }

    pub(super) fn after_frameset(&mut self, mark: Mark) -> TokenResult {
        match mark {
            Mark::Comment => self.comment_here(),
            Mark::Start(LocalName::HTML) => self.in_body(mark),
            Mark::End(LocalName::HTML) => {
                self.mode = InsertionMode::AfterAfterFrameset;
                TokenResult::Done
            }
            Mark::Start(LocalName::NOFRAMES) => self.in_head(mark),
            _ => TokenResult::Done,
        }
    }

    pub(super) fn after_after_body(&mut self, mark: Mark) -> TokenResult {
        match mark {
            Mark::Comment => self.comment(DOCUMENT),
            Mark::Doctype | Mark::Start(LocalName::HTML) => self.in_body(mark),
            Mark::Eof => TokenResult::Done,
            _ => self.again(InsertionMode::InBody),
        }
    }

    pub(super) fn after_after_frameset(&mut self, mark: Mark) -> TokenResult {
        match mark {
            Mark::Comment => self.comment(DOCUMENT),
            Mark::Doctype | Mark::Start(LocalName::HTML) => self.in_body(mark),
            Mark::Start(LocalName::NOFRAMES) => self.in_head(mark),
            _ => TokenResult::Done,
        }
    }
}
