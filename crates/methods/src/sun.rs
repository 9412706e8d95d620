//! SUN: the smallest container that holds most of the page's text outside of links.

use gristmill_html::NodeId;
use gristmill_page::{
    MainTextExtractor, MethodDescription, MethodInput, Page, Selection, Trace, TraceValue, parameters,
};

use crate::containers::is_container;

/// The smallest container with at least θ of the page's characters outside of links, nested containers included.
///
/// Smallest is fewest such characters, then innermost; no container has that many → the body. A page without text
/// outside of links → nothing. O(nodes).
///
/// Source: Sun & Guan 2004, as a baseline of Table III of Wang & Wei's WFFTE, which gives no θ.
#[derive(Debug, Clone, Copy)]
pub struct Sun {
    /// θ: share of the page's characters outside of links that the container must hold.
    pub theta: f64,
}

impl Sun {
    /// Half of the page's text.
    pub const PAPER: Sun = Sun { theta: 0.5 };
}

impl MainTextExtractor for Sun {
    fn about(&self) -> MethodDescription {
        MethodDescription { name: "sun", paper: "Sun & Guan 2004; baseline of Wang & Wei, WFFTE", cost: "O(n)" }
    }

    parameters! {
        "theta" theta in 0.0..=1.0, "θ: share of the page's characters outside of links that the container holds";
    }

    fn select(&self, page: &Page<'_>, _: &MethodInput<'_>, trace: &mut Trace) -> Selection {
        let doc = page.doc;
        let body = doc.body().unwrap_or(NodeId::DOCUMENT);
        let plain = |id: NodeId| {
            let below = page.elements().below(id);
            below.chars - below.link_chars
        };
        let needed = self.theta * f64::from(plain(body));
        let mut selection = Selection::none(page);
        if plain(body) == 0 {
            return selection;
        }
        let mut best = body;
        for id in doc.subtree(body).skip(1).filter(|&id| is_container(doc.name(id))) {
            let holds = plain(id);
            // Of a container and the one around it that hold the same, the inner one comes later.
            let smaller = holds < plain(best) || holds == plain(best) && doc.contains(best, id);
            if holds > 0 && f64::from(holds) >= needed && smaller {
                best = id;
            }
        }
        trace.note("container", || TraceValue::Number(best.index() as f64));
        trace.note("plain_chars", || TraceValue::Number(f64::from(plain(best))));
        trace.note("page_plain_chars", || TraceValue::Number(f64::from(plain(body))));
        for (at, _) in page.leaves.iter().enumerate().filter(|(_, leaf)| doc.contains(best, leaf.node)) {
            selection.keep_leaf(at);
        }
        selection
    }
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;

    fn select(theta: f64, html: &str) -> Vec<String> {
        let doc = Doc::parse(html, &TreeLimits::default());
        let page = Page::new(&doc);
        let selection = Sun { theta }.select(&page, &MethodInput::default(), &mut Trace::default());
        let kept = page.leaves.iter().enumerate().filter(|(at, _)| selection.keeps(*at));
        kept.map(|(_, leaf)| page.leaf_text(leaf).to_owned()).collect()
    }

    #[test]
    fn the_smallest_container_with_half_of_the_unlinked_text_is_kept() {
        let html = "<div><a href=x>A very long link text that counts for nothing at all</a>side</div>
            <div><section><div>sixteen letters here</div><p>more</p></section></div>";
        assert_eq!(select(0.5, html), ["sixteen letters here"]);
        assert_eq!(select(0.8, html), ["sixteen letters here", "more"]);
        assert_eq!(select(0.95, html).len(), 4);
    }

    #[test]
    fn only_links_leave_nothing() {
        assert!(select(0.5, "<div><a href=x>only</a></div>").is_empty());
        assert!(select(0.0, "").is_empty());
    }
}
