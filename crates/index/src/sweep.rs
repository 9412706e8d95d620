//! One pass over all matches of a query: the best hits, their number, and counts by site, kind and language.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::time::Instant;

use serde::Serialize;
use tantivy::columnar::StrColumn;
use tantivy::query::Query as TantivyQuery;
use tantivy::{DocAddress, DocSet, SegmentReader, TERMINATED};

use crate::shards::Snapshot;

/// How many values of a facet are told.
const MAX_VALUES: usize = 20;
/// How many values of a facet each segment passes on; counts of rarer ones than these may be too low.
const MAX_SEGMENT_VALUES: usize = 500;
/// Matches between two looks at the clock.
const CLOCK_STRIDE: u64 = 1024;

/// How many of the matches have which value, most frequent first, then by name; at most 20 of each.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Facets {
    /// Matches by registrable domain.
    pub sites: Vec<(String, u64)>,
    /// Matches by kind.
    pub kinds: Vec<(String, u64)>,
    /// Matches by language code.
    pub languages: Vec<(String, u64)>,
}

/// What the pass found.
pub(crate) struct Swept {
    pub total: u64,
    /// The best `want` matches, best first, by `key_order` where scores tie.
    pub top: Vec<(f32, DocAddress)>,
    pub facets: Facets,
    /// The time was up before the end.
    pub partial: bool,
}

/// Runs a query to its end or to `deadline`.
///
/// tantivy's own collectors cannot be stopped, and a stop word in a large index with a phrase beside it takes
/// seconds; hence this loop. O(matches), with a heap of `want`.
pub(crate) fn sweep(
    snapshot: &Snapshot,
    query: &dyn TantivyQuery,
    want: usize,
    deadline: Option<Instant>,
) -> tantivy::Result<Swept> {
    let weights = snapshot.weights(query)?;
    let mut best = Best { want, heap: BinaryHeap::with_capacity(want.min(1024) + 1) };
    let mut counts: [BTreeMap<String, u64>; 3] = Default::default();
    let (mut total, mut partial) = (0, false);
    for segment_ord in 0..snapshot.n_segments() {
        let segment = snapshot.segment(segment_ord);
        let mut tallies = Tally::all(segment)?;
        let orders = segment.fast_fields().u64("key_order")?;
        let mut scorer = snapshot.weight(&weights, segment_ord).scorer(segment, 1.0)?;
        let mut visited = 0;
        while scorer.doc() != TERMINATED {
            let doc = scorer.doc();
            if !segment.is_deleted(doc) {
                total += 1;
                let order = || orders.first(doc).unwrap_or(0);
                best.offer(scorer.score(), order, DocAddress::new(segment_ord, doc));
                tallies.iter_mut().for_each(|tally| tally.count(doc));
            }
            visited += 1;
            if visited % CLOCK_STRIDE == 0 && deadline.is_some_and(|deadline| Instant::now() > deadline) {
                partial = true;
                break;
            }
            scorer.advance();
        }
        for (tally, counts) in tallies.iter().zip(&mut counts) {
            tally.add_to(counts)?;
        }
        if partial {
            break;
        }
    }
    let [sites, kinds, languages] = counts.map(most_frequent);
    Ok(Swept { total, top: best.sorted(), facets: Facets { sites, kinds, languages }, partial })
}

/// The best matches so far; the worst of them on top of the heap.
struct Best {
    want: usize,
    heap: BinaryHeap<Reverse<Ranked>>,
}

/// A match, ordered by score, then by the number of its key: the smaller one is the better one. That does not
/// depend on the order of indexing, as places in the segments do; they only part equal numbers.
#[derive(PartialEq)]
struct Ranked(f32, Reverse<(u64, DocAddress)>);

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0).then_with(|| self.1.cmp(&other.1))
    }
}

impl Best {
    fn offer(&mut self, score: f32, order: impl FnOnce() -> u64, address: DocAddress) {
        let full = self.heap.len() == self.want;
        if full && self.heap.peek().is_none_or(|worst| score < worst.0.0) {
            return;
        }
        self.heap.push(Reverse(Ranked(score, Reverse((order(), address)))));
        if full {
            self.heap.pop();
        }
    }

    fn sorted(self) -> Vec<(f32, DocAddress)> {
        let ranked = self.heap.into_sorted_vec().into_iter();
        ranked.map(|Reverse(Ranked(score, Reverse((_, address))))| (score, address)).collect()
    }
}

/// Counts of one facet in one segment, by the term's number.
struct Tally {
    column: Option<StrColumn>,
    counts: Vec<u32>,
}

impl Tally {
    fn all(segment: &SegmentReader) -> tantivy::Result<[Self; 3]> {
        let tally = |name| -> tantivy::Result<Self> {
            let column = segment.fast_fields().str(name)?;
            let counts = vec![0; column.as_ref().map_or(0, |column| column.num_terms())];
            Ok(Self { column, counts })
        };
        Ok([tally("site")?, tally("kind")?, tally("language")?])
    }

    fn count(&mut self, doc: u32) {
        let Some(column) = &self.column else { return };
        if let Some(count) = column.ords().first(doc).and_then(|ord| self.counts.get_mut(ord as usize)) {
            *count += 1;
        }
    }

    fn add_to(&self, counts: &mut BTreeMap<String, u64>) -> tantivy::Result<()> {
        let Some(column) = &self.column else { return Ok(()) };
        let counted = self.counts.iter().enumerate().filter(|&(_, &count)| count > 0);
        let mut counted: Vec<(u32, u64)> = counted.map(|(ord, &count)| (count, ord as u64)).collect();
        counted.sort_unstable_by_key(|&(count, ord)| (Reverse(count), ord));
        let mut name = String::new();
        for &(count, ord) in counted.iter().take(MAX_SEGMENT_VALUES) {
            name.clear();
            if column.ord_to_str(ord, &mut name)? && !name.is_empty() {
                *counts.entry(name.clone()).or_default() += u64::from(count);
            }
        }
        Ok(())
    }
}

fn most_frequent(counts: BTreeMap<String, u64>) -> Vec<(String, u64)> {
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, count)| Reverse(count));
    counts.truncate(MAX_VALUES);
    counts
}
