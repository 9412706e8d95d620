//! The model: one forest for each type, their log odds brought to one scale.

use gristmill_trees::ForestRef;

use super::PageTypes;

/// Seven forests and how much their log odds count.
#[derive(Debug, Clone, Copy)]
pub(super) struct Model<'f> {
    /// Number of features.
    pub(super) width: usize,
    /// Factor of the log odds before they become probabilities: below 1 where the forests are too sure.
    pub(super) sharpness: f32,
    /// In the order of `PageType::ALL`.
    pub(super) forests: [ForestRef<'f>; 7],
}

impl Model<'_> {
    pub(super) fn types(&self, features: &[f32]) -> PageTypes {
        PageTypes::from_log_odds(self.log_odds(features), self.sharpness)
    }

    pub(super) fn log_odds(&self, features: &[f32]) -> [f32; 7] {
        debug_assert_eq!(features.len(), self.width, "features changed: train again");
        self.forests.map(|forest| forest.log_odds(features))
    }
}
