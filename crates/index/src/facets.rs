//! Counts of matches by site, kind and language.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use tantivy::SegmentReader;
use tantivy::columnar::StrColumn;

/// How many values of a facet are told.
const MAX_VALUES: usize = 20;
/// How many values of a facet each segment passes on; counts of rarer ones than these may be too low.
const MAX_SEGMENT_VALUES: usize = 500;

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

/// Counts over segments.
#[derive(Default)]
pub(crate) struct Counts([BTreeMap<String, u64>; 3]);

impl Counts {
    /// The facets, if each match that was counted stands for so many.
    pub(crate) fn facets(self, each: f64) -> Facets {
        let [sites, kinds, languages] = self.0.map(|counts| {
            let mut counts: Vec<_> = counts.into_iter().collect();
            counts.sort_by_key(|&(_, count)| Reverse(count));
            counts.truncate(MAX_VALUES);
            counts.iter_mut().for_each(|(_, count)| *count = (*count as f64 * each).round() as u64);
            counts
        });
        Facets { sites, kinds, languages }
    }
}

/// Counts in one segment, by the numbers of the terms.
pub(crate) struct Tallies([Tally; 3]);

struct Tally {
    column: Option<StrColumn>,
    counts: HashMap<u64, u64>,
}

impl Tallies {
    pub(crate) fn of(segment: &SegmentReader) -> tantivy::Result<Self> {
        let tally = |name| -> tantivy::Result<Tally> {
            Ok(Tally { column: segment.fast_fields().str(name)?, counts: HashMap::new() })
        };
        Ok(Self([tally("site")?, tally("kind")?, tally("language")?]))
    }

    /// Counts a match.
    pub(crate) fn count(&mut self, doc: u32) {
        for Tally { column, counts } in &mut self.0 {
            if let Some(ord) = column.as_ref().and_then(|column| column.ords().first(doc)) {
                *counts.entry(ord).or_default() += 1;
            }
        }
    }

    pub(crate) fn add_to(self, counts: &mut Counts) -> tantivy::Result<()> {
        for (tally, counts) in self.0.into_iter().zip(&mut counts.0) {
            tally.add_to(counts)?;
        }
        Ok(())
    }
}

impl Tally {
    fn add_to(self, counts: &mut BTreeMap<String, u64>) -> tantivy::Result<()> {
        let Some(column) = self.column else { return Ok(()) };
        let mut counted: Vec<(u64, u64)> = self.counts.into_iter().collect();
        counted.sort_unstable_by_key(|&(ord, count)| (Reverse(count), ord));
        let mut name = String::new();
        for &(ord, count) in counted.iter().take(MAX_SEGMENT_VALUES) {
            name.clear();
            if column.ord_to_str(ord, &mut name)? && !name.is_empty() {
                *counts.entry(name.clone()).or_default() += count;
            }
        }
        Ok(())
    }
}
