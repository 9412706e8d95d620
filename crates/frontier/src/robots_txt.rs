//! robots.txt as the frontier handles it: an order of its own before a host's first page, its rules, its sitemaps.

use std::sync::Arc;

use gristmill_robots::{MAX_ROBOTS_BYTES, RobotsTxt};
use gristmill_urls::{CanonicalUrl, ScopeRule, join};

use crate::config::millis;
use crate::delayed_entry::DelayedEntry;
use crate::error::FrontierError;
use crate::failure::FailureKind;
use crate::frontier::Frontier;
use crate::host_queues::HostId;
use crate::host_record::{HostTask, HostTaskState, RobotsState};
use crate::message::{FetchOutcome, FetchResult, OutcomeEffect, Outlink};
use crate::order_lease::OrderLease;
use gristmill_terms::{FetchKind, LinkSource};

/// Longest time in milliseconds that an answer counts beyond `robots.refresh` because no order was given by it: a day, which
/// RFC 9309 §2.4 allows for any.
const MAX_UNUSED: u64 = 24 * 3_600_000;

/// Where a sitemap is looked for that robots.txt does not name, one after the other.
const GUESSED_SITEMAPS: [&str; 3] = ["/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml"];

/// Pages of a domain after which its sitemap is guessed, in a crawl without bounds: there most domains are asked for a page or two, and three
/// guesses in vain cost more than these.
const GUESS_AFTER: u32 = 4;

/// Whether a URL may be ordered.
pub(crate) enum Permission {
    Allowed,
    Disallowed,
    /// robots.txt is unknown or too old.
    AskFirst,
    /// robots.txt cannot be had.
    Unavailable,
}

impl Frontier {
    /// Whether `url` of `host` may be ordered, and about how many bytes were compared to tell.
    pub(crate) fn permission(
        &mut self,
        host: HostId,
        url: &CanonicalUrl,
        now: u64,
    ) -> Result<(Permission, usize), FrontierError> {
        if !self.config.robots.enabled {
            return Ok((Permission::Allowed, 0));
        }
        let host_state = &self.places.hosts[&host];
        // The site's pause lies between an answer and the first page. Were the answer too old by then, robots.txt would be
        // fetched for ever and no page.
        let unused = host_state.unused_robots.is_some_and(|asked| now < asked.saturating_add(MAX_UNUSED));
        // No answer counts for longer than the settings say, whatever time is stored.
        let longest = self.config.robots.refresh.max(self.config.robots.unavailable_for);
        let counts = |until: u64| until > now && until <= now.saturating_add(millis(longest));
        match host_state.record.robots {
            RobotsState::Unavailable { until, .. } if counts(until) || unused => Ok((Permission::Unavailable, 0)),
            RobotsState::Known { valid_until, .. } if counts(valid_until) || unused => {
                let rules = self.rules_of(host)?;
                let verdict = rules.allows(url.path_and_query());
                let permission = if verdict.allowed { Permission::Allowed } else { Permission::Disallowed };
                Ok((permission, verdict.work))
            }
            _ => Ok((Permission::AskFirst, 0)),
        }
    }

    /// The host's rules, parsed at most once while they stay in the cache.
    pub(crate) fn rules_of(&mut self, host: HostId) -> Result<Arc<RobotsTxt>, FrontierError> {
        if let Some(rules) = self.rules.get(&host) {
            return Ok(Arc::clone(rules));
        }
        let origin = &self.places.hosts[&host].origin;
        let agent = self.config.robots.agent.as_str();
        let stored = self.store.robots.get(origin.as_bytes(), |body| Some(RobotsTxt::parse(body, agent)))?;
        let rules = Arc::new(stored.unwrap_or_else(RobotsTxt::allow_all));
        self.rules.insert(host, Arc::clone(&rules), rules.size());
        Ok(rules)
    }

    /// Lets the host's pages wait until its robots.txt is known.
    pub(crate) fn request_robots(&mut self, host: HostId, url: &CanonicalUrl) -> Result<(), FrontierError> {
        self.queue_task(host, FetchKind::Robots, format!("{}/robots.txt", url.origin()), 0, 0)
    }

    pub(crate) fn queue_task(
        &mut self,
        host: HostId,
        kind: FetchKind,
        url: String,
        hops: u8,
        attempt: u16,
    ) -> Result<(), FrontierError> {
        let sequence = self.next_sequence();
        let task = HostTask { kind, url: url.clone(), hops, attempt, place: HostTaskState::Queued(sequence) };
        self.places.host_mut(host).record.task = Some(task);
        self.push_task_head(host, &url, sequence)?;
        self.places.sync_head(host, &self.store, &self.meta.ips)
    }

    /// Applies the outcome of an order for a file in which `origin` states its wishes.
    ///
    /// After a crash the order that followed from it may have been adopted before the outcome is read again: what the answer says is
    /// learnt then, too, and the later order stays.
    pub(crate) fn task_outcome(
        &mut self,
        origin: &str,
        lease: &OrderLease,
        outcome: &FetchOutcome,
    ) -> Result<OutcomeEffect, FrontierError> {
        let url = self.stored_url(origin)?;
        let host = self.places.host(&url, &mut self.store, &mut self.meta)?;
        let Some(current) = self.places.host_mut(host).record.task.clone() else { return Ok(OutcomeEffect::Stale) };
        let place = HostTaskState::Leased(outcome.order_id);
        if current.place == place {
            return self.apply_task(host, &url, &current, outcome);
        }
        // Where the same file was asked for again, that answer decides.
        if !matches!(current.place, HostTaskState::Leased(_)) || current.kind == lease.kind {
            return Ok(OutcomeEffect::Stale);
        }
        // Another one was asked for once this one was done with, and not to be tried any more.
        let (kind, hops, attempt) = (lease.kind, u8::MAX, u16::MAX);
        let earlier = HostTask { kind, url: lease.url.clone(), hops, attempt, place };
        let effect = self.apply_task(host, &url, &earlier, outcome)?;
        self.withdraw_task(host)?;
        self.places.host_mut(host).record.task = Some(current);
        self.places.sync_head(host, &self.store, &self.meta.ips)?;
        Ok(effect)
    }

    fn apply_task(
        &mut self,
        host: HostId,
        url: &CanonicalUrl,
        task: &HostTask,
        outcome: &FetchOutcome,
    ) -> Result<OutcomeEffect, FrontierError> {
        match task.kind {
            FetchKind::Tdm => self.tdm_outcome(host, url, task, outcome),
            _ => self.robots_outcome(host, url, task, outcome),
        }
    }

    /// Applies the outcome of a robots.txt order (RFC 9309 §2.3.1).
    ///
    /// A redirect is followed by an order of its own; 4xx other than 429 means that there are no rules; what else fails is
    /// tried again, and at last keeps the old rules if there are some, or everything out.
    fn robots_outcome(
        &mut self,
        host: HostId,
        url: &CanonicalUrl,
        task: &HostTask,
        outcome: &FetchOutcome,
    ) -> Result<OutcomeEffect, FrontierError> {
        match &outcome.result {
            FetchResult::Ok => self.learn_robots(host, url, outcome.robots_body.as_deref()),
            FetchResult::NotModified => self.learn_robots(host, url, None),
            FetchResult::Redirect(target) => match self.task_target(task, target.as_deref())? {
                Some(target) => {
                    self.queue_task(host, FetchKind::Robots, target, task.hops + 1, 0)?;
                    Ok(OutcomeEffect::Retry)
                }
                // Beyond the limit, or nowhere to go: as if there were no file.
                None => self.learn_robots(host, url, None),
            },
            FetchResult::Failed(kind) if kind.is_no_file() => self.learn_robots(host, url, None),
            FetchResult::Failed(kind) => self.retry_robots(host, task, *kind, outcome),
        }
    }

    fn learn_robots(
        &mut self,
        host: HostId,
        url: &CanonicalUrl,
        body: Option<&[u8]>,
    ) -> Result<OutcomeEffect, FrontierError> {
        let key = url.origin().as_bytes().to_vec();
        match body {
            Some(body) => self.store.robots.put(key, body[..body.len().min(MAX_ROBOTS_BYTES)].to_vec()),
            None => self.store.robots.delete(key),
        }
        self.rules.remove(&host);
        let rules = self.rules_of(host)?;
        let now = self.clock.now;
        let valid_until = now.saturating_add(millis(self.config.robots.refresh));
        let host_state = self.places.host_mut(host);
        host_state.unused_robots = Some(now);
        let record = &mut host_state.record;
        record.crawl_delay = rules.crawl_delay().map_or(0, millis);
        record.robots = RobotsState::Known { fetched_at: now, valid_until };
        record.task = None;
        self.places.sync_head(host, &self.store, &self.meta.ips)?;
        self.request_tdm(host, url.origin(), &rules)?;
        self.offer_sitemaps(url, &rules)?;
        Ok(OutcomeEffect::Final)
    }

    fn offer_sitemaps(&mut self, url: &CanonicalUrl, rules: &RobotsTxt) -> Result<(), FrontierError> {
        let robots = &self.config.robots;
        let base = url.to_url();
        let take = if robots.sitemaps { robots.max_sitemaps } else { 0 };
        let targets: Vec<String> = rules
            .sitemaps()
            .iter()
            .take(take)
            .filter_map(|sitemap| Some(join(sitemap, Some(&base)).ok()?.to_string()))
            .collect();
        for target in targets {
            self.learn(&sitemap(&target), url.as_str())?;
        }
        let is_worth_it = self.scope.config().rule != ScopeRule::Any || self.pages_asked(url)? >= GUESS_AFTER;
        if rules.sitemaps().is_empty() && is_worth_it { self.guess_sitemap(url) } else { Ok(()) }
    }

    /// Whether the robots.txt of its host names the sitemap at `url`.
    ///
    /// # Errors
    /// Those of the store.
    pub fn names_sitemap(&mut self, url: &CanonicalUrl) -> Result<bool, FrontierError> {
        let host = self.places.host(url, &mut self.store, &mut self.meta)?;
        let rules = self.rules_of(host)?;
        let base = url.to_url();
        let is_own = |named: &String| CanonicalUrl::parse(named, Some(&base)).is_ok_and(|named| named == *url);
        Ok(rules.sitemaps().iter().any(is_own))
    }

    /// Looks for the sitemap of the host of `url` where most have one.
    fn guess_sitemap(&mut self, url: &CanonicalUrl) -> Result<(), FrontierError> {
        if !self.config.robots.guess_sitemap {
            return Ok(());
        }
        self.learn(&sitemap(&format!("{}{}", url.origin(), GUESSED_SITEMAPS[0])), url.as_str()).map(drop)
    }

    /// Takes in that the page at `url` was asked for: in a crawl without bounds it may be time to look for the sitemap of its host.
    pub(crate) fn guess_sitemap_later(&mut self, url: &CanonicalUrl) -> Result<(), FrontierError> {
        let is_deferred = self.config.robots.enabled && self.scope.config().rule == ScopeRule::Any;
        if !is_deferred || self.pages_asked(url)? != GUESS_AFTER {
            return Ok(());
        }
        let host = self.places.host(url, &mut self.store, &mut self.meta)?;
        if self.rules_of(host)?.sitemaps().is_empty() { self.guess_sitemap(url) } else { Ok(()) }
    }

    /// Pages of its domain that were asked for.
    fn pages_asked(&mut self, url: &CanonicalUrl) -> Result<u32, FrontierError> {
        let domain = self.places.domain(url.registrable_domain(), &mut self.store, &mut self.meta)?;
        Ok(self.places.domains[&domain].record.budget.n_asked())
    }

    /// Where the sitemap at `url` was guessed and is not, the next guess is made.
    pub(crate) fn guess_next_sitemap(&mut self, url: &CanonicalUrl) -> Result<(), FrontierError> {
        let guessed = GUESSED_SITEMAPS.iter().position(|path| *path == url.path_and_query());
        let Some(next) = guessed.and_then(|at| GUESSED_SITEMAPS.get(at + 1)) else { return Ok(()) };
        let host = self.places.host(url, &mut self.store, &mut self.meta)?;
        if !self.config.robots.guess_sitemap || !self.rules_of(host)?.sitemaps().is_empty() {
            return Ok(());
        }
        let target = format!("{}{next}", url.origin());
        self.take_in(&sitemap(&target), None).map(drop)
    }

    /// Where the redirect of a task leads; `None` beyond the limit, or without a usable target.
    pub(crate) fn task_target(&self, task: &HostTask, target: Option<&str>) -> Result<Option<String>, FrontierError> {
        let base = self.stored_url(&task.url)?.to_url();
        let target = target.and_then(|target| CanonicalUrl::parse(target, Some(&base)).ok());
        let followed = target.filter(|_| task.hops < self.config.robots.max_redirects);
        Ok(followed.map(|target| target.as_str().to_owned()))
    }

    fn retry_robots(
        &mut self,
        host: HostId,
        task: &HostTask,
        kind: FailureKind,
        outcome: &FetchOutcome,
    ) -> Result<OutcomeEffect, FrontierError> {
        if task.attempt < self.config.retry.limit(kind) {
            let due = self.retry_time(task.attempt, outcome);
            let origin = self.places.hosts[&host].origin.clone();
            let sequence = self.push_retry(&DelayedEntry::Robots(origin), due);
            let place = HostTaskState::Retrying(due, sequence);
            self.places.host_mut(host).record.task =
                Some(HostTask { attempt: task.attempt + 1, place, ..task.clone() });
            return Ok(OutcomeEffect::Retry);
        }
        let now = self.clock.now;
        let until = now.saturating_add(self.robots_pause());
        let refreshed_by = until.min(now.saturating_add(millis(self.config.robots.refresh)));
        let host_state = self.places.host_mut(host);
        host_state.unused_robots = Some(now);
        let record = &mut host_state.record;
        record.task = None;
        record.robots = match record.robots {
            RobotsState::Known { fetched_at, .. } => RobotsState::Known { fetched_at, valid_until: refreshed_by },
            _ => RobotsState::Unavailable { until, failure: kind },
        };
        self.places.sync_head(host, &self.store, &self.meta.ips)?;
        Ok(OutcomeEffect::Final)
    }
}

fn sitemap(url: &str) -> Outlink<'_> {
    let (kind, source) = (FetchKind::Sitemap, LinkSource::Sitemap);
    Outlink { url, kind, source, depth: 0, hops: 0, anchor_title: None }
}
