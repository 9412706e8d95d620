//! What a term is, where a style sheet alone parts it from the term: `x` and `int` in the manuals of Sphinx.

use gristmill_html::{Doc, LocalName, NodeId};

/// Writes the colon that is drawn before each `classifier` of a `dt`: `x : int`. O(nodes of terms).
pub(crate) fn write(doc: &mut Doc) {
    if !doc.mentions("classifier") {
        return;
    }
    let has = |id: NodeId, wanted: &str| {
        let class = doc.attr(id, LocalName::CLASS).unwrap_or("");
        class.split_ascii_whitespace().any(|class| class == wanted)
    };
    let is_of_term = |id: &NodeId| {
        let is_drawn = || doc.prev_sibling(*id).is_some_and(|before| !has_delimiter(doc, before));
        doc.name(*id) == LocalName::SPAN
            && has(*id, "classifier")
            && doc.parent(*id).is_some_and(|term| doc.name(term) == LocalName::DT)
            && is_drawn()
    };
    let classifiers: Vec<NodeId> = doc.ids().filter(is_of_term).collect();
    for id in classifiers {
        let first = doc.subtree(id).find(|&id| doc.is_text(id) && !doc.text(id).trim().is_empty());
        if let Some(first) = first {
            doc.set_text(first, &format!(" : {}", doc.text(first).trim_start()));
        }
    }
}

/// Whether the colon is there: as text, or in an element of its own.
fn has_delimiter(doc: &Doc, before: NodeId) -> bool {
    doc.text_content(before).trim_end().ends_with(':')
        || doc.is_text(before)
            && doc.text(before).trim().is_empty()
            && doc.prev_sibling(before).is_some_and(|before| doc.text_content(before).trim_end().ends_with(':'))
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;

    #[test]
    fn a_classifier_is_told_from_its_term() {
        for (html, expected) in [
            ("<dt><strong>x</strong><span class=classifier>int</span>", "x : int"),
            ("<dt>x<span class=classifier>int</span><span class=classifier>list</span>", "x : int : list"),
            ("<dt>x <span class=classifier-delimiter>:</span> <span class=classifier>int</span>", "x : int"),
            ("<dt>x: <span class=classifier>int</span>", "x: int"),
            ("<p>x<span class=classifier>int</span>", "xint"),
        ] {
            let mut doc = Doc::parse(&format!("<dl>{html}</dl>"), &TreeLimits::default());
            write(&mut doc);
            assert_eq!(doc.text_content(NodeId::DOCUMENT), expected, "{html}");
        }
    }
}
