//! What is known of a page when leftovers are looked for.

use std::ops::Deref;

use gristmill_html::{LocalName, NodeId};

use crate::attribute_words::AttributeWords;
use crate::rows::{Row, Rows};
use crate::verbatim::Verbatim;

/// A page as far as it is known when leftovers are looked for.
#[derive(Clone, Copy)]
pub(super) struct LeftoverContext<'p, 'd> {
    pub(super) page: &'p Rows<'d>,
    pub(super) named: &'p AttributeWords,
    pub(super) verbatim: &'p Verbatim,
}

impl<'d> Deref for LeftoverContext<'_, 'd> {
    type Target = Rows<'d>;

    fn deref(&self) -> &Rows<'d> {
        self.page
    }
}

/// Whether a byte of the text stands in code within a sentence.
pub(super) fn is_in_code(page: &Rows<'_>, row: &Row, at: u32) -> bool {
    let leaf = page.row_leaves(row).iter().find(|leaf| at < leaf.end);
    let is_code =
        |id: NodeId| matches!(page.doc.name(id), LocalName::CODE | LocalName::KBD | LocalName::SAMP | LocalName::TT);
    leaf.is_some_and(|leaf| page.doc.ancestors(leaf.node).take(8).any(is_code))
}
