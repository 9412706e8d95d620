//! Text densities, their sums, and the best sum below every element.

use gristmill_html::NodeId;
use gristmill_page::Page;

use super::Density;
use super::counts::{Count, TagCounts};

/// Least share of link characters in the body: without any the logarithm of the logarithm of e would be 0.
const MIN_LINK_RATIO: f64 = 1e-3;

pub(super) struct Densities {
    density: Vec<f64>,
    sum: Vec<f64>,
    best: Vec<NodeId>,
}

impl Densities {
    /// O(nodes).
    pub(super) fn new(page: &Page<'_>, body: NodeId, counts: &TagCounts, which: Density) -> Densities {
        let doc = page.doc;
        let n = doc.len();
        let link_ratio = link_ratio(counts.of(body));
        let mut all = Densities { density: vec![0.0; n], sum: vec![0.0; n], best: doc.ids().collect() };
        let mut has_child = vec![false; n];
        for id in doc.subtree(body).rev().filter(|&id| doc.is_element(id)) {
            let at = id.index();
            let count = counts.of(id);
            all.density[at] = match which {
                Density::Composite => composite(count, link_ratio),
                Density::Plain => f64::from(count.chars) / f64::from(count.tags.max(1)),
            };
            all.sum[at] += match (has_child[at], which) {
                (false, _) => all.density[at],
                (true, Density::Composite) => own_text(page, id, counts, |n| stretch(n, link_ratio)),
                (true, Density::Plain) => own_text(page, id, counts, f64::from),
            };
            // The element itself wins over equals below it, being first in document order.
            if all.sum[at] >= all.sum[all.best[at].index()] {
                all.best[at] = id;
            }
            let Some(parent) = doc.parent(id).filter(|_| id != body && counts.is_displayed(id)) else { continue };
            has_child[parent.index()] = true;
            all.sum[parent.index()] += all.density[at];
            // Children come last one first here; an earlier one wins over its equals.
            let known = all.best[parent.index()];
            if known == parent || all.sum[all.best[at].index()] >= all.sum[known.index()] {
                all.best[parent.index()] = all.best[at];
            }
        }
        all
    }

    pub(super) fn density(&self, id: NodeId) -> f64 {
        self.density[id.index()]
    }

    pub(super) fn sum(&self, id: NodeId) -> f64 {
        self.sum[id.index()]
    }

    /// The element with the largest sum in the subtree of `id`, the first of equals.
    pub(super) fn best(&self, id: NodeId) -> NodeId {
        self.best[id.index()]
    }
}

/// LCb/Cb.
pub(super) fn link_ratio(body: Count) -> f64 {
    (f64::from(body.link_chars) / f64::from(body.chars.max(1))).max(MIN_LINK_RATIO)
}

/// Composite text density; see [`Cetd`](super::Cetd). At least 0 and finite.
pub(super) fn composite(count: Count, link_ratio: f64) -> f64 {
    if count.chars == 0 {
        return 0.0;
    }
    let chars = f64::from(count.chars);
    let unlinked = f64::from((count.chars - count.link_chars).max(1));
    let tags = f64::from(count.tags.max(1));
    let (link_chars, link_tags) = (f64::from(count.link_chars.max(1)), f64::from(count.link_tags.max(1)));
    let inner = chars * link_chars / unlinked + link_ratio * chars + std::f64::consts::E;
    (chars / tags * (chars * tags / (link_chars * link_tags)).ln() / inner.ln().ln()).max(0.0)
}

/// What n characters between two children are worth.
pub(super) fn stretch(n: u32, link_ratio: f64) -> f64 {
    let n = f64::from(n);
    n * n.ln() / (link_ratio * n + std::f64::consts::E).ln().ln()
}

/// The worth of all stretches of text between the children of `id`; a child without text does not divide one.
fn own_text(page: &Page<'_>, id: NodeId, counts: &TagCounts, worth: impl Fn(u32) -> f64) -> f64 {
    let (mut from, end) = counts.span(page, id);
    let mut sum = 0.0;
    let mut add = |n: u32| {
        if n > 0 {
            sum += worth(n);
        }
    };
    for child in page.doc.children(id).filter(|&child| page.doc.is_element(child)) {
        let (child_start, child_end) = counts.span(page, child);
        if child_start < child_end {
            add(child_start - from);
            from = child_end;
        }
    }
    add(end - from);
    sum
}
