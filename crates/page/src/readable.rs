//! The text of one element as a line.

use gristmill_html::{Doc, NodeId};
use gristmill_text::collapse;

/// The visible text of an element on one line, blocks apart, at most some hundred characters of it.
pub fn text_of(doc: &Doc, id: NodeId) -> String {
    const MAX_BYTES: usize = 2_000;
    collapse(&doc.readable(id, MAX_BYTES))
}
