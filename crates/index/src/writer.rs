//! The idempotent writer: upserts by key, and commits that say up to where the input was read.

use std::path::{Path, PathBuf};

use gristmill_urls::{Takedown, Takedowns, UrlKey};
use serde::{Deserialize, Serialize};
use tantivy::directory::MmapDirectory;
use tantivy::directory::error::LockError;
use tantivy::index::IndexSettings;
use tantivy::indexer::{IndexWriterOptions, NoMergePolicy};
use tantivy::store::{Compressor, ZstdCompressor};
use tantivy::{Directory, Index, TantivyError};

use crate::analyser::Analyser;
use crate::attributes::head;
use crate::capture_times::CaptureTimes;
use crate::checksum_directory::ChecksumDirectory;
use crate::document::IndexDocument;
use crate::error::{IndexError, damage, is_disk_full};
use crate::forms::FormAnalyser;
use crate::history::{CaptureChange, carry_on};
use crate::leftovers::remove_drafts;
use crate::merges::MergeTracker;
use crate::panics::guarded;
use crate::payload::{self, Positions};
use crate::schema::{self, ANALYSER, FORM_ANALYSER, Fields};
use crate::takedowns;

/// How the index is written.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct IndexConfig {
    /// Memory for postings not yet on disk, in bytes; when it is full, a segment is written. Default: 128 MiB.
    /// More makes fewer segments to merge; the process needs some 150 MB on top of it.
    pub heap_bytes: u64,
    /// Longest text that is indexed and stored, in bytes; the rest of a longer one is cut off. No setting: 4 MiB.
    #[serde(skip)]
    pub max_text_bytes: usize,
}

impl Default for IndexConfig {
    fn default() -> Self {
        Self { heap_bytes: 128 << 20, max_text_bytes: 4 << 20 }
    }
}

/// tantivy's own bounds for the memory of one indexing thread.
const HEAP_BYTES: std::ops::RangeInclusive<u64> = 15_000_000..=4_293_967_294;

/// The one writer of an index directory.
///
/// After any error of [`upsert`](Self::upsert), [`remove`](Self::remove) or [`commit`](Self::commit) that says
/// [`IndexError::reopen`], the writer is dead: drop it, open a new one, and go on from its positions.
pub struct IndexWriter {
    dir: PathBuf,
    fields: Fields,
    config: IndexConfig,
    index: Index,
    writer: tantivy::IndexWriter,
    merges: MergeTracker,
    positions: Positions,
    pending: u64,
    pending_bytes: u64,
    pending_fetches: Vec<i64>,
    newest: CaptureTimes,
    takedowns: Takedowns,
    dead: bool,
}

impl IndexWriter {
    /// Opens the index in `dir`, or makes an empty one there, and takes the writer's lock.
    ///
    /// # Errors
    /// `Locked` if another writer is alive, `OtherSchema` if the directory was made by another version,
    /// `HeapBytes` for a setting out of bounds, `Directory` for everything that the file system says.
    pub fn open(dir: &Path, config: &IndexConfig) -> Result<Self, IndexError> {
        let failed =
            |source: Box<dyn std::error::Error + Send + Sync>| IndexError::Directory { dir: dir.to_owned(), source };
        std::fs::create_dir_all(dir).map_err(|error| failed(error.into()))?;
        let directory = MmapDirectory::open(dir).map_err(|error| failed(error.into()))?;
        Self::open_in(directory, dir, config)
    }

    /// [`open`](Self::open) over any storage; `dir` is for messages.
    pub(crate) fn open_in(directory: impl Directory, dir: &Path, config: &IndexConfig) -> Result<Self, IndexError> {
        if !HEAP_BYTES.contains(&config.heap_bytes) {
            let (min, max) = (*HEAP_BYTES.start(), *HEAP_BYTES.end());
            return Err(IndexError::HeapBytes { min, max, got: config.heap_bytes });
        }
        guarded(dir, || Self::open_guarded(ChecksumDirectory::over(directory, dir), dir, config))
    }

    fn open_guarded(directory: impl Directory, dir: &Path, config: &IndexConfig) -> Result<Self, IndexError> {
        let opened = |source| on_open(dir, source);
        let (schema, fields) = schema::build();
        let index = Index::builder().schema(schema).settings(settings()).open_or_create(directory).map_err(opened)?;
        register(&index);
        let options = IndexWriterOptions::builder()
            .num_worker_threads(1)
            .memory_budget_per_thread(config.heap_bytes as usize)
            .build();
        let writer = index.writer_with_options(options).map_err(opened)?;
        // Each of our commits starts the merges itself, so as to hear of their ends.
        writer.set_merge_policy(Box::new(NoMergePolicy));
        remove_drafts(dir);
        // What a run left that ended before its first commit; later ones are removed by commits.
        writer.garbage_collect_files().wait().map_err(opened)?;
        let metas = index.load_metas().map_err(opened)?;
        let positions = payload::decode(metas.payload.as_deref())
            .map_err(|source| IndexError::Payload { dir: dir.to_owned(), source })?;
        let mut all = Takedowns::default();
        takedowns::read(dir)?.iter().for_each(|takedown| _ = all.insert(takedown));
        let (dir, config) = (dir.to_owned(), config.clone());
        Ok(Self {
            dir,
            fields,
            config,
            index,
            writer,
            merges: MergeTracker::default(),
            positions,
            pending: 0,
            pending_bytes: 0,
            pending_fetches: Vec::new(),
            newest: CaptureTimes::default(),
            takedowns: all,
            dead: false,
        })
    }

    /// The positions of the last commit: the input to go on from.
    pub fn positions(&self) -> &Positions {
        &self.positions
    }

    /// Upserts and removals since the last commit.
    pub fn pending(&self) -> u64 {
        self.pending
    }

    /// Bytes of title and text taken in since the last commit.
    pub fn pending_bytes(&self) -> u64 {
        self.pending_bytes
    }

    /// When the documents that the next commit makes findable were fetched, in seconds since 1970-01-01 UTC.
    pub fn pending_fetches(&self) -> &[i64] {
        &self.pending_fetches
    }

    /// Documents of the last commit.
    ///
    /// # Errors
    /// `Directory` if the list of segments cannot be read.
    pub fn count(&self) -> Result<u64, IndexError> {
        let segments = self.index.searchable_segment_metas().map_err(|source| on_open(&self.dir, source))?;
        Ok(segments.iter().map(|segment| u64::from(segment.num_docs())).sum())
    }

    /// Whether the writer failed and must be opened again.
    pub fn is_dead(&self) -> bool {
        self.dead
    }

    /// Whether the index has a capture of this page that was fetched later than `fetched_at`, in seconds since 1970. What
    /// was removed is forgotten.
    ///
    /// # Errors
    /// As for [`upsert`](Self::upsert), if the index cannot be read.
    pub fn has_later(&mut self, key: &str, fetched_at: i64) -> Result<bool, IndexError> {
        self.alive()?;
        self.newest.is_after(&self.index, &self.fields, key, fetched_at).map_err(|error| self.died(error))
    }

    /// Gives `document`, a capture made at `at` in milliseconds since 1970, the history of the page, with what it changes; returns
    /// the capture before, without comments, and the change. Of the texts before edits the newest `keep_versions` stay.
    ///
    /// # Errors
    /// As for [`upsert`](Self::upsert), if the index cannot be read.
    pub fn carry_history(
        &mut self,
        document: &mut IndexDocument,
        at: u64,
        keep_versions: usize,
    ) -> Result<(Option<IndexDocument>, CaptureChange), IndexError> {
        let before = self.stored(&document.key)?;
        // The index holds no more of a text than this.
        document.text.truncate(head(&document.text, self.config.max_text_bytes).len());
        let change = carry_on(before.as_ref(), document, at, keep_versions);
        Ok((before, change))
    }

    /// The document with this key as the next commit will have it, without comments.
    ///
    /// # Errors
    /// As for [`upsert`](Self::upsert), if the index cannot be read.
    pub fn stored(&mut self, key: &str) -> Result<Option<IndexDocument>, IndexError> {
        self.alive()?;
        self.newest.newest(&self.index, &self.fields, key).map_err(|error| self.died(error))
    }

    /// Puts a document in place of any with the same key. Visible and durable after the next commit.
    ///
    /// Blocks when the indexing thread falls behind. `benches/index.rs` measures it.
    ///
    /// # Errors
    /// `Key` for an unusable key (the writer lives on); `DiskFull`, `Writer`, `Dead` if the writer is dead.
    pub fn upsert(&mut self, document: &IndexDocument) -> Result<(), IndexError> {
        self.alive()?;
        check_key(&document.key)?;
        self.writer.delete_term(self.fields.key_term(&document.key));
        let fields = self.fields.encode(document, self.config.max_text_bytes);
        self.writer.add_document(fields).map_err(|error| self.died(error))?;
        self.pending += 1;
        self.pending_bytes += (document.title.len() + document.text.len()) as u64;
        self.pending_fetches.push(document.fetched_at);
        let text = head(&document.text, self.config.max_text_bytes).to_owned();
        let noted = IndexDocument { text, comments: Vec::new(), ..document.clone() };
        self.newest.note(&document.key, Some(noted));
        Ok(())
    }

    /// Takes the document with this key out, if there is one. Errors as for [`upsert`](Self::upsert).
    pub fn remove(&mut self, key: &str) -> Result<(), IndexError> {
        self.alive()?;
        check_key(key)?;
        self.writer.delete_term(self.fields.key_term(key));
        self.newest.note(key, None);
        self.pending += 1;
        Ok(())
    }

    /// Takes a page or a site out for good: what is there of it goes with the next commit, and [`is_taken_down`](Self::is_taken_down)
    /// says so of what comes later, in this run and all others. Doing it twice changes nothing more.
    ///
    /// # Errors
    /// As for [`upsert`](Self::upsert), and `Directory` when the list cannot be written.
    pub fn take_down(&mut self, takedown: &Takedown) -> Result<(), IndexError> {
        self.alive()?;
        if self.takedowns.insert(takedown) {
            takedowns::append(&self.dir, takedown)
                .map_err(|error| IndexError::Directory { dir: self.dir.clone(), source: error.into() })?;
        }
        match takedown {
            Takedown::Page(url) => return self.remove(&url.key().to_string()),
            Takedown::Site(_) => {
                let query = takedowns::query_of(takedown, &self.fields).map_err(|error| self.died(error))?;
                self.writer.delete_query(query).map_err(|error| self.died(error))?;
            }
        }
        self.pending += 1;
        Ok(())
    }

    /// Takes over the takedowns of the index in `dir`, which this one is to replace.
    ///
    /// # Errors
    /// As for [`take_down`](Self::take_down), and `Directory` when the list cannot be read.
    pub fn inherit_takedowns(&mut self, dir: &Path) -> Result<(), IndexError> {
        takedowns::read(dir)?.iter().try_for_each(|takedown| self.take_down(takedown))
    }

    /// Whether a page was taken out for good.
    pub fn is_taken_down(&self, key: &str, host: &str) -> bool {
        !self.takedowns.is_empty() && key.parse::<UrlKey>().is_ok_and(|key| self.takedowns.covers(key, host))
    }

    /// Makes all upserts and removals so far durable and visible, together with `positions`.
    ///
    /// `positions` replaces those of the last commit altogether. All or nothing: after a crash, either this
    /// commit is there or the one before it. Takes as long as writing out what is pending: commit by time and
    /// size, not by document.
    ///
    /// # Errors
    /// `DiskFull`, `Writer`, `Dead`: nothing was committed, and the writer is dead.
    pub fn commit(&mut self, positions: &Positions) -> Result<(), IndexError> {
        self.alive()?;
        self.merges.check(&self.index).map_err(|error| self.died(error))?;
        // tantivy forgets the payload at a commit that does not set it, so every commit sets it.
        let payload = payload::encode(positions);
        let committed = self.writer.prepare_commit().and_then(|mut prepared| {
            prepared.set_payload(&payload);
            prepared.commit()
        });
        committed.map_err(|error| self.died(error))?;
        self.merges.start(&self.index, &mut self.writer).map_err(|error| self.died(error))?;
        self.positions.clone_from(positions);
        (self.pending, self.pending_bytes) = (0, 0);
        self.pending_fetches.clear();
        self.newest.committed();
        Ok(())
    }

    /// Ends the writer and waits for its merges. What was not committed is lost.
    ///
    /// # Errors
    /// A merge failed: the last commit stands, with the segments as they were.
    pub fn close(self) -> Result<(), IndexError> {
        let dir = self.dir;
        let merged = self.merges.wait(&self.index);
        let ended = self.writer.wait_merging_threads();
        merged.and(ended).map_err(|source| failed(dir, source))
    }

    fn alive(&self) -> Result<(), IndexError> {
        if self.dead { Err(IndexError::Dead { dir: self.dir.clone() }) } else { Ok(()) }
    }

    fn died(&mut self, source: TantivyError) -> IndexError {
        self.dead = true;
        // When the indexing thread died, only the end of its work tells of what.
        let source = match source {
            TantivyError::ErrorInThread(_) => self.writer.prepare_commit().err().unwrap_or(source),
            source => source,
        };
        failed(self.dir.clone(), source)
    }
}

/// What an error of a writer means for whoever has it.
fn failed(dir: PathBuf, source: TantivyError) -> IndexError {
    match damage(&source) {
        _ if is_disk_full(&source) => IndexError::DiskFull { dir, source },
        Some(what) => IndexError::Damaged { dir, what },
        None => IndexError::Writer { dir, source },
    }
}

/// Gives an index our analyser; every process that opens it must do so.
pub(crate) fn register(index: &Index) {
    index.tokenizers().register(ANALYSER, Analyser);
    index.tokenizers().register(FORM_ANALYSER, FormAnalyser::default());
}

fn settings() -> IndexSettings {
    IndexSettings {
        docstore_compression: Compressor::Zstd(ZstdCompressor { compression_level: Some(1) }),
        ..IndexSettings::default()
    }
}

fn check_key(key: &str) -> Result<(), IndexError> {
    if (1..=200).contains(&key.len()) {
        return Ok(());
    }
    Err(IndexError::Key { key: key.chars().take(40).collect() })
}

fn on_open(dir: &Path, error: TantivyError) -> IndexError {
    let dir = dir.to_owned();
    match error {
        TantivyError::LockFailure(LockError::LockBusy, _) => IndexError::Locked { dir },
        TantivyError::SchemaError(_) => IndexError::OtherSchema { dir },
        source if is_disk_full(&source) => IndexError::DiskFull { dir, source },
        source => match damage(&source) {
            Some(what) => IndexError::Damaged { dir, what },
            None => IndexError::Directory { dir, source: source.into() },
        },
    }
}
