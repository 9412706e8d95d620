//! Which rows of a page are kept.

/// What was decided.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RowDecision {
    /// One flag a row.
    pub keep: Vec<bool>,
    /// The probabilities that it rests on.
    pub probabilities: Vec<f32>,
    /// The least probability that is kept.
    pub threshold: f32,
    /// F1 that the kept rows are expected to have, if the probabilities are right; of a variant its F.
    pub expected: f32,
}
