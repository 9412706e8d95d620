//! The area that the rectangles at and below each node cover together, for all nodes in one pass.

use gristmill_html::{Doc, NodeId};

use super::rect::{Rect, union_area};

/// Union of rectangles by subtree.
///
/// Usual pages cost O(nodes): a box that contains all below it is its own union, and boxes side by side add up. Where
/// they overlap, the exact union is swept (O(k log k)) over what is not contained in a box below. The sum of all k is
/// bounded by [`BUDGET`] times the rectangles and a little; beyond it, which takes a page built for the purpose, the bounding box
/// stands for the union.
#[derive(Debug)]
pub struct SubtreeBoxes {
    /// Smallest rectangle around all.
    pub bounds: Vec<Rect>,
    /// Area of the union.
    pub area: Vec<f64>,
}

/// How often a rectangle may be swept, in the mean.
const BUDGET: usize = 24;

/// What is known of a node while its children are folded into it, the last child first.
#[derive(Clone, Copy)]
struct Fold {
    bounds: Rect,
    sum: f64,
    /// The child folded last, if its region is a rectangle: text nodes of one line share theirs.
    last: Rect,
    /// The children's regions do not overlap, so `sum` is their union.
    apart: bool,
}

impl Fold {
    const NEW: Fold = Fold { bounds: Rect::EMPTY, sum: 0.0, last: Rect::EMPTY, apart: true };

    fn add(&mut self, bounds: Rect, area: f64, solid: bool) {
        if bounds.is_empty() || (solid && bounds == self.last) {
            return;
        }
        self.apart &= !bounds.overlaps(self.bounds);
        self.sum += area;
        self.bounds = self.bounds.bounds(bounds);
        self.last = if solid { bounds } else { Rect::EMPTY };
    }
}

impl SubtreeBoxes {
    /// `rects` in document order, any number per node.
    pub fn new(doc: &Doc, rects: &[(NodeId, Rect)]) -> SubtreeBoxes {
        let n = doc.len();
        let mut regions = SubtreeBoxes { bounds: vec![Rect::EMPTY; n], area: vec![0.0; n] };
        if rects.is_empty() {
            return regions;
        }
        let mut folds = vec![Fold::NEW; n];
        // Whether one rectangle at the node covers all below it.
        let mut solid = vec![false; n];
        let mut budget = BUDGET * rects.len() + 10_000;
        let mut end = rects.len();
        for id in doc.ids().rev() {
            let at = id.index();
            let own = rects[..end].iter().rev().take_while(|(node, _)| *node == id).count();
            let own = &rects[end - own..end];
            end -= own.len();
            let fold = folds[at];
            let (bounds, area, is_solid) = match own {
                [] if fold.apart => (fold.bounds, fold.sum, fold.sum == fold.bounds.area()),
                [(_, rect)] if rect.contains(fold.bounds) => (*rect, rect.area(), true),
                _ => {
                    let bounds = own.iter().fold(fold.bounds, |bounds, (_, rect)| bounds.bounds(*rect));
                    let area = swept(doc, &rects[end..], id, &solid, &mut budget).unwrap_or(bounds.area());
                    (bounds, area, false)
                }
            };
            (regions.bounds[at], regions.area[at]) = (bounds, area);
            solid[at] = is_solid && !own.is_empty();
            if let Some(parent) = doc.parent(id) {
                folds[parent.index()].add(bounds, area, is_solid);
            }
        }
        regions
    }
}

/// The exact union at and below `id`, whose rectangles `rects` begin with; `None` when the budget is spent.
fn swept(doc: &Doc, rects: &[(NodeId, Rect)], id: NodeId, solid: &[bool], budget: &mut usize) -> Option<f64> {
    let end = doc.end(id);
    let mut found: Vec<Rect> = Vec::new();
    let mut at = 0;
    while let Some(&(node, rect)) = rects.get(at).filter(|(node, _)| node.index() < end) {
        *budget = budget.checked_sub(1)?;
        if found.last() != Some(&rect) {
            found.push(rect);
        }
        at += 1;
        if solid[node.index()] {
            at += rects[at..].partition_point(|(other, _)| other.index() < doc.end(node));
        }
    }
    Some(union_area(&found))
}

#[cfg(test)]
mod tests {
    use gristmill_html::TreeLimits;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_shape_of_overlap_gives_the_exact_union() {
        let doc = Doc::parse("<body><div><p><b></b><i></i></p><u></u></div>", &TreeLimits::default());
        let node = |name: &str| doc.ids().find(|&id| doc.name_str(doc.name(id)) == name).unwrap();
        let rects = [
            (node("p"), Rect::at(0., 0., 10., 10.)),
            (node("b"), Rect::at(5., 5., 10., 10.)),
            (node("i"), Rect::at(1., 1., 2., 2.)),
            (node("u"), Rect::at(20., 0., 10., 10.)),
        ];
        let regions = SubtreeBoxes::new(&doc, &rects);
        let area = |name: &str| regions.area[node(name).index()];
        assert_eq!((area("i"), area("p"), area("div"), area("body")), (4.0, 175.0, 275.0, 275.0));
        assert_eq!(regions.bounds[node("div").index()], Rect::at(0., 0., 30., 15.));
    }

    #[test]
    fn boxes_that_overlap_at_every_level_are_bounded_work() {
        let html = format!("{}{}", "<div>".repeat(400), "<b></b>".repeat(20_000));
        let doc = Doc::parse(&html, &TreeLimits::default());
        let rects: Vec<(NodeId, Rect)> =
            doc.ids().zip(0..).map(|(id, n)| (id, Rect::at(f64::from(n), f64::from(n % 7), 5.0, 5.0))).collect();
        let regions = SubtreeBoxes::new(&doc, &rects);
        let (bounds, area) = (regions.bounds[0].area(), regions.area[0]);
        assert!(area > 0.0 && area <= bounds, "{area} of {bounds}");
    }

    proptest! {
        #[test]
        fn regions_equal_the_union_over_each_subtree(
            tags in proptest::collection::vec(proptest::sample::select(&["<div>", "</div>", "<b></b>"][..]), 0..30),
            boxes in proptest::collection::vec((0..9i32, 0..9i32, 0..6i32, 0..6i32, 0..3usize), 40),
        ) {
            let doc = Doc::parse(&tags.concat(), &TreeLimits::default());
            let rects: Vec<(NodeId, Rect)> = doc.ids().zip(&boxes).flat_map(|(id, &(x, y, w, h, n))| {
                (0..n).map(move |k| (id, Rect::at(f64::from(x + k as i32), y.into(), w.into(), h.into())))
            }).collect();
            let regions = SubtreeBoxes::new(&doc, &rects);
            for id in doc.ids() {
                let below: Vec<Rect> =
                    rects.iter().filter(|(node, _)| doc.contains(id, *node)).map(|(_, rect)| *rect).collect();
                prop_assert_eq!(regions.area[id.index()], union_area(&below));
            }
        }
    }
}
