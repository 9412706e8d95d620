//! Whether documents are among the matches of a query that tantivy runs.

use tantivy::query::{AllScorer, ExclusionSet, Scorer, Weight};
use tantivy::{DocId, DocSet, SegmentReader};

/// Answers for one document after another, without looking for the next match.
pub(super) struct FilterDocSet<'a> {
    weight: &'a dyn Weight,
    segment: &'a SegmentReader,
    scorer: Option<Box<dyn Scorer>>,
    /// The document that was asked about last, and the answer.
    last: Option<(DocId, bool)>,
}

impl<'a> FilterDocSet<'a> {
    pub fn new(weight: &'a dyn Weight, segment: &'a SegmentReader) -> Self {
        Self { weight, segment, scorer: None, last: None }
    }

    /// Whether it is one of them. Documents must not go back.
    pub fn has(&mut self, doc: DocId) -> tantivy::Result<bool> {
        if let Some((_, known)) = self.last.filter(|(last, _)| *last == doc) {
            return Ok(known);
        }
        let has = match &mut self.scorer {
            // Behind a miss a scorer stands on a document before which there is no match, or before the one asked about.
            Some(scorer) => scorer.doc() <= doc && scorer.contains(doc),
            none => {
                let (outcome, scorer) = self.weight.scorer_danger(self.segment, doc, 1.0)?;
                *none = Some(scorer);
                // tantivy does not export the type of the outcome, so it is compared with one that is known.
                outcome == AllScorer::new(1).seek_danger(0)
            }
        };
        self.last = Some((doc, has));
        Ok(has)
    }
}
