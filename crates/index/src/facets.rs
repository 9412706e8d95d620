//! Counts of matches by site, kind, language, the names of their attributes, and what browsers drew of them.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;
use tantivy::columnar::StrColumn;

use crate::shards::ShardsSnapshot;

/// How many values of a facet are told.
const MAX_VALUES: usize = 20;
const COLUMNS: [&str; 5] = ["site", "kind", "language", "attribute_names", "rendered"];

/// How many of the matches have which value, most frequent first, then by name; at most 20 of each.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Facets {
    /// Matches by registrable domain.
    pub sites: Vec<(String, u64)>,
    /// Matches by kind.
    pub kinds: Vec<(String, u64)>,
    /// Matches by language code.
    pub languages: Vec<(String, u64)>,
    /// Matches that have an attribute, by its name.
    pub attributes: Vec<(String, u64)>,
    /// Matches that a browser drew, by how much it drew.
    pub rendered: Vec<(String, u64)>,
}

/// Counts over segments, by the hashes of values: names are read of those alone that are told.
#[derive(Default)]
pub(crate) struct FacetCounts([HashMap<u64, Count>; COLUMNS.len()]);

struct Count {
    matches: u64,
    /// Where the name stands.
    segment: u32,
    ord: u64,
}

impl FacetCounts {
    /// The facets, if each match that was counted stands for so many.
    pub(crate) fn facets(self, snapshot: &ShardsSnapshot, each: f64) -> tantivy::Result<Facets> {
        let mut told = self.0.into_iter().zip(COLUMNS).map(|(counts, column)| {
            let mut counts: Vec<(u64, Count)> = counts.into_iter().collect();
            let by_count = |(hash, count): &(u64, Count)| (Reverse(count.matches), *hash);
            if counts.len() > MAX_VALUES {
                counts.select_nth_unstable_by_key(MAX_VALUES, by_count);
                counts.truncate(MAX_VALUES);
            }
            let named = counts.iter().map(|(_, count)| Ok((name(snapshot, column, count)?, count.matches)));
            let mut named: Vec<(String, u64)> = named.collect::<tantivy::Result<_>>()?;
            named.sort_by(|(a, of_a), (b, of_b)| of_b.cmp(of_a).then_with(|| a.cmp(b)));
            named.iter_mut().for_each(|(_, count)| *count = (*count as f64 * each).round() as u64);
            tantivy::Result::Ok(named)
        });
        let mut next = || told.next().unwrap_or_else(|| Ok(Vec::new()));
        Ok(Facets { sites: next()?, kinds: next()?, languages: next()?, attributes: next()?, rendered: next()? })
    }
}

fn name(snapshot: &ShardsSnapshot, column: &str, count: &Count) -> tantivy::Result<String> {
    let mut name = String::new();
    if let Some(column) = snapshot.segment(count.segment).fast_fields().str(column)? {
        column.ord_to_str(count.ord, &mut name)?;
    }
    Ok(name)
}

/// Counts in one segment, by the numbers of the values.
pub(crate) struct SegmentFacetCounts {
    segment: u32,
    tallies: Vec<FacetCounter>,
}

struct FacetCounter {
    column: Option<(StrColumn, Arc<Vec<u64>>)>,
    counts: HashMap<u64, u64>,
}

impl SegmentFacetCounts {
    pub(crate) fn of(snapshot: &ShardsSnapshot, segment: u32) -> tantivy::Result<Self> {
        let tally = |name| -> tantivy::Result<FacetCounter> {
            let reader = snapshot.segment(segment);
            let column = match reader.fast_fields().str(name)? {
                Some(column) => {
                    let hashes = snapshot.known.hashes.get(name, &column, reader)?;
                    Some((column, hashes))
                }
                None => None,
            };
            Ok(FacetCounter { column, counts: HashMap::new() })
        };
        Ok(Self { segment, tallies: COLUMNS.map(tally).into_iter().collect::<tantivy::Result<_>>()? })
    }

    /// Counts a match.
    pub(crate) fn count(&mut self, doc: u32) {
        for FacetCounter { column, counts } in &mut self.tallies {
            for ord in column.iter().flat_map(|(column, _)| column.ords().values_for_doc(doc)) {
                *counts.entry(ord).or_default() += 1;
            }
        }
    }

    pub(crate) fn add_to(self, counts: &mut FacetCounts) {
        for (FacetCounter { column, counts: tallied }, counts) in self.tallies.into_iter().zip(&mut counts.0) {
            let Some((_, hashes)) = column else { continue };
            for (ord, matches) in tallied {
                let Some(&hash) = hashes.get(ord as usize) else { continue };
                let count = counts.entry(hash).or_insert(Count { matches: 0, segment: self.segment, ord });
                count.matches += matches;
            }
        }
    }
}
