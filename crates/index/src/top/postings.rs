//! Postings that know what they can score at most from here on.

use std::sync::Arc;

use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::BlockSegmentPostings;
use tantivy::{DocId, TERMINATED};

use super::outline::{Outline, relieved};

/// Documents of a block of postings.
pub(super) const BLOCK: usize = 128;

/// A bound that holds from a document up to another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bound {
    pub most: f32,
    pub until: DocId,
}

impl Bound {
    /// Nothing more comes.
    pub const END: Self = Self { most: 0.0, until: TERMINATED };
}

/// The documents of a term, one after another.
pub(super) struct Docs {
    block: BlockSegmentPostings,
    at: usize,
    doc: DocId,
}

impl Docs {
    pub fn new(block: BlockSegmentPostings) -> Self {
        let doc = block.doc(0);
        Self { block, at: 0, doc }
    }

    /// Goes to the first document from `target` on.
    pub fn seek(&mut self, target: DocId) -> DocId {
        if self.doc < target {
            let next = (self.at + 1).min(BLOCK - 1);
            self.at = if self.block.doc(next) >= target { next } else { self.block.seek(target) };
            self.doc = self.block.doc(self.at);
        }
        self.doc
    }

    /// How many there are, deleted ones as well.
    pub fn len(&self) -> u32 {
        self.block.doc_freq()
    }

    /// How often the term stands in the present document.
    pub fn frequency(&self) -> u32 {
        self.block.freq(self.at)
    }
}

/// The documents of a term with the bounds of its outline.
pub(super) struct Postings {
    pub docs: Docs,
    norms: FieldNormReader,
    outline: Arc<Outline>,
    relief: f32,
    /// The block of the outline, and its bound.
    block: usize,
    share: f32,
}

impl Postings {
    pub fn new(docs: Docs, norms: FieldNormReader, outline: Arc<Outline>, relief: f32) -> Self {
        let share = outline.shares.first().map_or(0.0, |share| relieved(*share, relief));
        Self { docs, norms, outline, relief, block: 0, share }
    }

    /// The largest share of the weight from `target` on, and up to where that holds. Targets must not go back.
    pub fn bound(&mut self, target: DocId) -> Bound {
        let lasts = &self.outline.lasts;
        let before = self.block;
        while lasts.get(self.block).is_some_and(|last| *last < target) {
            self.block += 1;
        }
        let Some(&until) = lasts.get(self.block) else { return Bound::END };
        if self.block != before {
            self.share = relieved(self.outline.shares[self.block], self.relief);
        }
        Bound { most: self.share, until }
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
