//! The stack of open elements, and what it and the list of active formatting elements hold.

use std::ops::Deref;

use crate::name::Name;
use crate::tree::sets::{SCOPE, SPECIAL, TABLE_PART, is};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Space {
    Html,
    Svg,
    MathMl,
}

/// An open element.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Open {
    pub(crate) id: u32,
    /// With the case of SVG.
    pub(crate) name: Name,
    /// As its tag was written, in lower case.
    pub(crate) tag: Name,
    pub(crate) space: Space,
    /// Whether it is an `annotation-xml` that holds HTML.
    pub(crate) integrates: bool,
    /// Whether it is, or has above it, a paragraph in button scope. The stack knows it, so that nobody searches: each block asks.
    pub(crate) has_p: bool,
}

/// The open elements (HTML §13.2.4.2), the current node last.
pub(crate) struct Stack(Vec<Open>);

impl Deref for Stack {
    type Target = [Open];

    fn deref(&self) -> &[Open] {
        &self.0
    }
}

impl Stack {
    pub(crate) fn new() -> Stack {
        Stack(Vec::with_capacity(64))
    }

    pub(crate) fn push(&mut self, mut open: Open) {
        open.has_p = open.is(Name::P) || (!open.ends_button_scope() && self.0.last().is_some_and(|above| above.has_p));
        self.0.push(open);
    }

    pub(crate) fn pop(&mut self) -> Option<Open> {
        self.0.pop()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Puts another node in the place of one that is like it.
    pub(crate) fn replace(&mut self, at: usize, id: u32) {
        self.0[at].id = id;
    }

    pub(crate) fn insert(&mut self, at: usize, open: Open) {
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

impl Open {
    /// An element of HTML.
    pub(crate) fn html(id: u32, name: Name) -> Open {
        Open { id, name, tag: name, space: Space::Html, integrates: false, has_p: false }
    }

    /// Whether it is this element of HTML.
    pub(crate) fn is(&self, name: Name) -> bool {
        self.name == name && self.space == Space::Html
    }

    /// Whether it is an element of HTML in this set.
    pub(crate) fn is_in(&self, set: u32) -> bool {
        self.space == Space::Html && is(self.name, set)
    }

    pub(crate) fn is_table_part(&self) -> bool {
        self.is_in(TABLE_PART)
    }

    /// HTML §13.2.4.2, "special".
    pub(crate) fn is_special(&self) -> bool {
        match self.space {
            Space::Html => is(self.name, SPECIAL),
            _ => self.ends_scope(),
        }
    }

    pub(crate) fn is_mathml_text(&self) -> bool {
        self.space == Space::MathMl && matches!(self.name, Name::MI | Name::MO | Name::MN | Name::MS | Name::MTEXT)
    }

    /// An HTML integration point of SVG.
    pub(crate) fn is_svg_point(&self) -> bool {
        self.space == Space::Svg && matches!(self.tag, Name::FOREIGNOBJECT | Name::DESC | Name::TITLE)
    }

    pub(crate) fn ends_button_scope(&self) -> bool {
        self.ends_scope() || self.is(Name::BUTTON)
    }

    pub(crate) fn ends_scope(&self) -> bool {
        match self.space {
            Space::Html => is(self.name, SCOPE),
            Space::Svg => self.is_svg_point(),
            Space::MathMl => self.is_mathml_text() || self.name == Name::ANNOTATION_XML,
        }
    }
}

/// An entry of the list of active formatting elements.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Entry {
    Marker,
    Element { id: u32, name: Name },
}

impl Entry {
    pub(crate) fn id(&self) -> Option<u32> {
        match self {
            Entry::Element { id, .. } => Some(*id),
            Entry::Marker => None,
        }
    }
}
