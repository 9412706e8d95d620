//! Words in a row: sought by their terms, and by their positions only where the score can matter.

use tantivy::query::Bm25Weight;
use tantivy::{DocId, TERMINATED};

use super::members::Members;
use super::postings::{BLOCK, Bound, Postings};

/// A phrase in one segment.
pub(super) struct Phrase<'a> {
    /// Its terms, the rarest one first.
    terms: Vec<Postings>,
    weight: Bm25Weight,
    /// The whole weight, which no score reaches.
    whole: f32,
    matches: Members<'a>,
    /// Its rarest term has less than a posting in as many documents as a block has postings.
    is_rare: bool,
}

impl<'a> Phrase<'a> {
    pub fn new(mut terms: Vec<Postings>, weight: Bm25Weight, matches: Members<'a>) -> Self {
        terms.sort_by_key(|term| term.docs.len());
        let whole = weight.score(0, u32::MAX);
        let is_rare = terms[0].docs.len() < terms[0].n_docs() / BLOCK as u32;
        Self { terms, weight, whole, matches, is_rare }
    }

    pub fn cost(&self) -> u64 {
        u64::from(self.terms[0].docs.len())
    }

    /// A phrase is no more frequent in a document than any of its terms.
    ///
    /// Few blocks of a rare term reach over most of the segment, so its single documents are the bound.
    pub fn bound(&mut self, target: DocId) -> Bound {
        if !self.is_rare {
            return self.bound_of_blocks(target);
        }
        match self.terms[0].docs.seek(target) {
            TERMINATED => Bound::END,
            doc if doc > target => Bound { most: 0.0, until: doc - 1 },
            doc => Bound { until: doc, ..self.bound_of_blocks(target) },
        }
    }

    fn bound_of_blocks(&mut self, target: DocId) -> Bound {
        let bounds = self.terms.iter_mut().map(|term| term.bound(target));
        let least = |a: Bound, b: Bound| match (a, b) {
            // Behind the last posting of a term no phrase comes.
            (Bound { most: 0.0, .. }, _) | (_, Bound { most: 0.0, .. }) => Bound::END,
            (a, b) => Bound { most: a.most.min(b.most), until: a.until.min(b.until) },
        };
        let bound = bounds.reduce(least).unwrap_or(Bound::END);
        Bound { most: self.whole * bound.most, ..bound }
    }

    /// The first document from `target` to `until` that has all terms and may reach `least`.
    pub fn next(&mut self, mut target: DocId, least: f32, until: DocId) -> DocId {
        'next: while target <= until {
            let bound = self.bound(target);
            if bound.most < least {
                target = bound.until.saturating_add(1);
                continue;
            }
            for term in &mut self.terms {
                let doc = term.docs.seek(target);
                if doc > target {
                    target = doc;
                    continue 'next;
                }
            }
            return target;
        }
        until + 1
    }

    /// The bound of this document, if it has all terms.
    pub fn most(&mut self, doc: DocId) -> Option<f32> {
        let mut frequency = u32::MAX;
        for term in &mut self.terms {
            if term.docs.seek(doc) != doc {
                return None;
            }
            frequency = frequency.min(term.docs.frequency());
        }
        Some(self.weight.score(self.terms[0].norm(doc), frequency))
    }

    pub fn matches(&mut self, doc: DocId) -> tantivy::Result<bool> {
        Ok(self.most(doc).is_some() && self.matches.has(doc)?)
    }

    pub fn score(&mut self, doc: DocId) -> tantivy::Result<Option<f32>> {
        Ok(if self.matches(doc)? { Some(self.matches.score()) } else { None })
    }
}
