//! Hosts and domains that have work, in memory: who may be asked next, and when.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};

use crate::address_queues::AddressQueues;
use crate::disk_queue::{DiskQueue, Rank};
use crate::domain_record::{DomainRecord, TimestampLimits};
use crate::error::FrontierError;
use crate::fast_map::{FastMap, keyed_hash};
use crate::host_record::HostRecord;
use crate::link_queue::LinkQueue;
use crate::store::{FrontierStore, StoreHeader};
use crate::table::StoreTable;
use crate::url_record::{HOMES, LINKS};
use gristmill_terms::FetchKind;
use gristmill_urls::{CanonicalUrl, UrlKey};

/// Hosts and domains without work that stay in memory; more are dropped at a commit.
const MAX_IDLE: usize = 20_000;

/// Behind all links: sitemaps that are more than the page budget.
pub(crate) const HELD_BACK: u8 = 254;

pub(crate) type HostId = u64;
pub(crate) type DomainId = u32;

/// A URL in a queue: where it stands, and its key unless it is in the link log.
pub(crate) type QueuedUrl = (Rank, Option<UrlKey>);

pub(crate) struct HostQueue {
    pub(crate) origin: String,
    /// URLs that wait once more, and those whose order changed.
    pub(crate) queue: DiskQueue,
    /// Pages that wait for a browser. They do not stand among the heads: see [`Frontier::next`](crate::Frontier::next).
    pub(crate) renders: DiskQueue,
    /// When robots.txt was asked for last, until an order was given by its answer or nothing waits for one.
    pub(crate) unused_robots: Option<u64>,
    pub(crate) record: HostRecord,
    /// The entry that stands for this host among its domain's heads.
    head: Option<QueueHead>,
    pub(crate) domain: DomainId,
    dirty: bool,
    /// Whether it has its turn among those whose new URLs get rows.
    awaits_flush: bool,
    /// URLs that were never fetched, in the order in which they were met.
    pub(crate) links: LinkQueue,
}

pub(crate) struct DomainQueue {
    pub(crate) name: String,
    pub(crate) record: DomainRecord,
    /// Ids of the orders in flight: one, or more after orders were adopted.
    pub(crate) in_flight: Vec<u64>,
    /// What may be ordered next: the first URL of each host that is not blocked, and robots.txt files.
    pub(crate) heads: BTreeSet<QueueHead>,
    /// Time and class of the one valid entry in the heaps.
    scheduled: Option<u64>,
    class: u8,
    /// Whether that entry waits for the domain's address.
    parked: bool,
    n_hosts: usize,
    dirty: bool,
}

/// One candidate of a domain; robots.txt has priority 0 and so goes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct QueueHead {
    pub(crate) rank: Rank,
    pub(crate) host: HostId,
    pub(crate) is_task: bool,
}

/// A domain that is due, in the order of the turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DueEntry {
    pub(crate) class: u8,
    pub(crate) time: u64,
    pub(crate) tick: u64,
    pub(crate) id: DomainId,
}

/// All hosts and domains in memory, with the heap of domains that wait for their time.
#[derive(Default)]
pub(crate) struct HostQueues {
    pub(crate) hosts: FastMap<HostId, HostQueue>,
    /// By the keyed hash of their origins, so that a look-up reads no text.
    host_ids: FastMap<u128, HostId>,
    pub(crate) domains: FastMap<DomainId, DomainQueue>,
    domain_ids: FastMap<String, DomainId>,
    next_domain: DomainId,
    /// Domains that wait: `(time, tick, domain, class)`. Entries whose domain is scheduled otherwise are stale. The tick makes domains
    /// that are due at the same time take turns.
    heap: BinaryHeap<Reverse<(u64, u64, DomainId, u8)>>,
    /// Those that are due.
    due: BinaryHeap<Reverse<DueEntry>>,
    /// Those that are due, but for their address.
    parked: AddressQueues,
    tick: u64,
    dirty_hosts: Vec<HostId>,
    /// Hosts with new URLs that have no rows, and the sequence of the first one; in its order.
    unflushed: VecDeque<(u64, HostId)>,
    dirty_domains: Vec<DomainId>,
    /// So many places in memory make the next commit look for idle ones.
    idle_limit: usize,
    /// Whether URLs of the priority [`HELD_BACK`] wait, and hosts that have nothing else.
    hold: bool,
    held: BTreeSet<HostId>,
    /// Stored times beyond are of a clock that was ahead.
    pub(crate) latest: TimestampLimits,
    /// Hosts with pages that wait for a browser.
    pub(crate) rendering: BTreeSet<HostId>,
    /// Domains that get no order for now; the empty name stands for all.
    pub(crate) paused: BTreeSet<String>,
}

/// In the keys of the queues, what sets the pages of a host that wait for a browser apart from its others.
const RENDERS: HostId = 1 << 63;

impl HostQueue {
    /// The queue in which URLs of this kind wait that are not new.
    pub(crate) fn queue_of(&mut self, kind: FetchKind) -> &mut DiskQueue {
        match kind {
            FetchKind::Render => &mut self.renders,
            _ => &mut self.queue,
        }
    }

    /// How many entries wait, but for a browser; a few may have left the queue.
    pub(crate) fn n_waiting(&self) -> u64 {
        self.queue.len() + self.links.len()
    }

    /// The URL of this kind that is next, and its key unless it is new: then it is in the link log.
    pub(crate) fn peek(&mut self, kind: FetchKind, table: &StoreTable) -> Result<Option<QueuedUrl>, FrontierError> {
        if kind != FetchKind::Render
            && let Some(rank) = self.links.peek(table)?
            && self.queue.peek(table)?.is_none_or(|(other, _)| rank < other)
        {
            return Ok(Some((rank, None)));
        }
        let Some((rank, key)) = self.queue_of(kind).peek(table)? else { return Ok(None) };
        let key = key.try_into().map_err(|_| table.damaged(key))?;
        Ok(Some((rank, Some(UrlKey::from_bytes(key)))))
    }

    /// Takes out what [`HostQueue::peek`] tells.
    pub(crate) fn pop(&mut self, kind: FetchKind, table: &mut StoreTable) -> Result<(), FrontierError> {
        match self.peek(kind, table)? {
            Some((_, None)) => self.links.pop(table).map(drop),
            Some(_) => self.queue_of(kind).pop(table).map(drop),
            None => Ok(()),
        }
    }
}

impl DomainQueue {
    /// How soon it has its turn among domains that are due, smaller first: what cannot wait comes before links, and links go by what
    /// their domains are worth.
    fn class_now(&self) -> u8 {
        match self.heads.first() {
            Some(head) if head.rank.0 >= u64::from(LINKS) || head.rank.0 == u64::from(HOMES) => {
                self.record.budget.class()
            }
            _ => 0,
        }
    }
}

/// Whether an entry of a heap stands for its domain.
fn stands(domains: &FastMap<DomainId, DomainQueue>, entry: &DueEntry) -> bool {
    domains.get(&entry.id).is_some_and(|domain| (domain.scheduled, domain.class) == (Some(entry.time), entry.class))
}

impl HostQueues {
    /// The id of the host of `url`, read from the store or made new.
    pub(crate) fn host(
        &mut self,
        url: &CanonicalUrl,
        store: &mut FrontierStore,
        meta: &mut StoreHeader,
    ) -> Result<HostId, FrontierError> {
        let origin = url.origin();
        if let Some(id) = self.host_ids.get(&keyed_hash(origin)) {
            return Ok(*id);
        }
        let known = store.hosts.get(origin.as_bytes(), HostRecord::decode)?;
        let is_new = known.is_none();
        let record = known.unwrap_or_else(|| {
            let id = meta.next_host;
            meta.next_host += 1;
            HostRecord::new(id)
        });
        let domain = self.domain(url.registrable_domain(), store, meta)?;
        let id = self.add_host(origin, domain, record);
        if is_new {
            self.host_mut(id);
        }
        Ok(id)
    }

    /// Makes room for so many hosts that come at once.
    pub(crate) fn reserve(&mut self, n_hosts: usize) {
        self.hosts.reserve(n_hosts);
        self.host_ids.reserve(n_hosts);
    }

    /// Brings a host into memory as it is stored.
    pub(crate) fn add_host(&mut self, origin: &str, domain: DomainId, record: HostRecord) -> HostId {
        let id = record.id;
        let queue = DiskQueue::new(&id.to_be_bytes(), record.n_queued);
        let links = LinkQueue::new(id, record.links);
        let renders = DiskQueue::new(&(id | RENDERS).to_be_bytes(), record.n_renders);
        self.domains.get_mut(&domain).expect("domain ids are handed out for domains in memory").n_hosts += 1;
        let (origin_text, head, unused_robots) = (origin.to_owned(), None, None);
        let (dirty, awaits_flush) = (false, false);
        let host = HostQueue {
            origin: origin_text,
            domain,
            record,
            queue,
            links,
            renders,
            head,
            unused_robots,
            dirty,
            awaits_flush,
        };
        self.hosts.insert(id, host);
        self.host_ids.insert(keyed_hash(origin), id);
        id
    }

    /// The id of the domain `name`, read from the store or made new. Ids hold until it is dropped at a commit.
    pub(crate) fn domain(
        &mut self,
        name: &str,
        store: &mut FrontierStore,
        meta: &mut StoreHeader,
    ) -> Result<DomainId, FrontierError> {
        if let Some(id) = self.domain_ids.get(name) {
            return Ok(*id);
        }
        let known = store.domains.get(name.as_bytes(), DomainRecord::decode)?;
        let is_new = known.is_none();
        meta.n_domains += u64::from(is_new);
        let id = self.add_domain(name, known.unwrap_or_default());
        if is_new {
            self.domain_mut(id);
        }
        Ok(id)
    }

    /// Brings a domain into memory as it is stored, unless it is there.
    pub(crate) fn add_domain(&mut self, name: &str, record: DomainRecord) -> DomainId {
        if let Some(id) = self.domain_ids.get(name) {
            return *id;
        }
        let id = self.next_domain;
        self.next_domain += 1;
        let domain = DomainQueue {
            name: name.to_owned(),
            record: record.not_beyond(self.latest),
            in_flight: Vec::new(),
            heads: BTreeSet::new(),
            scheduled: None,
            parked: false,
            class: 0,
            n_hosts: 0,
            dirty: false,
        };
        self.domains.insert(id, domain);
        self.domain_ids.insert(name.to_owned(), id);
        id
    }

    /// A host in memory, to be changed.
    pub(crate) fn host_mut(&mut self, id: HostId) -> &mut HostQueue {
        let host = self.hosts.get_mut(&id).expect("host ids are handed out for hosts in memory");
        if !std::mem::replace(&mut host.dirty, true) {
            self.dirty_hosts.push(id);
        }
        host
    }

    /// A domain in memory, to be changed.
    pub(crate) fn domain_mut(&mut self, id: DomainId) -> &mut DomainQueue {
        let domain = self.domains.get_mut(&id).expect("domain ids are handed out for domains in memory");
        if !std::mem::replace(&mut domain.dirty, true) {
            self.dirty_domains.push(id);
        }
        domain
    }

    pub(crate) fn find_host(&self, origin: &str) -> Option<&HostQueue> {
        self.hosts.get(self.host_ids.get(&keyed_hash(origin))?)
    }

    pub(crate) fn find_domain(&self, name: &str) -> Option<&DomainQueue> {
        self.domains.get(self.domain_ids.get(name)?)
    }

    /// Takes in a link to a domain in memory from another one, by a keyed hash of its name.
    pub(crate) fn link(&mut self, domain: &str, from: u64) {
        let Some(&id) = self.domain_ids.get(domain) else { return };
        if self.domains.get_mut(&id).is_some_and(|domain| domain.record.budget.link(from)) {
            self.domain_mut(id);
        }
    }

    /// Makes the host's entry among its domain's heads agree with its queue: none while robots.txt is being fetched. Notes too
    /// whether pages of the host wait for a browser.
    pub(crate) fn sync_head(
        &mut self,
        id: HostId,
        store: &FrontierStore,
        ips: &FastMap<String, u64>,
    ) -> Result<(), FrontierError> {
        let host = self.hosts.get_mut(&id).expect("host ids are handed out for hosts in memory");
        if host.renders.len() > 0 {
            self.rendering.insert(id);
        } else if !self.rendering.is_empty() {
            self.rendering.remove(&id);
        }
        let mut wanted = match host.record.task {
            Some(_) => None,
            None => {
                let next = host.peek(FetchKind::Page, &store.queue)?;
                next.map(|(rank, _)| QueueHead { rank, host: id, is_task: false })
            }
        };
        if self.hold && wanted.is_some_and(|head| head.rank.0 == u64::from(HELD_BACK)) {
            wanted = None;
            self.held.insert(id);
        }
        if host.head != wanted {
            let domain = self.domains.get_mut(&host.domain).expect("a host's domain is in memory");
            if let Some(old) = host.head.take() {
                domain.heads.remove(&old);
            }
            domain.heads.extend(wanted);
            host.head = wanted;
        }
        let domain = host.domain;
        self.schedule(domain, ips);
        Ok(())
    }

    /// Says whether URLs of the priority [`HELD_BACK`] wait; answers the hosts that need wait no more.
    pub(crate) fn set_hold(&mut self, hold: bool) -> Vec<HostId> {
        self.hold = hold;
        let freed = if hold { BTreeSet::new() } else { std::mem::take(&mut self.held) };
        freed.into_iter().filter(|host| self.hosts.contains_key(host)).collect()
    }

    /// Whether a host waits that has only such URLs.
    pub(crate) fn holds_back(&self) -> bool {
        self.hold && !self.held.is_empty()
    }

    /// Pauses a domain, or lets it go on; the empty name stands for all.
    pub(crate) fn set_paused(&mut self, domain: &str, paused: bool, ips: &FastMap<String, u64>) {
        if paused {
            self.paused.insert(domain.to_owned());
        } else {
            self.paused.remove(domain);
        }
        let ids: Vec<DomainId> = match domain {
            "" => self.domains.keys().copied().collect(),
            domain => self.domain_ids.get(domain).copied().into_iter().collect(),
        };
        ids.into_iter().for_each(|id| self.schedule(id, ips));
    }

    /// Whether the domain gets no order for now.
    pub(crate) fn is_paused(&self, domain: &DomainQueue) -> bool {
        pauses(&self.paused, domain)
    }

    /// Whether anything waits that would be ordered were it not paused.
    pub(crate) fn pauses_work(&self) -> bool {
        let renders = self.rendering.iter().filter_map(|host| self.domains.get(&self.hosts.get(host)?.domain));
        let waiting = self.domains.values().filter(|domain| !domain.heads.is_empty()).chain(renders);
        !self.paused.is_empty() && waiting.into_iter().any(|domain| self.is_paused(domain))
    }

    /// Brings the times of all domains in memory back to the latest that they may be.
    pub(crate) fn bring_back(&mut self, latest: TimestampLimits, ips: &FastMap<String, u64>) {
        let ids: Vec<DomainId> = self.domains.keys().copied().collect();
        for id in ids {
            let record = &self.domains[&id].record;
            if record.next_allowed > latest.next_allowed || record.given_up_until > latest.given_up_until {
                let domain = self.domain_mut(id);
                domain.record = std::mem::take(&mut domain.record).not_beyond(latest);
            }
            self.schedule(id, ips);
        }
    }

    /// When the domain may be asked next, its IP address reckoned in.
    pub(crate) fn ready_at(domain: &DomainQueue, ips: &FastMap<String, u64>) -> u64 {
        let by_ip = domain.record.last_ip.as_ref().and_then(|ip| ips.get(ip)).copied().unwrap_or(0);
        domain.record.next_allowed.max(by_ip)
    }

    /// Puts the domain into the heap if it has something to order and nothing in flight.
    pub(crate) fn schedule(&mut self, id: DomainId, ips: &FastMap<String, u64>) {
        let domain = self.domains.get_mut(&id).expect("domain ids are handed out for domains in memory");
        if pauses(&self.paused, domain) || !domain.in_flight.is_empty() || domain.heads.is_empty() {
            (domain.scheduled, domain.parked) = (None, false);
            return;
        }
        let (time, class) = (Self::ready_at(domain, ips), domain.class_now());
        // Its address knows when it may be asked again.
        let waits = domain.parked && domain.class == class;
        if !waits && (domain.scheduled, domain.class) != (Some(time), class) {
            (domain.scheduled, domain.class, domain.parked) = (Some(time), class, false);
            self.tick += 1;
            self.heap.push(Reverse((time, self.tick, id, class)));
        }
    }

    /// Of the domains that are due at `now` the one of the first class, and of these the one that is due longest. It stays in its heap.
    ///
    /// * `pause`: after which an address lets its next domain go.
    pub(crate) fn first_due(&mut self, now: u64, pause: u64, ips: &FastMap<String, u64>) -> Option<DomainId> {
        let Self { heap, due, parked, domains, .. } = self;
        while let Some(Reverse((time, tick, id, class))) = heap.peek().copied() {
            let entry = DueEntry { class, time, tick, id };
            match stands(domains, &entry) {
                true if time > now => break,
                true => due.push(Reverse(entry)),
                false => {}
            }
            heap.pop();
        }
        while let Some(entry) = parked.pop(now, pause, ips, |entry| stands(domains, entry)) {
            domains.get_mut(&entry.id).expect("an entry that stands is of a domain in memory").parked = false;
            due.push(Reverse(entry));
        }
        while let Some(Reverse(entry)) = due.peek().copied() {
            if stands(domains, &entry) {
                return Some(entry.id);
            }
            due.pop();
        }
        None
    }

    /// When a domain is due first, where none is at the moment.
    pub(crate) fn next_due(&mut self, ips: &FastMap<String, u64>) -> Option<u64> {
        let first = loop {
            let Some(Reverse((time, tick, id, class))) = self.heap.peek().copied() else { break None };
            let is_valid = stands(&self.domains, &DueEntry { class, time, tick, id });
            if is_valid && Self::ready_at(&self.domains[&id], ips) == time {
                break Some(time);
            }
            self.heap.pop();
            if is_valid {
                // The address was asked on behalf of another domain since.
                self.schedule(id, ips);
            }
        };
        first.into_iter().chain(self.parked.next_time()).min()
    }

    /// Takes the first domain out of those that are due, after [`HostQueues::first_due`] named it.
    pub(crate) fn unschedule(&mut self, id: DomainId) {
        self.due.pop();
        self.domain_mut(id).scheduled = None;
    }

    /// Lets the domain that [`HostQueues::first_due`] named wait, since it is not ready before `time`: in the queue of its address, if that is
    /// what it waits for.
    pub(crate) fn postpone(&mut self, id: DomainId, time: u64, ips: &FastMap<String, u64>) {
        let Some(Reverse(entry)) = self.due.pop() else { return };
        let domain = self.domains.get_mut(&id).expect("a domain that is due is in memory");
        match &domain.record.last_ip {
            Some(ip) if domain.record.next_allowed < time => {
                domain.parked = true;
                self.parked.push(ip, time, entry);
            }
            _ => self.schedule(id, ips),
        }
    }

    /// Lets a new URL of the host wait. Nothing of it is written but the entry of the link log, which tells after a crash what the
    /// host's record does not know yet. Answers whether it may be the first that waits.
    pub(crate) fn push_link(&mut self, id: HostId, rank: Rank, is_page: bool) -> bool {
        let host = self.hosts.get_mut(&id).expect("host ids are handed out for hosts in memory");
        host.record.n_pages += u64::from(is_page);
        host.links.push(rank);
        if !std::mem::replace(&mut host.awaits_flush, true) {
            self.unflushed.push_back((rank.1, id));
        }
        host.head.is_none_or(|head| rank < head.rank)
    }

    /// Brings an entry of the link log back that the host's record may not know. They must come in their order.
    pub(crate) fn replay_link(&mut self, id: HostId, rank: Rank, is_page: bool) {
        let record = &self.hosts[&id].record;
        let is_counted = rank.1 < record.counted_to;
        if rank.1 >= record.flushed_to {
            self.push_link(id, rank, is_page && !is_counted);
        }
    }

    /// The sequence from which on the link log has what no host's record knows.
    pub(crate) fn flushed_to(&self) -> Option<u64> {
        self.unflushed.front().map(|(sequence, _)| *sequence)
    }

    /// Gives rows to the new URLs of hosts that have had one without since before `since`.
    fn flush_links(&mut self, store: &mut FrontierStore, since: u64) {
        while let Some((_, id)) = self.unflushed.pop_front_if(|(sequence, _)| *sequence < since) {
            if let Some(host) = self.hosts.get_mut(&id) {
                host.awaits_flush = false;
                host.links.flush(&mut store.queue);
                self.host_mut(id);
            }
        }
    }

    /// Writes what changed into the store's pending changes, and drops what has had no work for long. All links so far have sequences
    /// below `sequence`.
    pub(crate) fn flush(&mut self, store: &mut FrontierStore, now: u64, sequence: u64) {
        self.flush_links(store, sequence.saturating_sub(store.seen.turn_of_rows()));
        for id in std::mem::take(&mut self.dirty_hosts) {
            let host = self.hosts.get_mut(&id).expect("only flushed hosts are dropped");
            host.record.n_queued = host.queue.len();
            host.record.n_renders = host.renders.len();
            host.record.links = host.links.rows();
            host.record.counted_to = sequence;
            if host.links.is_flushed() {
                host.record.flushed_to = sequence;
            }
            store.hosts.put(host.origin.clone().into_bytes(), host.record.encode());
            host.dirty = false;
        }
        for id in std::mem::take(&mut self.dirty_domains) {
            let domain = self.domains.get_mut(&id).expect("only flushed domains are dropped");
            store.domains.put(domain.name.clone().into_bytes(), domain.record.encode());
            domain.dirty = false;
        }
        let n_places = self.hosts.len().max(self.domains.len());
        if n_places > self.idle_limit.max(MAX_IDLE) {
            self.drop_idle(now);
            // Twice what is busy, so that the walk over all of them is paid for by as many newcomers.
            self.idle_limit = 2 * self.hosts.len().max(self.domains.len());
        }
    }

    fn drop_idle(&mut self, now: u64) {
        let Self { hosts, domains, .. } = self;
        hosts.retain(|_, host| {
            let domain = domains.get_mut(&host.domain).expect("a host's domain is in memory");
            let waiting = host.n_waiting() + host.renders.len();
            // A record that is not written would be found without the pages that it counted.
            let keep = waiting > 0 || host.awaits_flush || host.record.task.is_some() || !domain.in_flight.is_empty();
            domain.n_hosts -= usize::from(!keep);
            keep
        });
        domains.retain(|_, domain| {
            domain.n_hosts > 0
                || !domain.in_flight.is_empty()
                || !domain.heads.is_empty()
                || domain.record.next_allowed > now
        });
        self.host_ids.retain(|_, id| hosts.contains_key(id));
        self.domain_ids.retain(|_, id| domains.contains_key(id));
    }
}

/// Whether the domain is among those that are paused, or all are.
fn pauses(paused: &BTreeSet<String>, domain: &DomainQueue) -> bool {
    paused.contains("") || paused.contains(&domain.name)
}
