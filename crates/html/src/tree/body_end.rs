//! End tags in the body (HTML §13.2.6.4.7), and in elements of text (§13.2.6.4.8).

use crate::name::LocalName;
use crate::tree::arena::NONE;
use crate::tree::sets::{self, CLOSED_IN_SCOPE, FORMATTING, HEADING};
use crate::tree::stack::ElementScope;
use crate::tree::{InsertionMode, Mark, TokenResult, TreeBuilder};

impl TreeBuilder<'_> {
    pub(super) fn end_in_body(&mut self, name: LocalName) -> TokenResult {
        let sets = sets::sets(name);
        if sets & CLOSED_IN_SCOPE != 0 {
            return self.end_in_scope(ElementScope::Default, name, None);
        }
        if sets & FORMATTING != 0 {
            return self.adopt(name);
        }
        if sets & HEADING != 0 {
            if self.has_in(ElementScope::Default, |open| open.is_in(HEADING)) {
                self.generate_implied_end_tags(None);
                self.pop_until(|open| open.is_in(HEADING));
            }
            return TokenResult::Done;
        }
        match name {
            LocalName::P => {
                if !self.has_p() {
                    self.insert_implied(LocalName::P);
                }
                self.close_p();
                TokenResult::Done
            }
            LocalName::LI => self.end_in_scope(ElementScope::List, name, Some(name)),
            LocalName::DD | LocalName::DT => self.end_in_scope(ElementScope::Default, name, Some(name)),
            LocalName::BODY | LocalName::HTML => {
                if !self.has(ElementScope::Default, LocalName::BODY) {
                    return TokenResult::Done;
                }
                self.mode = InsertionMode::AfterBody;
                if name == LocalName::HTML { TokenResult::Again } else { TokenResult::Done }
            }
            LocalName::FORM => self.end_form(),
            LocalName::APPLET | LocalName::MARQUEE | LocalName::OBJECT => {
                if self.has(ElementScope::Default, name) {
                    self.end_in_scope(ElementScope::Default, name, None);
                    self.clear_formatting_to_marker();
                }
                TokenResult::Done
            }
            LocalName::BR => {
                self.reconstruct_formatting();
                self.insert_implied(LocalName::BR);
                self.stack.pop();
                self.frameset_ok = false;
                TokenResult::Done
            }
            LocalName::TEMPLATE => self.end_template(),
            _ => self.any_other_end_tag(name),
        }
    }

    fn end_in_scope(&mut self, scope: ElementScope, name: LocalName, except: Option<LocalName>) -> TokenResult {
        if self.has(scope, name) {
            self.generate_implied_end_tags(except);
            self.pop_name(name);
        }
        TokenResult::Done
    }

    fn end_form(&mut self) -> TokenResult {
        if self.has_open(LocalName::TEMPLATE) {
            return self.end_in_scope(ElementScope::Default, LocalName::FORM, None);
        }
        let form = std::mem::replace(&mut self.form, NONE);
        if form != NONE && self.has_in(ElementScope::Default, |open| open.id == form) {
            self.generate_implied_end_tags(None);
            self.stack.remove(form);
        }
        TokenResult::Done
    }

    pub(super) fn in_text(&mut self, mark: Mark) -> TokenResult {
        self.stack.pop();
        self.mode = self.original_mode;
        if mark == Mark::Eof { TokenResult::Again } else { TokenResult::Done }
    }
}
