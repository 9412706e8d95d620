//! The densest run of rows: what to fall back on when a method keeps nothing.

use crate::page::Page;
use crate::selection::Selection;

/// Keeps the run of rows whose text density exceeds the page's mean by the largest sum.
///
/// Density of a row: (characters − link characters) / (tags + 1); the run maximises Σ(density − mean) by Kadane's
/// scan. All rows equal → nothing. O(rows).
///
/// Source: MCSTD, Sun K. et al. 2016. Ours: tags are those opened since the row before.
pub(crate) fn densest_run(page: &Page<'_>) -> Selection {
    let density: Vec<f64> =
        page.rows.iter().map(|row| f64::from(row.chars - row.link_chars) / (f64::from(row.tags) + 1.0)).collect();
    let mut selection = Selection::none(page);
    for row in &page.rows[best_run(&density)] {
        selection.keep_row(row);
    }
    selection
}

/// The run with the largest sum of distances from the mean; the first of equals; empty when none is above it.
fn best_run(density: &[f64]) -> std::ops::Range<usize> {
    let mean = density.iter().sum::<f64>() / (density.len().max(1) as f64);
    let (mut best, mut run) = (0.0, 0..0);
    let (mut sum, mut start) = (0.0, 0);
    for (at, value) in density.iter().enumerate() {
        sum += value - mean;
        if sum > best {
            (best, run) = (sum, start..at + 1);
        }
        if sum < 0.0 {
            (sum, start) = (0.0, at + 1);
        }
    }
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worked_example_of_mcstd_finds_rows_three_and_four() {
        let rows = [(10, 10, 2), (20, 18, 3), (120, 0, 1), (80, 5, 2), (30, 30, 4), (15, 15, 2)];
        let density: Vec<f64> =
            rows.iter().map(|&(len, link, tags)| f64::from(len - link) / f64::from(tags + 1)).collect();
        assert_eq!(density, [0.0, 0.5, 60.0, 25.0, 0.0, 0.0]);
        assert_eq!(best_run(&density), 2..4);
    }

    #[test]
    fn no_rows_have_no_run() {
        assert_eq!(best_run(&[]), 0..0);
        assert_eq!(best_run(&[3.0, 3.0]), 0..0);
    }
}
