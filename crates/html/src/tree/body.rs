//! Start tags and the end of the page in the body (HTML §13.2.6.4.7).

use crate::name::LocalName;
use crate::tokenizer::TokenizerState;
use crate::tree::arena::NONE;
use crate::tree::open::{FormattingEntry, Namespace};
use crate::tree::sets::{self, BLOCK, FORMATTING, HEAD_CONTENT, HEADING, IGNORED_IN_BODY};
use crate::tree::stack::ElementScope;
use crate::tree::{InsertionMode, Mark, TokenResult, TreeBuilder};

impl TreeBuilder<'_> {
    pub(super) fn in_body(&mut self, mark: Mark) -> TokenResult {
        match mark {
            Mark::Comment => self.comment_here(),
            Mark::Doctype => TokenResult::Done,
            Mark::Start(name) => self.start_in_body(name),
            Mark::End(name) => self.end_in_body(name),
            Mark::Eof if self.template_modes.is_empty() => TokenResult::Done,
            Mark::Eof => self.in_template(mark),
        }
    }

    pub(super) fn start_in_body(&mut self, name: LocalName) -> TokenResult {
        let sets = sets::sets(name);
        if sets & HEAD_CONTENT != 0 {
            return self.in_head(Mark::Start(name));
        }
        if sets & FORMATTING != 0 {
            return self.start_formatting(name);
        }
        if sets & BLOCK != 0 {
            self.close_p();
            self.insert(name);
            return TokenResult::Done;
        }
        if sets & HEADING != 0 {
            self.close_p();
            if self.stack.last().is_some_and(|open| open.is_in(HEADING)) {
                self.stack.pop();
            }
            self.insert(name);
            return TokenResult::Done;
        }
        if sets & IGNORED_IN_BODY != 0 {
            return TokenResult::Done;
        }
        match name {
            LocalName::SPAN => self.start_other(name),
            LocalName::LI | LocalName::DD | LocalName::DT => self.start_item(name),
            LocalName::AREA
            | LocalName::BR
            | LocalName::EMBED
            | LocalName::IMG
            | LocalName::KEYGEN
            | LocalName::WBR => {
                self.reconstruct_formatting();
                self.insert_void(name);
                self.frameset_ok = false;
                TokenResult::Done
            }
            LocalName::IMAGE => self.start_in_body(LocalName::IMG),
            LocalName::TABLE => self.start_table(),
            LocalName::SELECT | LocalName::OPTION | LocalName::OPTGROUP | LocalName::INPUT | LocalName::HR => {
                self.start_select_part(name)
            }
            LocalName::RB | LocalName::RTC | LocalName::RP | LocalName::RT => self.start_ruby_part(name),
            LocalName::HTML | LocalName::BODY | LocalName::FRAMESET => self.start_page_part(name),
            LocalName::TEXTAREA | LocalName::XMP | LocalName::IFRAME | LocalName::NOEMBED | LocalName::PLAINTEXT => {
                self.start_raw(name)
            }
            LocalName::MATH => self.start_foreign(LocalName::MATH, Namespace::MathMl),
            LocalName::SVG => self.start_foreign(LocalName::SVG, Namespace::Svg),
            _ => self.start_control(name),
        }
    }

    fn start_other(&mut self, name: LocalName) -> TokenResult {
        self.reconstruct_formatting();
        self.insert(name);
        TokenResult::Done
    }

    fn start_formatting(&mut self, name: LocalName) -> TokenResult {
        if name == LocalName::A
            && let Some((_, id)) = self.find_formatting(LocalName::A)
        {
            self.adopt(LocalName::A);
            self.forget_formatting(id);
            self.stack.remove(id);
        }
        self.reconstruct_formatting();
        if name == LocalName::NOBR && self.has(ElementScope::Default, LocalName::NOBR) {
            self.adopt(LocalName::NOBR);
            self.reconstruct_formatting();
        }
        let id = self.insert(name);
        self.push_formatting(id, name);
        TokenResult::Done
    }

    fn start_item(&mut self, name: LocalName) -> TokenResult {
        self.frameset_ok = false;
        for n in (0..self.stack.len()).rev() {
            let open = self.stack[n];
            self.steps += 1;
            let closes = match name {
                LocalName::LI => open.is(LocalName::LI),
                _ => open.is(LocalName::DD) || open.is(LocalName::DT),
            };
            if closes {
                self.generate_implied_end_tags(Some(open.name));
                self.pop_name(open.name);
                break;
            }
            if open.is_special() && !(open.is(LocalName::ADDRESS) || open.is(LocalName::DIV) || open.is(LocalName::P)) {
                break;
            }
        }
        self.close_p();
        self.insert(name);
        TokenResult::Done
    }

    fn start_table(&mut self) -> TokenResult {
        if !self.quirks {
            self.close_p();
        }
        self.insert(LocalName::TABLE);
        self.frameset_ok = false;
        self.mode = InsertionMode::InTable;
        TokenResult::Done
    }

    /// `select` and what may stand in it, or closes it.
    fn start_select_part(&mut self, name: LocalName) -> TokenResult {
        if name == LocalName::HR {
            self.close_p();
        }
        let in_select = self.has(ElementScope::Default, LocalName::SELECT);
        match name {
            LocalName::SELECT if in_select => {
                self.pop_name(LocalName::SELECT);
                return TokenResult::Done;
            }
            LocalName::INPUT if in_select => self.pop_name(LocalName::SELECT),
            LocalName::OPTION if in_select => self.generate_implied_end_tags(Some(LocalName::OPTGROUP)),
            LocalName::OPTGROUP | LocalName::HR if in_select => self.generate_implied_end_tags(None),
            LocalName::OPTION | LocalName::OPTGROUP if self.current_is(LocalName::OPTION) => {
                self.stack.pop();
            }
            _ => {}
        }
        if name != LocalName::HR {
            self.reconstruct_formatting();
        }
        if matches!(name, LocalName::INPUT | LocalName::HR) {
            self.insert_void(name);
        } else {
            self.insert(name);
        }
        let is_hidden = name == LocalName::INPUT && self.has_hidden_type();
        if !is_hidden && matches!(name, LocalName::SELECT | LocalName::INPUT | LocalName::HR) {
            self.frameset_ok = false;
        }
        TokenResult::Done
    }

    pub(super) fn has_hidden_type(&self) -> bool {
        self.tag_value(LocalName::TYPE).is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
    }

    fn start_ruby_part(&mut self, name: LocalName) -> TokenResult {
        if self.has(ElementScope::Default, LocalName::RUBY) {
            let except = if matches!(name, LocalName::RP | LocalName::RT) { Some(LocalName::RTC) } else { None };
            self.generate_implied_end_tags(except);
        }
        self.insert(name);
        TokenResult::Done
    }

    fn start_page_part(&mut self, name: LocalName) -> TokenResult {
        let second = self.stack.get(1).copied();
        match name {
            LocalName::HTML => {
                if !self.has_open(LocalName::TEMPLATE) {
                    let html = self.stack[0].id;
                    self.add_attributes(html);
                }
            }
            LocalName::BODY => {
                if let Some(body) = second.filter(|second| second.is(LocalName::BODY))
                    && !self.has_open(LocalName::TEMPLATE)
                {
                    self.frameset_ok = false;
                    self.add_attributes(body.id);
                }
            }
            _ => {
                if let Some(body) = second.filter(|second| second.is(LocalName::BODY))
                    && self.frameset_ok
                {
                    self.arena.detach(body.id);
                    self.stack.truncate(1);
                    self.insert(LocalName::FRAMESET);
                    self.mode = InsertionMode::InFrameset;
                }
            }
        }
        TokenResult::Done
    }

    /// Elements whose content is text.
    fn start_raw(&mut self, name: LocalName) -> TokenResult {
        match name {
            LocalName::PLAINTEXT => {
                self.close_p();
                self.insert(name);
                self.tokens.set_state(TokenizerState::Plaintext);
                return TokenResult::Done;
            }
            LocalName::TEXTAREA => {
                self.frameset_ok = false;
                let step = self.insert_text_element(name, TokenizerState::Rcdata);
                self.ignore_line_feed = true;
                return step;
            }
            LocalName::XMP => {
                self.close_p();
                self.reconstruct_formatting();
                self.frameset_ok = false;
            }
            LocalName::IFRAME => self.frameset_ok = false,
            _ => {}
        }
        self.insert_text_element(name, TokenizerState::Rawtext)
    }

    fn start_control(&mut self, name: LocalName) -> TokenResult {
        match name {
            LocalName::PRE | LocalName::LISTING => {
                self.close_p();
                self.insert(name);
                self.ignore_line_feed = true;
                self.frameset_ok = false;
            }
            LocalName::FORM => {
                let in_template = self.has_open(LocalName::TEMPLATE);
                if self.form == NONE || in_template {
                    self.close_p();
                    let id = self.insert(name);
                    if !in_template {
                        self.form = id;
                    }
                }
            }
            LocalName::BUTTON => {
                if self.has(ElementScope::Default, LocalName::BUTTON) {
                    self.generate_implied_end_tags(None);
                    self.pop_name(LocalName::BUTTON);
                }
                self.reconstruct_formatting();
                self.insert(name);
                self.frameset_ok = false;
            }
            LocalName::APPLET | LocalName::MARQUEE | LocalName::OBJECT => {
                self.reconstruct_formatting();
                self.insert(name);
                self.formatting.push(FormattingEntry::Marker);
                self.frameset_ok = false;
            }
            LocalName::PARAM | LocalName::SOURCE | LocalName::TRACK => self.insert_void(name),
            LocalName::SELECTEDCONTENT => {
                self.reconstruct_formatting();
                let id = self.insert(name);
                self.selected_contents.push(id);
            }
            _ => return self.start_other(name),
        }
        TokenResult::Done
    }

    fn start_foreign(&mut self, name: LocalName, space: Namespace) -> TokenResult {
        self.reconstruct_formatting();
        self.insert_foreign(name, space);
        TokenResult::Done
    }
}
