//! A part of a query in one segment, moved from match to match with bounds of the scores ahead.

use tantivy::postings::{Postings as _, SegmentPostings};
use tantivy::query::{Bm25Weight, Scorer};
use tantivy::{DocId, TERMINATED};

use super::intersection::Intersection;
use super::phrase::PhraseScorer;
use super::postings::{Postings, ScoreBound, sought};
use super::union::Union;

/// A node of a query in one segment.
///
/// The documents that are asked for must not go back, over all methods. `next` tells candidates, which have the terms of a
/// phrase but perhaps not in a row; only `matches` and `score` look at positions.
pub(super) enum BoundedScorer<'a> {
    Nothing,
    Term(TermScorer),
    Phrase(Box<PhraseScorer>),
    Label(SegmentPostings),
    /// Run by tantivy; with or without a score.
    Given(Box<dyn Scorer>, bool),
    /// What another does not find. Every document is a candidate, so many in all.
    Without(Box<BoundedScorer<'a>>, DocId),
    Union(Union<'a>),
    Together(Box<Intersection<'a>>),
}

/// A word of a field.
pub(super) struct TermScorer {
    postings: Postings,
    weight: Bm25Weight,
    /// The whole weight, which no score reaches.
    whole: f32,
}

impl TermScorer {
    pub fn new(postings: Postings, weight: Bm25Weight) -> Self {
        let whole = weight.score(0, u32::MAX);
        Self { postings, weight, whole }
    }

    fn bound(&mut self, target: DocId) -> ScoreBound {
        let bound = self.postings.bound(target);
        ScoreBound { most: self.whole * bound.most, ..bound }
    }

    fn next(&mut self, mut target: DocId, least: f32, until: DocId) -> DocId {
        while target <= until {
            let bound = self.bound(target);
            if bound.most < least {
                target = bound.until.saturating_add(1);
                continue;
            }
            let doc = self.postings.seek(target);
            if doc <= bound.until || least <= 0.0 {
                return doc.min(until + 1);
            }
            target = doc;
        }
        until + 1
    }

    fn score(&mut self, doc: DocId) -> Option<f32> {
        let found = self.postings.seek(doc) == doc;
        found.then(|| self.weight.score(self.postings.norm(doc), self.postings.docs.term_freq()))
    }
}

impl BoundedScorer<'_> {
    /// How many documents it may have to be stepped through.
    pub fn cost(&self) -> u64 {
        match self {
            Self::Nothing => 0,
            Self::Term(word) => u64::from(word.postings.docs.doc_freq()),
            Self::Phrase(phrase) => phrase.cost(),
            Self::Label(docs) => u64::from(docs.doc_freq()),
            Self::Given(scorer, _) => scorer.cost(),
            Self::Without(_, n_docs) => u64::from(*n_docs),
            Self::Union(union) => union.cost(),
            Self::Together(together) => together.cost(),
        }
    }

    /// What a document from `target` on can score at most, and up to which one that holds.
    pub fn bound(&mut self, target: DocId) -> ScoreBound {
        match self {
            Self::Nothing => ScoreBound::END,
            Self::Term(word) => word.bound(target),
            Self::Phrase(phrase) => phrase.bound(target),
            Self::Label(_) | Self::Given(_, false) | Self::Without(..) => ScoreBound { most: 0.0, until: TERMINATED },
            Self::Given(_, true) => ScoreBound { most: f32::INFINITY, until: TERMINATED },
            Self::Union(union) => union.bound(target),
            Self::Together(together) => together.bound(target),
        }
    }

    /// The first candidate from `target` to `until` that may reach the score `least`; `until + 1` if there is none.
    pub fn next(&mut self, target: DocId, least: f32, until: DocId) -> tantivy::Result<DocId> {
        Ok(match self {
            Self::Nothing => until + 1,
            Self::Term(word) => word.next(target, least, until),
            Self::Phrase(phrase) => phrase.next(target, least, until),
            Self::Label(docs) => sought(docs, target).min(until + 1),
            Self::Given(scorer, _) => sought(scorer.as_mut(), target).min(until + 1),
            Self::Without(..) => target,
            Self::Union(union) => union.next(target, least, until)?,
            Self::Together(together) => together.next(target, least, until)?,
        })
    }

    /// A bound of the score of this document; `None` if it is no candidate. Need not be tight below `least`.
    pub fn most(&mut self, doc: DocId, least: f32) -> tantivy::Result<Option<f32>> {
        match self {
            Self::Phrase(phrase) => Ok(phrase.most(doc)),
            Self::Union(union) => union.most(doc),
            Self::Together(together) => together.most(doc, least),
            Self::Without(..) => Ok(Some(0.0)),
            others => others.score(doc),
        }
    }

    /// Whether this document is a match.
    pub fn matches(&mut self, doc: DocId) -> tantivy::Result<bool> {
        Ok(match self {
            Self::Nothing => false,
            Self::Term(word) => word.postings.seek(doc) == doc,
            Self::Phrase(phrase) => phrase.matches(doc),
            Self::Label(docs) => sought(docs, doc) == doc,
            Self::Given(scorer, _) => sought(scorer.as_mut(), doc) == doc,
            Self::Without(others, _) => !others.matches(doc)?,
            Self::Union(union) => union.matches(doc)?,
            Self::Together(together) => together.matches(doc)?,
        })
    }

    /// The score of this document; `None` if it is no match.
    pub fn score(&mut self, doc: DocId) -> tantivy::Result<Option<f32>> {
        Ok(match self {
            Self::Term(word) => word.score(doc),
            Self::Phrase(phrase) => phrase.score(doc),
            Self::Given(scorer, true) => {
                let found = sought(scorer.as_mut(), doc) == doc;
                found.then(|| scorer.score())
            }
            Self::Union(union) => union.score(doc)?,
            Self::Together(together) => together.score(doc)?,
            Self::Nothing | Self::Label(_) | Self::Given(_, false) | Self::Without(..) => {
                self.matches(doc)?.then_some(0.0)
            }
        })
    }
}
