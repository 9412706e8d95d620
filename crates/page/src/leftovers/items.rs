//! Numbers and dots that items of lists have in their text and are given anyway.

use std::ops::Range;

use gristmill_html::{Doc, LocalName, NodeId};

use super::known::LeftoverContext;
use crate::rows::{Row, Rows};

/// `1. A gauge with a float` in the first item of a numbered list. O(nodes).
pub(super) fn find(page: &LeftoverContext, found: &mut Vec<Range<u32>>) {
    let doc = page.doc;
    for list in doc.ids().filter(|&id| doc.name(id) == LocalName::OL) {
        let mut number = attribute(doc, list, LocalName::START).unwrap_or(1);
        for item in doc.children(list).filter(|&id| doc.name(id) == LocalName::LI) {
            number = attribute(doc, item, LocalName::VALUE).unwrap_or(number);
            found.extend(own_number(page, item, number));
            number = number.saturating_add(1);
        }
    }
}

fn attribute(doc: &Doc, id: NodeId, name: LocalName) -> Option<u32> {
    doc.attr(id, name).and_then(|value| value.trim().parse().ok())
}

/// The number of an item, where its first text begins with it and says more, or is that number in a row of its own.
fn own_number(page: &Rows<'_>, item: NodeId, number: u32) -> Option<Range<u32>> {
    let leaves = page.leaves.get(page.leaves_in(item.index()..page.doc.end(item)))?;
    let first = leaves.first()?;
    let text = &page.text[first.start as usize..first.end as usize];
    let is_drawn = text.trim().trim_end_matches(['.', ')']).parse() == Ok(number);
    if is_drawn && leaves.get(1).is_some_and(|next| next.row != first.row) {
        return Some(first.start..first.end);
    }
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = text[digits..].strip_prefix(['.', ')'])?;
    let said = rest.trim_start();
    let is_own = text[..digits].parse() == Ok(number) && said.len() < rest.len() && !said.is_empty();
    is_own.then(|| first.start..first.end - said.len() as u32)
}

/// Numbers and dots that LaTeXML writes before the items of lists, which have them anyway.
pub(super) fn tags(page: &Rows<'_>, row: &Row, found: &mut Vec<Range<u32>>) {
    let doc = page.doc;
    let is_tag = |id: NodeId| doc.attr(id, LocalName::CLASS).is_some_and(|class| class.contains("ltx_tag_item"));
    let is_usual = |text: &str| {
        let number = text.trim_end_matches('.');
        matches!(text, "•" | "–" | "-" | "∙" | "∗" | "*" | "◦" | "⋅")
            || number.bytes().all(|byte| byte.is_ascii_digit())
    };
    let tags = page.row_leaves(row).iter().filter(|leaf| is_usual(page.leaf_text(leaf)));
    let tags = tags.filter(|leaf| doc.ancestors(leaf.node).take(3).any(is_tag));
    found.extend(tags.map(|leaf| leaf.start..leaf.end));
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;
    use crate::page::Page;

    #[test]
    fn an_item_that_begins_with_its_number_has_it_once() {
        let html = "<ol><li>1. A gauge.<li>2) Its float.<li>4. April<li value=7><p>7. Its pipe.<li><div>8</div><p>Its tap.<li>9</ol><ul><li>1. One</ul>";
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let left_out: Vec<&str> =
            page.leftovers().iter().map(|range| &page.text[range.start as usize..range.end as usize]).collect();
        assert_eq!(left_out, ["1. ", "2) ", "7. ", "8"]);
    }
}
