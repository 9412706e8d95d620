//! Which candidates to take: the likeliest first, no byte of the page twice.

use std::collections::BTreeMap;

use crate::candidate::Layout;

/// Intervals that do not overlap.
#[derive(Default)]
struct Claimed {
    /// Start → end.
    intervals: BTreeMap<u32, u32>,
}

impl Claimed {
    fn overlaps(&self, (start, end): (u32, u32)) -> bool {
        self.intervals.range(..end).next_back().is_some_and(|(_, &last)| last > start)
    }

    fn claim(&mut self, (start, end): (u32, u32)) {
        self.intervals.insert(start, end);
    }
}

/// What the readings of one text are ordered by: the probability, raised where elements say what name and value are. A line with a
/// mark in it may be a part of a value.
pub(crate) fn ranks(layouts: impl Iterator<Item = Layout>, probabilities: &[f32]) -> Vec<f32> {
    let raised = |layout| match layout {
        Layout::Row | Layout::List => ROWS,
        Layout::FourCells | Layout::TwoCells | Layout::Alternating => CELLS,
        _ => 0.0,
    };
    layouts.zip(probabilities).map(|(layout, &probability)| probability + raised(layout)).collect()
}

/// How much likelier a line must be than a row of a table or list, or than two cells, to be read in its place.
const ROWS: f32 = 0.15;
const CELLS: f32 = 0.05;

/// The spans of a candidate's name and value, and whether its name may be shared.
pub(crate) type Spans = ([(u32, u32); 2], bool);

/// Greedy choice among the candidates of at least `threshold`, by `ranks`, ties in order. O(n log n).
pub(crate) fn select(spans: &[Spans], probabilities: &[f32], ranks: &[f32], threshold: f32) -> Vec<usize> {
    let mut order: Vec<usize> = (0..spans.len()).filter(|&n| probabilities[n] >= threshold).collect();
    order.sort_by(|&a, &b| ranks[b].total_cmp(&ranks[a]).then(a.cmp(&b)));
    let (mut names, mut rest) = (Claimed::default(), Claimed::default());
    let mut kept = Vec::new();
    for n in order {
        let ([name, value], shared) = spans[n];
        let name_taken = rest.overlaps(name) || !shared && names.overlaps(name);
        if name_taken || rest.overlaps(value) || names.overlaps(value) {
            continue;
        }
        if shared {
            if !names.overlaps(name) {
                names.claim(name);
            }
        } else {
            rest.claim(name);
        }
        rest.claim(value);
        kept.push(n);
    }
    kept.sort_unstable();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likelier_of_two_readings_of_one_text_is_taken() {
        let spans = [([(0, 5), (6, 20)], false), ([(6, 9), (10, 20)], false), ([(30, 35), (36, 40)], false)];
        let select = |probabilities: &[f32]| select(&spans, probabilities, probabilities, 0.5);
        assert_eq!(select(&[0.9, 0.8, 0.7]), [0, 2]);
        assert_eq!(select(&[0.7, 0.8, 0.4]), [1]);
    }

    #[test]
    fn a_row_wins_over_a_line_within_its_value_that_is_little_likelier() {
        let spans = [([(0, 5), (6, 40)], false), ([(6, 10), (11, 20)], false)];
        let kept = |line: f32| {
            let probabilities = [0.8, line];
            select(&spans, &probabilities, &ranks([Layout::Row, Layout::Colon].into_iter(), &probabilities), 0.5)
        };
        assert_eq!(kept(0.9), [0]);
        assert_eq!(kept(0.97), [1]);
    }

    #[test]
    fn a_header_cell_names_the_values_of_every_record() {
        let spans = [([(0, 5), (10, 12)], true), ([(0, 5), (20, 22)], true), ([(0, 5), (30, 32)], false)];
        assert_eq!(select(&spans, &[0.9, 0.9, 0.8], &[0.9, 0.9, 0.8], 0.5), [0, 1]);
    }
}
