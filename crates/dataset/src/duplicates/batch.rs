//! Fingerprints that are judged together.

use std::collections::HashMap;

use crate::duplicates::blocks::Blocks;

/// So many are compared each with each; more are divided in halves.
const FEW: usize = 4096;

/// What a duplicate is a duplicate of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DuplicateOf {
    /// The number of the document among all that are kept, from 0.
    pub number: u64,
    /// Differing bits.
    pub distance: u32,
}

/// Where an original is.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// Kept before the batch.
    Before(u64),
    /// In the batch, by its place among the different fingerprints.
    Within(usize),
}

/// Some documents, of which is found out which to keep: first [`compare`](Batch::compare) with all that were kept before, in their
/// order, then [`decide`](Batch::decide).
///
/// Memory: about 150 bytes a fingerprint, and 64 for each that is given to `compare` at once. Time: for fingerprints that are spread
/// evenly one pair in 150 is looked at (at distance 10).
pub struct DedupBatch {
    max_distance: u32,
    threads: usize,
    prints: Vec<u64>,
    /// Different fingerprints, in the order in which they first come.
    distinct: Vec<u64>,
    originals: Vec<Option<(Place, u32)>>,
}

impl DedupBatch {
    /// Documents by their fingerprints, in order. 0 stands for none: such a document is kept, and none is its duplicate.
    ///
    /// `max_distance` is from 0 (equal ones only) to 63. At most 2³² - 1 fingerprints. Works on so many threads.
    pub fn new(prints: Vec<u64>, max_distance: u32, threads: usize) -> Self {
        let mut seen = std::collections::HashSet::new();
        let distinct: Vec<u64> = prints.iter().copied().filter(|&print| print != 0 && seen.insert(print)).collect();
        Self { max_distance: max_distance.min(63), threads, prints, originals: vec![None; distinct.len()], distinct }
    }

    /// Compares the documents with some that were kept before, of which the first has the number `first`. Later calls have higher
    /// numbers.
    pub fn compare(&mut self, first: u64, kept: &[u64]) {
        let with_print: Vec<usize> = (0..kept.len()).filter(|&n| kept[n] != 0).collect();
        let prints: Vec<u64> = with_print.iter().map(|&n| kept[n]).collect();
        self.meet(0, self.distinct.len(), &prints, |at| Place::Before(first + with_print[at] as u64));
    }

    /// What each document is a duplicate of; none for those to keep, which are numbered from `first` on.
    pub fn decide(mut self, first: u64) -> Vec<Option<DuplicateOf>> {
        if self.max_distance > 0 {
            // Different ones are no duplicates at distance 0.
            self.decide_range(0, self.distinct.len());
        }
        let mut places: HashMap<u64, usize> = HashMap::new();
        let mut numbers = vec![0; self.distinct.len()];
        let mut kept = first;
        let mut decided = Vec::with_capacity(self.prints.len());
        for &print in &self.prints {
            let original = if print == 0 {
                None
            } else if let Some(&place) = places.get(&print) {
                // Like the first of its equals, or its duplicate.
                self.originals[place].or(Some((Place::Within(place), 0)))
            } else {
                let place = places.len();
                places.insert(print, place);
                numbers[place] = kept;
                self.originals[place]
            };
            kept += u64::from(original.is_none());
            decided.push(original.map(|(place, distance)| match place {
                Place::Before(number) => DuplicateOf { number, distance },
                Place::Within(place) => DuplicateOf { number: numbers[place], distance },
            }));
        }
        decided
    }

    /// Decides on a range of which all originals before it are known. The depth is the logarithm of its length.
    fn decide_range(&mut self, start: usize, end: usize) {
        if end - start <= FEW {
            return self.decide_few(start, end);
        }
        let middle = start + (end - start) / 2;
        self.decide_range(start, middle);
        let kept: Vec<usize> = (start..middle).filter(|&n| self.originals[n].is_none()).collect();
        let prints: Vec<u64> = kept.iter().map(|&n| self.distinct[n]).collect();
        self.meet(middle, end, &prints, |at| Place::Within(kept[at]));
        self.decide_range(middle, end);
    }

    fn decide_few(&mut self, start: usize, end: usize) {
        let mut kept: Vec<usize> = Vec::new();
        for n in start..end {
            if self.originals[n].is_some() {
                continue;
            }
            let distance = |other: &usize| (self.distinct[n] ^ self.distinct[*other]).count_ones();
            let original = kept.iter().find(|other| distance(other) <= self.max_distance);
            match original {
                Some(other) => self.originals[n] = Some((Place::Within(*other), distance(other))),
                None => kept.push(n),
            }
        }
    }

    /// Gives those of a range that have no original yet the first of `earlier` that is near.
    fn meet(&mut self, start: usize, end: usize, earlier: &[u64], place: impl Fn(usize) -> Place) {
        if self.max_distance == 0 {
            return self.meet_equal(start, end, earlier, place);
        }
        let open: Vec<usize> = (start..end).filter(|&n| self.originals[n].is_none()).collect();
        let prints: Vec<u64> = open.iter().map(|&n| self.distinct[n]).collect();
        let index = |prints| Blocks::new(prints, self.max_distance);
        let found = index(&prints).first_near(&index(earlier), self.threads);
        for (n, first) in open.into_iter().zip(found) {
            self.originals[n] = first.map(|at| {
                let at = at as usize;
                (place(at), (self.distinct[n] ^ earlier[at]).count_ones())
            });
        }
    }

    /// The same at distance 0, for which no index is needed.
    fn meet_equal(&mut self, start: usize, end: usize, earlier: &[u64], place: impl Fn(usize) -> Place) {
        let open = (start..end).filter(|&n| self.originals[n].is_none());
        let numbers: HashMap<u64, usize> = open.map(|n| (self.distinct[n], n)).collect();
        for (at, print) in earlier.iter().enumerate() {
            if let Some(&n) = numbers.get(print)
                && self.originals[n].is_none()
            {
                self.originals[n] = Some((place(at), 0));
            }
        }
    }
}
