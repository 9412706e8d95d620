//! The frontier's tables on disk, opened, filled and committed as one.
//!
//! ```text
//! urls    URL key (16 bytes)                      → UrlRecord, where it is no longer what `links` has
//! hosts   origin, `https://example.org:8443`      → HostRecord
//! robots  origin                                  → robots.txt as it came
//! domains registrable domain                      → DomainRecord
//! queue   host id u64 | priority u64 | sequence   → URL key          (integers big-endian)
//!         host id u64 | rank u64                  → new URLs: see `link_queue.rs`
//! later   0 retries, 1 revisits | due u64 | seq.  → Waiting
//! leases  order id u64                            → Lease
//! seeds   canonical URL                           → nothing
//! dependants  URL key | URL key of who depends on it  → Dependant
//! cookies registrable domain                      → what the site has set, address by address
//! meta    name                                    → see `StoreHeader`, `link_file.rs`, `seen.rs`
//! ```
//!
//! What is large and never changes is in files beside the tables: `links/`, the URLs as they were new (see `link_log.rs`), and `seen/`,
//! the fingerprints of all URLs (see `seen.rs`). They are durable before the commit that names them.

use std::path::{Path, PathBuf};

use fjall::config::{BloomConstructionPolicy, FilterPolicy, FilterPolicyEntry};
use fjall::{CompressionType, Database, Keyspace, KeyspaceCreateOptions, PersistMode};

use crate::Positions;
use crate::changed_rows::ChangedRows;
use crate::codec::{RecordDecoder, RecordEncoder};
use crate::config::FrontierConfig;
use crate::error::FrontierError;
use crate::fast_map::{FastMap, random_key};
use crate::link_file::LinkFiles;
use crate::link_log::LinkLog;
use crate::seen::SeenSet;
use crate::seen_moment::SeenMoment;
use crate::table::StoreTable;
use crate::url_record::N_STATES;
use gristmill_terms::FetchKind;

/// Raised when the tables change. Stores of format 1 have all their URLs in `urls`, and get a seen set. 2: links and seen set in tables,
/// which become files. See `upgrade.rs`.
pub(crate) const FORMAT: u64 = 3;

/// Kinds that are counted: page, sitemap, feed, render. What tells a site's wishes never enters the seen set.
pub(crate) const N_KINDS: usize = 5;

/// Kinds that stores of older versions counted.
const N_FIRST_KINDS: usize = 4;

/// The row of a kind in [`StoreHeader::counts`]; render has that after the first four.
pub(crate) fn row_of(kind: FetchKind) -> usize {
    match kind {
        FetchKind::Render => N_FIRST_KINDS,
        kind => kind as usize,
    }
}

pub(crate) struct FrontierStore {
    pub(crate) db: Database,
    pub(crate) links: LinkLog,
    pub(crate) seen: SeenSet,
    pub(crate) urls: StoreTable,
    pub(crate) hosts: StoreTable,
    pub(crate) robots: StoreTable,
    pub(crate) domains: StoreTable,
    pub(crate) queue: StoreTable,
    pub(crate) later: StoreTable,
    pub(crate) leases: StoreTable,
    pub(crate) seeds: StoreTable,
    pub(crate) dependants: StoreTable,
    pub(crate) cookies: StoreTable,
    /// Rows of the store itself.
    pub(crate) meta: StoreTable,
    /// Rows that were committed since the last snapshot, once there was one.
    pub(crate) changed: Option<ChangedRows>,
    dir: PathBuf,
}

/// A store as it was at one commit, whatever comes later.
pub(crate) struct StoreMoment {
    /// Where it is.
    pub(crate) dir: PathBuf,
    pub(crate) tables: fjall::Snapshot,
    pub(crate) keyspaces: Vec<(&'static str, Keyspace)>,
    pub(crate) links: LinkFiles,
    pub(crate) seen: SeenMoment,
}

/// The single values of a frontier.
pub(crate) struct StoreHeader {
    pub(crate) next_order: u64,
    pub(crate) next_sequence: u64,
    pub(crate) next_host: u64,
    /// Lengths of the two queues in `later`.
    pub(crate) n_retries: u64,
    pub(crate) n_revisits: u64,
    /// Distinct pages fetched with success: what `max_pages` limits.
    pub(crate) n_pages_done: u64,
    pub(crate) n_domains: u64,
    /// URLs by kind and state.
    pub(crate) counts: [[u64; N_STATES]; N_KINDS],
    pub(crate) positions: Positions,
    /// IP → time before which no order goes there.
    pub(crate) ips: FastMap<String, u64>,
    /// The scope's settings as JSON.
    pub(crate) scope: Option<String>,
    /// The latest time known at the last commit, Unix milliseconds; 0 in stores of older versions.
    pub(crate) clock: u64,
    /// All links of lower sequences are in the records of their hosts.
    pub(crate) links_from: u64,
}

/// Where it stands that pages were read under another scope.
const SCOPE_CHANGED: &[u8] = b"scope-changed";

impl Default for StoreHeader {
    fn default() -> Self {
        Self {
            next_order: 1,
            next_sequence: 1,
            next_host: 1,
            n_retries: 0,
            n_revisits: 0,
            n_pages_done: 0,
            n_domains: 0,
            counts: [[0; N_STATES]; N_KINDS],
            positions: Positions::new(),
            ips: FastMap::default(),
            scope: None,
            clock: 0,
            links_from: 0,
        }
    }
}

impl FrontierStore {
    pub(crate) fn open(dir: &Path, config: &FrontierConfig) -> Result<(Self, StoreHeader), FrontierError> {
        let mut store = Self::create(dir, config)?;
        let (format, mut meta) = store.read_meta()?;
        store.links.remove_leftovers()?;
        store.seen.remove_leftovers()?;
        match format {
            1 => store.upgrade_records(&mut meta)?,
            2 => store.upgrade_tables(&meta)?,
            _ => {}
        }
        store.delete_old_tables()?;
        Ok((store, meta))
    }

    /// Opens the tables, or makes them, and reads nothing.
    pub(crate) fn create(dir: &Path, config: &FrontierConfig) -> Result<Self, FrontierError> {
        let damaged = |source| FrontierError::DamagedStore { dir: dir.to_owned(), source };
        if let Some(broken) = gristmill_verify::broken_batch(dir).map_err(fjall::Error::Io)? {
            return Err(damaged(Box::new(broken)));
        }
        let open = |dir: &Path| {
            Database::builder(dir)
                .cache_size(config.cache_bytes)
                .max_journaling_size(64 << 20)
                // Packing what is large would take longer than writing it, and it is packed in its table.
                .journal_compression(CompressionType::None)
                .worker_threads(1)
                .open()
        };
        let db = gristmill_verify::open_whole(dir, open).map_err(|error| match error {
            fjall::Error::Locked => FrontierError::Locked { dir: dir.to_owned() },
            other if gristmill_verify::is_damage(&other) => damaged(Box::new(other)),
            other => FrontierError::Store(other),
        })?;
        let table = |name: &'static str| -> Result<StoreTable, FrontierError> {
            Ok(StoreTable::new(name, db.keyspace(name, || table_options(name))?))
        };
        let mut meta = table("meta")?;
        let store_key = store_key(&mut meta)?;
        Ok(Self {
            links: LinkLog::open(&dir.join("links"), &meta)?,
            seen: SeenSet::open(&dir.join("seen"), &meta, store_key, config.merge_urls)?,
            urls: table("urls")?,
            hosts: table("hosts")?,
            robots: table("robots")?,
            domains: table("domains")?,
            queue: table("queue")?,
            later: table("later")?,
            leases: table("leases")?,
            seeds: table("seeds")?,
            dependants: table("dependants")?,
            cookies: table("cookies")?,
            meta,
            db,
            changed: None,
            dir: dir.to_owned(),
        })
    }

    fn tables(&self) -> [&StoreTable; 11] {
        let Self {
            db: _,
            links: _,
            seen: _,
            urls,
            hosts,
            robots,
            domains,
            queue,
            later,
            leases,
            seeds,
            dependants,
            cookies,
            meta,
            changed: _,
            dir: _,
        } = self;
        [urls, hosts, robots, domains, queue, later, leases, seeds, dependants, cookies, meta]
    }

    /// The tables as they are on disk, by name.
    pub(crate) fn keyspaces(&self) -> Vec<(&'static str, Keyspace)> {
        self.tables().map(|table| (table.name, table.keyspace().clone())).into()
    }

    /// The table that a snapshot calls so.
    pub(crate) fn keyspace(&self, name: &[u8]) -> Result<(&'static str, Keyspace), FrontierError> {
        let table = self.keyspaces().into_iter().find(|(known, _)| known.as_bytes() == name);
        table.ok_or(FrontierError::SnapshotDamaged("it has a table that no frontier has"))
    }

    /// Everything at the moment of the last commit.
    pub(crate) fn moment(&self) -> StoreMoment {
        let (links, seen) = (self.links.moment(), self.seen.moment());
        StoreMoment { dir: self.dir.clone(), tables: self.db.snapshot(), keyspaces: self.keyspaces(), links, seen }
    }

    /// Merges what is due of the seen set, before a commit after which no link gets a sequence below `sequence`.
    pub(crate) fn merge_due(&mut self, sequence: u64) -> Result<(), FrontierError> {
        self.seen.merge_due(sequence, &mut self.meta)
    }

    /// Waits until everything is on the disk.
    pub(crate) fn persist(&self) -> Result<(), FrontierError> {
        Ok(self.db.persist(PersistMode::SyncAll)?)
    }

    /// Makes all pending changes durable at once.
    pub(crate) fn commit(&mut self, meta: &StoreHeader) -> Result<(), FrontierError> {
        self.write_meta(meta);
        self.commit_pending()
    }

    /// Makes the pending changes of all tables durable, and no single value.
    pub(crate) fn commit_pending(&mut self) -> Result<(), FrontierError> {
        self.links.write(&mut self.meta)?;
        self.seen.finish_file()?;
        let mut batch = self.db.batch().durability(Some(PersistMode::SyncData));
        for table in [
            &mut self.urls,
            &mut self.hosts,
            &mut self.robots,
            &mut self.domains,
            &mut self.queue,
            &mut self.later,
            &mut self.leases,
            &mut self.seeds,
            &mut self.dependants,
            &mut self.cookies,
            &mut self.meta,
        ] {
            table.drain_into(&mut batch, self.changed.as_mut());
        }
        batch.commit()?;
        self.seen.committed();
        Ok(())
    }

    fn write_meta(&mut self, meta: &StoreHeader) {
        let mut numbers = RecordEncoder::default();
        numbers
            .number(FORMAT)
            .number(meta.next_order)
            .number(meta.next_sequence)
            .number(meta.next_host)
            .number(meta.n_retries)
            .number(meta.n_revisits)
            .number(meta.n_pages_done)
            .number(meta.n_domains)
            .number(N_STATES as u64);
        for count in meta.counts.iter().flatten() {
            numbers.number(*count);
        }
        let mut positions = RecordEncoder::default();
        positions.number(meta.positions.len() as u64);
        for ((topic, partition), position) in &meta.positions {
            positions.text(topic).number(u64::from(*partition)).number(*position);
        }
        let mut ips = RecordEncoder::default();
        ips.number(meta.ips.len() as u64);
        for (ip, time) in &meta.ips {
            ips.text(ip).number(*time);
        }
        self.meta.put(b"numbers".to_vec(), numbers.0);
        self.meta.put(b"positions".to_vec(), positions.0);
        let mut clock = RecordEncoder::default();
        clock.number(meta.clock).number(meta.links_from);
        self.meta.put(b"ips".to_vec(), ips.0);
        self.meta.put(b"clock".to_vec(), clock.0);
    }

    /// The scope changes at most when the store is opened, so it is written then.
    pub(crate) fn write_scope(&mut self, scope: &str) {
        self.meta.put(b"scope".to_vec(), scope.as_bytes().to_vec());
    }

    /// Takes note that pages were read under another scope, or that all of them are read again.
    pub(crate) fn note_scope_change(&mut self, changed: bool) {
        match changed {
            true => self.meta.put(SCOPE_CHANGED.to_vec(), Vec::new()),
            false => self.meta.delete(SCOPE_CHANGED.to_vec()),
        }
    }

    /// Whether pages were read under another scope.
    pub(crate) fn has_scope_changed(&self) -> Result<bool, FrontierError> {
        Ok(self.meta.get(SCOPE_CHANGED, |_| Some(()))?.is_some())
    }

    /// The format and the single values; of a store that is new, if nothing is stored.
    pub(crate) fn read_meta(&self) -> Result<(u64, StoreHeader), FrontierError> {
        let mut meta = StoreHeader::default();
        let format = self.meta.get(b"numbers", |bytes| RecordDecoder(bytes).number())?.unwrap_or(FORMAT);
        if !(1..=FORMAT).contains(&format) {
            return Err(FrontierError::Format { found: format, expected: FORMAT });
        }
        self.meta.get(b"numbers", |bytes| read_numbers(&mut RecordDecoder(bytes), &mut meta))?;
        if let Some(positions) = self.meta.get(b"positions", |bytes| read_positions(&mut RecordDecoder(bytes)))? {
            meta.positions = positions;
        }
        if let Some(ips) = self.meta.get(b"ips", |bytes| read_ips(&mut RecordDecoder(bytes)))? {
            meta.ips = ips;
        }
        let clock = self.meta.get(b"clock", |bytes| {
            let mut reader = RecordDecoder(bytes);
            Some((reader.number()?, reader.number().unwrap_or(0)))
        })?;
        (meta.clock, meta.links_from) = clock.unwrap_or_default();
        meta.scope = self.meta.get(b"scope", |bytes| Some(std::str::from_utf8(bytes).ok()?.to_owned()))?;
        Ok((format, meta))
    }
}

/// The random key of the store's hashes. A new one is written by the first commit.
fn store_key(meta: &mut StoreTable) -> Result<u64, FrontierError> {
    if let Some(key) = meta.get(b"key", |bytes| RecordDecoder(bytes).number())? {
        return Ok(key);
    }
    let key = random_key();
    let mut writer = RecordEncoder::default();
    writer.number(key);
    meta.put(b"key".to_vec(), writer.0);
    Ok(key)
}

fn table_options(name: &str) -> KeyspaceCreateOptions {
    let options = KeyspaceCreateOptions::default();
    match name {
        "urls" => options
            .filter_policy(FilterPolicy::all(FilterPolicyEntry::Bloom(BloomConstructionPolicy::BitsPerKey(12.0))))
            .max_memtable_size(16 << 20),
        // It is walked through, and hardly ever asked for a key.
        "queue" => options.filter_policy(FilterPolicy::disabled()).max_memtable_size(16 << 20),
        _ => options.max_memtable_size(4 << 20),
    }
}

fn read_numbers(reader: &mut RecordDecoder<'_>, meta: &mut StoreHeader) -> Option<()> {
    let _format = reader.number()?;
    for number in [
        &mut meta.next_order,
        &mut meta.next_sequence,
        &mut meta.next_host,
        &mut meta.n_retries,
        &mut meta.n_revisits,
        &mut meta.n_pages_done,
        &mut meta.n_domains,
    ] {
        *number = reader.number()?;
    }
    // A store of an older version knows fewer kinds of failure.
    let n_states = reader.small::<usize>()?.min(N_STATES);
    let (first, later) = meta.counts.split_at_mut(N_FIRST_KINDS);
    for count in first.iter_mut().flat_map(|kind| &mut kind[..n_states]) {
        *count = reader.number()?;
    }
    for count in later.iter_mut().flat_map(|kind| &mut kind[..n_states]) {
        *count = reader.number().unwrap_or(0);
    }
    Some(())
}

fn read_positions(reader: &mut RecordDecoder<'_>) -> Option<Positions> {
    let length = reader.number()?;
    (0..length).map(|_| Some(((reader.text()?, reader.small()?), reader.number()?))).collect()
}

fn read_ips(reader: &mut RecordDecoder<'_>) -> Option<FastMap<String, u64>> {
    let length = reader.number()?;
    (0..length).map(|_| Some((reader.text()?, reader.number()?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_of_a_later_format_is_refused_with_what_to_do() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = FrontierStore::create(dir.path(), &FrontierConfig::default()).unwrap();
        store.write_meta(&StoreHeader::default());
        let mut numbers = store.meta.get(b"numbers", |bytes| Some(bytes.to_vec())).unwrap().unwrap();
        numbers[0] = FORMAT as u8 + 1;
        store.meta.put(b"numbers".to_vec(), numbers);
        let error = store.read_meta().err().unwrap().to_string();
        assert!(error.contains("format 4") && error.contains("go on with the version that made it"), "{error}");
    }
}
