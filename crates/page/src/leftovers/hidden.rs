//! Words within a row that nobody sees: hints for screen readers, hidden spans.

use std::ops::Range;

use gristmill_html::{Doc, Name, NodeId};

use super::known::Known;
use crate::blocks::is_block;
use crate::rows::{Leaf, Row};
use crate::unseen::hides_text;

/// Elements around a text that are looked at.
const MAX_AROUND: usize = 6;

/// Whether an element of the page may hide a text: else no row is looked at. O(attributes).
pub(super) fn may_be_in(doc: &Doc) -> bool {
    (0..doc.n_attributes()).any(|at| match doc.attribute_name(at) {
        Name::HIDDEN => true,
        Name::STYLE => ["none", "hidden"].iter().any(|value| doc.attribute_value(at).contains(value)),
        // Parts of all the classes that are meant, in any case.
        Name::CLASS => ["idden", "eader", "sr-only", "sr_only", "nvisible", "ffscreen", "ssistive", "lipped"]
            .iter()
            .any(|part| doc.attribute_value(at).contains(part)),
        _ => false,
    })
}

/// The hidden leaves of a row of which something is seen. A row that is hidden whole is left to the methods: what is folded is
/// content, and a page that a script shows hides all of it at first. O(leaves).
pub(super) fn find(page: &Known<'_, '_>, row: &Row, found: &mut Vec<Range<u32>>) {
    let leaves = page.row_leaves(row);
    if leaves.len() < 2 {
        return;
    }
    let is_hidden = |leaf: &&Leaf| is_hidden(page.doc, leaf.node);
    let hidden: Vec<&Leaf> = leaves.iter().filter(is_hidden).collect();
    if hidden.len() < leaves.len() {
        found.extend(hidden.into_iter().map(|leaf| leaf.start..leaf.end));
    }
}

fn is_hidden(doc: &Doc, leaf: NodeId) -> bool {
    let around = doc.ancestors(leaf).take(MAX_AROUND).take_while(|&id| !is_block(doc.name(id)));
    around.into_iter().any(|id| hides_text(doc, id))
}
