//! The model of CLG for pseudo-layouts, as training printed it: do not edit, train again.
//!
//! Trained on the gold texts of these packages:
//!

use std::borrow::Cow;

use super::model::{Best, Linear, Model, Package, Provenance};

/// Weights, best values and tag scores for pseudo-layouts.
pub static PSEUDO: Model = Model {
    layout: false,
    best: Best { left: 0.0, right: 1.0, top: 0.5, bottom: 0.5, center_x: 0.5, center_y: 0.5, area: 0.1 },
    tag_scores: Cow::Borrowed(&[]),
    unseen_tag: 0.1,
    lr: Linear { bias: 0.0, weights: [0.0; 17] },
    svm: Linear { bias: 0.0, weights: [0.0; 17] },
};

/// What [`PSEUDO`] was trained on.
pub static PSEUDO_PROVENANCE: Provenance = Provenance {
    features_version: 1,
    training_hash: 0x0000000000000000,
    packages: Cow::Borrowed(&[] as &[Package]),
    nodes: 0,
    positive: 0,
    fold_scores: Cow::Borrowed(&[]),
};
