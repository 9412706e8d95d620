//! Giving out orders: which domain is due, what it may be asked, and what the caller waits for otherwise.

use gristmill_urls::{CanonicalUrl, ScopeVerdict, UrlKey};

use crate::config::millis;
use crate::delayed_entry::DelayedEntry;
use crate::error::FrontierError;
use crate::failure::FailureKind;
use crate::frontier::Frontier;
use crate::host_queues::HELD_BACK;
use crate::host_queues::{DomainId, HostId, HostQueues, QueueHead, QueuedUrl};
use crate::host_record::{HostTask, HostTaskState};
use crate::message::{FetchOrder, FetchOutcome, FetchResult, NextAction};
use crate::order_lease::OrderLease;
use crate::robots_txt::Permission;
use crate::store::row_of;
use crate::url_record::{UrlRecord, UrlState, is_listed};
use gristmill_terms::FetchKind;

/// URLs that one call may decide without an order (disallowed, given up), and entries of `later` that it may bring
/// back, a step of some 10 µs each: bounds the time of a call to some 50 ms.
const MAX_STEPS: usize = 5_000;

/// So many pages may fail however few are wanted: some of the first links of a crawl often do.
const LEAST_FAILURES: u64 = 20;

/// Bytes compared for robots.txt in the time of one step.
const BYTES_IN_STEP: usize = 16 << 10;

/// How many milliseconds a domain that used up a call's steps is left alone for, by the steps that it took: ten times
/// what they cost, so that no site has more than a tenth of the time and the others come first.
const MILLIS_FOR_STEPS: usize = 10;

impl Frontier {
    /// The next order that is due at `now`, or when one will be.
    ///
    /// The order's URL is leased and its domain busy until [`Frontier::outcome`]. Append the order to the log first, then commit.
    /// Of the domains that are due those with news, listings and start pages go first, the others by what their pages brought so far, how
    /// many they were, and how many domains link to them; equals take turns by their times. Within one, the smallest priority goes
    /// first, then the oldest.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn next(&mut self, now: u64) -> Result<NextAction, FrontierError> {
        let now = self.at(now);
        self.expire_leases(now)?;
        self.mind_silence(now)?;
        let mut steps = MAX_STEPS;
        self.bring_back(now, &mut steps)?;
        // What a browser draws was fetched already, so no page limit holds it back.
        let (render, wait) = self.next_render(now, &mut steps)?;
        if let Some(order) = render {
            return Ok(NextAction::Order(Box::new(order)));
        }
        if self.pages_spent() {
            return Ok(match wait {
                Some(time) => NextAction::WaitUntil(self.clock.callers(time)),
                None if self.leases.is_empty() => NextAction::LimitReached,
                None => NextAction::Busy,
            });
        }
        self.hold_sitemaps_back()?;
        let pause = millis(self.config.politeness.ip_delay);
        while let Some(domain) = self.places.first_due(now, pause, &self.meta.ips) {
            // The address may have been asked on behalf of another domain since this one was scheduled.
            let ready = HostQueues::ready_at(&self.places.domains[&domain], &self.meta.ips);
            if ready > now {
                self.places.postpone(domain, ready, &self.meta.ips);
                continue;
            }
            self.places.unschedule(domain);
            let before = steps;
            if let Some(order) = self.order_from(domain, now, &mut steps)? {
                return Ok(NextAction::Order(Box::new(order)));
            }
            if steps == 0 {
                let pause = before.div_ceil(MILLIS_FOR_STEPS) as u64;
                let next = &mut self.places.domain_mut(domain).record.next_allowed;
                *next = (*next).max(now.saturating_add(pause));
            }
            self.places.schedule(domain, &self.meta.ips);
            if steps == 0 {
                return Ok(NextAction::WaitUntil(self.clock.callers(now)));
            }
        }
        self.what_to_wait_for(wait)
    }

    /// * `render`: when the next page that waits for a browser is due.
    fn what_to_wait_for(&mut self, render: Option<u64>) -> Result<NextAction, FrontierError> {
        let domain = self.places.next_due(&self.meta.ips);
        let retry = self.retries.peek(&self.store.later)?.map(|((due, _), _)| due);
        let revisit = match self.config.recrawl.enabled {
            true => self.revisits.peek(&self.store.later)?.map(|((due, _), _)| due),
            false => None,
        };
        let first = [domain, render, retry, revisit].into_iter().flatten().min();
        Ok(match first {
            Some(time) => NextAction::WaitUntil(self.clock.callers(time)),
            None if !self.leases.is_empty() => NextAction::Busy,
            None if self.places.pauses_work() => NextAction::Paused,
            None if self.places.holds_back() => NextAction::LimitReached,
            None => NextAction::Drained,
        })
    }

    /// Moves what is due from `later` back into the queues.
    fn bring_back(&mut self, now: u64, steps: &mut usize) -> Result<(), FrontierError> {
        // Further ahead than any retry may be, as after a clock that was ahead, is as good as due.
        let polite = &self.config.politeness;
        let latest = now.saturating_add(millis(self.config.retry.max_delay).max(millis(polite.max_retry_after)));
        let is_due = |due: u64| due <= now || due > latest;
        while *steps > 0 && self.retries.peek(&self.store.later)?.is_some_and(|((due, _), _)| is_due(due)) {
            *steps -= 1;
            let entry = self.retries.pop(&mut self.store.later)?;
            self.bring_back_one(entry.map(|(_, value)| value))?;
        }
        if !self.config.recrawl.enabled {
            return Ok(());
        }
        let latest = now.saturating_add(millis(self.config.recrawl.max));
        while *steps > 0
            && let Some(((due, _), _)) = self.revisits.peek(&self.store.later)?
            && (due <= now || due > latest)
        {
            *steps -= 1;
            let entry = self.revisits.pop(&mut self.store.later)?.map(|(_, value)| value);
            if due <= now { self.bring_back_one(entry)? } else { self.revisit_at(latest, entry)? }
        }
        Ok(())
    }

    /// Lets a page be visited again at `due`, in milliseconds.
    fn revisit_at(&mut self, due: u64, value: Option<Vec<u8>>) -> Result<(), FrontierError> {
        let Some(value) = value else { return Ok(()) };
        let Some(DelayedEntry::Url(key)) = DelayedEntry::decode(&value) else {
            return Err(self.store.later.damaged(&value));
        };
        let Some(mut record) = self.record(key)? else { return Ok(()) };
        let sequence = self.next_sequence();
        self.revisits.push(&mut self.store.later, (due, sequence), value);
        self.set_state(&mut record, UrlState::Done, sequence, due);
        self.put_record(key, &record);
        Ok(())
    }

    fn bring_back_one(&mut self, value: Option<Vec<u8>>) -> Result<(), FrontierError> {
        let Some(value) = value else { return Ok(()) };
        match DelayedEntry::decode(&value).ok_or_else(|| self.store.later.damaged(&value))? {
            DelayedEntry::Url(key) => {
                let Some(mut record) = self.record(key)? else { return Ok(()) };
                let url = self.stored_url(&record.url)?;
                let host = self.places.host(&url, &mut self.store, &mut self.meta)?;
                self.enqueue(key, &mut record, host)?;
                self.put_record(key, &record);
            }
            DelayedEntry::Robots(origin) => {
                let url = self.stored_url(&origin)?;
                let host = self.places.host(&url, &mut self.store, &mut self.meta)?;
                let sequence = self.next_sequence();
                let Some(task) = &mut self.places.host_mut(host).record.task else { return Ok(()) };
                task.place = HostTaskState::Queued(sequence);
                let target = task.url.clone();
                self.push_task_head(host, &target, sequence)?;
            }
        }
        Ok(())
    }

    /// The first order that the domain may be given; `None` when it has none left, or `steps` ran out.
    fn order_from(
        &mut self,
        domain: DomainId,
        now: u64,
        steps: &mut usize,
    ) -> Result<Option<FetchOrder>, FrontierError> {
        while *steps > 0 {
            let Some(head) = self.places.domains[&domain].heads.first().copied() else { return Ok(None) };
            *steps -= 1;
            let order = if head.is_task {
                Some(self.order_task(domain, head, now)?)
            } else {
                self.order_url(domain, head.host, FetchKind::Page, now, steps)?
            };
            if let Some(order) = order {
                return self.furnish(order, domain, head.host, now).map(Some);
            }
        }
        Ok(None)
    }

    /// Completes an order by what holds for its host.
    pub(crate) fn furnish(
        &mut self,
        mut order: FetchOrder,
        domain: DomainId,
        host: HostId,
        now: u64,
    ) -> Result<FetchOrder, FrontierError> {
        let url = self.stored_url(&order.url)?;
        order.pause = self.pause_of(host, &url);
        if matches!(order.kind, FetchKind::Page | FetchKind::Render) {
            order.tdm = self.reservation(host, &url)?;
            order.usage = self.rules_of(host)?.usage(url.path_and_query());
        }
        order.ip_pause = millis(self.config.politeness.ip_delay);
        order.cookies = self.cookies_of(&url)?;
        self.reserve_ip(domain, now);
        Ok(order)
    }

    fn order_task(&mut self, domain: DomainId, head: QueueHead, now: u64) -> Result<FetchOrder, FrontierError> {
        self.places.domain_mut(domain).heads.remove(&head);
        let id = self.next_order_id();
        let host = self.places.host_mut(head.host);
        let origin = host.origin.clone();
        let task = host.record.task.as_mut().expect("the head of a task has its task");
        task.place = HostTaskState::Leased(id);
        let HostTask { kind, url, hops, attempt, .. } = task.clone();
        let lease =
            OrderLease { url: url.clone(), kind, robots_for: Some(origin.clone()), ordered_at: now, counts: false };
        let canonical = self.stored_url(&url)?;
        self.add_lease(id, lease, &canonical)?;
        Ok(FetchOrder {
            id,
            url,
            kind,
            robots_for: Some(origin),
            depth: 0,
            hops,
            attempt,
            anchor_title: None,
            etag: None,
            last_modified: None,
            known: false,
            ordered_at: self.clock.callers(now),
            pause: 0,
            ip_pause: 0,
            tdm: None,
            usage: None,
            cookies: Vec::new(),
        })
    }

    /// Decides the first URL of the host's queue of `kind`: an order, a final state without one, or robots.txt first.
    pub(crate) fn order_url(
        &mut self,
        domain: DomainId,
        host: HostId,
        kind: FetchKind,
        now: u64,
        steps: &mut usize,
    ) -> Result<Option<FetchOrder>, FrontierError> {
        let next = self.places.host_mut(host).peek(kind, &self.store.queue)?;
        let Some((key, mut record)) = next.map(|next| self.queued(next)).transpose()?.flatten() else {
            self.places.host_mut(host).pop(kind, &mut self.store.queue)?;
            return self.places.sync_head(host, &self.store, &self.meta.ips).map(|()| None);
        };
        if record.kind == FetchKind::Sitemap && !record.known && self.sitemaps_spent() {
            return self.hold_back(key, record, host).map(|()| None);
        }
        let url = self.stored_url(&record.url)?;
        let state = if self.places.domains[&domain].record.given_up_until > now {
            Some(UrlState::Failed(FailureKind::GivenUp))
        } else if self.left_out(&record, &url) {
            Some(UrlState::Failed(FailureKind::OutOfScope))
        } else if is_further_page(&record) && self.brings_nothing(&record, &url)? {
            Some(UrlState::Failed(FailureKind::NothingNew))
        } else {
            let (permission, work) = self.permission(host, &url, now)?;
            *steps = steps.saturating_sub(work / BYTES_IN_STEP);
            match permission {
                Permission::AskFirst => {
                    self.request_robots(host, &url)?;
                    return Ok(None);
                }
                Permission::Allowed => None,
                Permission::Disallowed => Some(UrlState::Disallowed),
                Permission::Unavailable => Some(UrlState::Failed(FailureKind::RobotsUnavailable)),
            }
        };
        let place = self.places.host_mut(host);
        place.pop(kind, &mut self.store.queue)?;
        if state.is_none() || place.peek(kind, &self.store.queue)?.is_none() {
            place.unused_robots = None;
        }
        let order = match state {
            Some(UrlState::Disallowed) => {
                self.close(key, &mut record, &url, now);
                None
            }
            Some(UrlState::Failed(kind @ (FailureKind::GivenUp | FailureKind::RobotsUnavailable)))
                if self.is_awaited(&record) =>
            {
                self.await_site(key, &mut record, kind, (domain, host), now);
                None
            }
            Some(state) => {
                self.set_state(&mut record, state, 0, 0);
                if state == UrlState::Failed(FailureKind::OutOfScope) {
                    self.watch_links(key, &record)?;
                }
                None
            }
            None => Some(self.lease_url(&mut record, &url, now)?),
        };
        self.put_record(key, &record);
        if record.state == UrlState::Disallowed {
            self.settle_dependants(key)?;
        }
        self.places.sync_head(host, &self.store, &self.meta.ips)?;
        Ok(order)
    }

    /// The record of a URL in a queue; `None` where a new one has left it.
    fn queued(&self, (rank, key): QueuedUrl) -> Result<Option<(UrlKey, UrlRecord)>, FrontierError> {
        if let Some(key) = key {
            let record = self.record(key)?.ok_or_else(|| self.store.urls.damaged(&key.to_bytes()))?;
            return Ok(Some((key, record)));
        }
        let (_, place) = rank;
        let link = self.store.links.get(place)?;
        let link = link.ok_or_else(|| crate::link_log::damaged(place))?;
        let key = UrlKey::of(&link.url);
        let record = self.changed_record(key)?.unwrap_or(link);
        Ok((record.state == UrlState::Queued && record.place == place).then_some((key, record)))
    }

    /// Whether a queued page is out of the scope, as it is given now: it may have changed since the page was met.
    fn left_out(&self, record: &UrlRecord, url: &CanonicalUrl) -> bool {
        self.judge_place(url).is_some()
            || is_further_page(record) && self.judge_scope(url, record.depth) != ScopeVerdict::Inside
    }

    /// Whether a page is left out by what others like it brought.
    fn brings_nothing(&mut self, record: &UrlRecord, url: &CanonicalUrl) -> Result<bool, FrontierError> {
        if is_listed(record.depth) {
            // Of what sources list at each visit there is none.
            return Ok(self.config.recrawl.enabled && self.variants.leave_out(url));
        }
        let is_left_out = self.variants.leave_out(url) || self.templates.leave_out(url, record.depth);
        Ok(is_left_out || !record.known && self.repeats_mirror(url)?)
    }

    /// Whether another host has a page, as it had all others of this host. What it does not have is said here alone.
    fn repeats_mirror(&mut self, url: &CanonicalUrl) -> Result<bool, FrontierError> {
        let Some(twin) = self.mirrors.twin_of(url) else { return Ok(false) };
        Ok(self.record(twin)?.is_some() && self.mirrors.leave_out(url))
    }

    /// Whether the crawl has, or may soon have, as many pages as it may fetch, or as many that failed.
    fn pages_spent(&self) -> bool {
        let Some(limit) = self.config.max_pages else { return false };
        let counts = &self.meta.counts[row_of(FetchKind::Page)];
        let failed = FailureKind::ALL.into_iter().filter(|kind| kind.was_asked());
        let failed: u64 = failed.map(|kind| counts[UrlState::Failed(kind).index()]).sum();
        self.meta.n_pages_done + self.n_counting >= limit || failed + self.n_counting >= limit.max(LEAST_FAILURES)
    }

    /// Whether the crawl has as many sitemaps as it may fetch pages: one page of each would do. Only new ones are meant.
    fn sitemaps_spent(&self) -> bool {
        let counts = &self.meta.counts[row_of(FetchKind::Sitemap)];
        let asked = counts[UrlState::Done.index()] + counts[UrlState::Leased.index()];
        self.config.max_pages.is_some_and(|limit| asked >= limit)
    }

    /// Lets the sitemaps that are held back go on when there is room for them after all, since one under way has failed.
    fn hold_sitemaps_back(&mut self) -> Result<(), FrontierError> {
        for host in self.places.set_hold(self.sitemaps_spent()) {
            self.places.sync_head(host, &self.store, &self.meta.ips)?;
        }
        Ok(())
    }

    /// Puts a sitemap behind the pages of its host, and lets the host rest when there are none.
    fn hold_back(&mut self, key: UrlKey, mut record: UrlRecord, host: HostId) -> Result<(), FrontierError> {
        if record.priority != HELD_BACK {
            self.places.host_mut(host).pop(record.kind, &mut self.store.queue)?;
            record.priority = HELD_BACK;
            self.enqueue(key, &mut record, host)?;
            self.put_record(key, &record);
        }
        self.places.set_hold(true);
        self.places.sync_head(host, &self.store, &self.meta.ips)
    }

    fn lease_url(&mut self, record: &mut UrlRecord, url: &CanonicalUrl, now: u64) -> Result<FetchOrder, FrontierError> {
        let id = self.next_order_id();
        self.set_state(record, UrlState::Leased, id, 0);
        let lease = OrderLease {
            url: record.url.clone(),
            kind: record.kind,
            robots_for: None,
            ordered_at: now,
            counts: record.kind == FetchKind::Page && !record.known,
        };
        self.add_lease(id, lease, url)?;
        Ok(record.order(id, self.clock.callers(now)))
    }

    fn next_order_id(&mut self) -> u64 {
        self.meta.next_order += 1;
        self.meta.next_order - 1
    }

    fn reserve_ip(&mut self, domain: DomainId, now: u64) {
        let ip = self.places.domains[&domain].record.last_ip.clone();
        self.pause_ip(ip, now);
    }

    /// Keeps orders away from `ip` for `politeness.ip_delay` after `time`.
    pub(crate) fn pause_ip(&mut self, ip: Option<String>, time: u64) {
        let delay = millis(self.config.politeness.ip_delay);
        if let (Some(ip), true) = (ip, delay > 0) {
            let next = self.meta.ips.entry(ip).or_insert(0);
            *next = (*next).max(time.saturating_add(delay));
        }
    }

    /// Counts orders without outcome as lost, once `lease_timeout` has passed.
    fn expire_leases(&mut self, now: u64) -> Result<(), FrontierError> {
        let Some(timeout) = self.config.lease_timeout.map(millis) else { return Ok(()) };
        // Ids grow with time, so the oldest leases come first.
        while let Some((&order_id, lease)) = self.leases.first_key_value()
            && lease.ordered_at.saturating_add(timeout) <= now
        {
            self.lose(order_id, self.clock.callers(now))?;
        }
        Ok(())
    }

    /// When the oldest order in flight was given, in Unix milliseconds: of those for browsers (`renders`) or of the others.
    #[must_use]
    pub fn oldest_order(&self, renders: bool) -> Option<u64> {
        let mut leases = self.leases.values();
        let oldest = leases.find(|lease| (lease.kind == FetchKind::Render) == renders);
        oldest.map(|lease| self.clock.callers(lease.ordered_at))
    }

    /// The id that the next order will have: all orders given so far have lower ones.
    #[must_use]
    pub fn next_order(&self) -> u64 {
        self.meta.next_order
    }

    /// Counts the orders in flight with an id below `bound` as lost, those for browsers (`renders`) or the others; returns how
    /// many. Call it only when none of them can have an outcome any more.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn lose_before(&mut self, bound: u64, renders: bool, now: u64) -> Result<u64, FrontierError> {
        let below = self.leases.range(..bound).filter(|(_, lease)| (lease.kind == FetchKind::Render) == renders);
        let lost: Vec<u64> = below.map(|(id, _)| *id).collect();
        for order_id in &lost {
            self.lose(*order_id, now)?;
        }
        Ok(lost.len() as u64)
    }

    fn lose(&mut self, order_id: u64, now: u64) -> Result<(), FrontierError> {
        let outcome = FetchOutcome::new(order_id, FetchResult::Failed(FailureKind::Lost), 0, now);
        self.outcome(&outcome, now).map(drop)
    }
}

/// Whether it is a page that no seed stands for.
fn is_further_page(record: &UrlRecord) -> bool {
    record.kind == FetchKind::Page && record.depth > 0 && !record.is_seed
}
