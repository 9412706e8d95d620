//! The newest capture of each page: whether one that comes is older, as out of archives, and what it changes.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use tantivy::index::SegmentId;
use tantivy::schema::IndexRecordOption;
use tantivy::store::StoreReader;
use tantivy::{DocId, DocSet, Index, IndexReader, ReloadPolicy, SegmentReader, TERMINATED, Term};

use crate::doc_store;
use crate::document::IndexDocument;
use crate::schema::Fields;

/// The name of the field with the date.
const DATE: &str = "fetched_at";
/// Blocks of each store that are kept unpacked: pages that come again mostly come in an order of their own.
const CACHED_BLOCKS: usize = 4;

/// The captures in the index and those that wait for the next commit.
#[derive(Default)]
pub(crate) struct CaptureTimes {
    /// What was written since the last commit, by key, but for comments; none for what was removed.
    pending: HashMap<String, Option<Box<IndexDocument>>>,
    /// None was fetched later; none before the index was looked into.
    latest: Option<i64>,
    reader: Option<IndexReader>,
    /// The stored documents of segments that were asked for since `reader` read.
    stores: HashMap<SegmentId, StoreReader>,
    /// Whether there was a commit since `reader` read.
    is_stale: bool,
}

impl CaptureTimes {
    /// Whether the index has a capture of the page that is later than `fetched_at`.
    pub fn is_after(&mut self, index: &Index, fields: &Fields, key: &str, fetched_at: i64) -> tantivy::Result<bool> {
        Ok(fetched_at < self.latest(index)? && self.known(index, fields, key)? > Some(fetched_at))
    }

    /// The capture of the page that is in the index or waits for the commit, without comments.
    pub fn newest(&mut self, index: &Index, fields: &Fields, key: &str) -> tantivy::Result<Option<IndexDocument>> {
        if let Some(document) = self.pending.get(key) {
            return Ok(document.as_deref().cloned());
        }
        let term = fields.key_term(key);
        let searcher = self.reader(index)?.searcher();
        for segment in searcher.segment_readers() {
            if let Some(doc) = alive(segment, &term)? {
                let store = match self.stores.entry(segment.segment_id()) {
                    Entry::Occupied(open) => open.into_mut(),
                    Entry::Vacant(place) => place.insert(segment.get_store_reader(CACHED_BLOCKS)?),
                };
                let stored = doc_store::read(store, doc)?;
                return Ok(Some(IndexDocument { comments: Vec::new(), ..fields.decode(&stored) }));
            }
        }
        Ok(None)
    }

    /// The page was written, as in `document`, or removed.
    pub fn note(&mut self, key: &str, document: Option<IndexDocument>) {
        let fetched_at = document.as_ref().map_or(i64::MIN, |document| document.fetched_at);
        self.latest = self.latest.map(|latest| latest.max(fetched_at));
        self.pending.insert(key.to_owned(), document.map(Box::new));
    }

    /// All that was noted is in the index now.
    pub fn committed(&mut self) {
        self.pending.clear();
        self.is_stale = true;
    }

    fn latest(&mut self, index: &Index) -> tantivy::Result<i64> {
        if let Some(latest) = self.latest {
            return Ok(latest);
        }
        let latest = self.pending.values().flatten().map(|document| document.fetched_at).max();
        let mut latest = latest.unwrap_or(i64::MIN);
        for segment in self.reader(index)?.searcher().segment_readers() {
            if segment.num_docs() > 0 {
                latest = latest.max(segment.fast_fields().i64(DATE)?.max_value());
            }
        }
        self.latest = Some(latest);
        Ok(latest)
    }

    /// The date of the capture that is there.
    fn known(&mut self, index: &Index, fields: &Fields, key: &str) -> tantivy::Result<Option<i64>> {
        if let Some(document) = self.pending.get(key) {
            return Ok(document.as_ref().map(|document| document.fetched_at));
        }
        let term = fields.key_term(key);
        for segment in self.reader(index)?.searcher().segment_readers() {
            if let Some(doc) = alive(segment, &term)? {
                return Ok(segment.fast_fields().i64(DATE)?.first(doc));
            }
        }
        Ok(None)
    }

    fn reader(&mut self, index: &Index) -> tantivy::Result<&IndexReader> {
        if std::mem::take(&mut self.is_stale)
            && let Some(reader) = &self.reader
        {
            reader.reload()?;
            self.stores.clear();
        }
        match &mut self.reader {
            Some(reader) => Ok(reader),
            none => {
                let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
                Ok(none.insert(reader))
            }
        }
    }
}

/// The document of a segment that has the term.
fn alive(segment: &SegmentReader, term: &Term) -> tantivy::Result<Option<DocId>> {
    let Some(mut postings) = segment.inverted_index(term.field())?.read_postings(term, IndexRecordOption::Basic)?
    else {
        return Ok(None);
    };
    while postings.doc() != TERMINATED {
        if !segment.is_deleted(postings.doc()) {
            return Ok(Some(postings.doc()));
        }
        postings.advance();
    }
    Ok(None)
}
