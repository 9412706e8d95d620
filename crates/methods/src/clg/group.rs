//! From scores to one group of nodes: candidates, compaction, grouping, choice of the best group.

use std::ops::Range;

use gristmill_html::{Doc, NodeId};
use gristmill_page::{
    Page,
    layout::{Rect, union_area},
};

use super::features::NodeFeatures;

/// Drops every node that lies below another one; `nodes` in document order. O(n).
///
/// Source: §5 of the paper, Fig. 5.
pub(crate) fn compact(doc: &Doc, nodes: impl IntoIterator<Item = NodeId>) -> Vec<NodeId> {
    let mut end = 0;
    let mut kept = Vec::new();
    for id in nodes {
        if id.index() >= end {
            end = doc.end(id);
            kept.push(id);
        }
    }
    kept
}

/// Projection overlap ratio: the larger of the horizontal and the vertical one, each the shared length over the
/// longer of the two lengths (which is the smaller of the two ratios of the paper); no length gives 0.
pub(crate) fn projection_overlap(a: Rect, b: Rect) -> f64 {
    let both = a.intersection(b);
    let ratio = |shared: f64, one: f64, other: f64| {
        let longer = one.max(other);
        if longer > 0.0 { shared.max(0.0) / longer } else { 0.0 }
    };
    let horizontal = ratio(both.width(), a.width(), b.width());
    horizontal.max(ratio(both.height(), a.height(), b.height()))
}

/// Which neighbours are linked, by conditions (1) to (4) of §6.1: one flag for each pair of consecutive boxes.
pub(crate) fn links(rects: &[Rect], same_parent: impl Fn(usize) -> bool, threshold: f64) -> Vec<bool> {
    let near = |a: Option<&Rect>, b: Option<&Rect>| match (a, b) {
        (Some(&a), Some(&b)) => a.overlaps(b) || projection_overlap(a, b) > threshold,
        _ => false,
    };
    let linked = |i: usize| {
        near(rects.get(i), rects.get(i + 1))
            || same_parent(i)
            || near(rects.get(i), rects.get(i + 2))
            || near(i.checked_sub(1).and_then(|before| rects.get(before)), rects.get(i + 1))
    };
    (0..rects.len().saturating_sub(1)).map(linked).collect()
}

/// Which neighbours are linked on a pseudo-layout, where every box overlaps every other horizontally: those with the
/// same parent, and those with at most `max_rows` rows or `max_share` of the page's text between them.
pub(crate) fn links_by_gap(page: &Page<'_>, nodes: &[NodeId], max_rows: u32, max_share: f64) -> Vec<bool> {
    let page_chars: u64 = page.leaves.iter().map(|leaf| u64::from(leaf.chars)).sum();
    let leaves = |id: NodeId| {
        let from = page.leaves.partition_point(|leaf| leaf.node < id);
        from..page.leaves.partition_point(|leaf| leaf.node.index() < page.doc.end(id))
    };
    let linked = |pair: &[NodeId]| {
        if page.doc.parent(pair[0]) == page.doc.parent(pair[1]) {
            return true;
        }
        let between = &page.leaves[leaves(pair[0]).end..leaves(pair[1]).start];
        let chars: u64 = between.iter().map(|leaf| u64::from(leaf.chars)).sum();
        let rows = match between {
            [] => 0,
            [first, .., last] => last.row - first.row + 1,
            [_] => 1,
        };
        rows <= max_rows || chars as f64 <= max_share * page_chars as f64
    };
    nodes.windows(2).map(linked).collect()
}

/// Maximal runs without a break; `links` has one flag less than there are nodes.
pub(crate) fn runs(n: usize, links: &[bool]) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut start = 0;
    for at in 0..n {
        if links.get(at) != Some(&true) {
            runs.push(start..at + 1);
            start = at + 1;
        }
    }
    runs
}

/// The run with the largest product of mean score and covered area; the first of equals.
pub(crate) fn best_run(runs: &[Range<usize>], scores: &[f64], rects: &[Rect]) -> Option<Range<usize>> {
    let value = |run: &Range<usize>| {
        let mean = scores[run.clone()].iter().sum::<f64>() / run.len() as f64;
        mean * union_area(&rects[run.clone()])
    };
    runs.iter()
        .map(|run| (value(run), run))
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, run)| run.clone())
}

/// The boxes of nodes.
pub(crate) fn rects(measures: &NodeFeatures, nodes: &[NodeId]) -> Vec<Rect> {
    nodes.iter().map(|id| measures.bounds[id.index()]).collect()
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;

    use super::*;

    #[test]
    fn compaction_of_figure_5_leaves_v5_v3_and_v8() {
        // v1 (v2 (v4, v5), v3 (v6, v7), v8): v3, v5, v6, v7 and v8 are candidates.
        let html =
            "<body><div id=v2><p id=v4></p><p id=v5></p></div><div id=v3><p id=v6></p><p id=v7></p></div><div id=v8>";
        let doc = Doc::parse(html, &TreeLimits::default());
        let name = |id: NodeId| doc.attr(id, gristmill_html::LocalName::ID).unwrap_or("").to_owned();
        let candidates = doc.ids().filter(|&id| ["v3", "v5", "v6", "v7", "v8"].contains(&name(id).as_str()));
        let kept: Vec<String> = compact(&doc, candidates).into_iter().map(name).collect();
        assert_eq!(kept, ["v5", "v3", "v8"]);
    }

    #[test]
    fn the_projection_overlap_of_the_worked_example_is_two_thirds_and_breaks_at_070() {
        let (a, b) = (Rect::at(0., 0., 100., 10.), Rect::at(20., 50., 120., 10.));
        assert!((projection_overlap(a, b) - 80.0 / 120.0).abs() < 1e-12);
        assert_eq!(links(&[a, b], |_| false, 0.70), [false]);
        assert_eq!(links(&[a, b], |_| true, 0.70), [true], "condition 2");
        assert_eq!(links(&[a, b], |_| false, 0.66), [true], "condition 1");
        assert_eq!(projection_overlap(Rect::at(0., 0., 0., 0.), Rect::at(0., 0., 0., 0.)), 0.0);
    }

    #[test]
    fn a_misaligned_node_stays_between_aligned_neighbours() {
        let (left, right) = (Rect::at(0., 0., 100., 10.), Rect::at(300., 20., 100., 10.));
        let below = Rect::at(0., 40., 100., 10.);
        // Conditions 3 and 4: the first and the third are aligned, so the second is linked to both.
        assert_eq!(links(&[left, right, below], |_| false, 0.7), [true, true]);
        assert_eq!(links(&[left, right, Rect::at(600., 40., 100., 10.)], |_| false, 0.7), [false, false]);
    }

    #[test]
    fn overlapping_boxes_are_linked_however_little_they_share() {
        assert_eq!(links(&[Rect::at(0., 0., 100., 100.), Rect::at(99., 99., 100., 100.)], |_| false, 0.7), [true]);
    }

    #[test]
    fn runs_end_where_a_link_is_missing() {
        assert_eq!(runs(4, &[true, false, true]), [0..2, 2..4]);
        assert_eq!(runs(2, &[false]), [0..1, 1..2]);
        assert!(runs(0, &[]).is_empty());
    }

    #[test]
    fn the_best_group_has_the_largest_mean_score_times_area() {
        let rects = [Rect::at(0., 0., 10., 10.), Rect::at(5., 5., 10., 10.), Rect::at(20., 0., 10., 10.)];
        // .6 · 175 against .9 · 100: size wins; equal values: the first.
        assert_eq!(best_run(&[0..2, 2..3], &[0.6, 0.6, 0.9], &rects), Some(0..2));
        assert_eq!(best_run(&[0..1, 2..3], &[0.6, 0.6, 0.6], &rects), Some(0..1));
        assert_eq!(best_run(&[], &[], &[]), None);
    }

    #[test]
    fn without_a_browser_groups_break_at_a_long_run_of_other_rows() {
        let rows = |n: usize| "<p>other words of some length</p>".repeat(n);
        let gap = |between: usize| {
            let html = format!("<div><p>first</p></div><div>{}</div><div><p>second</p></div>", rows(between));
            let doc = Doc::parse(&html, &TreeLimits::default());
            let page = Page::new(&doc);
            let node = |text: &str| {
                let leaf = page.leaves.iter().find(|leaf| page.leaf_text(leaf) == text).unwrap();
                doc.parent(leaf.node).unwrap()
            };
            links_by_gap(&page, &[node("first"), node("second")], 5, 0.15)
        };
        assert_eq!((gap(0), gap(5), gap(6)), (vec![true], vec![true], vec![false]));
    }
}
