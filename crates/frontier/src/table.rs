//! A keyspace with the changes that are not committed yet laid over it.

use std::collections::BTreeMap;
use std::ops::Bound;

use fjall::{Keyspace, OwnedWriteBatch};

use crate::changed_rows::ChangedRows;
use crate::error::FrontierError;

/// A key with its value.
pub(crate) type Entry = (Vec<u8>, Vec<u8>);

/// One keyspace of the store. Reads see own writes; nothing reaches the disk before [`StoreTable::drain_into`]'s batch commits.
pub(crate) struct StoreTable {
    pub(crate) name: &'static str,
    keyspace: Keyspace,
    /// `None` is a deletion.
    pending: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
}

impl StoreTable {
    pub(crate) fn new(name: &'static str, keyspace: Keyspace) -> Self {
        Self { name, keyspace, pending: BTreeMap::new() }
    }

    /// What is on disk, without the changes that are not committed.
    pub(crate) fn keyspace(&self) -> &Keyspace {
        &self.keyspace
    }

    /// The value of `key` as `decode` reads it.
    ///
    /// # Errors
    /// When the store cannot be read, or `decode` refuses the bytes.
    pub(crate) fn get<T>(
        &self,
        key: &[u8],
        decode: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Result<Option<T>, FrontierError> {
        let decoded = match self.pending.get(key) {
            Some(None) => return Ok(None),
            Some(Some(value)) => decode(value),
            None => match self.keyspace.get(key)? {
                None => return Ok(None),
                Some(value) => decode(&value),
            },
        };
        decoded.map(Some).ok_or_else(|| self.damaged(key))
    }

    pub(crate) fn damaged(&self, key: &[u8]) -> FrontierError {
        let hex: String = key.iter().take(32).map(|byte| format!("{byte:02x}")).collect();
        FrontierError::Damaged { table: self.name, key: hex }
    }

    pub(crate) fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.pending.insert(key, Some(value));
    }

    /// Lets a key be as it is on disk, whatever was to be written.
    pub(crate) fn leave(&mut self, key: &[u8]) {
        self.pending.remove(key);
    }

    pub(crate) fn delete(&mut self, key: Vec<u8>) {
        self.pending.insert(key, None);
    }

    /// The first `limit` entries with `from <= key` and the prefix `prefix`, in key order.
    pub(crate) fn scan(&self, prefix: &[u8], from: &[u8], limit: usize) -> Result<Vec<Entry>, FrontierError> {
        let mut found = Vec::new();
        for entry in self.iter_from(prefix, from).take(limit) {
            found.push(entry?);
        }
        Ok(found)
    }

    /// All entries from `from` on whose keys start with `prefix`: the disk's and the pending ones, merged.
    pub(crate) fn iter_from<'a>(
        &'a self,
        prefix: &'a [u8],
        from: &[u8],
    ) -> impl Iterator<Item = Result<Entry, FrontierError>> + use<'a> {
        let disk = self.keyspace.range(from.to_vec()..).map(|guard| guard.into_inner().map_err(FrontierError::from));
        let pending = self.pending.range::<[u8], _>((Bound::Included(from), Bound::Unbounded));
        Merge { disk: disk.peekable(), pending: pending.peekable() }
            .take_while(move |entry| entry.as_ref().map_or(true, |(key, _)| key.starts_with(prefix)))
    }

    /// Moves all pending changes into `batch`, and notes them in `changed`.
    pub(crate) fn drain_into(&mut self, batch: &mut OwnedWriteBatch, mut changed: Option<&mut ChangedRows>) {
        for (key, value) in std::mem::take(&mut self.pending) {
            if let Some(changed) = &mut changed {
                changed.note(self.name, &key);
            }
            match value {
                Some(value) => batch.insert(&self.keyspace, key, value),
                None => batch.remove(&self.keyspace, key),
            }
        }
    }
}

struct Merge<D: Iterator, P: Iterator> {
    disk: std::iter::Peekable<D>,
    pending: std::iter::Peekable<P>,
}

impl<'a, D, P> Iterator for Merge<D, P>
where
    D: Iterator<Item = Result<fjall::KvPair, FrontierError>>,
    P: Iterator<Item = (&'a Vec<u8>, &'a Option<Vec<u8>>)>,
{
    type Item = Result<Entry, FrontierError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let order = match (self.disk.peek(), self.pending.peek()) {
                (None, None) => return None,
                (Some(Err(_)), _) | (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some(Ok((key, _))), Some((pending, _))) => key.as_ref().cmp(pending.as_slice()),
            };
            if order.is_lt() {
                return self.disk.next().map(|entry| entry.map(|(key, value)| (key.to_vec(), value.to_vec())));
            }
            if order.is_eq() {
                // The pending change replaces what the disk holds.
                self.disk.next();
            }
            if let Some((key, Some(value))) = self.pending.next() {
                return Some(Ok((key.clone(), value.clone())));
            }
        }
    }
}

/// A table for tests, in a database of its own.
#[cfg(test)]
pub(crate) mod testing {
    use std::path::Path;

    use fjall::{Database, KeyspaceCreateOptions};

    use super::StoreTable;

    pub(crate) fn open(dir: &Path) -> (Database, StoreTable) {
        let db = Database::builder(dir).open().unwrap();
        let keyspace = db.keyspace("t", KeyspaceCreateOptions::default).unwrap();
        (db, StoreTable::new("t", keyspace))
    }

    pub(crate) fn commit(db: &Database, table: &mut StoreTable) {
        let mut batch = db.batch();
        table.drain_into(&mut batch, None);
        batch.commit().unwrap();
    }
}
