//! The documents of one moment in the order of their keys.

use std::cmp::Ordering;
use std::sync::Arc;

use tantivy::DocAddress;
use tantivy::columnar::StrColumn;
use xxhash_rust::xxh3::Xxh3;

use crate::document::IndexDocument;
use crate::error::IndexError;
use crate::reader::IndexReader;
use crate::schema::key_order;
use crate::shards::ShardsSnapshot;

/// Documents in an order that depends on nothing but their keys. Memory is 24 bytes a document.
pub struct SortedDocuments<'r> {
    reader: &'r IndexReader,
    snapshot: Arc<ShardsSnapshot>,
    entries: Vec<Entry>,
    keys: Vec<Option<StrColumn>>,
}

struct Entry {
    order: u64,
    fetched_at: i64,
    segment: u32,
    id: u32,
}

impl<'r> SortedDocuments<'r> {
    /// Orders the documents of these segments and ids.
    pub(crate) fn new(
        reader: &'r IndexReader,
        snapshot: Arc<ShardsSnapshot>,
        matches: Vec<(u32, Vec<u32>)>,
    ) -> Result<Self, IndexError> {
        let (mut entries, mut keys) = (Vec::new(), Vec::new());
        for (segment, ids) in matches {
            let columns = snapshot.segment(segment).fast_fields();
            let (orders, times) = (columns.u64("key_order")?, columns.i64("fetched_at")?);
            let entry = |id| Entry {
                order: orders.first(id).unwrap_or(0),
                fetched_at: times.first(id).unwrap_or(0),
                segment,
                id,
            };
            entries.extend(ids.into_iter().map(entry));
            keys.push(columns.str("key")?);
        }
        let mut ordered = Self { reader, snapshot, entries: Vec::new(), keys };
        entries.sort_unstable_by(|a, b| a.order.cmp(&b.order).then_with(|| ordered.by_whole_key(a, b)));
        ordered.entries = entries;
        Ok(ordered)
    }

    /// Keys whose first 16 digits are the same; hardly ever in need.
    fn by_whole_key(&self, a: &Entry, b: &Entry) -> Ordering {
        self.key_of(a).unwrap_or_default().cmp(&self.key_of(b).unwrap_or_default())
    }

    fn key_of(&self, entry: &Entry) -> Option<String> {
        let column = self.keys.get(entry.segment as usize)?.as_ref()?;
        let mut key = String::new();
        column.ord_to_str(column.term_ords(entry.id).next()?, &mut key).ok()?;
        Some(key)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The key of the nth document, without reading the document.
    ///
    /// # Errors
    /// `Read` if the files are damaged.
    pub fn key(&self, n: usize) -> Result<String, IndexError> {
        let damaged = || tantivy::TantivyError::InternalError("a document has no key".to_owned());
        self.reader.guarded(|| Ok(self.key_of(&self.entries[n]).ok_or_else(damaged)?))
    }

    /// Where the nth document stands to a key: before it, or behind it, or it is the one.
    ///
    /// # Errors
    /// `Read` if the files are damaged.
    pub fn compare(&self, n: usize, key: &str) -> Result<Ordering, IndexError> {
        match self.entries[n].order.cmp(&key_order(key)) {
            Ordering::Equal => Ok(self.key(n)?.as_str().cmp(key)),
            order => Ok(order),
        }
    }

    /// When the nth document was fetched, in seconds since 1970-01-01 UTC.
    pub fn fetched_at(&self, n: usize) -> i64 {
        self.entries[n].fetched_at
    }

    /// The nth document.
    ///
    /// # Errors
    /// `Read` if its files are damaged; others may be whole.
    pub fn document(&self, n: usize) -> Result<IndexDocument, IndexError> {
        let Entry { segment, id, .. } = self.entries[n];
        self.reader.guarded(|| self.reader.document(&self.snapshot, DocAddress::new(segment, id)))
    }

    /// A number for what is here: the same if keys and times of fetching are.
    pub fn digest(&self) -> u128 {
        let mut digest = Xxh3::new();
        for entry in &self.entries {
            digest.update(&entry.order.to_le_bytes());
            digest.update(&entry.fetched_at.to_le_bytes());
        }
        digest.digest128()
    }
}
