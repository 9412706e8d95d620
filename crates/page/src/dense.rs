//! The run of rows that is denser than its page: the method MCSTD, which is also a number of other methods and a last resort.
//!
//! Source: Sun K. et al., Maximum Continuous Sum of Text Density, 2016.

use std::ops::Range;

use crate::rows::Rows;
use crate::selection::Selection;

/// The rows of the densest run, as a selection. Nothing when all rows are equally dense. O(rows).
pub fn densest_run(page: &Rows<'_>) -> Selection {
    let mut selection = Selection::none(page);
    page.rows[dense_rows(page)].iter().for_each(|row| selection.keep_row(row));
    selection
}

/// The rows of the densest run.
pub fn dense_rows(page: &Rows<'_>) -> Range<usize> {
    densest(&densities(page)).0
}

/// The density of each row: (characters − link characters) / (tags + 1). Tags are those opened since the row before, so that
/// every tag of the page counts for one row.
pub fn densities(page: &Rows<'_>) -> Vec<f64> {
    page.rows.iter().map(|row| f64::from(row.chars - row.link_chars) / (f64::from(row.tags) + 1.0)).collect()
}

/// The run with the largest sum of distances from the mean, and that sum; the first of equals; empty when none is
/// above the mean.
pub fn densest(density: &[f64]) -> (Range<usize>, f64) {
    let mean = density.iter().sum::<f64>() / (density.len().max(1) as f64);
    best_run(density.iter().map(|value| value - mean))
}

/// The run of values with the largest positive sum, and that sum; empty with 0 when no value is positive.
///
/// The smallest start among the best, and for it the smallest end: what the double loop over all (start, end) with a
/// strict `>` finds. O(n).
pub fn best_run(values: impl IntoIterator<Item = f64>) -> (Range<usize>, f64) {
    let (mut best, mut run) = (0.0, 0..0);
    let (mut sum, mut start) = (0.0, 0);
    for (at, value) in values.into_iter().enumerate() {
        sum += value;
        if sum > best {
            (best, run) = (sum, start..at + 1);
        }
        if sum < 0.0 {
            (sum, start) = (0.0, at + 1);
        }
    }
    (run, best)
}
