//! Multinomial logistic regression: scores of classes as probabilities.

use super::PageTypes;
use super::features::N_FEATURES;

/// Weights over standardised features.
#[derive(Debug, Clone)]
pub(super) struct Model {
    pub(super) mean: [f64; N_FEATURES],
    /// Factor that brings a feature to the common scale; 0 for one that never varies.
    pub(super) scale: [f64; N_FEATURES],
    pub(super) weights: [[f64; N_FEATURES]; 7],
    pub(super) bias: [f64; 7],
}

impl Model {
    /// The probabilities for a page with these features.
    pub(super) fn types(&self, features: &[f64]) -> PageTypes {
        let row: Vec<f64> = (0..N_FEATURES).map(|at| (features[at] - self.mean[at]) * self.scale[at]).collect();
        PageTypes(self.probabilities(&row).map(|probability| probability as f32))
    }

    /// The same for standardised features.
    pub(super) fn probabilities(&self, row: &[f64]) -> [f64; 7] {
        let scores: [f64; 7] = std::array::from_fn(|class| {
            self.bias[class] + self.weights[class].iter().zip(row).map(|(weight, value)| weight * value).sum::<f64>()
        });
        let most = scores.iter().copied().fold(f64::MIN, f64::max);
        let powers = scores.map(|score| (score - most).exp());
        let sum: f64 = powers.iter().sum();
        powers.map(|power| power / sum)
    }
}
