//! `POST /extract`: a page or its address in, out what `gristmill extract --format json` prints of it.
//!
//! ```text
//! head ─▶ place ─▶ body ─▶ decode (on a thread) ─▶ fetch, of an address ─▶ extract (on a thread) ─▶ JSON
//!  415     503   408, 413   400, 413, 415            403, 502, 504          415, 504
//! ```
//! Every step ends with `searcher.extract.time_limit`.

mod config;
mod request;

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use gristmill_extract::ExtractOptions;
use gristmill_fetch::{Client as Fetcher, ConfigError, FetchConfig, FetchError, SiteFetchConfig, VisitError};
use gristmill_reading::{CharsetHints, PageReader};
use gristmill_secrets::Secret;
use gristmill_urls::SitePattern;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep_until, timeout, timeout_at};
use url::Url;

use crate::api::ApiError;
use crate::client::Client;
use crate::metrics::Metrics;
use crate::places::{Bounds, RequestLimiter, RequestPermit};
pub use config::ExtractConfig;
use request::{ExtractParams, PageSource, RequestHead, SubmittedPage};

/// Extracts pages for clients. Cheap to clone.
#[derive(Clone)]
pub struct ExtractService {
    shared: Arc<Shared>,
}

struct Shared {
    config: ExtractConfig,
    reader: PageReader,
    /// There if addresses are fetched.
    client: Option<Fetcher>,
    metrics: Metrics,
    places: RequestLimiter,
    /// One permit a core: pages beyond wait as bytes, which are small, not as trees.
    cores: Arc<Semaphore>,
}

/// A request that was taken on. Place and core are given back at its end, also when a thread is still at its page: one page does not
/// keep others out.
struct Turn {
    ends: Instant,
    place: RequestPermit,
}

/// Longest wait for a place without a look whether one may be taken from who is slow.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

/// A page as its server sent it.
#[derive(Debug, Clone)]
pub struct PageCopy {
    /// The body, its content coding undone.
    pub bytes: Bytes,
    /// What its server calls it.
    pub content_type: Option<String>,
    /// Where it was found in the end.
    pub url: String,
    /// The status of the last answer.
    pub status: u16,
    /// Values of `X-Robots-Tag`.
    pub robots_tags: Vec<String>,
}

/// A page that was fetched for a client, who keeps its place until the page is read.
pub struct PageVisit {
    /// The page.
    pub page: PageCopy,
    turn: Turn,
}

/// Most bytes of a refused body that are passed over.
const PASSED_OVER: usize = 64 << 20;

/// Longest silence within it.
const QUIET: Duration = Duration::from_millis(500);

/// Reads on to the end of a body that is refused: whoever still sends when the connection closes may lose the answer.
async fn pass_over(mut body: Body) {
    let mut left = PASSED_OVER;
    while let Ok(Some(Ok(frame))) = timeout(QUIET, body.frame()).await {
        match left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) {
            Some(rest) => left = rest,
            None => return,
        }
    }
}

/// For how long a body may come before its place may go to another. An honest one is there by then.
const GRACE: Duration = Duration::from_secs(1);

impl ExtractService {
    /// Reads pages with `reader`, and fetches them as `fetch` says if `searcher.extract.fetch` allows it.
    ///
    /// # Errors
    /// A setting of `fetch` that breaks a rule.
    pub fn new(
        config: &ExtractConfig,
        reader: PageReader,
        fetch: &FetchConfig,
        metrics: Metrics,
    ) -> Result<Self, ConfigError> {
        let client = config.fetch.then(|| Fetcher::new(fetch)).transpose()?;
        let (max, max_per_client) = (config.max_requests, config.max_requests_per_client);
        let places = RequestLimiter::new(Bounds { max, max_per_client, least_wait: GRACE }, metrics.extracting.clone());
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let cores = Arc::new(Semaphore::new(cores));
        Ok(Self { shared: Arc::new(Shared { config: config.clone(), reader, client, metrics, places, cores }) })
    }

    async fn answer(&self, request: Request) -> Result<Response, ApiError> {
        let (parts, body) = request.into_parts();
        let head = RequestHead::new(&parts.headers, parts.uri)?;
        let turn = self.turn(parts.extensions.get()).await?;
        let waits = parts.headers.contains_key(header::EXPECT);
        let body = self.receive(body, waits, &turn).await?;
        turn.place.begin();
        let (source, wanted) = self.work(&turn, move |shared| head.with(&body, &shared.config)).await?;
        let page = match source {
            PageSource::Sent(page) => page,
            PageSource::At(url) => self.fetch(url, &BTreeMap::new(), &turn).await?.into(),
        };
        let ends = turn.ends;
        let json = self.work(&turn, move |shared| shared.read(&page, &wanted, ends)).await?;
        Ok(([(header::CONTENT_TYPE, "application/json")], json).into_response())
    }

    /// A place for a request from `client`, which is waited for.
    async fn turn(&self, client: Option<&Client>) -> Result<Turn, ApiError> {
        let ExtractConfig { max_requests, max_requests_per_client, time_limit, .. } = self.shared.config;
        let (begun, address) = (Instant::now(), client.map_or(IpAddr::from([0, 0, 0, 0]), |client| client.0));
        // The other half is for the page.
        let patience = time_limit / 2;
        let ticket = self.shared.places.queue(address);
        loop {
            let freed = self.shared.places.freed();
            if let Some(place) = ticket.take() {
                return Ok(Turn { ends: begun + time_limit, place });
            }
            if begun.elapsed() >= patience {
                return Err(ApiError::busy(format!(
                    "`searcher.extract.max_requests` ({max_requests}) are running, or {max_requests_per_client} of yours; try again"
                )));
            }
            _ = timeout(LOOK_AGAIN, freed).await;
        }
    }

    /// * `waits`: the client sends the body only when it is told to.
    async fn receive(&self, mut body: Body, waits: bool, turn: &Turn) -> Result<Bytes, ApiError> {
        let ExtractConfig { max_bytes: limit, body_timeout, .. } = self.shared.config;
        let too_large =
            || ApiError::too_large(format!("the body exceeds `searcher.extract.max_bytes` ({limit} bytes)"));
        if hyper::body::Body::size_hint(&body).lower() > limit as u64 {
            if !waits {
                _ = timeout(body_timeout, pass_over(body)).await;
            }
            return Err(too_large());
        }
        let slow = |message: &str| ApiError::new(StatusCode::REQUEST_TIMEOUT, "timeout", message);
        let body_ends = Instant::now() + body_timeout;
        let received = tokio::select! {
            received = Limited::new(&mut body, limit).collect() => received,
            () = turn.place.lost.cancelled() => return Err(slow("the body came slowly, and others waited for its place")),
            () = sleep_until(turn.ends) => return Err(self.late(StatusCode::REQUEST_TIMEOUT, "the body did not come")),
            () = sleep_until(body_ends) => {
                return Err(slow(&format!("the body did not come within `searcher.extract.body_timeout` ({body_timeout:?})")));
            }
        };
        match received {
            Ok(received) => Ok(received.to_bytes()),
            Err(error) if error.is::<LengthLimitError>() => {
                _ = timeout_at(body_ends, pass_over(body)).await;
                Err(too_large())
            }
            Err(error) => Err(ApiError::bad_parameter(format!("the body broke off: {error}"))),
        }
    }

    /// Fetches a page for `client`, past the address guard and by robots.txt, within the limits of `searcher.extract`.
    ///
    /// * `headers`: header fields for the host of `url` alone.
    ///
    /// # Errors
    /// No place, no page, or a page that may not be fetched.
    pub async fn visit(
        &self,
        url: Url,
        headers: &BTreeMap<String, Secret>,
        client: Option<&Client>,
    ) -> Result<PageVisit, ApiError> {
        let turn = self.turn(client).await?;
        turn.place.begin();
        Ok(PageVisit { page: self.fetch(url, headers, &turn).await?, turn })
    }

    /// A page that was fetched before, with a place to be read in.
    ///
    /// # Errors
    /// No place.
    pub async fn revisit(&self, page: PageCopy, client: Option<&Client>) -> Result<PageVisit, ApiError> {
        let turn = self.turn(client).await?;
        turn.place.begin();
        Ok(PageVisit { page, turn })
    }

    /// Reads a page that was fetched, or a part of what is known of it, on a thread of its own.
    ///
    /// # Errors
    /// Its time is over, or the reading panicked.
    pub async fn read<T: Send + 'static>(
        &self,
        visit: PageVisit,
        job: impl FnOnce(&PageReader, &PageCopy) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let PageVisit { page, turn } = visit;
        self.work(&turn, move |shared| {
            let _timer = shared.metrics.extract_duration.start_timer();
            Ok(job(&shared.reader, &page))
        })
        .await
    }

    /// How pages are read.
    pub fn reader(&self) -> &PageReader {
        &self.shared.reader
    }

    /// The client that pages are fetched with, if they are.
    pub fn fetcher(&self) -> Option<&Fetcher> {
        self.shared.client.as_ref()
    }

    async fn fetch(&self, url: Url, headers: &BTreeMap<String, Secret>, turn: &Turn) -> Result<PageCopy, ApiError> {
        let own = (!headers.is_empty()).then(|| self.with_headers(&url, headers)).transpose()?;
        let client = own.as_ref().or(self.shared.client.as_ref()).ok_or_else(|| {
            let message = "addresses are not fetched here (`searcher.extract.fetch`): send the page as `html`";
            ApiError::new(StatusCode::FORBIDDEN, "fetch_off", message)
        })?;
        let visited = timeout_at(turn.ends, client.visit_politely(url)).await;
        let response = visited.map_err(|_| self.late(StatusCode::GATEWAY_TIMEOUT, "the page did not come"))??;
        Ok(PageCopy {
            bytes: response.body.decoded,
            content_type: response.headers.content_type,
            url: response.url.into(),
            status: response.status,
            robots_tags: response.headers.x_robots_tag,
        })
    }

    /// A client that sends further fields to the host of one address.
    fn with_headers(&self, url: &Url, headers: &BTreeMap<String, Secret>) -> Result<Fetcher, ApiError> {
        let Some(client) = &self.shared.client else {
            return Err(ApiError::new(StatusCode::FORBIDDEN, "fetch_off", "addresses are not fetched here"));
        };
        let wrong = |error: String| ApiError::bad_parameter(format!("`headers`: {error}"));
        let host = url.host_str().unwrap_or_default().to_owned();
        let pattern = SitePattern::new(&[host], None).map_err(|error| wrong(error.to_string()))?;
        let site = SiteFetchConfig { headers: headers.clone(), ..SiteFetchConfig::of("headers", pattern) };
        let mut config = client.config().clone();
        config.sites.insert(0, site);
        Fetcher::new(&config).map_err(|error| wrong(error.to_string()))
    }

    /// Runs `job` on a thread that may block, when a core is free.
    async fn work<T: Send + 'static>(
        &self,
        turn: &Turn,
        job: impl FnOnce(&Shared) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let core = timeout_at(turn.ends, self.shared.cores.clone().acquire_owned()).await;
        let _core =
            core.map_err(|_| ApiError::busy("no core was free within `searcher.extract.time_limit`; try again"))?;
        let shared = self.shared.clone();
        let done = tokio::task::spawn_blocking(move || job(&shared));
        let done = timeout_at(turn.ends, done).await;
        done.map_err(|_| self.late(StatusCode::GATEWAY_TIMEOUT, "the page was not read"))?.unwrap_or_else(|error| {
            tracing::error!(%error, "extraction panicked");
            Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", "the extraction failed"))
        })
    }

    fn late(&self, status: StatusCode, what: &str) -> ApiError {
        self.shared.late(status, what)
    }
}

impl From<PageCopy> for SubmittedPage {
    fn from(page: PageCopy) -> Self {
        Self { bytes: page.bytes, content_type: page.content_type, url: Some(page.url) }
    }
}

impl Shared {
    fn late(&self, status: StatusCode, what: &str) -> ApiError {
        let limit = self.config.time_limit;
        ApiError::new(status, "timeout", format!("{what} within `searcher.extract.time_limit` ({limit:?})"))
    }

    /// All that is known of the page, as JSON. Between its passes it is given up when nobody waits for it any more.
    fn read(&self, page: &SubmittedPage, wanted: &ExtractParams, ends: Instant) -> Result<Vec<u8>, ApiError> {
        let in_time = || match Instant::now() < ends {
            true => Ok(()),
            false => Err(self.late(StatusCode::GATEWAY_TIMEOUT, "the page was not read")),
        };
        in_time()?;
        let _timer = self.metrics.extract_duration.start_timer();
        let hints = CharsetHints { content_type: page.content_type.as_deref(), url: page.url.as_deref() };
        let parsed = self.reader.open(&page.bytes, &hints).map_err(|error| ApiError::unsupported(error.to_string()))?;
        in_time()?;
        let options = self.reader.options();
        let reading = parsed.read(ExtractOptions {
            method: wanted.method.clone().unwrap_or(options.method),
            comments: wanted.comments.unwrap_or(options.comments),
            anchor_title: wanted.anchor_title.as_deref(),
            min_confidence: wanted.min_confidence,
            describe: wanted.describe,
            parts: wanted.parts,
            ..options
        });
        in_time()?;
        serde_json::to_vec(&reading.json_with(wanted.format)).map_err(|error| {
            tracing::error!(%error, "a page is no JSON");
            ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", "the extraction failed")
        })
    }
}

impl From<VisitError> for ApiError {
    fn from(error: VisitError) -> Self {
        let page_status = match &error {
            VisitError::Status { status, .. } => Some(*status),
            _ => None,
        };
        let (status, code, message) = match &error {
            // Which address a name has in this network is not for strangers.
            VisitError::Fetch(FetchError::RefusedAddress { url, class, .. }) => {
                let message = format!("`{url}` leads to {class}; `fetch.allow_private` does not allow it");
                (StatusCode::FORBIDDEN, "refused_address", message)
            }
            VisitError::Fetch(error) => (error.gateway_status(), error.verdict().as_str(), error.to_string()),
            VisitError::Disallowed { .. } => (StatusCode::FORBIDDEN, "disallowed", error.to_string()),
            _ => (StatusCode::BAD_GATEWAY, "no_page", error.to_string()),
        };
        Self { page_status, ..Self::new(status, code, message) }
    }
}

/// `POST /api/v1/extract`
pub(crate) async fn extract(State(extraction): State<Option<ExtractService>>, request: Request) -> Response {
    match extraction {
        Some(extraction) => extraction.answer(request).await.into_response(),
        None => {
            let message = "pages are not extracted here: set `searcher.extract.enabled`, or give `--extract`";
            ApiError::new(StatusCode::NOT_FOUND, "extract_off", message).into_response()
        }
    }
}

pub(crate) async fn only_post() -> ApiError {
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "only POST is answered")
}

#[cfg(test)]
mod tests {
    use gristmill_reading::OutputFormat;

    use super::*;

    #[test]
    fn a_page_that_nobody_waits_for_any_more_is_given_up() {
        let metrics = Metrics::register(&prometheus::Registry::new()).unwrap();
        let service =
            ExtractService::new(&ExtractConfig::default(), PageReader::default(), &FetchConfig::default(), metrics)
                .unwrap();
        let page = SubmittedPage { bytes: Bytes::from_static(b"<p>A mill."), content_type: None, url: None };
        let wanted = ExtractParams {
            method: None,
            format: OutputFormat::Json,
            min_confidence: None,
            anchor_title: None,
            parts: false,
            comments: None,
            describe: false,
        };
        let read = |ends| service.shared.read(&page, &wanted, ends).is_ok();
        assert!(read(Instant::now() + Duration::from_secs(60)) && !read(Instant::now()));
    }
}
