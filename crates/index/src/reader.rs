//! Reading: search, look-up, and a walk over everything.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gristmill_text::distance;
use gristmill_urls::{CanonicalUrl, Takedown};
use tantivy::directory::MmapDirectory;
use tantivy::directory::error::OpenReadError;
use tantivy::query::{Bm25StatisticsProvider, BooleanQuery, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{Directory, DocAddress, Index, ReloadPolicy, Searcher, TantivyError, Term};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::checksum_directory;
use crate::collapse::{alike, countable};
use crate::compile::{CompiledQuery, compile};
use crate::directory::{ReadDirectory, Trust};
use crate::document::{DocumentKind, IndexDocument};
use crate::error::IndexError;
use crate::exhaustive::sweep;
use crate::history::History;
use crate::ordered::SortedDocuments;
use crate::panics::guarded;
use crate::payload::{self, Positions};
use crate::query::SearchQuery;
use crate::schema::{self, Fields};
use crate::search::SearchResults;
use crate::shards::{ShardsSnapshot, folders};
use crate::sums::{ChecksumFile, FirstDamage};
use crate::takedowns;
use crate::top::find;
use crate::writer::register;

/// Bytes that are compared with their checksums when an index is opened.
const COMPARED_AT_OPENING: usize = 16 << 20;
/// How often opening the segments is tried again when files went away.
const OPEN_TRIES: usize = 5;

/// An index opened for reading, or all shards of one. Cheap to share; any number of threads may search at once.
pub struct IndexReader {
    shards: Vec<Shard>,
    folders: Vec<PathBuf>,
    pub(crate) fields: Fields,
    /// The segments as of the last reload, with what was found out about them.
    snapshot: Mutex<Arc<ShardsSnapshot>>,
}

struct Shard {
    index: Index,
    reader: tantivy::IndexReader,
    folder: PathBuf,
    trust: Trust,
}

/// Ids by segment, and what was odd about the query.
type Matches = (Vec<(u32, Vec<u32>)>, Vec<String>);

/// A document whose text is nearly that of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    /// Its URL key.
    pub key: String,
    /// Its URL.
    pub url: String,
    /// Its title.
    pub title: String,
    /// Differing bits of the fingerprints, up to [`MAX_DISTANCE`](gristmill_text::MAX_DISTANCE).
    pub distance: u32,
}

impl IndexReader {
    /// Opens the index in `dir` as of its last commit, or the indexes in the folders of `dir`, which are then searched as one.
    ///
    /// The list of segments, the ends of all files and the first of their content are compared with their checksums here, so
    /// much that a small index is read whole; the rest when it is first read.
    ///
    /// # Errors
    /// `Missing` if nothing was ever written there, `OtherSchema` if another version did, `Damaged` if it is damaged.
    pub fn open(dir: &Path) -> Result<Self, IndexError> {
        Self::open_trusting(dir, || Trust::Compared(FirstDamage::default()))
    }

    /// The same without a look at checksums: for who wants every document that can be read, also of damaged files.
    ///
    /// # Errors
    /// As [`open`](Self::open), if the damage is where nothing can be read without.
    pub fn open_damaged(dir: &Path) -> Result<Self, IndexError> {
        Self::open_trusting(dir, || Trust::Blind)
    }

    fn open_trusting(dir: &Path, trust: impl Fn() -> Trust) -> Result<Self, IndexError> {
        let folders = folders(dir);
        if folders.is_empty() {
            return Err(IndexError::Missing { dir: dir.to_owned() });
        }
        let (schema, fields) = schema::build();
        let open = |dir: &PathBuf| {
            guarded(dir, || {
                let trust = trust();
                let index = open_to_read(dir, trust.clone())?;
                if index.schema() != schema {
                    return Err(IndexError::OtherSchema { dir: dir.clone() });
                }
                let shard = shard(index, dir, trust)?;
                shard.compare()?;
                Ok(shard)
            })
        };
        let shards: Vec<_> = folders.iter().map(open).collect::<Result<_, _>>()?;
        let snapshot = Arc::new(ShardsSnapshot::new(searchers(&shards), Arc::default()));
        Ok(Self { shards, folders, fields, snapshot: Mutex::new(snapshot) })
    }

    /// Whether this reads all that is now in `dir`; if not, shards have come or gone since it was opened.
    pub fn covers(&self, dir: &Path) -> bool {
        self.folders == folders(dir)
    }

    pub(crate) fn snapshot(&self) -> Arc<ShardsSnapshot> {
        Arc::clone(&self.current())
    }

    fn current(&self) -> MutexGuard<'_, Arc<ShardsSnapshot>> {
        self.snapshot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes up commits made since; searches under way keep what they have. Opens new segments only.
    pub fn reload(&self) -> Result<(), IndexError> {
        self.guarded(|| {
            for shard in &self.shards {
                again_when_gone(|| shard.reader.reload())?;
            }
            let (searchers, mut current) = (searchers(&self.shards), self.current());
            if !current.is_of(&searchers) {
                for shard in &self.shards {
                    shard.compare()?;
                }
                *current = Arc::new(ShardsSnapshot::new(searchers, Arc::clone(&current.known)));
                current.forget_known_of_others();
            }
            Ok(())
        })
    }

    /// Number of documents.
    pub fn count(&self) -> u64 {
        self.snapshot().n_docs()
    }

    /// How many documents a takedown covers.
    ///
    /// # Errors
    /// `Read` if the files are damaged.
    pub fn n_covered(&self, takedown: &Takedown) -> Result<u64, IndexError> {
        self.guarded(|| Ok(self.snapshot().n_matches(&*takedowns::query_of(takedown, &self.fields)?)?))
    }

    /// Whether there may be documents of this kind: those deleted since the last merge count, too. No pass over them.
    ///
    /// # Errors
    /// `Read` if the files are damaged.
    pub fn has(&self, kind: DocumentKind) -> Result<bool, IndexError> {
        let term = Term::from_field_text(self.fields.kind, kind.as_str());
        Ok(self.snapshot().doc_freq(&term)? > 0)
    }

    /// The same of documents of exactly this host.
    ///
    /// # Errors
    /// `Read` if the files are damaged.
    pub fn has_host(&self, host: &str) -> Result<bool, IndexError> {
        Ok(self.snapshot().doc_freq(&Term::from_field_text(self.fields.host, host))? > 0)
    }

    /// The input positions of the newest commits on disk.
    pub fn positions(&self) -> Result<Positions, IndexError> {
        let mut positions = Positions::new();
        for Shard { index, .. } in &self.shards {
            let metas = index.load_metas()?;
            let decoded = payload::decode(metas.payload.as_deref());
            positions.extend(decoded.map_err(|source| IndexError::Payload { dir: Default::default(), source })?);
        }
        Ok(positions)
    }

    /// Answers a query; what cannot be read in it becomes a warning, never an error.
    ///
    /// If no document has all the words, those with any of them are given, with a warning. Hits are ordered by
    /// score or date, then by key. They are exact; beyond some thousands of matches, their number and the facets are not. Takes
    /// no more than `query.time_limit` plus the time of the snippets.
    ///
    /// # Errors
    /// `Read` if the files are damaged.
    pub fn search(&self, query: &SearchQuery) -> Result<SearchResults, IndexError> {
        let results = self.guarded(|| self.answer(query, find))?;
        // Where tantivy passes over what cannot be read, hits are missing.
        self.shards.iter().try_for_each(Shard::sound)?;
        Ok(results)
    }

    /// The same by a visit to every match, with exact totals and facets: what [`search`](Self::search) is compared with.
    #[doc(hidden)]
    pub fn sweep(&self, query: &SearchQuery) -> Result<SearchResults, IndexError> {
        self.guarded(|| self.answer(query, sweep))
    }

    /// Whether a query finds the document with this key, with all of its words.
    ///
    /// # Errors
    /// `Read` if the files are damaged.
    pub fn finds(&self, query: &SearchQuery, key: &str) -> Result<bool, IndexError> {
        let snapshot = self.snapshot();
        self.guarded(|| {
            let tree = compile(query, &self.fields, &snapshot)?.tree;
            let one = TermQuery::new(self.fields.key_term(key), IndexRecordOption::Basic);
            let both = BooleanQuery::intersection(vec![Box::new(one), tree.tantivy()]);
            Ok(!snapshot.best(&both, 1)?.is_empty())
        })
    }

    /// The document with this key or, failing that, this URL.
    pub fn get(&self, key_or_url: &str) -> Result<Option<IndexDocument>, IndexError> {
        self.guarded(|| self.find(key_or_url))
    }

    fn find(&self, key_or_url: &str) -> Result<Option<IndexDocument>, IndexError> {
        let snapshot = self.snapshot();
        let normalized = CanonicalUrl::parse(key_or_url, None).ok();
        let normalized = normalized.as_ref().map(|url| (self.fields.url, url.as_str()));
        let as_given = [self.fields.key, self.fields.url].map(|field| (field, key_or_url));
        for (field, text) in as_given.into_iter().chain(normalized) {
            let query = TermQuery::new(Term::from_field_text(field, text), IndexRecordOption::Basic);
            if let Some(&address) = snapshot.best(&query, 1)?.first() {
                return self.document(&snapshot, address).map(Some);
            }
        }
        Ok(None)
    }

    /// Near-duplicates of a document in the whole index, nearest first, then by key, at most `limit`.
    ///
    /// Compares the fingerprints of all documents, eight bytes each.
    pub fn near_duplicates(&self, document: &IndexDocument, limit: usize) -> Result<Vec<Duplicate>, IndexError> {
        self.guarded(|| self.near(document, limit))
    }

    fn near(&self, document: &IndexDocument, limit: usize) -> Result<Vec<Duplicate>, IndexError> {
        if !countable(document, &document.text) {
            return Ok(Vec::new());
        }
        let snapshot = self.snapshot();
        let mut near = Vec::new();
        for ord in 0..snapshot.n_segments() {
            let segment = snapshot.segment(ord);
            let (hashes, orders) =
                (segment.fast_fields().u64("duplicate_hash")?, segment.fast_fields().u64("key_order")?);
            for id in segment.doc_ids_alive() {
                let hash = hashes.first(id).unwrap_or(0);
                if alike(hash, document.simhash) {
                    let far = distance(hash, document.simhash);
                    near.push((far, orders.first(id).unwrap_or(0), DocAddress::new(ord, id)));
                }
            }
        }
        // The document itself is among them.
        near.sort_unstable();
        near.truncate(limit.saturating_add(1));
        let others = near.into_iter().map(|(distance, _, address)| {
            let IndexDocument { key, url, title, .. } = self.document(&snapshot, address)?;
            Ok(Duplicate { key, url, title, distance })
        });
        let others = others.filter(|other| !matches!(other, Ok(other) if other.key == document.key));
        others.take(limit).collect()
    }

    /// All documents, in no order to rely on, as of now. After one that cannot be read the next ones come.
    pub fn documents(&self) -> impl Iterator<Item = Result<IndexDocument, IndexError>> + '_ {
        let snapshot = self.snapshot();
        let sizes: Vec<u32> = (0..snapshot.n_segments()).map(|ord| snapshot.segment(ord).max_doc()).collect();
        let all = sizes
            .into_iter()
            .enumerate()
            .flat_map(|(segment, n_docs)| (0..n_docs).map(move |doc| DocAddress::new(segment as u32, doc)));
        all.filter_map(move |address| {
            let alive = !snapshot.segment(address.segment_ord).is_deleted(address.doc_id);
            alive.then(|| self.guarded(|| self.document(&snapshot, address)))
        })
    }

    /// All documents that a query finds with all of its words, in no order to rely on, as of now, and what was odd about it.
    ///
    /// Limits of the query do not count. Memory is four bytes a match.
    ///
    /// # Errors
    /// `Read` if the files are damaged.
    pub fn matching(
        &self,
        query: &SearchQuery,
    ) -> Result<(impl Iterator<Item = Result<IndexDocument, IndexError>> + '_, Vec<String>), IndexError> {
        let snapshot = self.snapshot();
        let (matches, warnings) = self.guarded(|| self.all_matches(&snapshot, query))?;
        let addresses =
            matches.into_iter().flat_map(|(ord, ids)| ids.into_iter().map(move |id| DocAddress::new(ord, id)));
        Ok((addresses.map(move |address| self.guarded(|| self.document(&snapshot, address))), warnings))
    }

    /// All documents that a query finds, in the order of their keys, as of now, and what was odd about the query.
    ///
    /// # Errors
    /// `Read` if the files are damaged.
    pub fn ordered(&self, query: &SearchQuery) -> Result<(SortedDocuments<'_>, Vec<String>), IndexError> {
        let snapshot = self.snapshot();
        self.guarded(|| {
            let (matches, warnings) = self.all_matches(&snapshot, query)?;
            Ok((SortedDocuments::new(self, snapshot, matches)?, warnings))
        })
    }

    /// The documents of each segment that a query finds, and what was odd about it.
    fn all_matches(&self, snapshot: &ShardsSnapshot, query: &SearchQuery) -> Result<Matches, IndexError> {
        let CompiledQuery { tree, warnings, .. } = compile(query, &self.fields, snapshot)?;
        let weights = snapshot.weights(tree.tantivy().as_ref())?;
        let mut matches = Vec::new();
        for ord in 0..snapshot.n_segments() {
            let segment = snapshot.segment(ord);
            let mut ids = Vec::new();
            snapshot.weight(&weights, ord).for_each_no_score(segment, &mut |docs| {
                ids.extend(docs.iter().copied().filter(|&id| !segment.is_deleted(id)));
            })?;
            matches.push((ord, ids));
        }
        Ok((matches, warnings))
    }

    /// A fingerprint of what the index holds, 32 hexadecimal digits: equal for equal sets of documents,
    /// whatever the order, the segments, the times of fetching, and what was there before.
    ///
    /// Reads everything; memory is 64 bytes a document.
    pub fn digest(&self) -> Result<String, IndexError> {
        let mut sums = Vec::new();
        for document in self.documents() {
            let document = IndexDocument { fetched_at: 0, history: History::default(), ..document? };
            let json = serde_json::to_vec(&document).expect("a document has a JSON form");
            sums.push((document.key, xxh3_128(&json)));
        }
        sums.sort_unstable();
        let mut digest = Xxh3::new();
        for (_, sum) in &sums {
            digest.update(&sum.to_le_bytes());
        }
        let mut hex = String::with_capacity(32);
        write!(hex, "{:032x}", digest.digest128()).expect("a string takes everything");
        Ok(hex)
    }

    /// Runs `work`, which reads the index; what panics over damaged files becomes an error.
    pub(crate) fn guarded<T>(&self, work: impl FnOnce() -> Result<T, IndexError>) -> Result<T, IndexError> {
        // Which of several shards it was is not known.
        let shared = |folders: &'_ [PathBuf]| folders[0].parent().map_or_else(PathBuf::new, Path::to_owned);
        let dir = if self.folders.len() == 1 { self.folders[0].clone() } else { shared(&self.folders) };
        guarded(&dir, work)
    }

    pub(crate) fn document(&self, snapshot: &ShardsSnapshot, address: DocAddress) -> Result<IndexDocument, IndexError> {
        let mut document = self.fields.decode(&snapshot.stored(address)?);
        // Postings that cannot be read are no reason to lose a document that can.
        let cleared =
            guarded(Path::new(""), || Ok(snapshot.site_facts.clear(&mut document, snapshot, &self.fields)?));
        drop(cleared);
        Ok(document)
    }
}

/// Opens the index in `dir` so that nothing is written there.
pub(crate) fn open_to_read(dir: &Path, trust: Trust) -> tantivy::Result<Index> {
    Index::open(ReadDirectory::open(dir, trust)?)
}

fn shard(index: Index, folder: &Path, trust: Trust) -> Result<Shard, IndexError> {
    register(&index);
    let reader = again_when_gone(|| index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into())?;
    Ok(Shard { index, reader, folder: folder.to_owned(), trust })
}

impl Shard {
    /// Compares the list of segments and, as far as [`COMPARED_AT_OPENING`] goes, its files with their checksums.
    fn compare(&self) -> Result<(), IndexError> {
        let Trust::Compared(damage) = &self.trust else { return Ok(()) };
        damage.clear();
        let list = Path::new(checksum_directory::LIST);
        if !checksum_directory::is_intact(&self.index.directory().atomic_read(list).map_err(TantivyError::from)?) {
            return Err(self
                .damaged(format!("the checksum of the file `{}` does not fit its content", checksum_directory::LIST)));
        }
        let files = self.index.load_metas()?.list_segment_files();
        let share = COMPARED_AT_OPENING / files.len().max(1);
        let directory = MmapDirectory::open(&self.folder).map_err(TantivyError::from)?;
        for file in files {
            // What is not there is told by who reads it; not every segment has every file.
            let Ok(handle) = directory.get_file_handle(&file) else { continue };
            let summed = ChecksumFile::open(&file, handle, damage.clone()).map_err(TantivyError::from)?;
            summed.compare(share).map_err(TantivyError::from)?;
        }
        Ok(())
    }

    /// Says what damage was met so far.
    fn sound(&self) -> Result<(), IndexError> {
        match &self.trust {
            Trust::Compared(damage) => damage.get().map_or(Ok(()), |damage| Err(self.damaged(damage.to_string()))),
            Trust::Blind => Ok(()),
        }
    }

    fn damaged(&self, what: String) -> IndexError {
        IndexError::Damaged { dir: self.folder.clone(), what }
    }
}

/// Tries again when a file is gone: where no lock can be had, a writer may have removed it after its list was read.
fn again_when_gone<T>(work: impl Fn() -> tantivy::Result<T>) -> tantivy::Result<T> {
    for _ in 0..OPEN_TRIES {
        match work() {
            Err(TantivyError::OpenReadError(OpenReadError::FileDoesNotExist(_))) => {}
            done => return done,
        }
    }
    work()
}

fn searchers(shards: &[Shard]) -> Vec<Searcher> {
    shards.iter().map(|shard| shard.reader.searcher()).collect()
}
