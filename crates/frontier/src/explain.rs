//! Why a URL is where it is: everything the frontier knows of it, of its host and of its domain.

use gristmill_robots::RobotsTxt;
use gristmill_urls::{CanonicalUrl, ScopeVerdict, Trap, find_trap};
use serde::Serialize;

use crate::clock::MonotonicClock;
use crate::domain_record::DomainRecord;
use crate::error::FrontierError;
use crate::failure::FailureKind;
use crate::frontier::Frontier;
use crate::host_queues::HostQueues;
use crate::host_record::{HostRecord, RobotsState};
use crate::render::key_of;
use crate::requeue::RecordCursor;
use crate::url_record::{UrlRecord, UrlState};
use gristmill_terms::{Departure, FetchKind};

/// Everything that decides about one URL. Times are Unix milliseconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    /// Canonical.
    pub url: String,
    /// What is known of the URL; `None` when it never entered the seen set.
    pub known: Option<UrlExplanation>,
    /// What became of drawing it by a browser; `None` when nobody asked for that.
    pub render: Option<UrlExplanation>,
    /// What the scope would say to a link of this depth (1 for URLs that are not known).
    pub scope: ScopeVerdict,
    pub trap: Option<Trap>,
    /// Most links from a start URL to a page of the crawl.
    pub max_depth: Option<u16>,
    pub host: HostExplanation,
}

/// One URL of the seen set.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UrlExplanation {
    pub kind: FetchKind,
    pub state: UrlState,
    pub is_seed: bool,
    pub depth: u16,
    pub hops: u8,
    pub priority: u8,
    /// Failures since the last success.
    pub attempt: u16,
    /// The order in flight.
    pub order_id: Option<u64>,
    /// When it will be tried or visited again.
    pub due: Option<u64>,
    pub anchor_title: Option<String>,
    pub first_seen: u64,
    pub last_fetch: Option<u64>,
    /// HTTP status of the last fetch that had one.
    pub status: Option<u16>,
    pub last_failure: Option<FailureKind>,
    /// Target of the redirect that it answered with.
    pub redirect: Option<String>,
    /// The other page that it names as its canonical one.
    pub canonical: Option<String>,
    /// Why it left the corpus, if it did, and not by an answer of its own.
    pub departure: Option<Departure>,
    /// Where many addresses of its site say the same: the one that stands for them.
    pub copy_of: Option<String>,
    pub etag: Option<String>,
    pub last_modified: Option<String>,
}

/// One URL's host and registrable domain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HostExplanation {
    pub origin: String,
    pub domain: String,
    /// In words: `unknown`, `being fetched`, `known`, `unavailable (dns)`, `not asked (robots.enabled is off)`.
    pub robots: String,
    /// When robots.txt was last read.
    pub robots_fetched_at: Option<u64>,
    /// Whether robots.txt allows the URL; `None` while it is not known.
    pub allowed: Option<bool>,
    /// The line of robots.txt that decides.
    pub rule: Option<String>,
    /// Milliseconds that robots.txt asks for between requests.
    pub crawl_delay: Option<u64>,
    pub pages_known: u64,
    /// Most that one host may have, once there are so many.
    pub page_limit: Option<u32>,
    pub queued: u64,
    /// The domain is asked nothing before this time.
    pub next_allowed: u64,
    /// Whether the domain, or the whole crawl, is paused.
    pub paused: bool,
    /// Orders in flight to the domain.
    pub in_flight: Vec<u64>,
    /// Steps of back-off.
    pub backoff: u32,
    /// The domain is given up until this time.
    pub given_up_until: Option<u64>,
    pub last_ip: Option<String>,
}

impl Frontier {
    /// Everything known about `url` at `now`; changes nothing.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn explain(&self, url: &CanonicalUrl, now: u64) -> Result<Explanation, FrontierError> {
        let record = self.record(url.key())?;
        let render = self.record(key_of(FetchKind::Render, url))?;
        let (kind, depth) = record.as_ref().map_or((FetchKind::Page, 1), |record| (record.kind, record.depth));
        let year = u16::try_from(1970 + now / 31_556_952_000).ok();
        Ok(Explanation {
            url: url.as_str().to_owned(),
            scope: if kind == FetchKind::Page { self.judge_page(url, depth) } else { self.scope.judge_listing(url) },
            trap: if self.config.avoid_traps { find_trap(url, &self.config.traps, year) } else { None },
            max_depth: self.scope.config().max_depth,
            known: self.explain_page(record, url)?,
            render: render.map(|record| UrlExplanation::of(record, &self.clock)),
            host: self.explain_host(url)?,
        })
    }

    fn explain_page(
        &self,
        record: Option<UrlRecord>,
        url: &CanonicalUrl,
    ) -> Result<Option<UrlExplanation>, FrontierError> {
        let Some(record) = record else { return Ok(None) };
        let said = record.fingerprint.filter(|_| record.departure == Some(Departure::Copy));
        let copy_of = said.map(|said| self.original_of(url, said)).transpose()?.flatten();
        Ok(Some(UrlExplanation { copy_of, ..UrlExplanation::of(record, &self.clock) }))
    }

    /// All URLs of the seen set with their states, in no order; a walk over the whole store.
    pub fn seen(&self) -> impl Iterator<Item = Result<(String, FetchKind, UrlState), FrontierError>> {
        let mut from = RecordCursor::default();
        let batches = std::iter::from_fn(move || match self.next_records(&mut from) {
            Ok(batch) if batch.is_empty() => None,
            Ok(batch) => Some(batch.into_iter().map(Ok).collect()),
            Err(error) => Some(vec![Err(error)]),
        });
        batches.flatten().map(|record| record.map(|(_, record)| (record.url, record.kind, record.state)))
    }

    fn explain_host(&self, url: &CanonicalUrl) -> Result<HostExplanation, FrontierError> {
        let (origin, name) = (url.origin(), url.registrable_domain());
        let loaded = self.places.find_host(origin).map(|host| (host.record.clone(), host.n_waiting()));
        let host = match loaded {
            Some(host) => Some(host),
            None => self.store.hosts.get(origin.as_bytes(), HostRecord::decode)?.map(|record| (record, 0)),
        };
        let loaded = self.places.find_domain(name);
        let mut domain = match loaded {
            Some(domain) => domain.record.clone(),
            None => self.store.domains.get(name.as_bytes(), DomainRecord::decode)?.unwrap_or_default(),
        };
        if let Some(loaded) = loaded {
            domain.next_allowed = HostQueues::ready_at(loaded, &self.meta.ips);
        }
        let record = host.as_ref().map(|(record, _)| record);
        let (robots, robots_fetched_at) = self.explain_robots(record);
        let (mut allowed, mut rule) = (None, None);
        if robots_fetched_at.is_some() {
            let agent = self.config.robots.agent.as_str();
            let rules = self.store.robots.get(origin.as_bytes(), |body| Some(RobotsTxt::parse(body, agent)))?;
            let rules = rules.unwrap_or_else(RobotsTxt::allow_all);
            let verdict = rules.allows(url.path_and_query());
            (allowed, rule) = (Some(verdict.allowed), verdict.rule.map(str::to_owned));
        }
        Ok(HostExplanation {
            origin: origin.to_owned(),
            domain: name.to_owned(),
            robots,
            robots_fetched_at: robots_fetched_at.map(|time| self.clock.callers(time)),
            allowed,
            rule,
            crawl_delay: record.map(|record| record.crawl_delay).filter(|&delay| delay > 0),
            pages_known: record.map_or(0, |record| record.n_pages),
            page_limit: self
                .config
                .max_pages_per_host
                .filter(|&limit| record.is_some_and(|record| record.n_pages >= u64::from(limit))),
            queued: host.as_ref().map_or(0, |(_, queued)| *queued),
            next_allowed: self.clock.callers(domain.next_allowed),
            paused: loaded.is_some_and(|domain| self.places.is_paused(domain)),
            in_flight: loaded.map(|domain| domain.in_flight.clone()).unwrap_or_default(),
            backoff: domain.backoff,
            given_up_until: Some(domain.given_up_until)
                .filter(|&until| until > 0)
                .map(|until| self.clock.callers(until)),
            last_ip: domain.last_ip,
        })
    }

    fn explain_robots(&self, record: Option<&HostRecord>) -> (String, Option<u64>) {
        if !self.config.robots.enabled {
            return ("not asked (robots.enabled is off)".to_owned(), None);
        }
        let Some(record) = record else { return ("unknown".to_owned(), None) };
        match record.robots {
            RobotsState::Known { fetched_at, .. } => ("known".to_owned(), Some(fetched_at)),
            RobotsState::Unavailable { failure, .. } => (format!("unavailable ({failure})"), None),
            RobotsState::Unknown if record.task.is_some() => ("being fetched".to_owned(), None),
            RobotsState::Unknown => ("unknown".to_owned(), None),
        }
    }
}

impl UrlExplanation {
    fn of(record: UrlRecord, clock: &MonotonicClock) -> Self {
        Self {
            order_id: (record.state == UrlState::Leased).then_some(record.place),
            due: Some(record.due).filter(|&due| due > 0).map(|due| clock.callers(due)),
            last_fetch: Some(record.last_fetch).filter(|&time| time > 0).map(|time| clock.callers(time)),
            status: Some(record.status).filter(|&status| status > 0),
            kind: record.kind,
            state: record.state,
            is_seed: record.is_seed && record.depth == 0,
            depth: record.depth,
            hops: record.hops,
            priority: record.priority,
            attempt: record.attempt,
            anchor_title: record.anchor_title,
            first_seen: clock.callers(record.first_seen),
            last_failure: record.last_failure,
            redirect: record.redirect,
            canonical: record.canonical,
            departure: record.departure,
            copy_of: None,
            etag: record.etag,
            last_modified: record.last_modified,
        }
    }
}
