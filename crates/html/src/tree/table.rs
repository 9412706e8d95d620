//! Tables (HTML §13.2.6.4.9 to 15).

use crate::name::Name;
use crate::tree::arena::NONE;
use crate::tree::open::{Entry, Open};
use crate::tree::sets::{IN_TABLE, TABLE_PART, is};
use crate::tree::stack::Scope;
use crate::tree::text::is_space;
use crate::tree::{Mark, Mode, Step, TreeBuilder};

/// The token goes on in the mode that is on now, if what it ends was there.
fn again_if(ended: bool) -> Step {
    if ended { Step::Again } else { Step::Done }
}

/// Whether an end tag that no rule of its mode names is left out: of a part of a table, or of what is around it.
fn ends_nothing(name: Name) -> bool {
    is(name, IN_TABLE) || matches!(name, Name::BODY | Name::HTML)
}

impl TreeBuilder<'_> {
    pub(super) fn in_table(&mut self, mark: Mark) -> Step {
        match mark {
            Mark::Comment => self.comment_here(),
            Mark::Doctype => Step::Done,
            Mark::Start(Name::CAPTION) => {
                self.clear_to(&[Name::TABLE]);
                self.formatting.push(Entry::Marker);
                self.insert(Name::CAPTION);
                self.mode = Mode::InCaption;
                Step::Done
            }
            Mark::Start(Name::COLGROUP) => {
                self.clear_to(&[Name::TABLE]);
                self.insert(Name::COLGROUP);
                self.mode = Mode::InColumnGroup;
                Step::Done
            }
            Mark::Start(Name::COL) => {
                self.clear_to(&[Name::TABLE]);
                self.insert_implied(Name::COLGROUP);
                self.again(Mode::InColumnGroup)
            }
            Mark::Start(name @ (Name::TBODY | Name::TFOOT | Name::THEAD)) => {
                self.clear_to(&[Name::TABLE]);
                self.insert(name);
                self.mode = Mode::InTableBody;
                Step::Done
            }
            Mark::Start(Name::TD | Name::TH | Name::TR) => {
                self.clear_to(&[Name::TABLE]);
                self.insert_implied(Name::TBODY);
                self.again(Mode::InTableBody)
            }
            Mark::Start(Name::TABLE) => again_if(self.end_table()),
            Mark::End(Name::TABLE) => {
                self.end_table();
                Step::Done
            }
            Mark::End(name) if ends_nothing(name) => Step::Done,
            Mark::Start(Name::STYLE | Name::SCRIPT | Name::TEMPLATE) | Mark::End(Name::TEMPLATE) => self.in_head(mark),
            Mark::Start(Name::INPUT) if self.has_hidden_type() => {
                self.insert_void(Name::INPUT);
                Step::Done
            }
            Mark::Start(Name::FORM) => {
                if self.form == NONE && !self.has_open(Name::TEMPLATE) {
                    self.form = self.insert(Name::FORM);
                    self.stack.pop();
                }
                Step::Done
            }
            Mark::Eof => self.in_body(mark),
            _ => {
                self.foster = true;
                let step = self.in_body(mark);
                self.foster = false;
                step
            }
        }
    }

    fn end_table(&mut self) -> bool {
        let is_there = self.has(Scope::Table, Name::TABLE);
        if is_there {
            self.pop_name(Name::TABLE);
            self.reset_mode();
        }
        is_there
    }

    /// The text of a table ends where something else comes.
    pub(super) fn in_table_text(&mut self) -> Step {
        let text = std::mem::take(&mut self.table_text);
        let is_space = text.bytes().all(is_space);
        if !text.is_empty() {
            let span = self.arena.store.push(&text);
            self.foster = !is_space;
            if is_space {
                self.text_here(span);
            } else {
                self.text_in_body(span);
            }
            self.foster = false;
        }
        self.table_text = text;
        self.table_text.clear();
        self.again(self.original_mode)
    }

    pub(super) fn in_caption(&mut self, mark: Mark) -> Step {
        match mark {
            Mark::End(Name::CAPTION) => {
                self.end_caption();
                Step::Done
            }
            Mark::Start(name) if is(name, IN_TABLE) => again_if(self.end_caption()),
            Mark::End(Name::TABLE) => again_if(self.end_caption()),
            Mark::End(name) if ends_nothing(name) => Step::Done,
            _ => self.in_body(mark),
        }
    }

    fn end_caption(&mut self) -> bool {
        if !self.has(Scope::Table, Name::CAPTION) {
            return false;
        }
        self.generate_implied_end_tags(None);
        self.pop_name(Name::CAPTION);
        self.clear_formatting_to_marker();
        self.mode = Mode::InTable;
        true
    }

    pub(super) fn in_column_group(&mut self, mark: Mark) -> Step {
        match mark {
            Mark::Comment => self.comment_here(),
            Mark::Doctype => Step::Done,
            Mark::Start(Name::HTML) => self.in_body(mark),
            Mark::Start(Name::COL) => {
                self.insert_void(Name::COL);
                Step::Done
            }
            Mark::End(Name::COLGROUP) => {
                self.end_column_group();
                Step::Done
            }
            Mark::End(Name::COL) => Step::Done,
            Mark::Start(Name::TEMPLATE) | Mark::End(Name::TEMPLATE) => self.in_head(mark),
            Mark::Eof => self.in_body(mark),
            _ => again_if(self.end_column_group()),
        }
    }

    pub(super) fn end_column_group(&mut self) -> bool {
        let is_current = self.current_is(Name::COLGROUP);
        if is_current {
            self.stack.pop();
            self.mode = Mode::InTable;
        }
        is_current
    }

    pub(super) fn in_table_body(&mut self, mark: Mark) -> Step {
        const BODIES: &[Name] = &[Name::TBODY, Name::TFOOT, Name::THEAD];
        match mark {
            Mark::Start(Name::TR) => {
                self.clear_to(BODIES);
                self.insert(Name::TR);
                self.mode = Mode::InRow;
                Step::Done
            }
            Mark::Start(Name::TH | Name::TD) => {
                self.clear_to(BODIES);
                self.insert_implied(Name::TR);
                self.again(Mode::InRow)
            }
            Mark::End(name @ (Name::TBODY | Name::TFOOT | Name::THEAD)) => {
                if self.has(Scope::Table, name) {
                    self.clear_to(BODIES);
                    self.stack.pop();
                    self.mode = Mode::InTable;
                }
                Step::Done
            }
            Mark::Start(Name::CAPTION | Name::COL | Name::COLGROUP | Name::TBODY | Name::TFOOT | Name::THEAD)
            | Mark::End(Name::TABLE) => {
                let is_body = |open: &Open| BODIES.iter().any(|name| open.is(*name));
                if !self.has_in(Scope::Table, is_body) {
                    return Step::Done;
                }
                self.clear_to(BODIES);
                self.stack.pop();
                self.again(Mode::InTable)
            }
            Mark::End(name) if ends_nothing(name) => Step::Done,
            _ => self.in_table(mark),
        }
    }

    pub(super) fn in_row(&mut self, mark: Mark) -> Step {
        match mark {
            Mark::Start(name @ (Name::TH | Name::TD)) => {
                self.clear_to(&[Name::TR]);
                self.insert(name);
                self.mode = Mode::InCell;
                self.formatting.push(Entry::Marker);
                Step::Done
            }
            Mark::End(Name::TR) => {
                self.end_row();
                Step::Done
            }
            Mark::Start(
                Name::CAPTION | Name::COL | Name::COLGROUP | Name::TBODY | Name::TFOOT | Name::THEAD | Name::TR,
            )
            | Mark::End(Name::TABLE) => again_if(self.end_row()),
            Mark::End(name @ (Name::TBODY | Name::TFOOT | Name::THEAD)) => {
                again_if(self.has(Scope::Table, name) && self.end_row())
            }
            Mark::End(name) if ends_nothing(name) => Step::Done,
            _ => self.in_table(mark),
        }
    }

    fn end_row(&mut self) -> bool {
        let is_there = self.has(Scope::Table, Name::TR);
        if is_there {
            self.clear_to(&[Name::TR]);
            self.stack.pop();
            self.mode = Mode::InTableBody;
        }
        is_there
    }

    pub(super) fn in_cell(&mut self, mark: Mark) -> Step {
        match mark {
            Mark::End(name @ (Name::TD | Name::TH)) => {
                if self.has(Scope::Table, name) {
                    self.generate_implied_end_tags(None);
                    self.pop_name(name);
                    self.clear_formatting_to_marker();
                    self.mode = Mode::InRow;
                }
                Step::Done
            }
            Mark::Start(name) if is(name, IN_TABLE) => self.close_cell(),
            Mark::End(name) if is(name, TABLE_PART) => {
                if self.has(Scope::Table, name) {
                    self.close_cell()
                } else {
                    Step::Done
                }
            }
            Mark::End(name) if ends_nothing(name) => Step::Done,
            _ => self.in_body(mark),
        }
    }

    fn close_cell(&mut self) -> Step {
        let is_cell = |open: &Open| open.is(Name::TD) || open.is(Name::TH);
        if !self.has_in(Scope::Table, is_cell) {
            return Step::Done;
        }
        self.generate_implied_end_tags(None);
        self.pop_until(is_cell);
        self.clear_formatting_to_marker();
        self.again(Mode::InRow)
    }
}
