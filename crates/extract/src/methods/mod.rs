//! The methods, one file each.

mod clg;
mod mcstd;
mod plain;
mod twcem;
mod vsse;

pub(crate) use clg::Measures;
pub use clg::{
    AreaScore, Best, BestNode, Candidates, Clg, FEATURES, FEATURES_VERSION, Features, Label, Linear, Model, PSEUDO,
    PSEUDO_PROVENANCE, Package, Provenance, Scorer, Trained, Trainer, TrainingPage, area_score, fold_of,
    labels_of_clips, labels_of_text, train,
};
pub(crate) use mcstd::densest_run;
pub use plain::Plain;
pub use twcem::Twcem;
pub use vsse::{Aggregate, Refine, Unit, Vsse};

use crate::method::Extractor;

/// In the order of `gristmill methods`. A new method is a file and a line here.
pub(crate) static METHODS: &[&dyn Extractor] = &[
    &Plain,
    &Twcem::NEWS,
    &Twcem::MICROBLOG,
    &Vsse::PAPER,
    &Vsse::TUNED,
    &Clg::NO_LAYOUT,
    &Candidates::LR_NO_LAYOUT,
    &BestNode::LR_NO_LAYOUT,
    &Candidates::SVM_NO_LAYOUT,
    &BestNode::SVM_NO_LAYOUT,
];
