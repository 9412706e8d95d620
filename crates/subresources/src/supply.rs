//! Answers to what the browser asks: from the cache, or fetched under the rules.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use async_trait::async_trait;
use gristmill_browser::{LoadRefusal, LoadedResource, ResourceKind, ResourceLoader, ResourceRequest, ResourceResponse};
use gristmill_fetch::{Client, Exchange, FetchConfig, Recorder, Request, Response};
use gristmill_urls::registrable_domain;
use url::{Host, Url};

use crate::budget::HostRateLimiter;
use crate::cache::ResourceCache;
use crate::config::{SubresourcesConfig, SubresourcesError};
use crate::rules::{RobotsCache, told};

/// Fetches for all browsers of a process. Cheap to clone.
#[derive(Clone)]
pub struct Subresources {
    shared: Arc<Shared>,
}

struct Shared {
    config: SubresourcesConfig,
    /// Dials public addresses only.
    guarded: Client,
    /// Dials what `fetch.allow_private` allows; only for what belongs to the page itself.
    trusted: Client,
    /// Hosts whose addresses the operator has written down.
    named: Vec<String>,
    rules: RobotsCache,
    /// Held only to look or to change, never across a wait.
    cache: Mutex<ResourceCache>,
    minutes: Mutex<HostRateLimiter>,
    tally: Counters,
}

#[derive(Default)]
struct Counters {
    fetched: AtomicU64,
    cached: AtomicU64,
    refused: AtomicU64,
    bytes: AtomicU64,
}

/// What was done since the start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SubresourceStats {
    /// Answers of servers.
    pub fetched: u64,
    /// Answers from the cache.
    pub cached: u64,
    /// Requests that were refused or failed.
    pub refused: u64,
    /// Bytes that came over the wire.
    pub bytes: u64,
}

impl Subresources {
    /// Makes the clients; opens no connection.
    ///
    /// # Errors
    /// [`SubresourcesError`] when a setting breaks a rule.
    pub fn new(config: &SubresourcesConfig, fetch: &FetchConfig) -> Result<Subresources, SubresourcesError> {
        config.validate()?;
        let trusted = config.client(fetch);
        let guarded = Client::new(&FetchConfig { allow_private: false, ..trusted.clone() })?;
        // With the guard on for all there is no difference.
        let trusted = if fetch.allow_private { Client::new(&trusted)? } else { guarded.clone() };
        Ok(Subresources {
            shared: Arc::new(Shared {
                guarded,
                trusted,
                named: fetch.resolve.keys().map(|host| host.trim_end_matches('.').to_ascii_lowercase()).collect(),
                rules: RobotsCache::new(config.robots_for),
                cache: Mutex::new(ResourceCache::new(config.cache_bytes, config.cache_for)),
                minutes: Mutex::new(HostRateLimiter::new(config.per_minute)),
                tally: Counters::default(),
                config: config.clone(),
            }),
        })
    }

    /// The supply of one page.
    pub fn of_page(&self, page: &Url) -> PageResourceLoader {
        PageResourceLoader {
            shared: Arc::clone(&self.shared),
            page: page.clone(),
            records: false,
            exchanges: Mutex::default(),
            by_host: Mutex::default(),
            denied: AtomicU32::new(0),
        }
    }

    /// What was done since the start, for metrics.
    pub fn tally(&self) -> SubresourceStats {
        let Counters { fetched, cached, refused, bytes } = &self.shared.tally;
        let [fetched, cached, refused, bytes] =
            [fetched, cached, refused, bytes].map(|counter| counter.load(Ordering::Relaxed));
        SubresourceStats { fetched, cached, refused, bytes }
    }
}

/// Answers what one page asks for.
pub struct PageResourceLoader {
    shared: Arc<Shared>,
    page: Url,
    by_host: Mutex<HashMap<String, u32>>,
    denied: AtomicU32,
    /// Whether it keeps what went over the wire.
    records: bool,
    exchanges: Mutex<Vec<(ResourceRequest, Exchange)>>,
}

#[async_trait]
impl ResourceLoader for PageResourceLoader {
    async fn answer(&self, request: ResourceRequest) -> ResourceResponse {
        let tally = &self.shared.tally;
        match self.find(&request).await {
            Ok(content) => ResourceResponse::Found(content),
            Err(reason) => {
                tally.refused.fetch_add(1, Ordering::Relaxed);
                ResourceResponse::Refused(LoadRefusal::new(reason))
            }
        }
    }
}

impl PageResourceLoader {
    /// The same, and it keeps what goes over the wire: as much as the page may be answered.
    #[must_use]
    pub fn recorded(self, records: bool) -> Self {
        PageResourceLoader { records, ..self }
    }

    /// What went over the wire, if that was to be kept, in the order of the answers. What came from the cache is not among it.
    pub fn exchanges(&self) -> Vec<(ResourceRequest, Exchange)> {
        std::mem::take(&mut self.exchanges.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Answers of servers that would not, or not now: 401, 403, 429 and 503.
    pub fn denied(&self) -> u32 {
        self.denied.load(Ordering::Relaxed)
    }

    /// The answer, or why there is none.
    async fn find(&self, request: &ResourceRequest) -> Result<LoadedResource, String> {
        let shared = &*self.shared;
        let url = Url::parse(&request.url).map_err(|error| error.to_string())?;
        let host = url.host_str().unwrap_or("").to_owned();
        self.count(&host)?;
        let client = if self.is_trusted(&url) { &shared.trusted } else { &shared.guarded };
        if let Some(reason) = shared.rules.forbid(client, &url).await {
            return Err(reason);
        }
        // Logins and fields of a site are for its own pages, and so are the answers to them.
        let credentials = site_of(&url) == site_of(&self.page);
        let is_private = credentials && client.has_own_fields(&url);
        let may_be_kept = matches!(request.kind, ResourceKind::Script | ResourceKind::Style) && !is_private;
        if let Some(content) = self.cached(&request.url).filter(|_| may_be_kept) {
            shared.tally.cached.fetch_add(1, Ordering::Relaxed);
            return Ok(content);
        }
        if !shared.minutes.lock().unwrap_or_else(PoisonError::into_inner).take(&host, Instant::now()) {
            return Err("its host was asked more often than `subresources.per_minute`".to_owned());
        }
        let recorder = Recorder::new(self.records);
        let response = client
            .fetch_recorded(&Request { credentials, ..Request::page(url) }, &recorder)
            .await
            .map_err(|error| told(&error))?;
        if let Some(exchange) = recorder.take() {
            self.exchanges.lock().unwrap_or_else(PoisonError::into_inner).push((request.clone(), exchange));
        }
        shared.tally.fetched.fetch_add(1, Ordering::Relaxed);
        shared.tally.bytes.fetch_add(response.wire_bytes, Ordering::Relaxed);
        if matches!(response.status, 401 | 403 | 429 | 503) {
            self.denied.fetch_add(1, Ordering::Relaxed);
        }
        let content = content_of(response);
        if may_be_kept && content.status == 200 {
            let mut cache = shared.cache.lock().unwrap_or_else(PoisonError::into_inner);
            cache.put(&request.url, &content, Instant::now());
        }
        Ok(content)
    }

    fn cached(&self, url: &str) -> Option<LoadedResource> {
        self.shared.cache.lock().unwrap_or_else(PoisonError::into_inner).get(url, Instant::now())
    }

    /// Counts a request of this page to a host.
    fn count(&self, host: &str) -> Result<(), String> {
        let mut by_host = self.by_host.lock().unwrap_or_else(PoisonError::into_inner);
        let n = by_host.entry(host.to_owned()).or_default();
        *n += 1;
        if *n <= self.shared.config.max_per_host {
            return Ok(());
        }
        Err(format!("the page asked its host more than {} times", self.shared.config.max_per_host))
    }

    /// Whether a private address is allowed for `url` if it is for pages: at the page's own host and port, and at hosts that the operator
    /// named. What other names of its site lead to is for the site to say, so a page of the public web that is drawn with
    /// `fetch.allow_private` reaches no other machine by them, and no other service of its own.
    fn is_trusted(&self, url: &Url) -> bool {
        match url.host() {
            Some(Host::Domain(host)) if self.shared.named.iter().any(|named| named == host) => true,
            host => host == self.page.host() && self.page.port_or_known_default() == url.port_or_known_default(),
        }
    }
}

fn site_of(url: &Url) -> Option<&str> {
    url.host_str().map(registrable_domain)
}

fn content_of(response: Response) -> LoadedResource {
    let fields = [("content-type", response.headers.content_type), ("location", response.headers.location)];
    LoadedResource {
        status: response.status,
        headers: fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect(),
        body: response.body.decoded,
    }
}
