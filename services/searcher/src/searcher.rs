//! The searcher itself: an index that may not exist yet, searched off the network's threads.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gristmill_index::{DocumentKind, Duplicate, IndexDocument, IndexError, IndexReader, SearchQuery, SearchResults};
use tokio::sync::Semaphore;

use crate::config::SearcherConfig;
use crate::metrics::Metrics;
use crate::status::{self, CrawlStatusFile};

/// Pause between two looks for new commits.
const RELOAD_EVERY: Duration = Duration::from_secs(1);
/// Near-duplicates told of one document.
const MAX_DUPLICATES: usize = 20;

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// All of `searcher.max_searches` are running, and went on doing so.
    #[error("too many searches are running; try again")]
    Busy,
    /// The index is damaged.
    #[error("the index is damaged; `gristmill check` names the files, `gristmill reindex` builds it anew")]
    Damaged(#[source] IndexError),
    /// The index cannot be read.
    #[error("the index cannot be read")]
    Index(#[source] IndexError),
    /// The search panicked, which is our fault.
    #[error("the search failed")]
    Failed,
}

impl From<IndexError> for SearchError {
    fn from(error: IndexError) -> Self {
        match error {
            IndexError::Damaged { .. } => Self::Damaged(error),
            other => Self::Index(other),
        }
    }
}

/// What an index has to say, or that there is none yet.
pub type Answer<T> = Result<Option<T>, SearchError>;

/// Answers questions about an index directory and the crawl that fills it. Cheap to clone.
#[derive(Clone)]
pub struct Searcher {
    shared: Arc<Shared>,
}

struct Shared {
    index_dir: PathBuf,
    status_file: PathBuf,
    config: SearcherConfig,
    metrics: Metrics,
    /// Held while the index is opened or reloaded, so that one request does it and the others wait.
    slot: Mutex<Slot>,
    permits: Arc<Semaphore>,
}

#[derive(Default)]
struct Slot {
    reader: Option<Arc<IndexReader>>,
    looked: Option<Instant>,
}

impl Searcher {
    /// Over the index in `index_dir` and the crawl that writes `status_file`; neither needs to exist yet.
    pub fn new(
        index_dir: impl Into<PathBuf>,
        status_file: impl Into<PathBuf>,
        config: &SearcherConfig,
        metrics: Metrics,
    ) -> Self {
        let permits = Arc::new(Semaphore::new(config.max_searches.max(1)));
        let (index_dir, status_file, config) = (index_dir.into(), status_file.into(), config.clone());
        let slot = Mutex::default();
        Self { shared: Arc::new(Shared { index_dir, status_file, config, metrics, slot, permits }) }
    }

    /// Answers a query under the configured time limit.
    pub async fn search(&self, mut query: SearchQuery) -> Answer<SearchResults> {
        query.time_limit = Some(self.shared.config.time_limit);
        let timer = self.shared.metrics.search_duration.clone();
        self.ask(move |reader| {
            let results = reader.search(&query)?;
            timer.observe(results.elapsed.as_secs_f64());
            Ok(results)
        })
        .await
    }

    /// The document with this key or URL, and its near-duplicates; the inner `None` if there is none.
    pub async fn document(&self, key_or_url: String) -> Answer<Option<(IndexDocument, Vec<Duplicate>)>> {
        self.ask(move |reader| {
            let Some(document) = reader.get(&key_or_url)? else { return Ok(None) };
            let duplicates = reader.near_duplicates(&document, MAX_DUPLICATES)?;
            Ok(Some((document, duplicates)))
        })
        .await
    }

    /// Number of documents.
    pub async fn count(&self) -> Answer<u64> {
        self.ask(|reader| Ok(reader.count())).await
    }

    /// Number of documents, and whether there are products among them.
    pub async fn holdings(&self) -> Answer<(u64, bool)> {
        self.ask(|reader| Ok((reader.count(), reader.has(DocumentKind::Product)?))).await
    }

    /// Has the next question find what is committed by now, where others may miss the last second: for who was told that it is there.
    pub fn refresh(&self) {
        self.shared.slot().looked = None;
    }

    /// What the crawl last said of itself, if it can be read.
    pub async fn crawl(&self) -> Option<CrawlStatusFile> {
        status::read(&self.shared.status_file).await
    }

    pub(crate) fn config(&self) -> &SearcherConfig {
        &self.shared.config
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.shared.metrics
    }

    /// Runs a question on a thread that may block, when its turn comes.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&IndexReader) -> Result<T, IndexError> + Send + 'static,
    ) -> Answer<T> {
        let turn = self.shared.permits.clone().acquire_owned();
        let turn = tokio::time::timeout(self.shared.config.time_limit, turn).await;
        let permit = turn.map_err(|_| SearchError::Busy)?.map_err(|_| SearchError::Busy)?;
        let shared = self.shared.clone();
        let asked = tokio::task::spawn_blocking(move || {
            // Held here, not by the request: a visitor who goes away does not stop the search.
            let _permit = permit;
            shared.reader()?.map(|reader| question(&reader)).transpose()
        });
        match asked.await {
            Ok(answer) => Ok(answer?),
            Err(error) => {
                tracing::error!(%error, "search panicked");
                Err(SearchError::Failed)
            }
        }
    }
}

impl Shared {
    fn slot(&self) -> MutexGuard<'_, Slot> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The index as of a second ago at most; `None` if there is none yet.
    fn reader(&self) -> Result<Option<Arc<IndexReader>>, IndexError> {
        let mut slot = self.slot();
        if slot.looked.is_none_or(|looked| looked.elapsed() >= RELOAD_EVERY) {
            match slot.reader.as_ref().filter(|reader| reader.covers(&self.index_dir)) {
                Some(reader) => reader.reload()?,
                None => match IndexReader::open(&self.index_dir) {
                    Ok(reader) => slot.reader = Some(Arc::new(reader)),
                    Err(IndexError::Missing { .. }) => {}
                    Err(error) => return Err(error),
                },
            }
            slot.looked = Some(Instant::now());
        }
        Ok(slot.reader.clone())
    }
}
