//! Which elements a reader does not see, as far as the markup itself tells: no style sheet is read.

use gristmill_html::{LocalName, NodeId};

use crate::blocks::is_dropped;
use crate::page::Page;
use crate::unseen::is_hidden;

pub use crate::unseen::{hides, hides_text};

/// The topmost hidden elements in document order; none lies in another. O(nodes + attributes).
///
/// Hidden is an element with a `hidden` attribute (unless it says `until-found`), or whose inline style ends up with
/// `display: none` or `visibility: hidden`. With `aria` also one with `aria-hidden=true`, unless it holds at least
/// half of the page's text: sites switch the whole page off while a dialog is open.
pub fn hidden_elements(page: &Page<'_>, aria: bool) -> Vec<NodeId> {
    let doc = page.doc;
    let body = doc.body().unwrap_or(NodeId::DOCUMENT);
    let mut found = Vec::new();
    let mut at = body.index() + 1;
    while at < doc.end(body) {
        let id = doc.id(at);
        let hidden = doc.is_element(id) && (is_hidden(doc, id) || aria && is_aria_hidden(page, body, id));
        if hidden {
            found.push(id);
        }
        at = if hidden || is_dropped(doc.name(id)) { doc.end(id) } else { at + 1 };
    }
    found
}

/// One flag per leaf: whether it lies in one of `elements`, which are in document order and apart. O(leaves).
pub fn leaves_below(page: &Page<'_>, elements: &[NodeId]) -> Vec<bool> {
    let mut elements = elements.iter().peekable();
    let below = |leaf: &crate::rows::TextNode| {
        while elements.next_if(|id| page.doc.end(**id) <= leaf.node.index()).is_some() {}
        elements.peek().is_some_and(|id| **id <= leaf.node)
    };
    page.leaves.iter().map(below).collect()
}

fn is_aria_hidden(page: &Page<'_>, body: NodeId, id: NodeId) -> bool {
    let says = page.doc.attr(id, LocalName::ARIA_HIDDEN).is_some_and(|value| value.eq_ignore_ascii_case("true"));
    says && 2 * u64::from(page.elements().below(id).chars) < u64::from(page.elements().below(body).chars)
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;

    fn visible(html: &str, aria: bool) -> Vec<String> {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let below = leaves_below(&page, &hidden_elements(&page, aria));
        let seen = page.leaves.iter().zip(below).filter(|(_, hidden)| !hidden);
        seen.map(|(leaf, _)| page.leaf_text(leaf).to_owned()).collect()
    }

    #[test]
    fn text_below_hidden_elements_is_found_and_nothing_else() {
        let html = "a<div hidden>b<p style='display:none'>c</p></div>d<p style='visibility: hidden'>e</p><p>f
            <p hidden=until-found>g";
        assert_eq!(visible(html, false), ["a", "d", "f", "g"]);
    }

    #[test]
    fn aria_hides_a_part_but_never_the_page() {
        assert_eq!(visible("<p aria-hidden=true>ab</p><p>three</p>", true), ["three"]);
        assert_eq!(visible("<p aria-hidden=true>ab</p><p>three</p>", false), ["ab", "three"]);
        assert_eq!(visible("<main aria-hidden=true>most of it</main><p>x", true), ["most of it", "x"]);
    }
}
