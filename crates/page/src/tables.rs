//! Which tables hold data.

use gristmill_html::{Doc, Name, NodeId};

/// Tables for data, not for layout: no table inside, at least two rows and two columns, and either header cells or
/// short cells (under 60 words, that is some 350 characters, on average). O(nodes before the first table inside).
pub fn is_data_table(doc: &Doc, table: NodeId) -> bool {
    const MAX_MEAN_BYTES: usize = 360;
    let (mut rows, mut cells, mut headers, mut bytes) = (0, 0, 0, 0);
    for id in doc.subtree(table).skip(1) {
        match doc.name(id) {
            Name::TABLE => return false,
            Name::TR => rows += 1,
            Name::TD => cells += 1,
            Name::TH | Name::CAPTION => headers += 1,
            Name::TEXT => bytes += doc.text(id).trim().len(),
            _ => {}
        }
    }
    let all = cells + headers;
    rows >= 2 && all >= 2 * rows && (headers > 0 || bytes <= MAX_MEAN_BYTES * all)
}
