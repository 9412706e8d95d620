//! A frontier in a temporary folder with a made-up clock, and short words for its operations.

#![allow(dead_code, reason = "each test file uses its own part of this")]

use std::time::Duration;

use gristmill_frontier::{
    AdmissionResult, FailureKind, FetchKind, FetchOrder, FetchOutcome, FetchResult, Frontier, FrontierConfig,
    LinkSource, NextAction, OutcomeEffect, Outlink, Positions, UrlExplanation, UrlState, Verdict,
};
use gristmill_urls::{CanonicalUrl, ScopeConfig, ScopeRule};

pub const START: u64 = 1_795_219_200_000;

pub struct Bed {
    pub dir: tempfile::TempDir,
    pub config: FrontierConfig,
    pub frontier: Option<Frontier>,
    pub now: u64,
}

/// Robots off, scope anywhere, one second between fetches: tests turn on what they are about.
pub fn plain() -> FrontierConfig {
    let scope = Some(ScopeConfig { rule: ScopeRule::Any, ..ScopeConfig::default() });
    let mut config = FrontierConfig { scope, ..FrontierConfig::default() };
    config.robots.enabled = false;
    config.robots.guess_sitemap = false;
    config.robots.tdm = false;
    config.politeness.ip_delay = Duration::ZERO;
    // Little stays in memory, so that what is on disk is used.
    (config.recent_urls, config.merge_urls) = (16, 8);
    config
}

pub fn with_robots() -> FrontierConfig {
    let mut config = plain();
    config.robots.enabled = true;
    config
}

pub fn link(url: &str) -> Outlink<'_> {
    Outlink { url, kind: FetchKind::Page, source: LinkSource::Anchor, depth: 1, hops: 0, anchor_title: None }
}

pub fn seed(url: &str) -> Outlink<'_> {
    Outlink { source: LinkSource::Seed, depth: 0, ..link(url) }
}

pub fn answer(order: &FetchOrder, result: FetchResult, status: u16, finished_at: u64) -> FetchOutcome {
    FetchOutcome::new(order.id, result, status, finished_at)
}

impl Bed {
    pub fn new(config: FrontierConfig) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let frontier = Some(Frontier::open(dir.path(), config.clone()).unwrap());
        Self { dir, config, frontier, now: START }
    }

    pub fn frontier(&mut self) -> &mut Frontier {
        self.frontier.as_mut().unwrap()
    }

    pub fn commit(&mut self) {
        self.frontier().commit(&Positions::new()).unwrap();
    }

    /// Forgets what was not committed and opens the store again, as after a crash.
    pub fn reopen(&mut self) {
        self.frontier = None;
        self.frontier = Some(Frontier::open(self.dir.path(), self.config.clone()).unwrap());
    }

    pub fn offer(&mut self, link: &Outlink<'_>) -> AdmissionResult {
        let now = self.now;
        self.frontier().offer(link, now).unwrap()
    }

    pub fn page(&mut self, url: &str) -> AdmissionResult {
        self.offer(&link(url))
    }

    pub fn next(&mut self) -> NextAction {
        let now = self.now;
        self.frontier().next(now).unwrap()
    }

    /// The next order, which must be due now.
    pub fn order(&mut self) -> FetchOrder {
        match self.next() {
            NextAction::Order(order) => *order,
            other => panic!("expected an order at {}, got {other:?}", self.now),
        }
    }

    /// The next order, now or later; the clock is moved to when it is due.
    pub fn next_order(&mut self) -> FetchOrder {
        loop {
            match self.next() {
                NextAction::Order(order) => return *order,
                NextAction::WaitUntil(time) => self.now = time,
                other => panic!("{other:?}"),
            }
        }
    }

    /// The next order, which is not due yet, with the clock moved to when it is.
    pub fn await_order(&mut self) -> FetchOrder {
        if let NextAction::WaitUntil(time) = self.peek_wait() {
            self.now = time;
        }
        self.order()
    }

    fn peek_wait(&mut self) -> NextAction {
        match self.next() {
            NextAction::Order(order) => panic!("an order was due already: {order:?}"),
            other => other,
        }
    }

    /// Fetches what is due, with success, for so many milliseconds or until nothing more can come; answers the URLs in order.
    pub fn visits(&mut self, millis: u64) -> Vec<String> {
        let end = self.now + millis;
        let mut visits = Vec::new();
        while self.now < end {
            match self.next() {
                NextAction::Order(order) => {
                    visits.push(order.url.clone());
                    self.ok(&order);
                }
                NextAction::WaitUntil(time) => self.now = time,
                _ => break,
            }
        }
        visits
    }

    /// Ends the order 100 ms after it began; the clock moves on.
    pub fn finish(&mut self, order: &FetchOrder, result: FetchResult, status: u16) -> OutcomeEffect {
        self.now += 100;
        let outcome = answer(order, result, status, self.now);
        self.apply(&outcome)
    }

    pub fn apply(&mut self, outcome: &FetchOutcome) -> OutcomeEffect {
        let now = self.now;
        self.frontier().outcome(outcome, now).unwrap()
    }

    pub fn ok(&mut self, order: &FetchOrder) -> OutcomeEffect {
        self.finish(order, FetchResult::Ok, 200)
    }

    pub fn fail(&mut self, order: &FetchOrder, kind: FailureKind) -> OutcomeEffect {
        let status = match kind {
            FailureKind::Fetch(Verdict::Gone) => 404,
            FailureKind::Fetch(Verdict::TooManyRequests) => 429,
            FailureKind::Fetch(Verdict::Unavailable) => 503,
            FailureKind::Fetch(Verdict::ServerError) => 500,
            _ => 0,
        };
        self.finish(order, FetchResult::Failed(kind), status)
    }

    pub fn redirect(&mut self, order: &FetchOrder, target: &str) -> OutcomeEffect {
        self.finish(order, FetchResult::Redirect(Some(target.to_owned())), 301)
    }

    /// Answers a robots.txt order with this file.
    pub fn robots(&mut self, order: &FetchOrder, body: &str) -> OutcomeEffect {
        assert!(order.kind.is_wish(), "{order:?}");
        self.now += 100;
        let outcome = FetchOutcome { robots_body: Some(body.into()), ..answer(order, FetchResult::Ok, 200, self.now) };
        self.apply(&outcome)
    }

    /// What is known of a URL that was met.
    pub fn explain(&mut self, url: &str) -> UrlExplanation {
        let now = self.now;
        self.frontier().explain(&url.parse().unwrap(), now).unwrap().known.unwrap()
    }

    pub fn state(&mut self, url: &str) -> Option<UrlState> {
        let (now, url) = (self.now, url.parse::<CanonicalUrl>().unwrap());
        self.frontier().explain(&url, now).unwrap().known.map(|known| known.state)
    }
}
