//! Start tags and the end of the page in the body (HTML §13.2.6.4.7).

use crate::name::Name;
use crate::tokenizer::State;
use crate::tree::arena::NONE;
use crate::tree::open::{Entry, Space};
use crate::tree::sets::{self, BLOCK, FORMATTING, HEAD_CONTENT, HEADING, IGNORED_IN_BODY};
use crate::tree::stack::Scope;
use crate::tree::{Mark, Mode, Step, TreeBuilder};

impl TreeBuilder<'_> {
    pub(super) fn in_body(&mut self, mark: Mark) -> Step {
        match mark {
            Mark::Comment => self.comment_here(),
            Mark::Doctype => Step::Done,
            Mark::Start(name) => self.start_in_body(name),
            Mark::End(name) => self.end_in_body(name),
            Mark::Eof if self.template_modes.is_empty() => Step::Done,
            Mark::Eof => self.in_template(mark),
        }
    }

    pub(super) fn start_in_body(&mut self, name: Name) -> Step {
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
            return Step::Done;
        }
        if sets & HEADING != 0 {
            self.close_p();
            if self.stack.last().is_some_and(|open| open.is_in(HEADING)) {
                self.stack.pop();
            }
            self.insert(name);
            return Step::Done;
        }
        if sets & IGNORED_IN_BODY != 0 {
            return Step::Done;
        }
        match name {
            Name::SPAN => self.start_other(name),
            Name::LI | Name::DD | Name::DT => self.start_item(name),
            Name::AREA | Name::BR | Name::EMBED | Name::IMG | Name::KEYGEN | Name::WBR => {
                self.reconstruct_formatting();
                self.insert_void(name);
                self.frameset_ok = false;
                Step::Done
            }
            Name::IMAGE => self.start_in_body(Name::IMG),
            Name::TABLE => self.start_table(),
            Name::SELECT | Name::OPTION | Name::OPTGROUP | Name::INPUT | Name::HR => self.start_select_part(name),
            Name::RB | Name::RTC | Name::RP | Name::RT => self.start_ruby_part(name),
            Name::HTML | Name::BODY | Name::FRAMESET => self.start_page_part(name),
            Name::TEXTAREA | Name::XMP | Name::IFRAME | Name::NOEMBED | Name::PLAINTEXT => self.start_raw(name),
            Name::MATH => self.start_foreign(Name::MATH, Space::MathMl),
            Name::SVG => self.start_foreign(Name::SVG, Space::Svg),
            _ => self.start_control(name),
        }
    }

    fn start_other(&mut self, name: Name) -> Step {
        self.reconstruct_formatting();
        self.insert(name);
        Step::Done
    }

    fn start_formatting(&mut self, name: Name) -> Step {
        if name == Name::A
            && let Some((_, id)) = self.find_formatting(Name::A)
        {
            self.adopt(Name::A);
            self.forget_formatting(id);
            self.stack.remove(id);
        }
        self.reconstruct_formatting();
        if name == Name::NOBR && self.has(Scope::Default, Name::NOBR) {
            self.adopt(Name::NOBR);
            self.reconstruct_formatting();
        }
        let id = self.insert(name);
        self.push_formatting(id, name);
        Step::Done
    }

    fn start_item(&mut self, name: Name) -> Step {
        self.frameset_ok = false;
        for n in (0..self.stack.len()).rev() {
            let open = self.stack[n];
            self.steps += 1;
            let closes = match name {
                Name::LI => open.is(Name::LI),
                _ => open.is(Name::DD) || open.is(Name::DT),
            };
            if closes {
                self.generate_implied_end_tags(Some(open.name));
                self.pop_name(open.name);
                break;
            }
            if open.is_special() && !(open.is(Name::ADDRESS) || open.is(Name::DIV) || open.is(Name::P)) {
                break;
            }
        }
        self.close_p();
        self.insert(name);
        Step::Done
    }

    fn start_table(&mut self) -> Step {
        if !self.quirks {
            self.close_p();
        }
        self.insert(Name::TABLE);
        self.frameset_ok = false;
        self.mode = Mode::InTable;
        Step::Done
    }

    /// `select` and what may stand in it, or closes it.
    fn start_select_part(&mut self, name: Name) -> Step {
        if name == Name::HR {
            self.close_p();
        }
        let in_select = self.has(Scope::Default, Name::SELECT);
        match name {
            Name::SELECT if in_select => {
                self.pop_name(Name::SELECT);
                return Step::Done;
            }
            Name::INPUT if in_select => self.pop_name(Name::SELECT),
            Name::OPTION if in_select => self.generate_implied_end_tags(Some(Name::OPTGROUP)),
            Name::OPTGROUP | Name::HR if in_select => self.generate_implied_end_tags(None),
            Name::OPTION | Name::OPTGROUP if self.current_is(Name::OPTION) => {
                self.stack.pop();
            }
            _ => {}
        }
        if name != Name::HR {
            self.reconstruct_formatting();
        }
        if matches!(name, Name::INPUT | Name::HR) {
            self.insert_void(name);
        } else {
            self.insert(name);
        }
        let is_hidden = name == Name::INPUT && self.has_hidden_type();
        if !is_hidden && matches!(name, Name::SELECT | Name::INPUT | Name::HR) {
            self.frameset_ok = false;
        }
        Step::Done
    }

    pub(super) fn has_hidden_type(&self) -> bool {
        self.tag_value(Name::TYPE).is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"))
    }

    fn start_ruby_part(&mut self, name: Name) -> Step {
        if self.has(Scope::Default, Name::RUBY) {
            let except = if matches!(name, Name::RP | Name::RT) { Some(Name::RTC) } else { None };
            self.generate_implied_end_tags(except);
        }
        self.insert(name);
        Step::Done
    }

    fn start_page_part(&mut self, name: Name) -> Step {
        let second = self.stack.get(1).copied();
        match name {
            Name::HTML => {
                if !self.has_open(Name::TEMPLATE) {
                    let html = self.stack[0].id;
                    self.add_attributes(html);
                }
            }
            Name::BODY => {
                if let Some(body) = second.filter(|second| second.is(Name::BODY))
                    && !self.has_open(Name::TEMPLATE)
                {
                    self.frameset_ok = false;
                    self.add_attributes(body.id);
                }
            }
            _ => {
                if let Some(body) = second.filter(|second| second.is(Name::BODY))
                    && self.frameset_ok
                {
                    self.arena.detach(body.id);
                    self.stack.truncate(1);
                    self.insert(Name::FRAMESET);
                    self.mode = Mode::InFrameset;
                }
            }
        }
        Step::Done
    }

    /// Elements whose content is text.
    fn start_raw(&mut self, name: Name) -> Step {
        match name {
            Name::PLAINTEXT => {
                self.close_p();
                self.insert(name);
                self.tokens.set_state(State::Plaintext);
                return Step::Done;
            }
            Name::TEXTAREA => {
                self.frameset_ok = false;
                let step = self.insert_text_element(name, State::Rcdata);
                self.ignore_line_feed = true;
                return step;
            }
            Name::XMP => {
                self.close_p();
                self.reconstruct_formatting();
                self.frameset_ok = false;
            }
            Name::IFRAME => self.frameset_ok = false,
            _ => {}
        }
        self.insert_text_element(name, State::Rawtext)
    }

    fn start_control(&mut self, name: Name) -> Step {
        match name {
            Name::PRE | Name::LISTING => {
                self.close_p();
                self.insert(name);
                self.ignore_line_feed = true;
                self.frameset_ok = false;
            }
            Name::FORM => {
                let in_template = self.has_open(Name::TEMPLATE);
                if self.form == NONE || in_template {
                    self.close_p();
                    let id = self.insert(name);
                    if !in_template {
                        self.form = id;
                    }
                }
            }
            Name::BUTTON => {
                if self.has(Scope::Default, Name::BUTTON) {
                    self.generate_implied_end_tags(None);
                    self.pop_name(Name::BUTTON);
                }
                self.reconstruct_formatting();
                self.insert(name);
                self.frameset_ok = false;
            }
            Name::APPLET | Name::MARQUEE | Name::OBJECT => {
                self.reconstruct_formatting();
                self.insert(name);
                self.formatting.push(Entry::Marker);
                self.frameset_ok = false;
            }
            Name::PARAM | Name::SOURCE | Name::TRACK => self.insert_void(name),
            Name::SELECTEDCONTENT => {
                self.reconstruct_formatting();
                let id = self.insert(name);
                self.selected_contents.push(id);
            }
            _ => return self.start_other(name),
        }
        Step::Done
    }

    fn start_foreign(&mut self, name: Name, space: Space) -> Step {
        self.reconstruct_formatting();
        self.insert_foreign(name, space);
        Step::Done
    }
}
