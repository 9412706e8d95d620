//! Rectangles, and the area that several of them cover together.

/// An axis-parallel rectangle in CSS pixels; y grows downwards. Without width or height it is empty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub left: f64,
    /// Top edge.
    pub top: f64,
    /// Right edge.
    pub right: f64,
    /// Bottom edge.
    pub bottom: f64,
}

impl Rect {
    /// The neutral element of [`Rect::bounds`]: inside out, and so empty.
    pub const EMPTY: Rect =
        Rect { left: f64::INFINITY, top: f64::INFINITY, right: f64::NEG_INFINITY, bottom: f64::NEG_INFINITY };

    /// From a corner and the extents, as browsers write it.
    pub fn at(x: f64, y: f64, width: f64, height: f64) -> Rect {
        Rect { left: x, top: y, right: x + width, bottom: y + height }
    }

    /// Whether it has no area.
    pub fn is_empty(self) -> bool {
        self.right <= self.left || self.bottom <= self.top
    }

    /// Horizontal extent, 0 for an empty one.
    pub fn width(self) -> f64 {
        (self.right - self.left).max(0.0)
    }

    /// Vertical extent, 0 for an empty one.
    pub fn height(self) -> f64 {
        (self.bottom - self.top).max(0.0)
    }

    /// Area in square pixels.
    pub fn area(self) -> f64 {
        if self.is_empty() { 0.0 } else { (self.right - self.left) * (self.bottom - self.top) }
    }

    /// What both cover; may be empty.
    pub fn intersection(self, other: Rect) -> Rect {
        Rect {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// Whether they share an area (touching edges do not).
    pub fn overlaps(self, other: Rect) -> bool {
        !self.intersection(other).is_empty()
    }

    /// The smallest rectangle around both; an empty one counts for nothing.
    pub fn bounds(self, other: Rect) -> Rect {
        if other.is_empty() {
            return self;
        }
        if self.is_empty() {
            return other;
        }
        Rect {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Whether `other` lies within; an empty one lies anywhere.
    pub fn contains(self, other: Rect) -> bool {
        other.is_empty()
            || (self.left <= other.left
                && self.top <= other.top
                && self.right >= other.right
                && self.bottom >= other.bottom)
    }
}

/// Area of the union of rectangles, exact up to rounding.
///
/// What lies within the largest one is dropped; a vertical line then sweeps over the rest, and a tree over the
/// intervals between their y coordinates keeps the covered length. O(k log k) time, O(k) memory. No rectangles: 0.
///
/// Source: Wu, Liu & Fan 2015, §6.2. Ours: the paper's recursion by inclusion and exclusion takes 2^k steps; the
/// value is the same (Bentley 1977).
pub fn union_area(rects: &[Rect]) -> f64 {
    let Some(&largest) = rects.iter().max_by(|a, b| a.area().total_cmp(&b.area())) else { return 0.0 };
    let mut rest: Vec<Rect> = rects.iter().copied().filter(|&rect| !largest.contains(rect)).collect();
    if rest.is_empty() {
        return largest.area();
    }
    rest.push(largest);
    let mut ys: Vec<f64> = rest.iter().flat_map(|rect| [rect.top, rect.bottom]).collect();
    ys.sort_unstable_by(f64::total_cmp);
    ys.dedup();
    let mut edges: Vec<(f64, i32, Rect)> =
        rest.iter().flat_map(|&rect| [(rect.left, 1, rect), (rect.right, -1, rect)]).collect();
    edges.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut covered = Covered { count: vec![0; 4 * ys.len()], length: vec![0.0; 4 * ys.len()], ys };
    let (mut area, mut x) = (0.0, edges[0].0);
    for (at, change, rect) in edges {
        area += covered.length[1] * (at - x);
        x = at;
        covered.change(rect, change);
    }
    area
}

/// The area that both sets of rectangles cover. O(k log k).
pub fn overlap_area(a: &[Rect], b: &[Rect]) -> f64 {
    let both: Vec<Rect> = a.iter().chain(b).copied().collect();
    (union_area(a) + union_area(b) - union_area(&both)).max(0.0)
}

/// How much of the sweep line is covered: a segment tree over the intervals between `ys`.
struct Covered {
    ys: Vec<f64>,
    count: Vec<i32>,
    length: Vec<f64>,
}

impl Covered {
    fn change(&mut self, rect: Rect, change: i32) {
        let index = |y: f64| self.ys.partition_point(|&other| other < y);
        let (from, to) = (index(rect.top), index(rect.bottom));
        if from < to {
            self.step(1, 0, self.ys.len() - 1, from, to, change);
        }
    }

    /// Recurses over halves of the intervals, so at most some 30 levels deep.
    fn step(&mut self, node: usize, low: usize, high: usize, from: usize, to: usize, change: i32) {
        if from <= low && high <= to {
            self.count[node] += change;
        } else {
            let middle = low.midpoint(high);
            if from < middle {
                self.step(2 * node, low, middle, from, to, change);
            }
            if to > middle {
                self.step(2 * node + 1, middle, high, from, to, change);
            }
        }
        self.length[node] = match self.count[node] {
            0 if high - low == 1 => 0.0,
            0 => self.length[2 * node] + self.length[2 * node + 1],
            _ => self.ys[high] - self.ys[low],
        };
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Inclusion and exclusion over three rectangles, as in Fig. 9 of the paper.
    fn three(a: Rect, b: Rect, c: Rect) -> f64 {
        let two = |a: Rect, b: Rect| a.area() + b.area() - a.intersection(b).area();
        a.area() + two(b, c) - two(a.intersection(b), a.intersection(c))
    }

    #[test]
    fn two_overlapping_squares_and_one_apart_cover_275() {
        let (a, b, c) = (Rect::at(0., 0., 10., 10.), Rect::at(5., 5., 10., 10.), Rect::at(20., 0., 10., 10.));
        assert_eq!(union_area(&[a, b, c]), 275.0);
        assert_eq!(three(a, b, c), 275.0);
    }

    #[test]
    fn nothing_empty_ones_and_repeated_ones_add_nothing() {
        assert_eq!(union_area(&[]), 0.0);
        assert_eq!(union_area(&[Rect::EMPTY, Rect::at(1., 1., 0., 5.)]), 0.0);
        let a = Rect::at(0., 0., 4., 2.);
        assert_eq!(union_area(&[a, Rect::EMPTY, a, Rect::at(1., 1., 1., 1.)]), 8.0);
    }

    #[test]
    fn the_overlap_of_two_sets_is_counted_once() {
        let a = [Rect::at(0., 0., 10., 10.), Rect::at(0., 0., 5., 5.)];
        let b = [Rect::at(5., 0., 10., 10.), Rect::at(20., 20., 1., 1.)];
        assert_eq!(overlap_area(&a, &b), 50.0);
    }

    #[test]
    fn a_hundred_thousand_crossing_boxes_take_no_time() {
        let rects: Vec<Rect> = (0..100_000).map(|n| Rect::at(f64::from(n), f64::from(n), 50_000.0, 10.0)).collect();
        assert!(union_area(&rects) > 0.0);
    }

    fn small() -> impl Strategy<Value = Rect> {
        (0..20i32, 0..20i32, 0..9i32, 0..9i32).prop_map(|(x, y, w, h)| Rect::at(x.into(), y.into(), w.into(), h.into()))
    }

    proptest! {
        #[test]
        fn the_sweep_counts_the_cells_that_any_box_covers(rects in proptest::collection::vec(small(), 0..12)) {
            let cell = |x: i32, y: i32| Rect::at(x.into(), y.into(), 1.0, 1.0);
            let cells = (0..30).flat_map(|x| (0..30).map(move |y| cell(x, y)));
            let covered = cells.filter(|&cell| rects.iter().any(|&rect| rect.overlaps(cell))).count();
            prop_assert_eq!(union_area(&rects), covered as f64);
        }

        #[test]
        fn three_boxes_agree_with_inclusion_and_exclusion(a in small(), b in small(), c in small()) {
            prop_assert!((union_area(&[a, b, c]) - three(a, b, c)).abs() < 1e-9);
        }
    }
}
