//! The frontier itself: committing, and what its operations share.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use gristmill_robots::{RobotsTxt, TdmRules};
use gristmill_urls::{CanonicalUrl, CrawlScope, Takedown, Takedowns, UrlKey};

use crate::Positions;
use crate::admission::SeenEntry;
use crate::clock::MonotonicClock;
use crate::config::{FrontierConfig, millis};
use crate::copies::Copies;
use crate::dates::Dates;
use crate::delayed_entry::DelayedEntry;
use crate::disk_queue::DiskQueue;
use crate::domain_record::TimestampLimits;
use crate::error::FrontierError;
use crate::host_queues::{DomainId, HostId, HostQueues, QueueHead};
use crate::host_record::HostTaskState;
use crate::lone_failures::LoneFailures;
use crate::message::{Notice, Referral};
use crate::mirrors::Mirrors;
use crate::order_lease::OrderLease;
use crate::seen::SeenUrl;
use crate::site_clock::SiteClock;
use crate::site_sources::SiteSources;
use crate::sites::SiteCrawlRules;
use crate::store::{FrontierStore, StoreHeader, row_of};
use crate::template::Templates;
use crate::two_generation_cache::TwoGenerationCache;
use crate::url_record::{UrlRecord, UrlState};
use crate::variants::AddressVariants;
use gristmill_terms::FetchKind;

/// Whether a registrable domain is one of the frontier's own.
type Owns = Box<dyn Fn(&str) -> bool + Send + Sync>;

/// What to fetch next, and when. One value owns its store; it is not shared, and dropping it without
/// [`Frontier::commit`] forgets everything since the last one.
pub struct Frontier {
    pub(crate) config: FrontierConfig,
    pub(crate) scope: CrawlScope,
    pub(crate) sites: SiteCrawlRules,
    pub(crate) store: FrontierStore,
    pub(crate) meta: StoreHeader,
    /// Orders below this number were known at the last commit.
    pub(crate) committed_orders: u64,
    pub(crate) places: HostQueues,
    pub(crate) leases: BTreeMap<u64, OrderLease>,
    /// Page leases that will count against `max_pages`.
    pub(crate) n_counting: u64,
    /// Leases of pages that a browser draws.
    pub(crate) n_rendering: u64,
    /// When a browser was last heard of, or first waited for, on the frontier's own clock; none where none is waited for.
    pub(crate) heard_of_browsers: Option<u64>,
    /// Whether the last orders for browsers were taken back since none came.
    pub(crate) browsers_are_silent: bool,
    /// The host that was looked at last for such a page.
    pub(crate) last_render: HostId,
    /// What is to be tried again.
    pub(crate) retries: DiskQueue,
    /// What is to be visited again.
    pub(crate) revisits: DiskQueue,
    pub(crate) rules: TwoGenerationCache<HostId, Arc<RobotsTxt>>,
    pub(crate) tdm: TwoGenerationCache<HostId, Arc<TdmRules>>,
    pub(crate) recent: TwoGenerationCache<UrlKey, SeenEntry>,
    pub(crate) templates: Templates,
    pub(crate) variants: AddressVariants,
    /// What leads to the new pages of each site, as far as was seen since the start.
    pub(crate) sources: HashMap<DomainId, SiteSources>,
    /// How far the dates of each site's listings can be trusted, as far as was seen since the start.
    pub(crate) dates: HashMap<DomainId, Dates>,
    /// How far the clock of each site that publishes is off, as far as was seen since the start.
    pub(crate) site_clocks: HashMap<DomainId, SiteClock>,
    pub(crate) clock: MonotonicClock,
    /// Whether a registrable domain is one of its own; none where all are.
    pub(crate) owns: Option<Owns>,
    /// What is to be passed on to the owners of other domains.
    pub(crate) referrals: Vec<Referral>,
    /// Pages that are to leave the corpus, not told on yet.
    pub(crate) departed: Vec<CanonicalUrl>,
    /// What the frontiers of other domains must know of pages, not told on yet.
    pub(crate) notices: Vec<Notice>,
    pub(crate) copies: Copies,
    pub(crate) mirrors: Mirrors,
    pub(crate) lone_failures: LoneFailures,
    /// What must never come back.
    pub(crate) takedowns: Takedowns,
    /// Takedowns, not told on yet.
    pub(crate) taken_down: Vec<Takedown>,
    /// Whether the caller told the time since the store was opened.
    pub(crate) knows_time: bool,
    /// That of the next snapshot.
    pub(crate) next_snapshot: u64,
}

impl Frontier {
    /// The input positions of the last commit.
    #[must_use]
    pub fn positions(&self) -> &Positions {
        &self.meta.positions
    }

    /// Makes everything since the last commit durable in one batch, together with `positions`, and waits for the disk.
    ///
    /// # Errors
    /// When the store cannot be written. The frontier is then of no further use: open it anew.
    pub fn commit(&mut self, positions: &Positions) -> Result<(), FrontierError> {
        self.meta.next_sequence = self.store.links.close_block(self.meta.next_sequence);
        self.store.merge_due(self.meta.next_sequence)?;
        self.places.flush(&mut self.store, self.clock.now, self.meta.next_sequence);
        self.meta.links_from = self.places.flushed_to().unwrap_or(self.meta.next_sequence);
        self.meta.clock = self.clock.now;
        self.meta.positions.clone_from(positions);
        self.meta.n_retries = self.retries.len();
        self.meta.n_revisits = self.revisits.len();
        let now = self.clock.now;
        self.meta.ips.retain(|_, time| *time > now);
        self.store.commit(&self.meta)?;
        self.committed_orders = self.meta.next_order;
        Ok(())
    }

    /// The settings it runs with.
    #[must_use]
    pub fn config(&self) -> &FrontierConfig {
        &self.config
    }

    /// By how many milliseconds the caller's clock is behind the latest time that the store knows. It was set back, or belongs to
    /// another machine; pauses go on all the same.
    #[must_use]
    pub fn clock_behind(&self) -> u64 {
        self.clock.behind()
    }

    /// The frontier's time when the caller's clock shows `caller`. Times of a store that lie further ahead than the settings let any
    /// pause be are brought back to that.
    pub(crate) fn at(&mut self, caller: u64) -> u64 {
        let before = self.clock.now;
        let now = self.clock.tell(caller);
        if self.knows_time && now == before {
            return now;
        }
        let latest = self.longest_pauses(now);
        let ip_delay = millis(self.config.politeness.ip_delay);
        if !std::mem::replace(&mut self.knows_time, true) {
            self.meta.ips.values_mut().for_each(|time| *time = (*time).min(now.saturating_add(ip_delay)));
            self.leases.values_mut().for_each(|lease| lease.ordered_at = lease.ordered_at.min(now));
            self.places.bring_back(latest, &self.meta.ips);
        }
        self.places.latest = latest;
        now
    }

    fn longest_pauses(&self, now: u64) -> TimestampLimits {
        let polite = &self.config.politeness;
        let pauses = [polite.min_delay, polite.max_crawl_delay, polite.max_retry_after, polite.max_backoff];
        let longest = pauses.into_iter().map(millis).max().unwrap_or(0).max(self.sites.longest_delay());
        let given_up_until = now.saturating_add(millis(polite.give_up_for));
        TimestampLimits { next_allowed: now.saturating_add(longest), given_up_until }
    }

    /// Takes a URL out of whatever queue it waits in.
    pub(crate) fn withdraw(&mut self, key: UrlKey, record: &UrlRecord, host: HostId) -> Result<(), FrontierError> {
        match record.state {
            UrlState::Queued => {
                let rank = (record.rank(), record.place);
                let host = self.places.host_mut(host);
                let queue = host.queue_of(record.kind);
                if queue.has(&self.store.queue, rank)? {
                    queue.remove(&mut self.store.queue, rank);
                } else {
                    host.links.remove(&mut self.store.queue, rank)?;
                }
            }
            UrlState::Retrying => self.retries.remove(&mut self.store.later, (record.due, record.place)),
            UrlState::Done if record.due > 0 => self.revisits.remove(&mut self.store.later, (record.due, record.place)),
            _ => {}
        }
        self.recent.remove(&key);
        Ok(())
    }

    /// Takes a host's task out of whatever queue it waits in.
    pub(crate) fn withdraw_task(&mut self, host: HostId) -> Result<(), FrontierError> {
        let Some(task) = self.places.host_mut(host).record.task.take() else { return Ok(()) };
        match task.place {
            HostTaskState::Leased(_) => {}
            HostTaskState::Retrying(due, sequence) => self.retries.remove(&mut self.store.later, (due, sequence)),
            HostTaskState::Queued(sequence) => {
                let domain = self.domain_of(&task.url)?;
                self.places.domain_mut(domain).heads.remove(&QueueHead { rank: (0, sequence), host, is_task: true });
                self.places.schedule(domain, &self.meta.ips);
            }
        }
        Ok(())
    }

    /// Marks the order in flight and its domain busy.
    pub(crate) fn add_lease(&mut self, id: u64, lease: OrderLease, url: &CanonicalUrl) -> Result<(), FrontierError> {
        let domain = self.places.domain(url.registrable_domain(), &mut self.store, &mut self.meta)?;
        self.places.domain_mut(domain).in_flight.push(id);
        self.places.schedule(domain, &self.meta.ips);
        self.n_counting += u64::from(lease.counts);
        self.n_rendering += u64::from(lease.kind == FetchKind::Render);
        self.store.leases.put(id.to_be_bytes().to_vec(), lease.encode());
        self.leases.insert(id, lease);
        Ok(())
    }

    pub(crate) fn domain_of(&mut self, url: &str) -> Result<DomainId, FrontierError> {
        let url = self.stored_url(url)?;
        self.places.domain(url.registrable_domain(), &mut self.store, &mut self.meta)
    }

    /// A URL that the store holds, and so once was canonical.
    pub(crate) fn stored_url(&self, url: &str) -> Result<CanonicalUrl, FrontierError> {
        CanonicalUrl::parse(url, None).map_err(|_| self.store.urls.damaged(url.as_bytes()))
    }

    pub(crate) fn record(&self, key: UrlKey) -> Result<Option<UrlRecord>, FrontierError> {
        if let Some(record) = self.changed_record(key)? {
            return Ok(Some(record));
        }
        self.store.seen.find(key)?.map(|seen| self.unchanged_record(key, seen)).transpose()
    }

    /// The record of a URL that the seen set has.
    pub(crate) fn record_at(&self, key: UrlKey, seen: SeenUrl) -> Result<UrlRecord, FrontierError> {
        self.changed_record(key)?.map_or_else(|| self.unchanged_record(key, seen), Ok)
    }

    pub(crate) fn changed_record(&self, key: UrlKey) -> Result<Option<UrlRecord>, FrontierError> {
        self.store.urls.get(&key.to_bytes(), UrlRecord::decode)
    }

    fn unchanged_record(&self, key: UrlKey, seen: SeenUrl) -> Result<UrlRecord, FrontierError> {
        self.store.links.get(seen.place())?.ok_or_else(|| self.store.urls.damaged(&key.to_bytes()))
    }

    /// Enters a URL under its place into the link log and the seen set.
    pub(crate) fn put_new(&mut self, key: UrlKey, record: &UrlRecord) {
        self.store.links.push(record);
        self.store.seen.insert(key, SeenUrl::new(record.place, SeenEntry::pack(record)));
    }

    pub(crate) fn put_record(&mut self, key: UrlKey, record: &UrlRecord) {
        self.store.urls.put(key.to_bytes().to_vec(), record.encode());
    }

    /// Lets the seen set know that links to a URL may bring something again.
    pub(crate) fn watch_links(&mut self, key: UrlKey, record: &UrlRecord) -> Result<(), FrontierError> {
        if let Some(seen) = self.store.seen.find(key)? {
            let seen = SeenUrl::new(seen.place(), SeenEntry::pack(record));
            let sequence = self.next_sequence();
            self.store.links.push_summary(sequence, key, seen);
            self.store.seen.insert(key, seen);
        }
        Ok(())
    }

    /// Moves a record to another state, in the counters too.
    pub(crate) fn set_state(&mut self, record: &mut UrlRecord, state: UrlState, place: u64, due: u64) {
        let counts = &mut self.meta.counts[row_of(record.kind)];
        counts[record.state.index()] = counts[record.state.index()].saturating_sub(1);
        counts[state.index()] += 1;
        (record.state, record.place, record.due) = (state, place, due);
    }

    pub(crate) fn next_sequence(&mut self) -> u64 {
        self.meta.next_sequence += 1;
        self.meta.next_sequence - 1
    }

    /// Puts a URL into its host's queue; the record's counters must know it already.
    pub(crate) fn enqueue(&mut self, key: UrlKey, record: &mut UrlRecord, host: HostId) -> Result<(), FrontierError> {
        let sequence = self.next_sequence();
        self.set_state(record, UrlState::Queued, sequence, 0);
        let rank = (record.rank(), sequence);
        self.places.host_mut(host).queue_of(record.kind).push(&mut self.store.queue, rank, key.to_bytes().to_vec());
        self.places.sync_head(host, &self.store, &self.meta.ips)
    }

    /// Puts a URL that is new into its host's queue and into the seen set. It is in the counters, but for the host's.
    pub(crate) fn enqueue_new(
        &mut self,
        key: UrlKey,
        record: &mut UrlRecord,
        host: HostId,
    ) -> Result<(), FrontierError> {
        record.place = self.next_sequence();
        self.put_new(key, record);
        let is_first = self.places.push_link(host, (record.rank(), record.place), record.kind == FetchKind::Page);
        if is_first { self.places.sync_head(host, &self.store, &self.meta.ips) } else { Ok(()) }
    }

    /// Puts `waiting` among the retries; answers the sequence.
    pub(crate) fn push_retry(&mut self, waiting: &DelayedEntry, due: u64) -> u64 {
        let sequence = self.next_sequence();
        self.retries.push(&mut self.store.later, (due, sequence), waiting.encode());
        sequence
    }

    /// Lets the robots.txt at `url`, asked for by `host`, be the first thing that its domain is asked for.
    pub(crate) fn push_task_head(&mut self, host: HostId, url: &str, sequence: u64) -> Result<(), FrontierError> {
        let domain = self.domain_of(url)?;
        self.places.domain_mut(domain).heads.insert(QueueHead { rank: (0, sequence), host, is_task: true });
        self.places.schedule(domain, &self.meta.ips);
        Ok(())
    }
}

/// The origin of a canonical URL.
pub(crate) fn origin_of(url: &str) -> &str {
    let host = url.find("://").map_or(0, |end| end + 3);
    url[host..].find('/').map_or(url, |length| &url[..host + length])
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::config::RecrawlConfig;
    use crate::failure::FailureKind;
    use crate::message::{FetchOrder, FetchOutcome, FetchResult, NextAction, Outlink};
    use gristmill_terms::{LinkSource, Verdict};
    use gristmill_urls::{ScopeConfig, ScopeRule};

    const HOUR: u64 = 3_600_000;
    const YEAR: u64 = 365 * 24 * HOUR;

    fn config() -> FrontierConfig {
        let scope = Some(ScopeConfig { rule: ScopeRule::Any, ..ScopeConfig::default() });
        let recrawl = RecrawlConfig { enabled: true, ..RecrawlConfig::default() };
        let mut config = FrontierConfig { scope, recrawl, ..FrontierConfig::default() };
        config.robots.enabled = false;
        config.politeness.max_retry_after = Duration::from_secs(1_800);
        config
    }

    /// The next order, and when it is due, from `now` on.
    fn next(frontier: &mut Frontier, now: &mut u64) -> FetchOrder {
        for _ in 0..3 {
            match frontier.next(*now).unwrap() {
                NextAction::Order(order) => return *order,
                NextAction::WaitUntil(time) => *now = time,
                other => panic!("{other:?}"),
            }
        }
        panic!("no order at its time");
    }

    /// A year ahead, one page is fetched, another is asked to be tried again later; the store does not know the time, as those of
    /// older versions.
    #[test]
    fn times_of_an_old_store_beyond_the_longest_legal_pause_come_back_to_it() {
        let (dir, start) = (tempfile::tempdir().unwrap(), 1_795_219_200_000);
        let mut now = start + YEAR;
        let mut frontier = Frontier::open(dir.path(), config()).unwrap();
        for url in ["http://a.com/1", "http://b.com/2", "http://a.com/3"] {
            let (kind, source) = (FetchKind::Page, LinkSource::Anchor);
            frontier.offer(&Outlink { url, kind, source, depth: 1, hops: 0, anchor_title: None }, now).unwrap();
        }
        for result in [FetchResult::Ok, FetchResult::Failed(FailureKind::Fetch(Verdict::Unavailable))] {
            let order = next(&mut frontier, &mut now);
            let outcome = FetchOutcome {
                retry_after_ms: Some(1_800_000),
                ip: Some(order.url[7..8].to_owned()),
                ..FetchOutcome::new(order.id, result, 200, now)
            };
            frontier.outcome(&outcome, now).unwrap();
        }
        frontier.clock = MonotonicClock::default();
        frontier.commit(&Positions::new()).unwrap();
        drop(frontier);

        let mut frontier = Frontier::open(dir.path(), config()).unwrap();
        let mut now = start;
        let mut due = BTreeMap::new();
        for _ in 0..2 {
            let order = next(&mut frontier, &mut now);
            due.insert(order.url, now - start);
        }
        assert_eq!(frontier.clock_behind(), 0);
        let longest = 1_800_000;
        assert_eq!(due, [("http://a.com/3".to_owned(), longest), ("http://b.com/2".to_owned(), longest)].into());
        let revisit = frontier.explain(&"http://a.com/1".parse().unwrap(), now).unwrap().known.unwrap().due;
        assert_eq!(revisit, Some(start + 30 * 24 * HOUR), "`recrawl.max`");
    }
}
