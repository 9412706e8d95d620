//! From the numbers of a page to the probability that a browser adds to it.

use gristmill_html::Doc;

use crate::features::{Features, Got, N_FEATURES};

/// From this probability on a page is drawn. The fit takes pages that need a browser and others for equally many, which they are
/// not; on sites that were not seen, a browser drew 89 % of the former from here on, and 4 % of the latter.
pub const THRESHOLD: f32 = 0.2;

/// A text that the page declares is its text when it has as many characters.
const DECLARED: usize = 400;

/// A page whose main text is longer is read without a browser, unless it sells something and says nothing of it.
const LONG: usize = 4_000;

/// Bias first, then a weight for each feature, by `examples/fit.rs` on pages and what they would be without what scripts could draw
/// (docs/crawling-with-browsers.md). What a feature may not say against common sense is 0.
pub const WEIGHTS: [f32; N_FEATURES + 1] =
    [13.254, -0.673, -0.215, -0.103, 0.0, 0.241, 0.0, 0.0, 0.0, -8.030, 0.0, -1.300, -0.207, 0.0, 0.036];

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
