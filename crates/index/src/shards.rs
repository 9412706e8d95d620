//! Several indexes seen as one: an index for each partition that an indexer works on, searched together.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use tantivy::collector::{Count, TopDocs};
use tantivy::index::SegmentId;
use tantivy::query::{Bm25StatisticsProvider, EnableScoring, Query as TantivyQuery, Weight};
use tantivy::schema::Field;
use tantivy::store::StoreReader;
use tantivy::{DocAddress, Searcher, SegmentReader, TantivyDocument, Term};

use crate::doc_store;
use crate::site_facts::SiteFacts;
use crate::top::SegmentCache;

/// Blocks of stored documents that a snapshot keeps unpacked, of each segment.
const CACHED_BLOCKS: usize = 20;

/// The folders below `dir` that hold an index, in order: `dir` itself, or else its subfolders such as `p0003`.
pub fn folders(dir: &Path) -> Vec<PathBuf> {
    let holds = |dir: &Path| dir.join("meta.json").is_file();
    if holds(dir) {
        return vec![dir.to_owned()];
    }
    let entries = std::fs::read_dir(dir).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let mut found: Vec<PathBuf> = entries.filter(|path| holds(path)).collect();
    found.sort();
    found
}

/// All shards as of one moment. Their segments are numbered through, so that a [`DocAddress`] says where a document is;
/// scores are as in one index of all documents, because the statistics of terms are those of all shards.
pub(crate) struct ShardsSnapshot {
    searchers: Vec<Searcher>,
    /// The shard of each segment, and its number there.
    segments: Vec<(usize, u32)>,
    pub(crate) site_facts: SiteFacts,
    pub(crate) known: Arc<SegmentCache>,
    /// Where the documents of each segment are stored; why not, if that cannot be read.
    stores: Vec<OnceLock<Result<StoreReader, String>>>,
}

impl ShardsSnapshot {
    pub(crate) fn new(searchers: Vec<Searcher>, known: Arc<SegmentCache>) -> Self {
        let count = |searcher: &Searcher| searcher.segment_readers().len() as u32;
        let numbered = searchers.iter().enumerate();
        let segments = numbered.flat_map(|(shard, searcher)| (0..count(searcher)).map(move |ord| (shard, ord)));
        let segments: Vec<(usize, u32)> = segments.collect();
        let stores = segments.iter().map(|_| OnceLock::new()).collect();
        Self { segments, stores, searchers, site_facts: SiteFacts::default(), known }
    }

    /// Whether this is of the same segments, with the same documents deleted.
    pub(crate) fn is_of(&self, searchers: &[Searcher]) -> bool {
        let generations = |searchers: &[Searcher]| -> Vec<_> {
            searchers.iter().map(|searcher| searcher.generation().segments().clone()).collect()
        };
        generations(&self.searchers) == generations(searchers)
    }

    /// Forgets what is known of other segments than these.
    pub(crate) fn forget_known_of_others(&self) {
        let of =
            |searcher: &Searcher| searcher.segment_readers().iter().map(SegmentReader::segment_id).collect::<Vec<_>>();
        let there: HashSet<SegmentId> = self.searchers.iter().flat_map(of).collect();
        self.known.retain(|segment| there.contains(&segment));
    }

    /// Documents of all shards.
    pub(crate) fn n_docs(&self) -> u64 {
        self.searchers.iter().map(Searcher::num_docs).sum()
    }

    /// Segments of all shards.
    pub(crate) fn n_segments(&self) -> u32 {
        self.segments.len() as u32
    }

    /// The segment of this number.
    pub(crate) fn segment(&self, ord: u32) -> &SegmentReader {
        let (shard, ord) = self.segments[ord as usize];
        self.searchers[shard].segment_reader(ord)
    }

    /// A query made ready for each shard.
    pub(crate) fn weights(&self, query: &dyn TantivyQuery) -> tantivy::Result<ShardWeights> {
        let weight = |searcher| query.weight(EnableScoring::enabled_from_statistics_provider(self, searcher));
        Ok(ShardWeights { by_shard: self.searchers.iter().map(weight).collect::<tantivy::Result<_>>()? })
    }

    /// The weight for a segment.
    pub(crate) fn weight<'w>(&self, weights: &'w ShardWeights, segment: u32) -> &'w dyn Weight {
        weights.by_shard[self.segments[segment as usize].0].as_ref()
    }

    /// The best `limit` matches of each shard.
    pub(crate) fn best(&self, query: &dyn TantivyQuery, limit: usize) -> tantivy::Result<Vec<DocAddress>> {
        let mut all = Vec::new();
        let mut first = 0;
        for searcher in &self.searchers {
            let found = searcher.search(query, &TopDocs::with_limit(limit).order_by_score())?;
            all.extend(found.into_iter().map(|(_, at)| DocAddress::new(first + at.segment_ord, at.doc_id)));
            first += searcher.segment_readers().len() as u32;
        }
        Ok(all)
    }

    /// The values of a field of labels, the commonest first. Deleted documents count, too.
    pub(crate) fn labels(&self, field: Field) -> tantivy::Result<Vec<String>> {
        let mut counts: HashMap<Vec<u8>, u64> = HashMap::new();
        for ord in 0..self.n_segments() {
            let index = self.segment(ord).inverted_index(field)?;
            let mut labels = index.terms().stream()?;
            while labels.advance() {
                *counts.entry(labels.key().to_owned()).or_default() += u64::from(labels.value().doc_freq);
            }
        }
        let mut labels: Vec<(Vec<u8>, u64)> = counts.into_iter().collect();
        labels.sort_unstable_by(|(a, of_a), (b, of_b)| of_b.cmp(of_a).then_with(|| a.cmp(b)));
        Ok(labels.into_iter().map(|(label, _)| String::from_utf8_lossy(&label).into_owned()).collect())
    }

    /// How many documents match.
    pub(crate) fn n_matches(&self, query: &dyn TantivyQuery) -> tantivy::Result<u64> {
        let counts = self.searchers.iter().map(|searcher| searcher.search(query, &Count).map(|count| count as u64));
        counts.sum()
    }

    /// What is stored of a document.
    pub(crate) fn stored(&self, address: DocAddress) -> tantivy::Result<TantivyDocument> {
        let open =
            || self.segment(address.segment_ord).get_store_reader(CACHED_BLOCKS).map_err(|error| error.to_string());
        let store = self.stores[address.segment_ord as usize].get_or_init(open);
        let store = store.as_ref().map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.clone()))?;
        doc_store::read(store, address.doc_id)
    }
}

/// A query made ready, shard by shard.
pub(crate) struct ShardWeights {
    by_shard: Vec<Box<dyn Weight>>,
}

impl Bm25StatisticsProvider for ShardsSnapshot {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        self.searchers.iter().map(|searcher| searcher.total_num_tokens(field)).sum()
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        self.searchers.iter().map(Bm25StatisticsProvider::total_num_docs).sum()
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        self.searchers.iter().map(|searcher| searcher.doc_freq(term)).sum()
    }
}
