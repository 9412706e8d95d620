//! Pages that a browser draws: asked for when they were read, and ordered like any URL of their host, few at a time.

use std::ops::Bound;

use gristmill_terms::FetchKind;
use gristmill_urls::{CanonicalUrl, UrlKey};

use crate::config::millis;
use crate::error::FrontierError;
use crate::frontier::Frontier;
use crate::host_queues::{HostId, HostQueues};
use crate::message::{AdmissionResult, FetchOrder, LinkRejection};
use crate::store::row_of;
use crate::url_record::{UrlRecord, UrlState};

/// Hosts that one call looks at, some 100 ns each.
const MAX_LOOKS: usize = 256;

/// Milliseconds until the next call looks at the others.
const LOOK_AGAIN: u64 = 20;

/// The key of a URL in the seen set. A page and its drawing by a browser are two entries: each has its own state.
pub(crate) fn key_of(kind: FetchKind, url: &CanonicalUrl) -> UrlKey {
    match kind {
        FetchKind::Render => UrlKey::of(&format!("render:{}", url.as_str())),
        _ => url.key(),
    }
}

impl Frontier {
    /// Asks that a browser draws the page at `url`, as it was fetched at `fetched_at` (Unix milliseconds).
    ///
    /// The page must be known; its depth and its title go on with the order. What was drawn since `fetched_at`, or waits for
    /// it, is not asked for again: so a wish may be read twice, and a page that changes is drawn once for each visit.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn offer_render(&mut self, url: &str, fetched_at: u64, now: u64) -> Result<AdmissionResult, FrontierError> {
        self.at(now);
        let url = match CanonicalUrl::parse(url, None) {
            Ok(url) => url,
            Err(error) => return Ok(AdmissionResult::Rejected(LinkRejection::Invalid(error.to_string()))),
        };
        let page = self.record(url.key())?.filter(|page| page.kind == FetchKind::Page);
        let Some(page) = page else { return Ok(AdmissionResult::Rejected(LinkRejection::NoPage)) };
        let key = key_of(FetchKind::Render, &url);
        let known = self.record(key)?;
        let since = self.clock.past(fetched_at);
        if known.as_ref().is_some_and(|known| !known.state.is_final() || known.last_fetch >= since) {
            return Ok(AdmissionResult::Known);
        }
        let is_new = known.is_none();
        let mut record = match known {
            Some(known) => UrlRecord { attempt: 0, depth: page.depth, anchor_title: page.anchor_title, ..known },
            None => {
                self.meta.counts[row_of(FetchKind::Render)][UrlState::Queued.index()] += 1;
                self.render_of(page)
            }
        };
        let host = self.places.host(&url, &mut self.store, &mut self.meta)?;
        self.enqueue(key, &mut record, host)?;
        self.put_record(key, &record);
        Ok(if is_new { AdmissionResult::New } else { AdmissionResult::Known })
    }

    fn render_of(&self, page: UrlRecord) -> UrlRecord {
        UrlRecord {
            depth: page.depth,
            hops: page.hops,
            is_seed: page.is_seed,
            home_title: page.home_title,
            anchor_title: page.anchor_title,
            ..UrlRecord::new(page.url, FetchKind::Render, page.priority, self.clock.now)
        }
    }

    /// The next page for a browser, or when one is due; neither where none waits, or browsers have enough.
    ///
    /// These go before the other URLs of their host, since browsers may find the links that lead further; but they stand apart
    /// from them, so that a host whose turn at a browser has not come is fetched from meanwhile. Hosts take turns.
    pub(crate) fn next_render(
        &mut self,
        now: u64,
        steps: &mut usize,
    ) -> Result<(Option<FetchOrder>, Option<u64>), FrontierError> {
        let most = if self.browsers_are_silent { self.config.max_renders.min(1) } else { self.config.max_renders };
        if self.places.rendering.is_empty() || self.n_rendering >= u64::from(most) {
            return Ok((None, None));
        }
        let n_hosts = self.places.rendering.len();
        let mut first = (n_hosts > MAX_LOOKS).then(|| now.saturating_add(LOOK_AGAIN));
        for host in self.next_hosts() {
            self.last_render = host;
            while *steps > 0 && self.places.rendering.contains(&host) {
                let place = &self.places.hosts[&host];
                let (domain, is_waiting) = (place.domain, place.record.task.is_some());
                let site = &self.places.domains[&domain];
                if is_waiting || !site.in_flight.is_empty() || self.places.is_paused(site) {
                    break;
                }
                let ready = HostQueues::ready_at(site, &self.meta.ips);
                if ready > now {
                    first = Some(first.map_or(ready, |first| first.min(ready)));
                    break;
                }
                *steps -= 1;
                if let Some(order) = self.order_url(domain, host, FetchKind::Render, now, steps)? {
                    let order = self.furnish(order, domain, host, now)?;
                    self.places.schedule(domain, &self.meta.ips);
                    return Ok((Some(order), None));
                }
            }
        }
        Ok((None, first))
    }

    /// Takes back what browsers were asked for, once nothing was heard of any for `render_patience`.
    pub(crate) fn mind_silence(&mut self, now: u64) -> Result<(), FrontierError> {
        if self.n_rendering == 0 {
            self.heard_of_browsers = None;
            return Ok(());
        }
        let since = *self.heard_of_browsers.get_or_insert(now);
        if since.saturating_add(millis(self.config.render_patience)) > now {
            return Ok(());
        }
        self.take_back_renders(self.clock.callers(now))?;
        (self.heard_of_browsers, self.browsers_are_silent) = (None, true);
        Ok(())
    }

    /// Hosts with pages that wait for a browser, from the one after the last.
    fn next_hosts(&self) -> Vec<HostId> {
        let (hosts, last) = (&self.places.rendering, self.last_render);
        let behind = hosts.range((Bound::Excluded(last), Bound::Unbounded));
        behind.chain(hosts.range(..=last)).take(MAX_LOOKS).copied().collect()
    }

    /// Takes back what browsers were asked for, where none of them runs: it waits, and its sites are free. Answers how many.
    ///
    /// A browser that runs later finds these orders in the log all the same; their outcomes then change nothing.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn take_back_renders(&mut self, now: u64) -> Result<u64, FrontierError> {
        self.at(now);
        let given = self.leases.iter().filter(|(_, lease)| lease.kind == FetchKind::Render);
        let given: Vec<(u64, String)> = given.map(|(id, lease)| (*id, lease.url.clone())).collect();
        for (id, url) in &given {
            self.leases.remove(id);
            self.store.leases.delete(id.to_be_bytes().to_vec());
            self.n_rendering -= 1;
            let url = self.stored_url(url)?;
            let domain = self.places.domain(url.registrable_domain(), &mut self.store, &mut self.meta)?;
            self.places.domain_mut(domain).in_flight.retain(|order| order != id);
            let key = key_of(FetchKind::Render, &url);
            if let Some(mut record) = self.record(key)?.filter(|record| record.place == *id) {
                let host = self.places.host(&url, &mut self.store, &mut self.meta)?;
                self.enqueue(key, &mut record, host)?;
                self.put_record(key, &record);
            }
            self.places.schedule(domain, &self.meta.ips);
        }
        Ok(given.len() as u64)
    }
}
