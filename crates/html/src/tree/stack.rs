//! The stack of open elements (HTML §13.2.4.2).

use crate::name::LocalName;
use crate::tree::arena::NONE;
use crate::tree::open::{Namespace, OpenElement};
use crate::tree::sets::{IMPLIED_END, TABLE_SCOPE, THOROUGHLY_IMPLIED_END};
use crate::tree::{InsertionMode, TreeBuilder};

/// Which elements end the search for one that is in scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ElementScope {
    Default,
    List,
    Table,
}

impl TreeBuilder<'_> {
    pub(crate) fn has_in(&mut self, scope: ElementScope, wanted: impl Fn(&OpenElement) -> bool) -> bool {
        for (n, open) in self.stack.iter().rev().enumerate() {
            let ends = match scope {
                ElementScope::Table => open.is_in(TABLE_SCOPE),
                ElementScope::Default => open.ends_scope(),
                ElementScope::List => open.ends_scope() || open.is(LocalName::OL) || open.is(LocalName::UL),
            };
            let found = wanted(open);
            if found || ends {
                self.steps += n as u64;
                return found;
            }
        }
        self.steps += self.stack.len() as u64;
        false
    }

    pub(crate) fn has(&mut self, scope: ElementScope, name: LocalName) -> bool {
        self.has_in(scope, |open| open.is(name))
    }

    /// Whether a paragraph is open in button scope.
    pub(crate) fn has_p(&self) -> bool {
        self.stack.last().is_some_and(|open| open.has_p)
    }

    pub(crate) fn current_is(&self, name: LocalName) -> bool {
        self.stack.last().is_some_and(|open| open.is(name))
    }

    pub(crate) fn has_open(&mut self, name: LocalName) -> bool {
        self.steps += self.stack.len() as u64 / 4;
        self.stack.iter().any(|open| open.is(name))
    }

    /// Pops up to and including the first element of HTML that is `wanted`.
    pub(crate) fn pop_until(&mut self, wanted: impl Fn(&OpenElement) -> bool) {
        while let Some(open) = self.stack.pop() {
            self.steps += 1;
            if wanted(&open) {
                return;
            }
        }
    }

    pub(crate) fn pop_name(&mut self, name: LocalName) {
        self.pop_until(|open| open.is(name));
    }

    pub(crate) fn generate_implied_end_tags(&mut self, except: Option<LocalName>) {
        while let Some(open) = self.stack.last()
            && open.is_in(IMPLIED_END)
            && except != Some(open.name)
        {
            self.stack.pop();
        }
    }

    pub(crate) fn generate_all_implied_end_tags(&mut self) {
        while self.stack.last().is_some_and(|open| open.is_in(THOROUGHLY_IMPLIED_END)) {
            self.stack.pop();
        }
    }

    /// Closes a paragraph that is open in button scope.
    pub(crate) fn close_p(&mut self) {
        if self.has_p() {
            self.generate_implied_end_tags(Some(LocalName::P));
            self.pop_name(LocalName::P);
        }
    }

    /// Pops up to one of these elements of HTML, which stays.
    pub(crate) fn clear_to(&mut self, names: &[LocalName]) {
        while let Some(open) = self.stack.last()
            && !(open.space == Namespace::Html
                && (names.contains(&open.name) || matches!(open.name, LocalName::TEMPLATE | LocalName::HTML)))
        {
            self.stack.pop();
        }
    }

    pub(crate) fn position(&self, id: u32) -> Option<usize> {
        self.stack.iter().rposition(|open| open.id == id)
    }

    /// The mode that the open elements call for (HTML §13.2.4.1, "reset the insertion mode appropriately").
    pub(crate) fn reset_mode(&mut self) {
        for (n, open) in self.stack.iter().enumerate().rev() {
            if open.space != Namespace::Html {
                continue;
            }
            self.mode = match open.name {
                LocalName::TD | LocalName::TH if n > 0 => InsertionMode::InCell,
                LocalName::TR => InsertionMode::InRow,
                LocalName::TBODY | LocalName::THEAD | LocalName::TFOOT => InsertionMode::InTableBody,
                LocalName::CAPTION => InsertionMode::InCaption,
                LocalName::COLGROUP => InsertionMode::InColumnGroup,
                LocalName::TABLE => InsertionMode::InTable,
                LocalName::TEMPLATE => self.template_modes.last().copied().unwrap_or(InsertionMode::InBody),
                LocalName::HEAD if n > 0 => InsertionMode::InHead,
                LocalName::BODY => InsertionMode::InBody,
                LocalName::FRAMESET => InsertionMode::InFrameset,
                LocalName::HTML if self.head == NONE => InsertionMode::BeforeHead,
                LocalName::HTML => InsertionMode::AfterHead,
                _ => continue,
            };
            return;
        }
        self.mode = InsertionMode::InBody;
    }
}
