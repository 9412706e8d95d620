//! Taking in outcomes: politeness first, then what becomes of the URL.

use gristmill_urls::{CanonicalUrl, UrlKey};

use crate::config::millis;
use crate::delayed_entry::DelayedEntry;
use crate::error::FrontierError;
use crate::failure::FailureKind;
use crate::frontier::Frontier;
use crate::host_queues::HostId;
use crate::lone_failures::OverloadSign;
use crate::message::{FetchOutcome, FetchResult, OutcomeEffect, Outlink};
use crate::order_lease::OrderLease;
use crate::render::key_of;
use crate::revisit::set_interval;
use crate::url_record::{UrlRecord, UrlState};
use gristmill_terms::{FetchKind, LinkSource, Verdict};

impl Frontier {
    /// Applies the end of an order. An id without lease (applied before, or never given out) changes nothing, so outcomes
    /// may be read again after a crash.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn outcome(&mut self, outcome: &FetchOutcome, now: u64) -> Result<OutcomeEffect, FrontierError> {
        self.at(now);
        let Some(lease) = self.leases.remove(&outcome.order_id) else { return Ok(OutcomeEffect::Stale) };
        self.store.leases.delete(outcome.order_id.to_be_bytes().to_vec());
        self.n_counting -= u64::from(lease.counts);
        if lease.kind == FetchKind::Render {
            self.n_rendering -= 1;
            (self.heard_of_browsers, self.browsers_are_silent) = (Some(self.clock.now), false);
        }
        let url = self.stored_url(&lease.url)?;
        let sign = self.overload_sign(&url, &lease, outcome)?;
        let applied = match &lease.robots_for {
            // Rules are learnt before the pause is reckoned: they may ask for a longer one.
            Some(origin) => self.task_outcome(origin, &lease, outcome)?,
            None => self.url_outcome(&lease, &url, outcome)?,
        };
        self.be_polite(&url, outcome, &lease, sign)?;
        if lease.counts {
            self.guess_sitemap_later(&url)?;
        }
        Ok(applied)
    }

    /// What an outcome that asks for a pause says of its site; takes in any other.
    fn overload_sign(
        &mut self,
        url: &CanonicalUrl,
        lease: &OrderLease,
        outcome: &FetchOutcome,
    ) -> Result<OverloadSign, FrontierError> {
        if lease.robots_for.is_some() || lease.kind != FetchKind::Page {
            return Ok(OverloadSign::More);
        }
        let (site, page, ended) = (UrlKey::of(url.registrable_domain()), url.key(), self.ended(outcome));
        match outcome.result {
            FetchResult::Failed(kind) if kind.slows_site() => {
                let before = self.record(page)?.filter(|record| record.attempt > 0).map(|record| record.last_fetch);
                Ok(before.map_or(OverloadSign::More, |before| self.lone_failures.failed(site, page, before)))
            }
            _ => {
                if outcome.status != 0 {
                    self.lone_failures.answered(site, page, ended);
                }
                Ok(OverloadSign::None)
            }
        }
    }

    /// The pause after a request for `url`, in milliseconds: the setting, that of its site, or a longer Crawl-delay.
    pub(crate) fn pause_of(&self, host: HostId, url: &CanonicalUrl) -> u64 {
        let config = &self.config.politeness;
        let crawl_delay = self.places.hosts.get(&host).map_or(0, |host| host.record.crawl_delay);
        self.sites.delay(url).unwrap_or(millis(config.min_delay)).max(crawl_delay.min(millis(config.max_crawl_delay)))
    }

    /// When a fetch ended, not later than now.
    fn ended(&self, outcome: &FetchOutcome) -> u64 {
        self.clock.past(outcome.finished_at)
    }

    /// Reckons when the domain and the IP may be asked again, from the end of this fetch; not from a time before its order, as a
    /// fetcher's clock may show.
    ///
    /// * `sign`: what it says of its site, if it asks for a pause.
    fn be_polite(
        &mut self,
        url: &CanonicalUrl,
        outcome: &FetchOutcome,
        lease: &OrderLease,
        sign: OverloadSign,
    ) -> Result<(), FrontierError> {
        let finished = self.ended(outcome).max(lease.ordered_at);
        self.pause_ip(outcome.ip.clone(), finished);
        let id = self.places.domain(url.registrable_domain(), &mut self.store, &mut self.meta)?;
        let host = self.places.host(url, &mut self.store, &mut self.meta)?;
        let config = &self.config.politeness;
        let (backoff, max_backoff) = (millis(config.backoff), millis(config.max_backoff));
        let mut pause = self.pause_of(host, url);
        let asks = matches!(outcome.result, FetchResult::Failed(kind) if kind.slows_site());
        let is_alone = asks && sign == OverloadSign::None;
        if let Some(retry_after) = outcome.retry_after_ms.filter(|_| !is_alone) {
            pause = pause.max(retry_after.min(millis(config.max_retry_after)));
        }
        let (give_up_after, give_up_for) = (config.give_up_after, self.silence_pause());

        let domain = self.places.domain_mut(id);
        let record = &mut domain.record;
        if lease.counts {
            record.budget.spend(outcome);
        }
        record.backoff = match sign {
            OverloadSign::More if asks => (record.backoff + 1).min(32),
            OverloadSign::Same if asks => record.backoff.max(1),
            _ if is_alone || outcome.status != 0 => record.backoff.saturating_sub(1),
            _ => record.backoff,
        };
        if record.backoff > 0 {
            pause = pause.max(backoff.saturating_mul(1 << (record.backoff - 1)).min(max_backoff));
        }
        record.silences = match outcome.result {
            FetchResult::Failed(kind) if kind.is_silence() => record.silences + 1,
            _ => 0,
        };
        if record.silences >= give_up_after.max(1) {
            record.silences = 0;
            record.given_up_until = finished.saturating_add(give_up_for);
        }
        record.next_allowed = record.next_allowed.max(finished.saturating_add(pause));
        if outcome.ip.is_some() {
            record.last_ip.clone_from(&outcome.ip);
        }
        domain.in_flight.retain(|order| *order != outcome.order_id);
        self.places.schedule(id, &self.meta.ips);
        Ok(())
    }

    fn url_outcome(
        &mut self,
        lease: &OrderLease,
        url: &CanonicalUrl,
        outcome: &FetchOutcome,
    ) -> Result<OutcomeEffect, FrontierError> {
        let key = key_of(lease.kind, url);
        let Some(mut record) = self.record(key)? else { return Ok(OutcomeEffect::Stale) };
        if record.state != UrlState::Leased || record.place != outcome.order_id {
            // Another order was adopted since; that one decides about the URL.
            return Ok(OutcomeEffect::Stale);
        }
        record.last_fetch = self.ended(outcome);
        record.status = outcome.status;
        let applied = match &outcome.result {
            FetchResult::Ok => {
                let mut wronged = self.templates.learn(url, outcome.brings_nothing);
                wronged.extend(self.variants.learn(url, outcome.words_hash));
                for wronged in wronged {
                    self.readmit(wronged)?;
                }
                self.done(key, &mut record, lease, outcome, false)?
            }
            // Nothing was asked that this could be the answer to.
            FetchResult::NotModified if !record.is_conditional() => {
                self.failed(key, &mut record, FailureKind::Fetch(Verdict::Protocol), outcome)?
            }
            FetchResult::NotModified => self.done(key, &mut record, lease, outcome, true)?,
            FetchResult::Redirect(target) => {
                let wronged = target.iter().flat_map(|target| self.variants.learn_redirect(url, target));
                for wronged in wronged.collect::<Vec<_>>() {
                    self.readmit(wronged)?;
                }
                self.redirected(&mut record, url, target.as_deref())?
            }
            // Some servers cannot meet a condition (RFC 9110, 15.5.13), and have the page without.
            FetchResult::Failed(_) if outcome.status == 412 && record.is_conditional() => {
                record.forget_version();
                self.try_anew(key, &mut record, url)?;
                OutcomeEffect::Retry
            }
            FetchResult::Failed(kind) => self.failed(key, &mut record, *kind, outcome)?,
        };
        let named = self.name_canonical(&mut record, url, outcome);
        self.put_record(key, &record);
        self.tie(&record, named)?;
        self.settle_dependants(key)?;
        if record.kind == FetchKind::Sitemap && matches!(record.state, UrlState::Failed(_)) {
            self.guess_next_sitemap(url)?;
        }
        Ok(applied)
    }

    fn done(
        &mut self,
        key: UrlKey,
        record: &mut UrlRecord,
        lease: &OrderLease,
        outcome: &FetchOutcome,
        not_modified: bool,
    ) -> Result<OutcomeEffect, FrontierError> {
        let unchanged = record.is_unchanged(outcome, not_modified);
        self.judge_date(record, unchanged)?;
        self.meta.n_pages_done += u64::from(lease.counts);
        set_interval(&self.config.recrawl, record, unchanged);
        record.revisited = record.known;
        record.known = true;
        record.attempt = 0;
        record.last_failure = None;
        if !not_modified {
            // A 304 need not repeat the validators.
            record.etag.clone_from(&outcome.etag);
            record.last_modified.clone_from(&outcome.last_modified);
            record.content_hash = outcome.content_hash;
        }
        self.finish(key, record)?;
        record.brings = 0;
        Ok(OutcomeEffect::Final)
    }

    fn redirected(
        &mut self,
        record: &mut UrlRecord,
        url: &CanonicalUrl,
        target: Option<&str>,
    ) -> Result<OutcomeEffect, FrontierError> {
        let base = url.to_url();
        let parsed = target.and_then(|target| CanonicalUrl::parse(target, Some(&base)).ok());
        let kind = match &parsed {
            None => Some(FailureKind::BadRedirect),
            Some(target) if target == url => Some(FailureKind::RedirectLoop),
            Some(_) if record.hops >= self.config.max_redirects => Some(FailureKind::TooManyRedirects),
            Some(_) => None,
        };
        let (Some(target), None) = (parsed, kind) else {
            record.last_failure = kind;
            self.set_state(record, UrlState::Failed(kind.unwrap_or(FailureKind::BadRedirect)), 0, 0);
            return Ok(OutcomeEffect::Final);
        };
        self.set_state(record, UrlState::Redirected, 0, 0);
        if record.redirect.is_none() && record.last_failure.is_some() {
            // It has answered: that it failed before is no reason not to ask it once more.
            record.attempt = 0;
        }
        record.redirect = Some(target.as_str().to_owned());
        if self.ask_again_behind(&target, url)? {
            return Ok(OutcomeEffect::Final);
        }
        let moved = target.registrable_domain() == url.registrable_domain();
        let opens = moved && record.is_seed && record.depth == 0 && self.scope.config().follow_seed_redirects;
        let link = Outlink {
            url: target.as_str(),
            // Wherever a page went to that a browser should draw, it is fetched as a page first.
            kind: if record.kind == FetchKind::Render { FetchKind::Page } else { record.kind },
            source: if opens { LinkSource::Seed } else { LinkSource::Redirect },
            depth: record.depth,
            hops: record.hops + 1,
            anchor_title: record.anchor_title.as_deref(),
        };
        self.learn(&link, url.as_str())?;
        self.pass_sighting_on(record, &target)?;
        Ok(OutcomeEffect::Final)
    }

    /// Lets a page be asked once more whose redirects led over `url` back to it: some sites set a cookie on such a way. Tells whether.
    fn ask_again_behind(&mut self, target: &CanonicalUrl, url: &CanonicalUrl) -> Result<bool, FrontierError> {
        if !self.is_own(target) {
            return Ok(false);
        }
        let Some(mut record) = self.record(target.key())? else { return Ok(false) };
        // The second time it is a circle.
        if record.state != UrlState::Redirected || record.attempt > 0 || !self.leads_to(&record, url)? {
            return Ok(false);
        }
        record.attempt = 1;
        let host = self.places.host(target, &mut self.store, &mut self.meta)?;
        self.enqueue(target.key(), &mut record, host)?;
        self.put_record(target.key(), &record);
        Ok(true)
    }

    /// Whether the redirects of a URL lead to `url`, as far as this frontier knows.
    fn leads_to(&self, from: &UrlRecord, url: &CanonicalUrl) -> Result<bool, FrontierError> {
        let mut next = from.redirect.clone();
        for _ in 0..=self.config.max_redirects {
            let Some(target) = next else { return Ok(false) };
            if target == url.as_str() {
                return Ok(true);
            }
            next = self.record(UrlKey::of(&target))?.and_then(|record| record.redirect);
        }
        Ok(false)
    }

    fn failed(
        &mut self,
        key: UrlKey,
        record: &mut UrlRecord,
        kind: FailureKind,
        outcome: &FetchOutcome,
    ) -> Result<OutcomeEffect, FrontierError> {
        record.last_failure = Some(kind);
        let limit = self.config.retry.limit(kind);
        let is_first_wait = limit > 0 && !record.known && self.is_awaited(record);
        if record.attempt >= limit && !is_first_wait {
            if self.config.recrawl.enabled && record.known && !kind.is_gone() {
                // What came before may come again: it is asked as if it had not changed.
                record.attempt = 0;
                set_interval(&self.config.recrawl, record, true);
                self.finish(key, record)?;
            } else {
                self.set_state(record, UrlState::Failed(kind), 0, 0);
            }
            return Ok(OutcomeEffect::Final);
        }
        let due = self.retry_time(record.attempt, outcome);
        record.attempt = record.attempt.saturating_add(1);
        let sequence = self.push_retry(&DelayedEntry::Url(key), due);
        self.set_state(record, UrlState::Retrying, sequence, due);
        Ok(OutcomeEffect::Retry)
    }

    /// When to try again after `attempt` earlier failures.
    pub(crate) fn retry_time(&self, attempt: u16, outcome: &FetchOutcome) -> u64 {
        let config = &self.config.retry;
        let doubled = millis(config.delay).saturating_mul(1 << attempt.min(32)).min(millis(config.max_delay));
        let asked = outcome.retry_after_ms.unwrap_or(0).min(millis(self.config.politeness.max_retry_after));
        self.ended(outcome).saturating_add(doubled.max(asked))
    }
}
