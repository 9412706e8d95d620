//! Algorithm 1: the best group is replaced by its common ancestor, or by something of a better size.

use gristmill_html::{Doc, LocalName, NodeId};
use gristmill_page::is_heading;

use super::features::NodeFeatures;

/// The parameters of Algorithm 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RefineParameters {
    pub(crate) theta1: f64,
    pub(crate) theta2: f64,
    pub(crate) theta3: f64,
    pub(crate) theta4: f64,
    pub(crate) depth: u32,
}

/// What Algorithm 1 decided, and in which of its steps.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RefinedGroup {
    pub(crate) nodes: Vec<NodeId>,
    /// `3a`, `3b` or `3c`.
    pub(crate) step: &'static str,
    pub(crate) ancestor: NodeId,
}

/// The lowest node that contains all of `nodes`; one node contains itself. O(nodes + depth).
pub(crate) fn common_ancestor(doc: &Doc, nodes: &[NodeId]) -> NodeId {
    let mut ancestor = nodes.first().copied().unwrap_or(NodeId::DOCUMENT);
    for &node in nodes {
        while !doc.contains(ancestor, node) {
            ancestor = doc.parent(ancestor).expect("the document contains every node");
        }
    }
    ancestor
}

/// Algorithm 1 (§6.3). `area`: covered area of a node as a share of the page; `score`: p of a node, 0 without text.
///
/// Ours: step 2 also stops at `body` and at depth `d`, as the text says and the algorithm does not; in step 3b a node
/// without children is kept, and `S2 = f(v)` is read as its area.
pub(crate) fn refine(
    doc: &Doc,
    group: &[NodeId],
    shares: &RefineParameters,
    area: impl Fn(NodeId) -> f64,
    score: impl Fn(NodeId) -> f64,
) -> RefinedGroup {
    let deep = |id: NodeId| doc.depth(id) as u32 > shares.depth;
    let mut v = common_ancestor(doc, group);
    if area(v) < shares.theta1 {
        while area(v) < shares.theta2 && deep(v) && doc.name(v) != LocalName::BODY {
            let Some(parent) = doc.parent(v) else { break };
            v = parent;
        }
    }
    let ancestor = v;
    if deep(v) || area(v) <= shares.theta3 {
        return RefinedGroup { nodes: vec![v], step: "3a", ancestor };
    }
    if area(v) < shares.theta4 {
        return RefinedGroup { nodes: group.to_vec(), step: "3c", ancestor };
    }
    let largest = |of: NodeId| first_best(doc.children(of).filter(|&id| doc.is_element(id)), &area);
    while area(v) >= shares.theta4 {
        let Some(child) = largest(v).filter(|&child| area(child) > 0.0) else { break };
        v = child;
    }
    let siblings = doc.parent(v).map(|parent| doc.children(parent)).into_iter().flatten();
    let best = first_best(siblings.filter(|&id| doc.is_element(id)), |id| score(id) * area(id));
    RefinedGroup { nodes: vec![best.unwrap_or(v)], step: "3b", ancestor }
}

/// The first of those with the largest value.
fn first_best(nodes: impl Iterator<Item = NodeId>, value: impl Fn(NodeId) -> f64) -> Option<NodeId> {
    nodes.map(|id| (value(id), id)).reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, id)| id)
}

/// The heading that is missing from a selection: if it holds none, the highest-ranked one that ends above its top edge
/// and shares horizontal extent with it; of equal rank the first.
pub(crate) fn missing_title(doc: &Doc, measures: &NodeFeatures, selected: &[NodeId]) -> Option<NodeId> {
    let around = selected.iter().map(|id| measures.bounds[id.index()]).reduce(|a, b| a.bounds(b))?;
    let headings = || measures.nodes.iter().filter(|relative| is_heading(relative.name));
    let inside = |id: NodeId| selected.iter().any(|&node| doc.contains(node, id));
    if headings().any(|heading| inside(heading.node)) {
        return None;
    }
    let above = |id: NodeId| {
        let rect = measures.bounds[id.index()];
        rect.bottom <= around.top && rect.left < around.right && around.left < rect.right
    };
    // `h1` to `h6` are numbered in this order.
    headings().filter(|heading| above(heading.node)).min_by_key(|heading| heading.name.index()).map(|h| h.node)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use gristmill_html::TreeLimits;

    use super::*;
    use gristmill_page::{Page, layout::PageLayout};

    const SHARES: RefineParameters = RefineParameters { theta1: 0.05, theta2: 0.2, theta3: 0.4, theta4: 0.9, depth: 3 };

    const HTML: &str = "<body id=body><div id=a><section id=b><p id=c>x</p><p id=d>y</p></section><i id=e>z</i></div>
        <div id=f>w</div>";

    /// Runs Algorithm 1 with areas and scores by id; returns ids.
    fn run(group: &[&str], areas: &[(&str, f64)], scores: &[(&str, f64)]) -> (Vec<String>, &'static str) {
        let doc = Doc::parse(HTML, &TreeLimits::default());
        let id = |node: NodeId| doc.attr(node, LocalName::ID).unwrap_or("").to_owned();
        let nodes: HashMap<String, NodeId> = doc.ids().map(|node| (id(node), node)).collect();
        let value = |table: &[(&str, f64)], node: NodeId| {
            table.iter().find(|(name, _)| *name == id(node)).map_or(0.0, |(_, value)| *value)
        };
        let group: Vec<NodeId> = group.iter().map(|name| nodes[*name]).collect();
        let refined = refine(&doc, &group, &SHARES, |node| value(areas, node), |node| value(scores, node));
        (refined.nodes.into_iter().map(id).collect(), refined.step)
    }

    #[test]
    fn a_deep_common_ancestor_replaces_the_group() {
        // html 1, body 2, a 3, b 4: deeper than d = 3.
        assert_eq!(run(&["c", "d"], &[("b", 0.5), ("a", 0.8)], &[]), (vec!["b".into()], "3a"));
    }

    #[test]
    fn a_small_ancestor_climbs_until_it_covers_a_fifth_of_the_page() {
        assert_eq!(run(&["c"], &[("c", 0.01), ("b", 0.1), ("a", 0.3)], &[]), (vec!["a".into()], "3a"));
        assert_eq!(run(&["c"], &[("c", 0.01), ("b", 0.25), ("a", 0.3)], &[]), (vec!["b".into()], "3a"));
        assert_eq!(run(&["c"], &[("c", 0.06), ("b", 0.25), ("a", 0.3)], &[]), (vec!["c".into()], "3a"), "not below θ1");
    }

    #[test]
    fn climbing_stops_at_depth_d() {
        assert_eq!(run(&["c"], &[("c", 0.01), ("b", 0.1), ("a", 0.1), ("body", 1.0)], &[]).0, ["a"]);
    }

    #[test]
    fn an_ancestor_of_middle_size_near_the_root_leaves_the_group() {
        assert_eq!(run(&["c", "e"], &[("a", 0.6)], &[]), (vec!["c".into(), "e".into()], "3c"));
        assert_eq!(run(&["c", "e"], &[("a", 0.4)], &[]), (vec!["a".into()], "3a"), "θ3 is included");
    }

    #[test]
    fn too_large_an_ancestor_is_drilled_down_and_its_best_sibling_taken() {
        let areas = [("body", 1.0), ("a", 0.95), ("f", 0.05), ("b", 0.5), ("e", 0.45)];
        assert_eq!(run(&["c", "f"], &areas, &[("b", 0.5), ("e", 0.9)]), (vec!["e".into()], "3b"));
        assert_eq!(run(&["c", "f"], &areas, &[("b", 0.9), ("e", 0.9)]), (vec!["b".into()], "3b"));
    }

    #[test]
    fn drilling_stops_where_there_are_no_children_with_an_area() {
        let areas = [("body", 1.0), ("a", 0.95)];
        assert_eq!(run(&["c", "f"], &areas, &[("a", 0.5)]), (vec!["a".into()], "3b"));
    }

    #[test]
    fn the_missing_title_is_the_highest_heading_above_the_selection() {
        let title = |html: &str| {
            let doc = Doc::parse(html, &TreeLimits::default());
            let page = Page::new(&doc);
            let measures = NodeFeatures::new(&page, &PageLayout::pseudo(&page));
            let article = doc.first(LocalName::ARTICLE).unwrap();
            missing_title(&doc, &measures, &[article]).map(|id| doc.text_content(id))
        };
        assert_eq!(title("<h2>Two</h2><h1>One</h1><article>x</article>").as_deref(), Some("One"));
        assert_eq!(title("<h3>Three</h3><article>x</article><h1>Below</h1>").as_deref(), Some("Three"));
        assert_eq!(title("<h1>One</h1><article><h4>Own</h4>x</article>"), None);
        assert_eq!(title("<article>x</article>"), None);
    }
}
