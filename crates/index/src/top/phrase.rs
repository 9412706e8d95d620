//! Words in a row: sought by their terms, and by their positions only where the score can matter.

use tantivy::postings::Postings as _;
use tantivy::query::Bm25Weight;
use tantivy::{DocId, TERMINATED};

use super::postings::{BLOCK, Postings, ScoreBound};

/// A phrase in one segment.
pub(super) struct PhraseScorer {
    /// Its terms with their places in it, the rarest one first.
    terms: Vec<(u32, Postings)>,
    weight: Bm25Weight,
    /// The whole weight, which no score reaches.
    whole: f32,
    /// The document whose positions were read last, and how often the phrase stands in it.
    count: Option<(DocId, u32)>,
    /// Where the phrase may begin, and where a term stands.
    beginnings: Vec<u32>,
    positions: Vec<u32>,
    /// Its rarest term has less than a posting in as many documents as a block has postings.
    is_rare: bool,
}

impl PhraseScorer {
    pub fn new(terms: Vec<Postings>, weight: Bm25Weight) -> Self {
        let mut terms: Vec<(u32, Postings)> = (0..).zip(terms).collect();
        terms.sort_by_key(|(_, term)| term.docs.doc_freq());
        let whole = weight.score(0, u32::MAX);
        let is_rare = terms[0].1.docs.doc_freq() < terms[0].1.n_docs() / BLOCK as u32;
        Self { terms, weight, whole, is_rare, count: None, beginnings: Vec::new(), positions: Vec::new() }
    }

    pub fn cost(&self) -> u64 {
        u64::from(self.terms[0].1.docs.doc_freq())
    }

    /// A phrase is no more frequent in a document than any of its terms.
    ///
    /// Few blocks of a rare term reach over most of the segment, so its single documents are the bound.
    pub fn bound(&mut self, target: DocId) -> ScoreBound {
        if !self.is_rare {
            return self.bound_of_blocks(target);
        }
        match self.terms[0].1.seek(target) {
            TERMINATED => ScoreBound::END,
            doc if doc > target => ScoreBound { most: 0.0, until: doc - 1 },
            doc => ScoreBound { until: doc, ..self.bound_of_blocks(target) },
        }
    }

    fn bound_of_blocks(&mut self, target: DocId) -> ScoreBound {
        let bounds = self.terms.iter_mut().map(|(_, term)| term.bound(target));
        let least = |a: ScoreBound, b: ScoreBound| match (a, b) {
            // Behind the last posting of a term no phrase comes.
            (ScoreBound { most: 0.0, .. }, _) | (_, ScoreBound { most: 0.0, .. }) => ScoreBound::END,
            (a, b) => ScoreBound { most: a.most.min(b.most), until: a.until.min(b.until) },
        };
        let bound = bounds.reduce(least).unwrap_or(ScoreBound::END);
        ScoreBound { most: self.whole * bound.most, ..bound }
    }

    /// The first document from `target` to `until` that has all terms and may reach `least`.
    pub fn next(&mut self, mut target: DocId, least: f32, until: DocId) -> DocId {
        'next: while target <= until {
            let bound = self.bound(target);
            if bound.most < least {
                target = bound.until.saturating_add(1);
                continue;
            }
            for (_, term) in &mut self.terms {
                let doc = term.seek(target);
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
        for (_, term) in &mut self.terms {
            if term.seek(doc) != doc {
                return None;
            }
            frequency = frequency.min(term.docs.term_freq());
        }
        Some(self.weight.score(self.terms[0].1.norm(doc), frequency))
    }

    pub fn matches(&mut self, doc: DocId) -> bool {
        self.count(doc) > 0
    }

    pub fn score(&mut self, doc: DocId) -> Option<f32> {
        let count = self.count(doc);
        (count > 0).then(|| self.weight.score(self.terms[0].1.norm(doc), count))
    }

    /// How often the phrase stands in a document.
    fn count(&mut self, doc: DocId) -> u32 {
        if let Some((_, count)) = self.count.filter(|(last, _)| *last == doc) {
            return count;
        }
        let count = if self.most(doc).is_some() { self.count_positions() } else { 0 };
        self.count = Some((doc, count));
        count
    }

    /// The same in the document on which all terms stand.
    fn count_positions(&mut self) -> u32 {
        let Self { terms, beginnings, positions, .. } = self;
        // Counted from behind the phrase, so that no position is below 0.
        let length = terms.len() as u32;
        for (nth, (place, term)) in terms.iter_mut().enumerate() {
            term.docs.positions_with_offset(length - *place, positions);
            if nth == 0 {
                std::mem::swap(beginnings, positions);
                continue;
            }
            let mut ahead = positions.iter().copied().peekable();
            beginnings.retain(|beginning| {
                while ahead.next_if(|position| position < beginning).is_some() {}
                ahead.peek() == Some(beginning)
            });
            if beginnings.is_empty() {
                return 0;
            }
        }
        beginnings.len() as u32
    }
}
