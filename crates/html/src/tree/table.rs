//! Tables (HTML §13.2.6.4.9 to 15).

use crate::name::LocalName;
use crate::tree::arena::NONE;
use crate::tree::open::{FormattingEntry, OpenElement};
use crate::tree::sets::{IN_TABLE, TABLE_PART, is};
use crate::tree::stack::ElementScope;
use crate::tree::text::is_space;
use crate::tree::{InsertionMode, Mark, TokenResult, TreeBuilder};

/// The token goes on in the mode that is on now, if what it ends was there.
fn again_if(ended: bool) -> TokenResult {
    if ended { TokenResult::Again } else { TokenResult::Done }
}

/// Whether an end tag that no rule of its mode names is left out: of a part of a table, or of what is around it.
fn ends_nothing(name: LocalName) -> bool {
    is(name, IN_TABLE) || matches!(name, LocalName::BODY | LocalName::HTML)
}

impl TreeBuilder<'_> {
    pub(super) fn in_table(&mut self, mark: Mark) -> TokenResult {
        match mark {
            Mark::Comment => self.comment_here(),
            Mark::Doctype => TokenResult::Done,
            Mark::Start(LocalName::CAPTION) => {
                self.clear_to(&[LocalName::TABLE]);
                self.formatting.push(FormattingEntry::Marker);
                self.insert(LocalName::CAPTION);
                self.mode = InsertionMode::InCaption;
                TokenResult::Done
            }
            Mark::Start(LocalName::COLGROUP) => {
                self.clear_to(&[LocalName::TABLE]);
                self.insert(LocalName::COLGROUP);
                self.mode = InsertionMode::InColumnGroup;
                TokenResult::Done
            }
            Mark::Start(LocalName::COL) => {
                self.clear_to(&[LocalName::TABLE]);
                self.insert_implied(LocalName::COLGROUP);
                self.again(InsertionMode::InColumnGroup)
            }
            Mark::Start(name @ (LocalName::TBODY | LocalName::TFOOT | LocalName::THEAD)) => {
                self.clear_to(&[LocalName::TABLE]);
                self.insert(name);
                self.mode = InsertionMode::InTableBody;
                TokenResult::Done
            }
            Mark::Start(LocalName::TD | LocalName::TH | LocalName::TR) => {
                self.clear_to(&[LocalName::TABLE]);
                self.insert_implied(LocalName::TBODY);
                self.again(InsertionMode::InTableBody)
            }
            Mark::Start(LocalName::TABLE) => again_if(self.end_table()),
            Mark::End(LocalName::TABLE) => {
                self.end_table();
                TokenResult::Done
            }
            Mark::End(name) if ends_nothing(name) => TokenResult::Done,
            Mark::Start(LocalName::STYLE | LocalName::SCRIPT | LocalName::TEMPLATE)
            | Mark::End(LocalName::TEMPLATE) => self.in_head(mark),
            Mark::Start(LocalName::INPUT) if self.has_hidden_type() => {
                self.insert_void(LocalName::INPUT);
                TokenResult::Done
            }
            Mark::Start(LocalName::FORM) => {
                if self.form == NONE && !self.has_open(LocalName::TEMPLATE) {
                    self.form = self.insert(LocalName::FORM);
                    self.stack.pop();
                }
                TokenResult::Done
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
        let is_there = self.has(ElementScope::Table, LocalName::TABLE);
        if is_there {
            self.pop_name(LocalName::TABLE);
            self.reset_mode();
        }
        is_there
    }

    /// The text of a table ends where something else comes.
    pub(super) fn in_table_text(&mut self) -> TokenResult {
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

    pub(super) fn in_caption(&mut self, mark: Mark) -> TokenResult {
        match mark {
            Mark::End(LocalName::CAPTION) => {
                self.end_caption();
                TokenResult::Done
            }
            Mark::Start(name) if is(name, IN_TABLE) => again_if(self.end_caption()),
            Mark::End(LocalName::TABLE) => again_if(self.end_caption()),
            Mark::End(name) if ends_nothing(name) => TokenResult::Done,
            _ => self.in_body(mark),
        }
    }

    fn end_caption(&mut self) -> bool {
        if !self.has(ElementScope::Table, LocalName::CAPTION) {
            return false;
        }
        self.generate_implied_end_tags(None);
        self.pop_name(LocalName::CAPTION);
        self.clear_formatting_to_marker();
        self.mode = InsertionMode::InTable;
        true
    }

    pub(super) fn in_column_group(&mut self, mark: Mark) -> TokenResult {
        match mark {
            Mark::Comment => self.comment_here(),
            Mark::Doctype => TokenResult::Done,
            Mark::Start(LocalName::HTML) => self.in_body(mark),
            Mark::Start(LocalName::COL) => {
                self.insert_void(LocalName::COL);
                TokenResult::Done
            }
            Mark::End(LocalName::COLGROUP) => {
                self.end_column_group();
                TokenResult::Done
            }
            Mark::End(LocalName::COL) => TokenResult::Done,
            Mark::Start(LocalName::TEMPLATE) | Mark::End(LocalName::TEMPLATE) => self.in_head(mark),
            Mark::Eof => self.in_body(mark),
            _ => again_if(self.end_column_group()),
        }
    }

    pub(super) fn end_column_group(&mut self) -> bool {
        let is_current = self.current_is(LocalName::COLGROUP);
        if is_current {
            self.stack.pop();
            self.mode = InsertionMode::InTable;
        }
        is_current
    }

    pub(super) fn in_table_body(&mut self, mark: Mark) -> TokenResult {
        const BODIES: &[LocalName] = &[LocalName::TBODY, LocalName::TFOOT, LocalName::THEAD];
        match mark {
            Mark::Start(LocalName::TR) => {
                self.clear_to(BODIES);
                self.insert(LocalName::TR);
                self.mode = InsertionMode::InRow;
                TokenResult::Done
            }
            Mark::Start(LocalName::TH | LocalName::TD) => {
                self.clear_to(BODIES);
                self.insert_implied(LocalName::TR);
                self.again(InsertionMode::InRow)
            }
            Mark::End(name @ (LocalName::TBODY | LocalName::TFOOT | LocalName::THEAD)) => {
                if self.has(ElementScope::Table, name) {
                    self.clear_to(BODIES);
                    self.stack.pop();
                    self.mode = InsertionMode::InTable;
                }
                TokenResult::Done
            }
            Mark::Start(
                LocalName::CAPTION
                | LocalName::COL
                | LocalName::COLGROUP
                | LocalName::TBODY
                | LocalName::TFOOT
                | LocalName::THEAD,
            )
            | Mark::End(LocalName::TABLE) => {
                let is_body = |open: &OpenElement| BODIES.iter().any(|name| open.is(*name));
                if !self.has_in(ElementScope::Table, is_body) {
                    return TokenResult::Done;
                }
                self.clear_to(BODIES);
                self.stack.pop();
                self.again(InsertionMode::InTable)
            }
            Mark::End(name) if ends_nothing(name) => TokenResult::Done,
            _ => self.in_table(mark),
        }
    }

    pub(super) fn in_row(&mut self, mark: Mark) -> TokenResult {
        match mark {
            Mark::Start(name @ (LocalName::TH | LocalName::TD)) => {
                self.clear_to(&[LocalName::TR]);
                self.insert(name);
                self.mode = InsertionMode::InCell;
                self.formatting.push(FormattingEntry::Marker);
                TokenResult::Done
            }
            Mark::End(LocalName::TR) => {
                self.end_row();
                TokenResult::Done
            }
            Mark::Start(
                LocalName::CAPTION
                | LocalName::COL
                | LocalName::COLGROUP
                | LocalName::TBODY
                | LocalName::TFOOT
                | LocalName::THEAD
                | LocalName::TR,
            )
            | Mark::End(LocalName::TABLE) => again_if(self.end_row()),
            Mark::End(name @ (LocalName::TBODY | LocalName::TFOOT | LocalName::THEAD)) => {
                again_if(self.has(ElementScope::Table, name) && self.end_row())
            }
            Mark::End(name) if ends_nothing(name) => TokenResult::Done,
            _ => self.in_table(mark),
        }
    }

    fn end_row(&mut self) -> bool {
        let is_there = self.has(ElementScope::Table, LocalName::TR);
        if is_there {
            self.clear_to(&[LocalName::TR]);
            self.stack.pop();
            self.mode = InsertionMode::InTableBody;
        }
        is_there
    }

    pub(super) fn in_cell(&mut self, mark: Mark) -> TokenResult {
        match mark {
            Mark::End(name @ (LocalName::TD | LocalName::TH)) => {
                if self.has(ElementScope::Table, name) {
                    self.generate_implied_end_tags(None);
                    self.pop_name(name);
                    self.clear_formatting_to_marker();
                    self.mode = InsertionMode::InRow;
                }
                TokenResult::Done
            }
            Mark::Start(name) if is(name, IN_TABLE) => self.close_cell(),
            Mark::End(name) if is(name, TABLE_PART) => {
                if self.has(ElementScope::Table, name) {
                    self.close_cell()
                } else {
                    TokenResult::Done
                }
            }
            Mark::End(name) if ends_nothing(name) => TokenResult::Done,
            _ => self.in_body(mark),
        }
    }

    fn close_cell(&mut self) -> TokenResult {
        let is_cell = |open: &OpenElement| open.is(LocalName::TD) || open.is(LocalName::TH);
        if !self.has_in(ElementScope::Table, is_cell) {
            return TokenResult::Done;
        }
        self.generate_implied_end_tags(None);
        self.pop_until(is_cell);
        self.clear_formatting_to_marker();
        self.again(InsertionMode::InRow)
    }
}
