//! What both doors share: the corpus, single pages, and crawls.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::http::StatusCode;
use gristmill_html::is_pdf;
use gristmill_searcher::{ApiError, Client, ExtractService, PageCopy, PageVisit, Searcher};
use gristmill_secrets::Secret;
use url::Url;

use crate::backend::{DoorBackend, DrawOrder, DrawnPage};
use crate::config::DoorsConfig;
use crate::crawl_desk::CrawlDesk;
use crate::page_cache::PageCache;
use crate::page_forms::{FormRequest, PageForms, PageInput};

/// What stands behind the doors. Cheap to clone.
#[derive(Clone)]
pub struct DoorService {
    shared: Arc<Shared>,
}

struct Shared {
    searcher: Searcher,
    pages: ExtractService,
    backend: Arc<dyn DoorBackend>,
    desk: CrawlDesk,
    cache: PageCache,
    config: DoorsConfig,
    folder: PathBuf,
}

/// A page that a client asked for.
pub(crate) struct PageOrder {
    pub url: Url,
    /// Header fields for its host.
    pub headers: BTreeMap<String, Secret>,
    /// How a browser draws it, if one is to.
    pub draw: Option<DrawOrder>,
    /// How old a page may be that was fetched before; it is always fetched anew if it is drawn or has fields of its own.
    pub max_age: Duration,
    /// Whether it is kept for those who ask later.
    pub keep: bool,
    pub forms: FormRequest,
}

/// A page as it was fetched and read.
pub(crate) struct PageAnswer {
    pub forms: PageForms,
    /// Its picture, if one was wanted.
    pub screenshot: Option<Vec<u8>>,
    /// Where it was in the end.
    pub url: String,
    pub status: u16,
    pub content_type: Option<String>,
    pub robots_tags: Vec<String>,
    /// When it was fetched, if that was before.
    pub cached: Option<SystemTime>,
}

impl DoorService {
    /// Doors to this corpus and these pages.
    ///
    /// * `pages`: must be one that fetches.
    /// * `data`: results of crawls go into its folder `crawls`.
    pub fn new(
        config: &DoorsConfig,
        searcher: Searcher,
        pages: ExtractService,
        backend: Arc<dyn DoorBackend>,
        data: &Path,
    ) -> Self {
        let desk = CrawlDesk::new(config, backend.clone());
        let (config, folder) = (config.clone(), data.join("crawls"));
        Self {
            shared: Arc::new(Shared { searcher, pages, backend, desk, cache: PageCache::default(), config, folder }),
        }
    }

    pub(crate) fn searcher(&self) -> &Searcher {
        &self.shared.searcher
    }

    pub(crate) fn pages(&self) -> &ExtractService {
        &self.shared.pages
    }

    pub(crate) fn backend(&self) -> &dyn DoorBackend {
        &*self.shared.backend
    }

    pub(crate) fn desk(&self) -> &CrawlDesk {
        &self.shared.desk
    }

    pub(crate) fn config(&self) -> &DoorsConfig {
        &self.shared.config
    }

    /// Where the results of crawls are kept.
    pub(crate) fn folder(&self) -> &Path {
        &self.shared.folder
    }

    /// Fetches a page and reads it.
    pub(crate) async fn page(&self, request: PageOrder, client: Option<&Client>) -> Result<PageAnswer, ApiError> {
        let (visit, cached) = self.visit(&request, client).await?;
        let PageOrder { draw, forms, .. } = request;
        let unsupported = |reason| ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", reason);
        if let Some(reason) = self.shared.pages.reader().no_page(&visit.page.bytes) {
            return Err(unsupported(reason));
        }
        let is_pdf = is_pdf(&visit.page.bytes);
        if is_pdf && draw.is_some_and(|draw| draw.screenshot.is_some()) {
            return Err(unsupported("a browser draws no PDF, so there is no screenshot of it".to_owned()));
        }
        let (drawn, screenshot) = match draw.filter(|_| !is_pdf) {
            Some(order) => {
                let DrawnPage { html, screenshot } = self.draw(&visit.page, order).await?;
                (Some(html), screenshot)
            }
            None => (None, None),
        };
        let PageCopy { url, status, content_type, robots_tags, .. } = visit.page.clone();
        let read = self.shared.pages.read(visit, move |reader, page| {
            let url = &page.url;
            let source = match &drawn {
                Some(html) => PageInput { bytes: html.as_bytes(), content_type: Some("text/html; charset=utf-8"), url },
                None => PageInput { bytes: &page.bytes, content_type: page.content_type.as_deref(), url },
            };
            PageForms::of(&source, &forms, reader)
        });
        let forms = read.await?.map_err(|error| unsupported(error.to_string()))?;
        Ok(PageAnswer { forms, screenshot, url, status, content_type, robots_tags, cached })
    }

    /// The page as it is, or as it was not long ago.
    async fn visit(
        &self,
        request: &PageOrder,
        client: Option<&Client>,
    ) -> Result<(PageVisit, Option<SystemTime>), ApiError> {
        let PageOrder { url, headers, draw, max_age, keep, .. } = request;
        let Shared { pages, cache, .. } = &*self.shared;
        let is_common = headers.is_empty() && draw.is_none();
        if let Some(page) = cache.get(url.as_str(), *max_age).filter(|_| is_common && !max_age.is_zero()) {
            return Ok((pages.revisit(page.copy, client).await?, Some(page.fetched)));
        }
        let visit = pages.visit(url.clone(), headers, client).await?;
        if is_common && *keep {
            cache.put(url.as_str(), visit.page.clone());
        }
        Ok((visit, None))
    }

    async fn draw(&self, page: &PageCopy, order: DrawOrder) -> Result<DrawnPage, ApiError> {
        let drawn = self.shared.backend.draw(&page.bytes, page.content_type.as_deref(), &page.url, order).await;
        drawn.map_err(|error| {
            let message = format!("a browser could not draw the page: {error:#}");
            ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "not_drawn", message)
        })
    }
}
