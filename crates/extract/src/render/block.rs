//! One kept row with its role on the page, and what it stands in.

use gristmill_html::NodeId;

use super::grid::CellPosition;
use super::spans::StyledRun;

/// What a row is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BlockRole {
    Paragraph,
    /// Rank 1 to 6.
    Heading(u8),
    /// Lines of code, in a language where the page says it.
    Code {
        language: Option<String>,
    },
    /// What is folded away below it, in a few words.
    Summary,
    /// A line between parts of the text.
    Rule,
    /// A term of a list of definitions.
    Term,
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
        place: CellPosition,
        /// The row of a table within the cell: what stands in it is one line.
        line: Option<NodeId>,
    },
}

/// What blocks stand in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Container {
    Quote(NodeId),
    /// Ordered or not. Items follow.
    List(NodeId, bool),
    /// With its number in an ordered list, or whether its box is ticked.
    Item(NodeId, Marker),
    /// A list of terms and definitions.
    Terms(NodeId),
    Definition(NodeId),
    /// A footnote, by its place among [`Notes::notes`](gristmill_page::notes::Notes::notes).
    Note(usize),
}

/// What stands before an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker {
    Bullet,
    Number(usize),
    Box { ticked: bool },
}

#[derive(Debug, Clone)]
pub(super) struct Block<'d> {
    pub(super) role: BlockRole,
    /// From the outside in.
    pub(super) within: Vec<Container>,
    pub(super) spans: Vec<StyledRun<'d>>,
    /// It is written from right to left, as the page says.
    pub(super) rtl: bool,
}

/// Deeper nesting is flattened to this many containers.
pub(super) const MAX_NESTING: usize = 16;
