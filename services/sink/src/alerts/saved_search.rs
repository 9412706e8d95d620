//! Whether a page that changed is one that a search finds, once the index has it.

use std::path::{Path, PathBuf};

use gristmill_index::{IndexError, IndexReader, SearchQuery};
use gristmill_proto::{Change, topics};

/// A search over an index that another part of the crawl writes. Blocks.
pub(crate) struct SavedSearch {
    dir: PathBuf,
    text: String,
    reader: Option<IndexReader>,
}

impl SavedSearch {
    /// The search for `text` in the index in `dir`, which need not be there yet.
    pub(crate) fn new(dir: &Path, text: &str) -> Self {
        Self { dir: dir.to_owned(), text: text.to_owned(), reader: None }
    }

    /// Whether the search finds the page; none before the index has committed the document, which stands in this partition.
    ///
    /// # Errors
    /// The index cannot be read.
    pub(crate) fn finds(&mut self, change: &Change, partition: u32, now: i64) -> Result<Option<bool>, IndexError> {
        if !self.reader.as_ref().is_some_and(|reader| reader.covers(&self.dir)) {
            self.reader = match IndexReader::open(&self.dir) {
                Ok(reader) => Some(reader),
                Err(IndexError::Missing { .. }) => return Ok(None),
                Err(error) => return Err(error),
            };
        }
        let Some(reader) = &self.reader else { return Ok(None) };
        let committed = reader.positions()?.get(&(topics::DOCUMENTS.to_owned(), partition)).copied();
        if committed.is_none_or(|committed| committed <= change.position) {
            return Ok(None);
        }
        reader.reload()?;
        let query = SearchQuery { text: self.text.clone(), now: Some(now), ..SearchQuery::default() };
        reader.finds(&query, &change.key).map(Some)
    }
}
