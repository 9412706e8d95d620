//! Which candidates to take: the likeliest first, no byte of the page twice.

use std::collections::BTreeMap;

use crate::candidate::PairLayout;

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
pub(crate) fn ranks(layouts: impl Iterator<Item = PairLayout>, probabilities: &[f32]) -> Vec<f32> {
    let raised = |layout| match layout {
        PairLayout::Row | PairLayout::List => ROWS,
        PairLayout::FourCells | PairLayout::TwoCells | PairLayout::Alternating => CELLS,
        _ => 0.0,
    };
    layouts.zip(probabilities).map(|(layout, &probability)| probability + raised(layout)).collect()
}

/// How much likelier a line must be than a row of a table or list, or than two cells, to be read in its place.
const ROWS: f32 = 0.15;
const CELLS: f32 = 0.05;

/// Share of the threshold below which no page brings it.
const LOWEST: f32 = 1.0 / 3.0;

/// The choice that serves a page best: as [`select`], by a threshold that falls where the page has nothing certain.
///
/// What maximises F1 is to take every candidate above half of the F1 that is reached (Lipton et al. 2014, theorem 1). So the threshold
/// is multiplied by the F1 that the page's best choice would be expected to have, and is never lower than a third. On a page with one
/// specification table that is almost the threshold itself; where a single article number stands beside the price, about half.
pub(crate) fn choose(spans: &[Spans], probabilities: &[f32], ranks: &[f32], threshold: f32) -> Vec<usize> {
    let lowest = threshold * LOWEST;
    let most = select(spans, probabilities, ranks, lowest);
    let least = (threshold * expected_f1(&most, probabilities)).max(lowest);
    select(spans, probabilities, ranks, least)
}

/// The F1 that the best choice among these candidates is expected to have, if all that is right is among them.
fn expected_f1(candidates: &[usize], probabilities: &[f32]) -> f32 {
    let mut likely: Vec<f32> = candidates.iter().map(|&n| probabilities[n]).collect();
    likely.sort_by(|a, b| b.total_cmp(a));
    let right: f32 = likely.iter().sum();
    let (mut taken, mut best) = (0.0, 0.0_f32);
    for (n, probability) in likely.iter().enumerate() {
        taken += probability;
        best = best.max(2.0 * taken / (n as f32 + 1.0 + right));
    }
    best
}

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
            select(
                &spans,
                &probabilities,
                &ranks([PairLayout::Row, PairLayout::Colon].into_iter(), &probabilities),
                0.5,
            )
        };
        assert_eq!(kept(0.9), [0]);
        assert_eq!(kept(0.97), [1]);
    }

    #[test]
    fn a_page_without_anything_certain_asks_for_less() {
        let spans = [([(0, 5), (6, 20)], false), ([(30, 35), (36, 40)], false)];
        let chosen = |probabilities: &[f32]| choose(&spans, probabilities, probabilities, 0.6);
        assert_eq!(chosen(&[0.4, 0.05]), [0]);
        assert_eq!(chosen(&[0.19, 0.05]), [] as [usize; 0]);
        assert_eq!(chosen(&[0.99, 0.4]), [0]);
        assert_eq!(choose(&[], &[], &[], 0.6), [] as [usize; 0]);
    }

    #[test]
    fn a_header_cell_names_the_values_of_every_record() {
        let spans = [([(0, 5), (10, 12)], true), ([(0, 5), (20, 22)], true), ([(0, 5), (30, 32)], false)];
        assert_eq!(select(&spans, &[0.9, 0.9, 0.8], &[0.9, 0.9, 0.8], 0.5), [0, 1]);
    }
}
