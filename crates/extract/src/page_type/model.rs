//! Weights of the page type model, not trained yet.

use gristmill_trees::ForestRef;

use super::forest::Model;

const NONE: ForestRef<'static> = ForestRef { bias: 0.0, roots: &[], nodes: &[] };
pub(super) static MODEL: Model<'static> = Model { width: 0, sharpness: 1.0, forests: [NONE; 7] };
