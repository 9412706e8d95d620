//! Weights of the page type model, not trained yet.

use super::features::N_FEATURES;

pub(super) use super::regression::Model;

#[rustfmt::skip]
pub(super) static MODEL: Model =
    Model { mean: [0.0; N_FEATURES], scale: [0.0; N_FEATURES], weights: [[0.0; N_FEATURES]; 7], bias: [0.0; 7] };
