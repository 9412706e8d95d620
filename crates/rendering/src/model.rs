//! From the numbers of a page to the probability that a browser adds to it.

use gristmill_html::Doc;

use crate::features::{Features, Got, N_FEATURES};

/// From this probability on a page is drawn.
pub const THRESHOLD: f32 = 0.5;

/// A text that the page declares is its text when it has as many characters.
const DECLARED: usize = 400;

/// A page whose main text is longer is read without a browser, unless it sells something and says nothing of it.
const LONG: usize = 4_000;

/// Bias first, then a weight for each feature.
pub const WEIGHTS: [f32; N_FEATURES + 1] =
    [1.0, -0.55, -0.45, 0.05, 0.5, 0.8, 2.5, 0.6, 1.0, -0.8, 0.8, -0.5, -0.1, 0.25, 0.8];

/// How probable it is that a browser adds a fifth to the text of a page, or a record.
pub fn need(doc: &Doc, got: &Got) -> f32 {
    let has_product_to_find = got.product > 0.3 && got.pairs == 0;
    if got.chars >= LONG && !has_product_to_find || got.declared && got.chars >= DECLARED {
        return 0.0;
    }
    let features = Features::of(doc, got);
    if features.has_scripts { probability(&features, &WEIGHTS) } else { 0.0 }
}

/// The logistic model.
pub fn probability(features: &Features, weights: &[f32; N_FEATURES + 1]) -> f32 {
    let sum: f32 = features.values.iter().zip(&weights[1..]).map(|(value, weight)| value * weight).sum();
    1.0 / (1.0 + (-(weights[0] + sum)).exp())
}
