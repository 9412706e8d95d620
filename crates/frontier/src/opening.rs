//! How a frontier comes back from its store: its leases, the hosts with work, and the links that no host's record knows yet.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use gristmill_terms::FetchKind;
use gristmill_urls::{CanonicalUrl, CrawlScope, ScopeConfig, Takedowns, UrlKey};

use crate::admission::SeenEntry;
use crate::clock::MonotonicClock;
use crate::config::FrontierConfig;
use crate::copies::Copies;
use crate::disk_queue::DiskQueue;
use crate::domain_record::DomainRecord;
use crate::error::FrontierError;
use crate::fast_map::{FastMap, KeyedHash, keyed_hash, random_key};
use crate::frontier::{Frontier, origin_of};
use crate::host_queues::{HostId, HostQueues};
use crate::host_record::{HostRecord, HostTask, HostTaskState};
use crate::link_log::{LinkEntry, NewUrl, damaged as damaged_link};
use crate::lone_failures::LoneFailures;
use crate::mirrors::Mirrors;
use crate::order_lease::OrderLease;
use crate::seen::SeenUrl;
use crate::sites::SiteCrawlRules;
use crate::store::{FrontierStore, StoreHeader};
use crate::template::Templates;
use crate::two_generation_cache::TwoGenerationCache;
use crate::variants::AddressVariants;

/// Blocks of the link log that are read at once when the store is opened.
const BLOCKS_AT_ONCE: usize = 256;

/// URLs of the link log that the records of their hosts may not know, in their order.
#[derive(Default)]
struct NewLinks {
    /// Numbers of the origins, by their keyed hashes.
    origins: FastMap<u128, u32>,
    links: Vec<NewLink>,
}

/// One of them, in 16 bytes, as there may be millions.
struct NewLink {
    place: u64,
    origin: u32,
    priority: u8,
    is_page: bool,
}

/// A host with work, and its number among those of new links.
struct BusyHost {
    url: CanonicalUrl,
    record: HostRecord,
    number: Option<u32>,
}

impl NewLinks {
    fn push(&mut self, link: &NewUrl<'_>, place: u64) {
        let next = self.origins.len() as u32;
        let origin = *self.origins.entry(keyed_hash(origin_of(link.url))).or_insert(next);
        self.links.push(NewLink { place, origin, priority: link.priority, is_page: link.kind == FetchKind::Page });
    }
}

impl Frontier {
    /// Opens the frontier in `dir`, or makes a new one there.
    ///
    /// A set `config.scope` replaces the stored one. Reads all host records (those with work come into memory):
    /// about a second for a million hosts.
    ///
    /// # Errors
    /// When the settings contradict each other, another process has the store open, or it cannot be read.
    pub fn open(dir: &Path, config: FrontierConfig) -> Result<Self, FrontierError> {
        config.check().map_err(FrontierError::Config)?;
        let (mut store, mut meta) = FrontierStore::open(dir, &config)?;
        let scope = open_scope(&config, &mut store, &mut meta)?;
        let mut frontier = Self {
            scope,
            sites: SiteCrawlRules::new(&config.sites).map_err(FrontierError::Config)?,
            places: HostQueues::default(),
            leases: BTreeMap::new(),
            n_counting: 0,
            n_rendering: 0,
            heard_of_browsers: None,
            browsers_are_silent: false,
            last_render: 0,
            retries: DiskQueue::new(&[0], meta.n_retries),
            revisits: DiskQueue::new(&[1], meta.n_revisits),
            rules: TwoGenerationCache::new(config.robots.cache_bytes),
            tdm: TwoGenerationCache::new(config.robots.cache_bytes / 4),
            recent: TwoGenerationCache::new(config.recent_urls),
            templates: Templates::default(),
            variants: AddressVariants::default(),
            sources: HashMap::new(),
            dates: HashMap::new(),
            site_clocks: HashMap::new(),
            clock: MonotonicClock::after(meta.clock),
            owns: None,
            referrals: Vec::new(),
            departed: Vec::new(),
            notices: Vec::new(),
            copies: Copies::default(),
            mirrors: Mirrors::default(),
            lone_failures: LoneFailures::default(),
            takedowns: Takedowns::default(),
            taken_down: Vec::new(),
            knows_time: false,
            // Others begin elsewhere.
            next_snapshot: random_key() >> 1,
            config,
            committed_orders: meta.next_order,
            store,
            meta,
        };
        frontier.restore_leases()?;
        frontier.restore_hosts()?;
        frontier.restore_control()?;
        Ok(frontier)
    }

    fn restore_leases(&mut self) -> Result<(), FrontierError> {
        let stored = self.store.leases.scan(&[], &[], usize::MAX)?;
        for (key, value) in stored {
            let id = key.as_slice().try_into().ok().map(u64::from_be_bytes);
            let (Some(id), Some(lease)) = (id, OrderLease::decode(&value)) else {
                return Err(self.store.leases.damaged(&key));
            };
            let url = self.stored_url(&lease.url)?;
            let domain = self.places.domain(url.registrable_domain(), &mut self.store, &mut self.meta)?;
            self.places.domain_mut(domain).in_flight.push(id);
            self.n_counting += u64::from(lease.counts);
            self.n_rendering += u64::from(lease.kind == FetchKind::Render);
            self.leases.insert(id, lease);
        }
        Ok(())
    }

    /// Brings what the link log has and no bucket of the seen set there, and answers what may be in no host's record: as many URLs as
    /// come in between two merges.
    fn read_new_links(&mut self) -> Result<NewLinks, FrontierError> {
        let mut first = self.store.seen.merged_to().min(self.meta.links_from);
        let mut new_links = NewLinks::default();
        loop {
            let blocks: Vec<_> = self.store.links.blocks_from(first).take(BLOCKS_AT_ONCE).collect::<Result<_, _>>()?;
            let Some(last) = blocks.last() else {
                self.store.seen.replayed();
                return Ok(new_links);
            };
            first = last.end();
            for block in &blocks {
                for entry in block.entries() {
                    let (place, entry) = entry.ok_or_else(|| block.damaged())?;
                    let (key, known) = match entry {
                        LinkEntry::Link(link) => {
                            if place >= self.meta.links_from {
                                new_links.push(&link, place);
                            }
                            (UrlKey::of(link.url), SeenUrl::new(place, SeenEntry::pack_new(&link)))
                        }
                        LinkEntry::Summary(key, known) => (key, known),
                    };
                    self.store.seen.replay(place, key, known);
                }
            }
        }
    }

    /// Brings the hosts with work into memory and their heads into the heap.
    fn restore_hosts(&mut self) -> Result<(), FrontierError> {
        let new_links = self.read_new_links()?;
        let hosts = self.busy_hosts(&new_links)?;
        self.restore_domains(&hosts)?;
        self.places.reserve(hosts.len());
        let mut ids = Vec::with_capacity(hosts.len());
        let mut by_number = vec![None; new_links.origins.len()];
        for BusyHost { url, record, number } in hosts {
            let domain = self.places.domain(url.registrable_domain(), &mut self.store, &mut self.meta)?;
            let id = self.places.add_host(url.origin(), domain, record);
            ids.push(id);
            if let Some(number) = number {
                by_number[number as usize] = Some(id);
            }
        }
        for NewLink { place, origin, priority, is_page } in new_links.links {
            let host = match by_number[origin as usize] {
                Some(host) => host,
                None => self.host_of_link(place)?,
            };
            by_number[origin as usize] = Some(host);
            self.places.replay_link(host, (priority.into(), place), is_page);
        }
        for host in ids {
            let task = self.places.hosts[&host].record.task.clone();
            if let Some(HostTask { url, place: HostTaskState::Queued(sequence), .. }) = task {
                self.push_task_head(host, &url, sequence)?;
            }
            self.places.sync_head(host, &self.store, &self.meta.ips)?;
        }
        Ok(())
    }

    /// The host of a URL of the link log, should it have no record.
    fn host_of_link(&mut self, place: u64) -> Result<HostId, FrontierError> {
        let link = self.store.links.get(place)?.ok_or_else(|| damaged_link(place))?;
        let url = self.stored_url(&link.url)?;
        self.places.host(&url, &mut self.store, &mut self.meta)
    }

    /// The hosts with work as they are stored, in the order of their origins.
    fn busy_hosts(&self, new_links: &NewLinks) -> Result<Vec<BusyHost>, FrontierError> {
        let mut busy = Vec::new();
        for entry in self.store.hosts.iter_from(&[], &[]) {
            let (key, value) = entry?;
            let record = HostRecord::decode(&value).ok_or_else(|| self.store.hosts.damaged(&key))?;
            let origin = std::str::from_utf8(&key).map_err(|_| self.store.hosts.damaged(&key))?;
            let n_waiting = [record.n_queued, record.n_renders, record.links.n_entries];
            let waits = n_waiting.into_iter().any(|n| n > 0) || record.task.is_some();
            let number = new_links.origins.get(&keyed_hash(origin)).copied();
            if waits || number.is_some() {
                busy.push(BusyHost { url: self.stored_url(origin)?, record, number });
            }
        }
        Ok(busy)
    }

    /// Brings the domains of those hosts into memory: by one walk over all, as a look-up for each takes longer.
    fn restore_domains(&mut self, hosts: &[BusyHost]) -> Result<(), FrontierError> {
        let names: HashSet<&str, KeyedHash> = hosts.iter().map(|host| host.url.registrable_domain()).collect();
        for entry in self.store.domains.iter_from(&[], &[]) {
            let (key, value) = entry?;
            if let Some(name) = std::str::from_utf8(&key).ok().and_then(|name| names.get(name)) {
                let record = DomainRecord::decode(&value).ok_or_else(|| self.store.domains.damaged(&key))?;
                self.places.add_domain(name, record);
            }
        }
        Ok(())
    }
}

/// The scope by the settings, else as stored, with the stored seeds.
fn open_scope(
    config: &FrontierConfig,
    store: &mut FrontierStore,
    meta: &mut StoreHeader,
) -> Result<CrawlScope, FrontierError> {
    let stored = meta.scope.as_deref().and_then(|text| serde_json::from_str::<ScopeConfig>(text).ok());
    let chosen = config.scope.clone().or(stored).unwrap_or_default();
    let text = serde_json::to_string(&chosen).map_err(|error| FrontierError::Config(error.to_string()))?;
    if meta.scope.as_ref() != Some(&text) {
        store.write_scope(&text);
        if meta.scope.is_some() {
            store.note_scope_change(true);
        }
        meta.scope = Some(text);
    }
    let mut scope = CrawlScope::new(&chosen, [])?.with_pdf(config.pdf);
    for entry in store.seeds.iter_from(&[], &[]) {
        let (key, _) = entry?;
        let seed = std::str::from_utf8(&key).ok().and_then(|seed| CanonicalUrl::parse(seed, None).ok());
        scope.add_seed(&seed.ok_or_else(|| store.seeds.damaged(&key))?);
    }
    Ok(scope)
}
