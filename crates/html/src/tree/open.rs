//! What the stack of open elements and the list of active formatting elements hold.

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
}

impl Open {
    /// Whether it is this element of HTML.
    pub(crate) fn is(&self, name: Name) -> bool {
        self.name == name && self.space == Space::Html
    }

    /// Whether it is an element of HTML in this set.
    pub(crate) fn is_in(&self, set: u16) -> bool {
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
