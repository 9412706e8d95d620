//! What a source gives to a dataset.

use serde::Serialize;

use super::host_row::AnswerFacts;
use super::journal::SourceOffset;
use crate::DatasetRow;

/// One thing that a source says, in its order.
#[derive(Debug, Default, rkyv::Archive, rkyv::Serialize, rkyv::Deserialize)]
pub struct SourceItem {
    pub row: Option<Box<DatasetRow>>,
    /// What is counted of it.
    pub counted: Vec<String>,
    /// How the source goes on behind it; none where it cannot.
    pub place: Option<SourceOffset>,
    /// Whether a run that goes on at the last place meets it again.
    pub is_met_again: bool,
    /// The answer that it is about, for the host table.
    pub answer: Option<Box<AnswerFacts>>,
    /// What is reported of a row that was left out.
    pub dropped: Option<DroppedRow>,
}

/// A line of `dropped.jsonl`.
#[derive(Debug, Serialize, rkyv::Archive, rkyv::Serialize, rkyv::Deserialize)]
pub struct DroppedRow {
    pub url: String,
    /// The rule that left it out.
    pub rule: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
}

impl SourceItem {
    /// Nothing to write.
    pub fn passed(reason: impl Into<String>, place: Option<SourceOffset>) -> SourceItem {
        SourceItem { counted: vec![reason.into()], place, ..SourceItem::default() }
    }
}
