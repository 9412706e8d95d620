//! Postings that know what they can score at most from here on.

use std::sync::Arc;

use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::SegmentPostings;
use tantivy::{DocId, DocSet, TERMINATED};

use super::block_maxima::{BlockMaxima, relieved};

/// Documents of a block of postings.
pub(super) const BLOCK: usize = 128;

/// A bound that holds from a document up to another.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScoreBound {
    pub most: f32,
    pub until: DocId,
}

impl ScoreBound {
    /// Nothing more comes.
    pub const END: Self = Self { most: 0.0, until: TERMINATED };
}

/// The documents of a term with the bounds of its outline.
pub(super) struct Postings {
    pub docs: SegmentPostings,
    norms: FieldNormReader,
    outline: Arc<BlockMaxima>,
    relief: f32,
    /// The block of the outline, and its bound.
    block: usize,
    share: f32,
}

impl Postings {
    pub fn new(docs: SegmentPostings, norms: FieldNormReader, outline: Arc<BlockMaxima>, relief: f32) -> Self {
        let share = outline.shares.first().map_or(0.0, |share| relieved(*share, relief));
        Self { docs, norms, outline, relief, block: 0, share }
    }

    /// Goes to the first document from `target` on.
    pub fn seek(&mut self, target: DocId) -> DocId {
        sought(&mut self.docs, target)
    }

    /// The largest share of the weight from `target` on, and up to where that holds. Targets must not go back.
    pub fn bound(&mut self, target: DocId) -> ScoreBound {
        let lasts = &self.outline.lasts;
        let before = self.block;
        while lasts.get(self.block).is_some_and(|last| *last < target) {
            self.block += 1;
        }
        let Some(&until) = lasts.get(self.block) else { return ScoreBound::END };
        if self.block != before {
            self.share = relieved(self.outline.shares[self.block], self.relief);
        }
        ScoreBound { most: self.share, until }
    }

    /// Documents of the segment.
    pub fn n_docs(&self) -> u32 {
        self.norms.num_docs()
    }

    /// The length of the field in a document, as tantivy writes it.
    pub fn norm(&self, doc: DocId) -> u8 {
        self.norms.fieldnorm_id(doc)
    }
}

/// Goes to the first document from `target` on, unless it stands there or behind.
pub(super) fn sought(docs: &mut (impl DocSet + ?Sized), target: DocId) -> DocId {
    if docs.doc() < target { docs.seek(target) } else { docs.doc() }
}
