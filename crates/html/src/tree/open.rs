//! The stack of open elements, and what it and the list of active formatting elements hold.

use std::ops::Deref;

use crate::name::LocalName;
use crate::tree::sets::{SCOPE, SPECIAL, TABLE_PART, is};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Namespace {
    Html,
    Svg,
    MathMl,
}

/// An open element.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpenElement {
    pub(crate) id: u32,
    /// With the case of SVG.
    pub(crate) name: LocalName,
    /// As its tag was written, in lower case.
    pub(crate) tag: LocalName,
    pub(crate) space: Namespace,
    /// Whether it is an `annotation-xml` that holds HTML.
    pub(crate) integrates: bool,
    /// Whether it is, or has above it, a paragraph in button scope. The stack knows it, so that nobody searches: each block asks.
    pub(crate) has_p: bool,
}

/// The open elements (HTML §13.2.4.2), the current node last.
pub(crate) struct Stack(Vec<OpenElement>);

impl Deref for Stack {
    type Target = [OpenElement];

    fn deref(&self) -> &[OpenElement] {
        &self.0
    }
}

impl Stack {
    pub(crate) fn new() -> Stack {
        Stack(Vec::with_capacity(64))
    }

    pub(crate) fn push(&mut self, mut open: OpenElement) {
        open.has_p =
            open.is(LocalName::P) || (!open.ends_button_scope() && self.0.last().is_some_and(|above| above.has_p));
        self.0.push(open);
    }

    pub(crate) fn pop(&mut self) -> Option<OpenElement> {
        self.0.pop()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Puts another node in the place of one that is like it.
    pub(crate) fn replace(&mut self, at: usize, id: u32) {
        self.0[at].id = id;
    }

    pub(crate) fn insert(&mut self, at: usize, open: OpenElement) {
        let rest = self.0.split_off(at);
        self.push(open);
        rest.into_iter().for_each(|open| self.push(open));
    }

    /// Takes this node out, wherever it is.
    pub(crate) fn remove(&mut self, id: u32) {
        if let Some(at) = self.0.iter().rposition(|open| open.id == id) {
            let rest = self.0.split_off(at);
            rest.into_iter().skip(1).for_each(|open| self.push(open));
        }
    }
}

impl OpenElement {
    /// An element of HTML.
    pub(crate) fn html(id: u32, name: LocalName) -> OpenElement {
        OpenElement { id, name, tag: name, space: Namespace::Html, integrates: false, has_p: false }
    }

    /// Whether it is this element of HTML.
    pub(crate) fn is(&self, name: LocalName) -> bool {
        self.name == name && self.space == Namespace::Html
    }

    /// Whether it is an element of HTML in this set.
    pub(crate) fn is_in(&self, set: u32) -> bool {
        self.space == Namespace::Html && is(self.name, set)
    }

    pub(crate) fn is_table_part(&self) -> bool {
        self.is_in(TABLE_PART)
    }

    /// HTML §13.2.4.2, "special".
    pub(crate) fn is_special(&self) -> bool {
        match self.space {
            Namespace::Html => is(self.name, SPECIAL),
            _ => self.ends_scope(),
        }
    }

    pub(crate) fn is_mathml_text(&self) -> bool {
        self.space == Namespace::MathMl
            && matches!(self.name, LocalName::MI | LocalName::MO | LocalName::MN | LocalName::MS | LocalName::MTEXT)
    }

    /// An HTML integration point of SVG.
    pub(crate) fn is_svg_point(&self) -> bool {
        self.space == Namespace::Svg
            && matches!(self.tag, LocalName::FOREIGNOBJECT | LocalName::DESC | LocalName::TITLE)
    }

    pub(crate) fn ends_button_scope(&self) -> bool {
        self.ends_scope() || self.is(LocalName::BUTTON)
    }

    pub(crate) fn ends_scope(&self) -> bool {
        match self.space {
            Namespace::Html => is(self.name, SCOPE),
            Namespace::Svg => self.is_svg_point(),
            Namespace::MathMl => self.is_mathml_text() || self.name == LocalName::ANNOTATION_XML,
        }
    }
}

/// An entry of the list of active formatting elements.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FormattingEntry {
    Marker,
    Element { id: u32, name: LocalName },
}

impl FormattingEntry {
    pub(crate) fn id(&self) -> Option<u32> {
        match self {
            FormattingEntry::Element { id, .. } => Some(*id),
            FormattingEntry::Marker => None,
        }
    }
}
