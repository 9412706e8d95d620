//! Clusters of documents that share keys, over sorted runs of any number.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;

use super::minhash::mix;
use super::runs::{KeyEntry, KeyRun, ReadAt};

/// Entries that a thread holds at once: 16 bytes each, and half of that while they are sorted.
const SLICE: u64 = 2 << 20;

/// The place of a document among those of its cluster, of which the one of least rank stays: the longest text, then by a
/// hash of what the document is. The order in which documents come does not take part.
pub fn rank(chars: u64, identity: u64) -> u64 {
    const LENGTHS: u64 = (1 << 20) - 1;
    // The highest bit is for those that stay whatever their rank.
    (LENGTHS - chars.min(LENGTHS)) << 43 | mix(identity) >> 21
}

/// A forest of documents: each tree is a cluster, at whose root is the document of least rank.
pub(super) struct ClusterForest {
    pub(super) parents: Vec<u32>,
    pub(super) ranks: Vec<u64>,
}

impl ClusterForest {
    pub(super) fn new(ranks: Vec<u64>) -> Self {
        Self { parents: (0..ranks.len() as u32).collect(), ranks }
    }

    /// The root of a document's tree. Each document that is passed is hung higher.
    fn root(&mut self, mut at: u32) -> u32 {
        while self.parents[at as usize] != at {
            let above = self.parents[at as usize];
            self.parents[at as usize] = self.parents[above as usize];
            at = above;
        }
        at
    }

    /// Makes one cluster of those of two documents.
    pub(super) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        let order = |at: u32| (self.ranks[at as usize], at);
        let (first, second) = if order(a) <= order(b) { (a, b) } else { (b, a) };
        self.parents[second as usize] = first;
    }
}

/// Which documents are duplicates of which, found by the keys that they share.
///
/// Memory: 12 bytes a document, and 50 MB for each thread. Time: that of sorting the keys.
pub struct DuplicateClusters {
    forest: ClusterForest,
    /// The number of the first document of each run, and at the end of all documents.
    bases: Vec<u32>,
}

impl DuplicateClusters {
    /// Joins all documents that share a key. The documents of the first `earlier` runs are kept whatever their rank, and so
    /// a later one like them is their duplicate. Works on so many threads; the result is the same for any order of runs
    /// and of documents in them, but for documents of one rank.
    ///
    /// # Errors
    /// Those of reading runs; runs of different numbers of sections; 2³² documents or more.
    pub fn find<R: ReadAt>(runs: &[KeyRun<R>], earlier: usize, threads: usize) -> io::Result<DuplicateClusters> {
        let bases = bases(runs)?;
        let mut forest = ClusterForest::new(Vec::new());
        for (number, run) in runs.iter().enumerate() {
            let base = bases[number];
            let is_later = u64::from(number >= earlier) << 63;
            forest.ranks.extend(run.ranks()?.into_iter().map(|rank| rank & (u64::MAX >> 1) | is_later));
            let parents = run.parents()?;
            if parents.iter().any(|parent| u64::from(*parent) >= run.documents()) {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a damaged run of keys"));
            }
            forest.parents.extend(parents.into_iter().map(|parent| base + parent));
        }
        slices(runs, &bases, threads, equal_neighbours, |pairs| {
            pairs.into_iter().for_each(|(a, b)| forest.join(a, b));
            Ok(())
        })?;
        Ok(DuplicateClusters { forest, bases })
    }

    /// The document that stays in place of this one, as run and number; none if this one stays.
    pub fn original(&mut self, run: usize, number: u32) -> Option<(usize, u32)> {
        let at = self.bases[run] + number;
        let root = self.forest.root(at);
        (root != at).then(|| self.place(root))
    }

    fn place(&self, at: u32) -> (usize, u32) {
        let run = self.bases.partition_point(|base| *base <= at) - 1;
        (run, at - self.bases[run])
    }

    /// Calls `extra` with run, number and key where a document has a key that another document has, too, which stays
    /// and has the least rank of all that stay with it.
    ///
    /// # Errors
    /// Those of reading runs and of `extra`.
    pub fn for_each_repeated<R: ReadAt>(
        &mut self,
        runs: &[KeyRun<R>],
        threads: usize,
        mut extra: impl FnMut(usize, u32, u64) -> io::Result<()>,
    ) -> io::Result<()> {
        let bases = std::mem::take(&mut self.bases);
        let done = slices(runs, &bases, threads, repeated, |entries| {
            for group in entries.chunk_by(|a, b| a.0 == b.0) {
                let order = |at: &u32| (self.forest.ranks[*at as usize], *at);
                let stays = |at: &u32| self.forest.parents[*at as usize] == *at;
                let Some(owner) = group.iter().map(|entry| entry.1).filter(stays).min_by_key(order) else { continue };
                for (key, at) in group.iter().filter(|(_, at)| *at != owner) {
                    let run = bases.partition_point(|base| base <= at) - 1;
                    extra(run, at - bases[run], *key)?;
                }
            }
            Ok(())
        });
        self.bases = bases;
        done
    }
}

fn bases<R: ReadAt>(runs: &[KeyRun<R>]) -> io::Result<Vec<u32>> {
    let mut bases = vec![0u32];
    for run in runs {
        let next = u64::from(bases[bases.len() - 1]) + run.documents();
        bases.push(u32::try_from(next).map_err(|_| io::Error::other("more than 4,294,967,295 documents"))?);
    }
    let first = runs.first().map_or(0, KeyRun::sections);
    if runs.iter().any(|run| run.sections() != first) {
        return Err(io::Error::other("the runs have different numbers of buckets"));
    }
    Ok(bases)
}

/// Pairs of neighbours that share a key.
fn equal_neighbours(entries: Vec<KeyEntry>) -> Vec<(u32, u32)> {
    entries.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| (pair[0].1, pair[1].1)).collect()
}

/// Entries whose key is not theirs alone.
fn repeated(entries: Vec<KeyEntry>) -> Vec<KeyEntry> {
    entries.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1).flatten().copied().collect()
}

/// Gives `take` what `work` makes of the entries of all runs, a range of keys of one section at a time, in any order.
fn slices<R: ReadAt, T: Send>(
    runs: &[KeyRun<R>],
    bases: &[u32],
    threads: usize,
    work: impl Fn(Vec<KeyEntry>) -> T + Sync,
    mut take: impl FnMut(T) -> io::Result<()>,
) -> io::Result<()> {
    let ranges = ranges(runs);
    let next = AtomicUsize::new(0);
    let read = |(section, first, last): (usize, u64, u64)| -> io::Result<T> {
        let mut entries = Vec::new();
        for (run, base) in runs.iter().zip(bases) {
            run.range(section, first, last, |(key, number)| entries.push((key, base + number)))?;
        }
        // Made of sorted pieces, which the stable sort finds and merges.
        entries.sort();
        Ok(work(entries))
    };
    std::thread::scope(|scope| {
        let (made, results) = sync_channel(1);
        for _ in 0..threads.max(1) {
            let (made, ranges, next, read) = (made.clone(), &ranges, &next, &read);
            scope.spawn(move || {
                while let Some(range) = ranges.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // An error of `take` closes the channel and so ends the threads.
                    if made.send(read(*range)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(made);
        results.into_iter().try_for_each(|result| take(result?))
    })
}

/// Ranges of keys, each of about as many entries as a thread may hold. Keys are hashes, so equal ranges have equally many.
fn ranges<R: ReadAt>(runs: &[KeyRun<R>]) -> Vec<(usize, u64, u64)> {
    let mut ranges = Vec::new();
    for section in 0..runs.first().map_or(0, KeyRun::sections) {
        let entries: u64 = runs.iter().map(|run| run.entries(section)).sum();
        let n = entries.div_ceil(SLICE);
        let start = |range: u64| ((u128::from(range) << 64) / u128::from(n)) as u64;
        ranges.extend((0..n).map(|range| {
            let last = if range + 1 == n { u64::MAX } else { start(range + 1) - 1 };
            (section, start(range), last)
        }));
    }
    ranges
}
