//! Which capture of a page is the newest, when captures do not come in the order of their dates, as out of archives.

use std::collections::HashMap;

use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, Index, IndexReader, ReloadPolicy, SegmentReader, TERMINATED, Term};

use crate::schema::Fields;

/// The name of the field with the date.
const DATE: &str = "fetched_at";

/// The dates of all captures in the index. A crawl that goes on costs one comparison a page: the index is looked into only for
/// captures older than the latest one in it.
#[derive(Default)]
pub(crate) struct CaptureTimes {
    /// What was written since the last commit, seconds since 1970 by key; none for what was removed.
    pending: HashMap<String, Option<i64>>,
    /// None was fetched later; none before the index was looked into.
    latest: Option<i64>,
    reader: Option<IndexReader>,
    /// Whether there was a commit since `reader` read.
    is_stale: bool,
}

impl CaptureTimes {
    /// Whether the index has a capture of the page that is later than `fetched_at`.
    pub fn is_after(&mut self, index: &Index, fields: &Fields, key: &str, fetched_at: i64) -> tantivy::Result<bool> {
        Ok(fetched_at < self.latest(index)? && self.known(index, fields, key)? > Some(fetched_at))
    }

    /// The page was written, as of that time, or removed.
    pub fn note(&mut self, key: &str, fetched_at: Option<i64>) {
        self.latest = self.latest.map(|latest| latest.max(fetched_at.unwrap_or(i64::MIN)));
        self.pending.insert(key.to_owned(), fetched_at);
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
        let mut latest = self.pending.values().copied().flatten().max().unwrap_or(i64::MIN);
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
        if let Some(date) = self.pending.get(key) {
            return Ok(*date);
        }
        let term = fields.key_term(key);
        for segment in self.reader(index)?.searcher().segment_readers() {
            if let Some(date) = date_in(segment, &term)? {
                return Ok(Some(date));
            }
        }
        Ok(None)
    }

    fn reader(&mut self, index: &Index) -> tantivy::Result<&IndexReader> {
        if std::mem::take(&mut self.is_stale)
            && let Some(reader) = &self.reader
        {
            reader.reload()?;
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

fn date_in(segment: &SegmentReader, term: &Term) -> tantivy::Result<Option<i64>> {
    let Some(mut postings) = segment.inverted_index(term.field())?.read_postings(term, IndexRecordOption::Basic)?
    else {
        return Ok(None);
    };
    while postings.doc() != TERMINATED {
        if !segment.is_deleted(postings.doc()) {
            return Ok(segment.fast_fields().i64(DATE)?.first(postings.doc()));
        }
        postings.advance();
    }
    Ok(None)
}
