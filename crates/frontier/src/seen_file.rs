//! Files of the seen set's ranges: written once, read by bucket, deleted when all their ranges were merged anew.
//!
//! ```text
//! seen/<number, 16 hex digits>   sections, one for each range that a commit merged
//! section: lengths of its buckets (u16…) | filter (u64…) | XXH3-64 of both | bucket…
//! bucket:  entry…, ascending | lower half of the XXH3-64 of the entries
//! entry:   rest of the fingerprint (15 bytes), place and summary (8 bytes), both big-endian
//! ```
//!
//! All other numbers are little-endian. Who refers to a section keeps where it begins and how many entries it has.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use xxhash_rust::xxh3::xxh3_64;

use crate::codec::{RecordDecoder, RecordEncoder};
use crate::error::FrontierError;
use crate::fingerprint::{SUFFIX, UrlFingerprint};
use crate::seen_filter::SeenFilter;
use crate::two_generation_cache::TwoGenerationCache;

/// Bytes of an entry.
pub(crate) const ENTRY: usize = SUFFIX + 8;

/// Entries of a bucket in the mean: its bytes are read for one URL.
const BUCKET: usize = 32;

/// Bytes of the checksum of a bucket.
const CHECK: usize = 4;

pub(crate) type SeenEntryBytes = [u8; ENTRY];

/// Files that are open at once; there are some 150, unless the store is opened again and again.
const MOST_OPEN: usize = 256;

/// The folder of all files.
pub(crate) struct SeenFolder {
    pub(crate) path: PathBuf,
    open: Mutex<TwoGenerationCache<u64, Arc<File>>>,
}

impl SeenFolder {
    pub(crate) fn new(path: &Path) -> Arc<Self> {
        Arc::new(Self { path: path.to_owned(), open: Mutex::new(TwoGenerationCache::new(MOST_OPEN)) })
    }

    fn path_of(&self, number: u64) -> PathBuf {
        self.path.join(format!("{number:016x}"))
    }

    fn file(&self, number: u64) -> io::Result<Arc<File>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = open.get(&number) {
            return Ok(Arc::clone(file));
        }
        let file = Arc::new(File::open(self.path_of(number))?);
        open.insert(number, Arc::clone(&file), 1);
        Ok(file)
    }
}

/// One file, as long as a range or a snapshot has sections of it.
pub(crate) struct SeenFile {
    pub(crate) number: u64,
    folder: Arc<SeenFolder>,
    is_obsolete: AtomicBool,
}

impl SeenFile {
    pub(crate) fn new(folder: &Arc<SeenFolder>, number: u64) -> Arc<Self> {
        Arc::new(Self { number, folder: Arc::clone(folder), is_obsolete: AtomicBool::new(false) })
    }

    /// Lets the file be deleted once nobody reads it any more.
    pub(crate) fn retire(&self) {
        self.is_obsolete.store(true, Ordering::Relaxed);
    }

    /// Bytes of all its sections.
    pub(crate) fn length(&self) -> io::Result<u64> {
        Ok(self.folder.file(self.number)?.metadata()?.len())
    }

    fn read(&self, offset: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.folder.file(self.number)?.read_exact_at(&mut bytes, offset)?;
        Ok(bytes)
    }
}

impl Drop for SeenFile {
    fn drop(&mut self) {
        if self.is_obsolete.load(Ordering::Relaxed) {
            self.folder.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.number);
            // One that stays is deleted when the store is opened next.
            let _ = fs::remove_file(self.folder.path_of(self.number));
        }
    }
}

/// The file of the ranges that are merged between two commits.
pub(crate) struct SeenFileWriter {
    of: Arc<SeenFile>,
    file: File,
    length: u64,
}

impl SeenFileWriter {
    pub(crate) fn create(folder: &Arc<SeenFolder>, number: u64) -> io::Result<Self> {
        create_folder(&folder.path)?;
        let file = File::create(folder.path_of(number))?;
        Ok(Self { of: SeenFile::new(folder, number), file, length: 0 })
    }

    /// Writes a section of entries, which must ascend and be of the range `number`; its filter has room for `room` of them.
    pub(crate) fn write(&mut self, number: usize, entries: &[u8], room: usize) -> io::Result<SeenSection> {
        let (entries, _) = entries.as_chunks::<ENTRY>();
        let n_buckets = n_buckets(entries.len());
        let mut filter = SeenFilter::for_len(room);
        let mut starts = Vec::with_capacity(n_buckets + 1);
        let mut buckets = Vec::with_capacity(entries.len() * ENTRY + n_buckets * CHECK);
        let mut head = Vec::with_capacity(n_buckets * 2);
        let mut at = 0;
        for bucket in 0..n_buckets {
            let length =
                entries[at..].iter().take_while(|entry| bucket_of(entry.as_slice(), n_buckets) == bucket).count();
            let own = &entries[at..at + length];
            own.iter().for_each(|entry| filter.insert(fingerprint_of(number, entry)));
            let length = u16::try_from(length).map_err(|_| io::Error::other("a bucket of the seen set is too long"))?;
            head.extend_from_slice(&length.to_le_bytes());
            starts.push(at as u32);
            buckets.extend_from_slice(own.as_flattened());
            buckets.extend_from_slice(&checksum(own.as_flattened()));
            at += own.len();
        }
        starts.push(at as u32);
        filter.encode(&mut head);
        head.extend_from_slice(&xxh3_64(&head).to_le_bytes());
        self.file.write_all_at(&head, self.length)?;
        let data = self.length + head.len() as u64;
        self.file.write_all_at(&buckets, data)?;
        let (n_entries, room) = (entries.len() as u64, room as u64);
        let place = SeenPlace { file: self.of.number, offset: self.length, n_entries, room };
        self.length = data + buckets.len() as u64;
        Ok(SeenSection { file: Arc::clone(&self.of), place, data, starts, filter })
    }

    /// Makes the file durable.
    pub(crate) fn finish(self) -> io::Result<()> {
        self.file.sync_data()?;
        File::open(&self.of.folder.path)?.sync_all()
    }
}

/// Where a section is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SeenPlace {
    pub(crate) file: u64,
    offset: u64,
    n_entries: u64,
    /// Entries for which its filter is made.
    room: u64,
}

impl SeenPlace {
    pub(crate) fn encode(self, writer: &mut RecordEncoder) {
        writer.number(self.file).number(self.offset).number(self.n_entries).number(self.room);
    }

    pub(crate) fn decode(reader: &mut RecordDecoder<'_>) -> Option<Self> {
        let (file, offset) = (reader.number()?, reader.number()?);
        let place = Self { file, offset, n_entries: reader.number()?, room: reader.number()? };
        [place.n_entries, place.room].into_iter().all(|n| u32::try_from(n).is_ok()).then_some(place)
    }
}

/// A range on disk, with what of it is in memory: filter and places of the buckets, 1.6 bytes for each entry.
pub(crate) struct SeenSection {
    file: Arc<SeenFile>,
    pub(crate) place: SeenPlace,
    /// Where the buckets begin.
    data: u64,
    /// The number of entries before each bucket, and of all.
    starts: Vec<u32>,
    filter: SeenFilter,
}

impl SeenSection {
    /// Reads what is kept in memory. `None` when the bytes are damaged.
    pub(crate) fn open(file: Arc<SeenFile>, place: SeenPlace) -> io::Result<Option<Self>> {
        let n_buckets = n_buckets(place.n_entries as usize);
        let length = n_buckets * 2 + SeenFilter::bytes_for(place.room as usize);
        // No more memory is asked for than the file has bytes.
        if file.folder.file(place.file)?.metadata()?.len() < place.offset.saturating_add(length as u64) {
            return Ok(None);
        }
        let head = file.read(place.offset, length + 8)?;
        let (head, check) = head.split_at(length);
        let (lengths, filter) = head.split_at(n_buckets * 2);
        let mut starts = vec![0];
        starts.extend(lengths.as_chunks::<2>().0.iter().scan(0, |at: &mut u32, length| {
            *at = at.checked_add(u16::from_le_bytes(*length).into())?;
            Some(*at)
        }));
        let is_whole = xxh3_64(head).to_le_bytes() == check && starts.last() == Some(&(place.n_entries as u32));
        let filter = SeenFilter::decode(filter).filter(|_| is_whole);
        let data = place.offset + length as u64 + 8;
        Ok(filter.map(|filter| Self { file, place, data, starts, filter }))
    }

    /// Whether it may have the fingerprint: never wrong when it says no. Asks no disk.
    pub(crate) fn may_have(&self, fingerprint: UrlFingerprint) -> bool {
        self.filter.may_have(fingerprint)
    }

    /// Lets [`SeenSection::may_have`] say yes to entries that are elsewhere.
    pub(crate) fn note(&mut self, number: usize, entries: &[u8]) {
        let (entries, _) = entries.as_chunks::<ENTRY>();
        entries.iter().for_each(|entry| self.filter.insert(fingerprint_of(number, entry)));
    }

    /// The last 8 bytes of the entry; the outer `None` is damage.
    #[expect(clippy::option_option, reason = "the outer one says whether the bucket can be read")]
    pub(crate) fn find(&self, suffix: [u8; SUFFIX]) -> io::Result<Option<Option<u64>>> {
        let n_buckets = self.starts.len() - 1;
        let bucket = bucket_of(&suffix, n_buckets);
        let (start, end) = (self.starts[bucket] as usize, self.starts[bucket + 1] as usize);
        let offset = self.data + (start * ENTRY + bucket * CHECK) as u64;
        let bytes = self.file.read(offset, (end - start) * ENTRY + CHECK)?;
        let Some(entries) = checked(&bytes) else { return Ok(None) };
        let found = entries.binary_search_by(|entry| entry[..SUFFIX].cmp(&suffix));
        Ok(Some(found.ok().map(|place| value_of(&entries[place]))))
    }

    /// All entries, ascending; `None` when they are damaged.
    pub(crate) fn entries(&self) -> io::Result<Option<Vec<u8>>> {
        let (n_entries, n_buckets) = (self.place.n_entries as usize, self.starts.len() - 1);
        let bytes = self.file.read(self.data, n_entries * ENTRY + n_buckets * CHECK)?;
        let mut entries = Vec::with_capacity(n_entries * ENTRY);
        let mut rest = bytes.as_slice();
        for ends in self.starts.windows(2) {
            let (bucket, others) = rest.split_at((ends[1] - ends[0]) as usize * ENTRY + CHECK);
            let Some(own) = checked(bucket) else { return Ok(None) };
            entries.extend_from_slice(own.as_flattened());
            rest = others;
        }
        Ok(Some(entries))
    }

    pub(crate) fn file(&self) -> &Arc<SeenFile> {
        &self.file
    }

    pub(crate) fn n_entries(&self) -> usize {
        self.place.n_entries as usize
    }
}

/// Makes a folder that is there after a crash, unless it is there already.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(path)?;
    path.parent().map_or(Ok(()), |parent| File::open(parent)?.sync_all())
}

/// Deletes what is in the folder and not in use: files of a commit that never came.
pub(crate) fn remove_others(folder: &Path, in_use: impl Fn(u64) -> bool) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let number = entry.file_name().to_str().and_then(|name| u64::from_str_radix(name, 16).ok());
        if number.is_some_and(|number| !in_use(number)) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn n_buckets(n_entries: usize) -> usize {
    n_entries.div_ceil(BUCKET)
}

/// The bucket of an entry or its fingerprint: fingerprints are spread evenly, and so are buckets over them, in their order.
fn bucket_of(entry: &[u8], n_buckets: usize) -> usize {
    let first = entry.first_chunk().map_or(0, |first| u32::from_be_bytes(*first));
    ((u64::from(first) * n_buckets as u64) >> 32) as usize
}

fn fingerprint_of(range: usize, entry: &SeenEntryBytes) -> UrlFingerprint {
    UrlFingerprint::in_range(range, std::array::from_fn(|at| entry[at]))
}

/// Place and summary of an entry.
pub(crate) fn value_of(entry: &SeenEntryBytes) -> u64 {
    entry[SUFFIX..].iter().fold(0, |value, byte| value << 8 | u64::from(*byte))
}

fn checksum(entries: &[u8]) -> [u8; CHECK] {
    (xxh3_64(entries) as u32).to_le_bytes()
}

/// The entries of a bucket, if they are as they were written.
fn checked(bucket: &[u8]) -> Option<&[SeenEntryBytes]> {
    let (entries, check) = bucket.split_last_chunk::<CHECK>()?;
    let (chunks, rest) = entries.as_chunks::<ENTRY>();
    (rest.is_empty() && checksum(entries) == *check).then_some(chunks)
}

/// That sections of a range cannot be read as they were written.
pub(crate) fn damaged(range: usize) -> FrontierError {
    FrontierError::Damaged { table: "seen", key: format!("{range:02x}") }
}
