//! What a source gives to a dataset.

use gristmill_dataset::Row;

use super::journal::Place;

/// One thing that a source says, in its order.
#[derive(Debug, Default, rkyv::Archive, rkyv::Serialize, rkyv::Deserialize)]
pub struct Step {
    pub row: Option<Box<Row>>,
    /// What is counted of it.
    pub counted: Vec<String>,
    /// How the source goes on behind it; none where it cannot.
    pub place: Option<Place>,
    /// Whether a run that goes on at the last place meets it again.
    pub is_met_again: bool,
}

impl Step {
    /// Nothing to write.
    pub fn passed(reason: impl Into<String>, place: Option<Place>) -> Step {
        Step { counted: vec![reason.into()], place, ..Step::default() }
    }
}
