//! Means over rows that weigh differently.

use std::ops::Range;

/// Sums of weights, and of values by weight, over the rows before each.
pub(super) struct WeightedSums {
    weight: Vec<f32>,
    /// Of all rows before each, the last of these of all rows.
    pub(super) value: Vec<f32>,
}

impl WeightedSums {
    pub(super) fn new(weights: &[f32], values: &[f32]) -> WeightedSums {
        let mut sums = WeightedSums { weight: vec![0.0], value: vec![0.0] };
        let (mut weight, mut value) = (0.0, 0.0);
        for (own, of_row) in weights.iter().zip(values) {
            weight += own;
            value += own * of_row;
            sums.weight.push(weight);
            sums.value.push(value);
        }
        sums
    }

    /// The mean of some rows; 0 where they weigh nothing.
    pub(super) fn mean(&self, rows: Range<usize>) -> f32 {
        let weight = self.weight[rows.end] - self.weight[rows.start];
        if weight > 0.0 { self.sum(rows) / weight } else { 0.0 }
    }

    pub(super) fn sum(&self, rows: Range<usize>) -> f32 {
        self.value[rows.end] - self.value[rows.start]
    }

    /// Of all rows.
    pub(super) fn all(&self) -> f32 {
        self.value.last().copied().unwrap_or(0.0)
    }
}

/// The mean of the rows of each number.
pub(super) fn means_of(numbers: &[u32], weights: &[f32], values: &[f32]) -> Vec<f32> {
    let mut sums = vec![(0.0f32, 0.0f32); numbers.iter().max().map_or(0, |max| *max as usize + 1)];
    for ((&number, weight), value) in numbers.iter().zip(weights).zip(values) {
        let sum = &mut sums[number as usize];
        *sum = (sum.0 + weight, sum.1 + weight * value);
    }
    sums.into_iter().map(|(weight, value)| if weight > 0.0 { value / weight } else { 0.0 }).collect()
}
