//! The marks that browsers put around `q`.

use gristmill_html::{Doc, LocalName};

/// Writes them into the text: around each `q` whose text does not begin with a quotation mark. O(nodes + text of quotes).
pub(crate) fn write(doc: &mut Doc) {
    const MARKS: &str = "\"'“”„‟«»‹›‘’‚「」『』";
    const MAX_DEPTH: usize = 8;
    let quotes: Vec<_> = doc.ids().filter(|&id| doc.name(id) == LocalName::Q && !doc.is_foreign(id)).collect();
    let mut depth: Vec<usize> = Vec::new();
    for quote in quotes {
        while depth.pop_if(|end| *end <= quote.index()).is_some() {}
        if depth.len() >= MAX_DEPTH {
            continue;
        }
        let is_seen = |id: &gristmill_html::NodeId| !doc.text(*id).trim().is_empty();
        let first = doc.subtree(quote).find(is_seen);
        let last = doc.subtree(quote).rev().find(is_seen);
        let (Some(first), Some(last)) = (first, last) else { continue };
        if doc.text(first).trim_start().starts_with(|c| MARKS.contains(c)) && depth.is_empty() {
            continue;
        }
        let (open, close) = if depth.len().is_multiple_of(2) { ("“", "”") } else { ("‘", "’") };
        depth.push(doc.end(quote));
        doc.set_text(first, &format!("{open}{}", doc.text(first).trim_start()));
        doc.set_text(last, &format!("{}{close}", doc.text(last).trim_end()));
    }
}
