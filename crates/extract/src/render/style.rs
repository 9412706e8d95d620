//! What inline styles say.

use gristmill_html::{Doc, LocalName, NodeId};

/// The inline style of an element, unless it is so long that no editor wrote it: each text below looks at it.
pub(super) fn short_style(doc: &Doc, id: NodeId) -> Option<&str> {
    const MAX_BYTES: usize = 500;
    doc.attr(id, LocalName::STYLE).filter(|style| style.len() <= MAX_BYTES)
}
