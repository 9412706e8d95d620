//! Templates (HTML §13.2.6.4.18). Their contents stay below them: readers leave templates out by name.

use crate::name::LocalName;
use crate::tree::{InsertionMode, Mark, TokenResult, TreeBuilder};

impl TreeBuilder<'_> {
    pub(super) fn end_template(&mut self) -> TokenResult {
        if self.has_open(LocalName::TEMPLATE) {
            self.generate_all_implied_end_tags();
            self.pop_name(LocalName::TEMPLATE);
            self.clear_formatting_to_marker();
            self.template_modes.pop();
            self.reset_mode();
        }
        TokenResult::Done
    }

    pub(super) fn in_template(&mut self, mark: Mark) -> TokenResult {
        match mark {
            Mark::Comment | Mark::Doctype => self.in_body(mark),
            Mark::Start(
                LocalName::BASE
                | LocalName::BASEFONT
                | LocalName::BGSOUND
                | LocalName::LINK
                | LocalName::META
                | LocalName::NOFRAMES
                | LocalName::SCRIPT
                | LocalName::STYLE
                | LocalName::TEMPLATE
                | LocalName::TITLE,
            )
            | Mark::End(LocalName::TEMPLATE) => self.in_head(mark),
            Mark::Start(
                LocalName::CAPTION | LocalName::COLGROUP | LocalName::TBODY | LocalName::TFOOT | LocalName::THEAD,
            ) => self.become_mode(InsertionMode::InTable),
            Mark::Start(LocalName::COL) => self.become_mode(InsertionMode::InColumnGroup),
            Mark::Start(LocalName::TR) => self.become_mode(InsertionMode::InTableBody),
            Mark::Start(LocalName::TD | LocalName::TH) => self.become_mode(InsertionMode::InRow),
            Mark::Start(_) => self.become_mode(InsertionMode::InBody),
            Mark::End(_) => TokenResult::Done,
            Mark::Eof => {
                if !self.has_open(LocalName::TEMPLATE) {
                    return TokenResult::Done;
                }
                self.pop_name(LocalName::TEMPLATE);
                self.clear_formatting_to_marker();
                self.template_modes.pop();
                self.reset_mode();
                TokenResult::Again
            }
        }
    }

    fn become_mode(&mut self, mode: InsertionMode) -> TokenResult {
        self.template_modes.pop();
        self.template_modes.push(mode);
        self.again(mode)
    }
}
