//! Templates (HTML §13.2.6.4.18). Their contents stay below them: readers leave templates out by name.

use crate::name::Name;
use crate::tree::{Mark, Mode, Step, TreeBuilder};

impl TreeBuilder<'_> {
    pub(super) fn end_template(&mut self) -> Step {
        if self.has_open(Name::TEMPLATE) {
            self.generate_all_implied_end_tags();
            self.pop_name(Name::TEMPLATE);
            self.clear_formatting_to_marker();
            self.template_modes.pop();
            self.reset_mode();
        }
        Step::Done
    }

    pub(super) fn in_template(&mut self, mark: Mark) -> Step {
        match mark {
            Mark::Comment | Mark::Doctype => self.in_body(mark),
            Mark::Start(
                Name::BASE
                | Name::BASEFONT
                | Name::BGSOUND
                | Name::LINK
                | Name::META
                | Name::NOFRAMES
                | Name::SCRIPT
                | Name::STYLE
                | Name::TEMPLATE
                | Name::TITLE,
            )
            | Mark::End(Name::TEMPLATE) => self.in_head(mark),
            Mark::Start(Name::CAPTION | Name::COLGROUP | Name::TBODY | Name::TFOOT | Name::THEAD) => {
                self.become_mode(Mode::InTable)
            }
            Mark::Start(Name::COL) => self.become_mode(Mode::InColumnGroup),
            Mark::Start(Name::TR) => self.become_mode(Mode::InTableBody),
            Mark::Start(Name::TD | Name::TH) => self.become_mode(Mode::InRow),
            Mark::Start(_) => self.become_mode(Mode::InBody),
            Mark::End(_) => Step::Done,
            Mark::Eof => {
                if !self.has_open(Name::TEMPLATE) {
                    return Step::Done;
                }
                self.pop_name(Name::TEMPLATE);
                self.clear_formatting_to_marker();
                self.template_modes.pop();
                self.reset_mode();
                Step::Again
            }
        }
    }

    fn become_mode(&mut self, mode: Mode) -> Step {
        self.template_modes.pop();
        self.template_modes.push(mode);
        self.again(mode)
    }
}
