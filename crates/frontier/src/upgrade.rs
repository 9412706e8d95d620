//! What makes a store of an older format one of this.

use fjall::KeyspaceCreateOptions;
use gristmill_terms::FetchKind;
use gristmill_urls::UrlKey;

use crate::admission::SeenEntry;
use crate::error::FrontierError;
use crate::link_log::BLOCK;
use crate::seen::SeenUrl;
use crate::seen_import::SeenImport;
use crate::store::{FrontierStore, StoreHeader};
use crate::table::StoreTable;
use crate::url_record::UrlRecord;

/// Records that are read at once, and URLs that are entered between two commits; bounds memory.
const BATCH: usize = 20_000;
const COMMIT: u64 = 1_000_000;

/// Blocks of links in memory at once.
const BLOCKS: usize = 4_096;

impl FrontierStore {
    /// Enters the URLs of a store of format 1 into the seen set; nothing else of it changes. O(its URLs). Killed in
    /// between, it begins anew at the next start.
    pub(crate) fn upgrade_records(&mut self, meta: &mut StoreHeader) -> Result<(), FrontierError> {
        meta.next_sequence = meta.next_sequence.next_multiple_of(BLOCK);
        meta.links_from = meta.next_sequence;
        let mut first = Vec::new();
        loop {
            let batch = self.urls.scan(&[], &first, BATCH)?;
            let is_last = batch.is_empty();
            for (key, value) in batch {
                let read = || Some((UrlKey::from_bytes(key.as_slice().try_into().ok()?), UrlRecord::decode(&value)?));
                let (url, record) = read().ok_or_else(|| self.urls.damaged(&key))?;
                if record.kind != FetchKind::Render {
                    self.seen.insert(url, SeenUrl::new(0, SeenEntry::pack(&record)));
                }
                first = key;
                first.push(0);
            }
            if is_last || self.seen.n_unmerged() >= COMMIT {
                self.seen.merge_all(meta.links_from, &mut self.meta)?;
                self.commit_pending()?;
            }
            if is_last {
                return self.commit(meta);
            }
        }
    }

    /// Makes files of the tables `links` and `seen` of a store of format 2. O(its URLs). Killed in between, it begins anew at the next
    /// start.
    pub(crate) fn upgrade_tables(&mut self, meta: &StoreHeader) -> Result<(), FrontierError> {
        let links = self.old_table("links")?;
        for (at, entry) in links.iter_from(&[], &[]).enumerate() {
            let (key, block) = entry?;
            let number = key.as_slice().try_into().map_err(|_| links.damaged(&key))?;
            self.links.import(u64::from_be_bytes(number), &block);
            if at % BLOCKS == BLOCKS - 1 {
                self.links.write(&mut self.meta)?;
            }
        }
        let (seen, mut import) = (self.old_table("seen")?, SeenImport::default());
        for entry in seen.iter_from(&[], &[]) {
            let (key, value) = entry?;
            import.row(&mut self.seen, &mut self.meta, (&key, &value))?;
        }
        import.finish(&mut self.seen, &mut self.meta)?;
        self.commit(meta)
    }

    fn old_table(&self, name: &'static str) -> Result<StoreTable, FrontierError> {
        Ok(StoreTable::new(name, self.db.keyspace(name, KeyspaceCreateOptions::default)?))
    }

    /// Deletes tables that older formats had.
    pub(crate) fn delete_old_tables(&self) -> Result<(), FrontierError> {
        for name in ["links", "seen"] {
            if self.db.keyspace_exists(name) {
                let keyspace = self.db.keyspace(name, KeyspaceCreateOptions::default)?;
                self.db.delete_keyspace(keyspace)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use gristmill_terms::LinkSource;
    use gristmill_urls::{CanonicalUrl, ScopeConfig, ScopeRule};

    use super::*;
    use crate::Positions;
    use crate::config::FrontierConfig;
    use crate::frontier::Frontier;
    use crate::message::{AdmissionResult, NextAction, Outlink};

    const URLS: [&str; 3] = ["http://a.example/1", "http://a.example/2", "http://b.example/3"];

    fn offer(frontier: &mut Frontier, url: &str) -> AdmissionResult {
        let (kind, source) = (FetchKind::Page, LinkSource::Anchor);
        frontier.offer(&Outlink { url, kind, source, depth: 1, hops: 0, anchor_title: None }, 1_000).unwrap()
    }

    /// Makes the store what format 1 was: all records in `urls`, a row of the queue for each URL, and no more.
    fn downgrade(mut frontier: Frontier) {
        for url in URLS {
            let url: CanonicalUrl = url.parse().unwrap();
            let mut record = frontier.record(url.key()).unwrap().unwrap();
            let Frontier { places, store, meta, .. } = &mut frontier;
            let host = places.host(&url, store, meta).unwrap();
            frontier.withdraw(url.key(), &record, host).unwrap();
            frontier.enqueue(url.key(), &mut record, host).unwrap();
            frontier.put_record(url.key(), &record);
        }
        frontier.commit(&Positions::new()).unwrap();
        let store = &mut frontier.store;
        for prefix in [&b"links"[..], b"seen"] {
            for (key, _) in store.meta.scan(prefix, prefix, usize::MAX).unwrap() {
                store.meta.delete(key);
            }
        }
        let mut numbers = store.meta.get(b"numbers", |bytes| Some(bytes.to_vec())).unwrap().unwrap();
        numbers[0] = 1;
        store.meta.put(b"numbers".to_vec(), numbers);
        store.meta.delete(b"key".to_vec());
        store.commit_pending().unwrap();
    }

    #[test]
    fn a_store_of_format_1_keeps_its_urls_and_gets_a_seen_set() {
        let dir = tempfile::tempdir().unwrap();
        let scope = Some(ScopeConfig { rule: ScopeRule::Any, ..ScopeConfig::default() });
        let mut config = FrontierConfig { scope, ..FrontierConfig::default() };
        config.robots.enabled = false;
        let mut frontier = Frontier::open(dir.path(), config.clone()).unwrap();
        URLS.into_iter().for_each(|url| assert_eq!(offer(&mut frontier, url), AdmissionResult::New));
        downgrade(frontier);

        for _ in 0..2 {
            let mut frontier = Frontier::open(dir.path(), config.clone()).unwrap();
            assert!(URLS.into_iter().all(|url| offer(&mut frontier, url) == AdmissionResult::Known));
        }
        let mut frontier = Frontier::open(dir.path(), config).unwrap();
        assert_eq!(offer(&mut frontier, "http://b.example/4"), AdmissionResult::New);
        let mut ordered = BTreeSet::new();
        for _ in 0..2 {
            let NextAction::Order(order) = frontier.next(1_000).unwrap() else { panic!("two sites are due") };
            ordered.insert(order.url);
        }
        assert_eq!(ordered, [URLS[0].to_owned(), URLS[2].to_owned()].into());
    }

    /// Makes the store what format 2 was: links and seen set in tables, and no files.
    fn downgrade_files(mut frontier: Frontier) {
        frontier.commit(&Positions::new()).unwrap();
        let store = &mut frontier.store;
        let moment = store.moment();
        let (mut links, mut seen) = (store.old_table("links").unwrap(), store.old_table("seen").unwrap());
        for block in moment.links.blocks_from(0) {
            let (number, block) = block.unwrap();
            links.put(number.to_be_bytes().to_vec(), block);
        }
        moment.seen.rows(store.seen.merged_to(), |key, value| seen.put(key, value));
        for prefix in [crate::link_file::PREFIX, crate::seen::PREFIX] {
            for (key, _) in store.meta.scan(prefix, prefix, usize::MAX).unwrap() {
                store.meta.delete(key);
            }
        }
        let mut numbers = store.meta.get(b"numbers", |bytes| Some(bytes.to_vec())).unwrap().unwrap();
        numbers[0] = 2;
        store.meta.put(b"numbers".to_vec(), numbers);
        let mut batch = store.db.batch();
        [&mut links, &mut seen, &mut store.meta].into_iter().for_each(|table| table.drain_into(&mut batch, None));
        batch.commit().unwrap();
    }

    #[test]
    fn a_store_of_format_2_keeps_its_urls_and_their_order() {
        let dir = tempfile::tempdir().unwrap();
        let scope = Some(ScopeConfig { rule: ScopeRule::Any, ..ScopeConfig::default() });
        let mut config = FrontierConfig { scope, merge_urls: 64, ..FrontierConfig::default() };
        (config.robots.enabled, config.politeness.min_delay) = (false, std::time::Duration::ZERO);
        let url = |n: u32| format!("http://h{}.example/{n}", n % 7);
        let mut frontier = Frontier::open(dir.path(), config.clone()).unwrap();
        for n in 0..500 {
            assert_eq!(offer(&mut frontier, &url(n)), AdmissionResult::New);
            if n % 50 == 0 {
                frontier.commit(&Positions::new()).unwrap();
            }
        }
        downgrade_files(frontier);
        ["links", "seen"].into_iter().for_each(|name| std::fs::remove_dir_all(dir.path().join(name)).unwrap());

        for _ in 0..2 {
            let mut frontier = Frontier::open(dir.path(), config.clone()).unwrap();
            assert!((0..500).all(|n| offer(&mut frontier, &url(n)) == AdmissionResult::Known));
            assert!(!["links", "seen"].into_iter().any(|name| frontier.store.db.keyspace_exists(name)));
        }
        let mut frontier = Frontier::open(dir.path(), config).unwrap();
        let mut ordered = BTreeSet::new();
        while ordered.len() < 7 {
            let NextAction::Order(order) = frontier.next(1_000).unwrap() else { panic!("seven sites are due") };
            ordered.insert(order.url);
        }
        assert_eq!(ordered, (0..7).map(url).collect());
    }
}
