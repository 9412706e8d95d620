//! One kept row with its role on the page.

use gristmill_html::NodeId;

use super::grid::Place;
use super::spans::Span;

/// What a row is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Role {
    Paragraph,
    /// Rank 1 to 6.
    Heading(u8),
    /// `lists` are open around it, `number` for an ordered one; `first` row of its `li`.
    Item {
        lists: usize,
        number: Option<usize>,
        first: bool,
    },
    /// Lines of code, in a language where the page says it.
    Code {
        language: Option<String>,
    },
    /// The caption of a data table.
    Caption {
        table: NodeId,
    },
    /// A cell of a data table.
    Cell {
        table: NodeId,
        row: NodeId,
        cell: NodeId,
        header: bool,
        place: Place,
    },
    /// An image: one span with its description as text and its address as link.
    Image,
}

#[derive(Debug, Clone)]
pub(super) struct Block<'d> {
    pub(super) role: Role,
    /// Block quotes around it.
    pub(super) quotes: usize,
    pub(super) spans: Vec<Span<'d>>,
}

/// Deeper nesting of lists and quotes is flattened to this.
pub(super) const MAX_NESTING: usize = 8;
