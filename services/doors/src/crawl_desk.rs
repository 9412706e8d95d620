//! Crawls of clients: so many at once, of so many pages, for so long.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::backend::{CrawlOrder, CrawlProgress, DoorBackend};
use crate::config::DoorsConfig;

/// Takes orders for crawls, and refuses what is too many.
pub(crate) struct CrawlDesk {
    places: Arc<Semaphore>,
    backend: Arc<dyn DoorBackend>,
    max_crawls: usize,
    max_pages: u64,
    time_limit: Duration,
}

/// A crawl that was begun. It goes on when this is dropped.
pub(crate) struct RunningCrawl {
    pub progress: watch::Receiver<CrawlProgress>,
    pub stop: CancellationToken,
    pub end: JoinHandle<anyhow::Result<()>>,
}

impl CrawlDesk {
    pub(crate) fn new(config: &DoorsConfig, backend: Arc<dyn DoorBackend>) -> Self {
        let &DoorsConfig { max_crawls, max_pages, time_limit, .. } = config;
        Self { places: Arc::new(Semaphore::new(max_crawls)), backend, max_crawls, max_pages, time_limit }
    }

    /// As many pages as were asked for, within the limit.
    pub(crate) fn pages(&self, wanted: u64) -> u64 {
        wanted.clamp(1, self.max_pages)
    }

    /// Begins a crawl, of at most [`Self::pages`].
    ///
    /// # Errors
    /// All places are taken: a sentence that names the limit.
    pub(crate) fn begin(&self, order: CrawlOrder) -> Result<RunningCrawl, String> {
        let place = self.places.clone().try_acquire_owned().map_err(|_| {
            let running = self.max_crawls;
            format!(
                "{running} crawls are running, which is the limit (`doors.max_crawls`); try again when one has ended"
            )
        })?;
        let order = CrawlOrder { max_pages: self.pages(order.max_pages), ..order };
        let (teller, progress) = watch::channel(CrawlProgress::default());
        let (stop, backend, limit) = (CancellationToken::new(), self.backend.clone(), self.time_limit);
        let stopped = stop.clone();
        let end = tokio::spawn(async move {
            let _place = place;
            let mut crawl = backend.crawl(order, teller, stopped.clone());
            match tokio::time::timeout(limit, &mut crawl).await {
                Ok(ended) => ended,
                Err(_) => {
                    stopped.cancel();
                    crawl.await
                }
            }
        });
        Ok(RunningCrawl { progress, stop, end })
    }
}
