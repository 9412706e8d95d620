//! What is rendered as one: a row, or the rows of one block of code.

use std::borrow::Cow;

use gristmill_page::{Page, Row, Selection, verbatim::CodeBlock};

/// A row, or neighbouring rows of one block of code.
#[derive(Clone, Copy)]
pub(super) enum OutputUnit<'p> {
    Row(&'p Row),
    Code(&'p CodeBlock, &'p [Row]),
}

impl<'p> OutputUnit<'p> {
    pub(super) fn rows(self) -> &'p [Row] {
        match self {
            OutputUnit::Row(row) => std::slice::from_ref(row),
            OutputUnit::Code(_, rows) => rows,
        }
    }
}

/// All rows of a page, in order. O(rows · log blocks).
pub(super) fn units<'p>(page: &'p Page<'_>) -> impl Iterator<Item = OutputUnit<'p>> {
    let verbatim = page.verbatim();
    let block_of = move |row: &Row| match verbatim.blocks() {
        [] => None,
        _ => verbatim.block_of(page, row),
    };
    let mut at = 0;
    std::iter::from_fn(move || {
        let row = page.rows.get(at)?;
        let Some(block) = block_of(row) else {
            at += 1;
            return Some(OutputUnit::Row(row));
        };
        let same = page.rows[at + 1..].iter().take_while(|row| block_of(row) == Some(block)).count();
        let rows = &page.rows[at..=at + same];
        at += rows.len();
        Some(OutputUnit::Code(block, rows))
    })
}

/// The selection without what is for no reader.
pub(super) fn readable<'s>(page: &Page<'_>, selection: &'s Selection) -> Cow<'s, Selection> {
    match page.leftovers() {
        [] => Cow::Borrowed(selection),
        leftovers => Cow::Owned(selection.without_text(page, leftovers)),
    }
}
