//! What comes behind the body, and framesets (HTML §13.2.6.4.19 to 23).

use crate::name::Name;
use crate::tree::{DOCUMENT, Mark, Mode, Step, TreeBuilder};

impl TreeBuilder<'_> {
    pub(super) fn after_body(&mut self, mark: Mark) -> Step {
        match mark {
            Mark::Comment => self.comment(self.stack.first().map_or(DOCUMENT, |open| open.id)),
            Mark::Doctype | Mark::Eof => Step::Done,
            Mark::Start(Name::HTML) => self.in_body(mark),
            Mark::End(Name::HTML) => {
                self.mode = Mode::AfterAfterBody;
                Step::Done
            }
            _ => self.again(Mode::InBody),
        }
    }

    pub(super) fn in_frameset(&mut self, mark: Mark) -> Step {
        match mark {
            Mark::Comment => self.comment_here(),
            Mark::Start(Name::HTML) => self.in_body(mark),
            Mark::Start(Name::FRAMESET) => {
                self.insert(Name::FRAMESET);
                Step::Done
            }
            Mark::End(Name::FRAMESET) => {
                if self.stack.len() > 1 {
                    self.stack.pop();
                    if !self.current_is(Name::FRAMESET) {
                        self.mode = Mode::AfterFrameset;
                    }
                }
                Step::Done
            }
            Mark::Start(Name::FRAME) => {
                self.insert_void(Name::FRAME);
                Step::Done
            }
            Mark::Start(Name::NOFRAMES) => self.in_head(mark),
            _ => Step::Done,
        }
    }

    pub(super) fn after_frameset(&mut self, mark: Mark) -> Step {
        match mark {
            Mark::Comment => self.comment_here(),
            Mark::Start(Name::HTML) => self.in_body(mark),
            Mark::End(Name::HTML) => {
                self.mode = Mode::AfterAfterFrameset;
                Step::Done
            }
            Mark::Start(Name::NOFRAMES) => self.in_head(mark),
            _ => Step::Done,
        }
    }

    pub(super) fn after_after_body(&mut self, mark: Mark) -> Step {
        match mark {
            Mark::Comment => self.comment(DOCUMENT),
            Mark::Doctype | Mark::Start(Name::HTML) => self.in_body(mark),
            Mark::Eof => Step::Done,
            _ => self.again(Mode::InBody),
        }
    }

    pub(super) fn after_after_frameset(&mut self, mark: Mark) -> Step {
        match mark {
            Mark::Comment => self.comment(DOCUMENT),
            Mark::Doctype | Mark::Start(Name::HTML) => self.in_body(mark),
            Mark::Start(Name::NOFRAMES) => self.in_head(mark),
            _ => Step::Done,
        }
    }
}
