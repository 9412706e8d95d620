//! End tags in the body (HTML §13.2.6.4.7), and in elements of text (§13.2.6.4.8).

use crate::name::Name;
use crate::tree::arena::NONE;
use crate::tree::sets::{self, CLOSED_IN_SCOPE, FORMATTING, HEADING};
use crate::tree::stack::Scope;
use crate::tree::{Mark, Mode, Step, TreeBuilder};

impl TreeBuilder<'_> {
    pub(super) fn end_in_body(&mut self, name: Name) -> Step {
        let sets = sets::sets(name);
        if sets & CLOSED_IN_SCOPE != 0 {
            return self.end_in_scope(Scope::Default, name, None);
        }
        if sets & FORMATTING != 0 {
            return self.adopt(name);
        }
        if sets & HEADING != 0 {
            if self.has_in(Scope::Default, |open| open.is_in(HEADING)) {
                self.generate_implied_end_tags(None);
                self.pop_until(|open| open.is_in(HEADING));
            }
            return Step::Done;
        }
        match name {
            Name::P => {
                if !self.has_p() {
                    self.insert_implied(Name::P);
                }
                self.close_p();
                Step::Done
            }
            Name::LI => self.end_in_scope(Scope::List, name, Some(name)),
            Name::DD | Name::DT => self.end_in_scope(Scope::Default, name, Some(name)),
            Name::BODY | Name::HTML => {
                if !self.has(Scope::Default, Name::BODY) {
                    return Step::Done;
                }
                self.mode = Mode::AfterBody;
                if name == Name::HTML { Step::Again } else { Step::Done }
            }
            Name::FORM => self.end_form(),
            Name::APPLET | Name::MARQUEE | Name::OBJECT => {
                if self.has(Scope::Default, name) {
                    self.end_in_scope(Scope::Default, name, None);
                    self.clear_formatting_to_marker();
                }
                Step::Done
            }
            Name::BR => {
                self.reconstruct_formatting();
                self.insert_implied(Name::BR);
                self.stack.pop();
                self.frameset_ok = false;
                Step::Done
            }
            Name::TEMPLATE => self.end_template(),
            _ => self.any_other_end_tag(name),
        }
    }

    fn end_in_scope(&mut self, scope: Scope, name: Name, except: Option<Name>) -> Step {
        if self.has(scope, name) {
            self.generate_implied_end_tags(except);
            self.pop_name(name);
        }
        Step::Done
    }

    fn end_form(&mut self) -> Step {
        if self.has_open(Name::TEMPLATE) {
            return self.end_in_scope(Scope::Default, Name::FORM, None);
        }
        let form = std::mem::replace(&mut self.form, NONE);
        if form != NONE && self.has_in(Scope::Default, |open| open.id == form) {
            self.generate_implied_end_tags(None);
            self.stack.remove(form);
        }
        Step::Done
    }

    pub(super) fn in_text(&mut self, mark: Mark) -> Step {
        self.stack.pop();
        self.mode = self.original_mode;
        if mark == Mark::Eof { Step::Again } else { Step::Done }
    }
}
