//! Other readings of the same text: by the structure of tables, lists and cells, or by marks within a line.

use crate::candidate::{Candidate, PairLayout};
use crate::hash::Map;
use crate::view::ByteRange;

/// The readings of a page that rest on its structure.
#[derive(Debug)]
pub(crate) struct AlternativeReadings {
    /// By start of the name.
    by_name: Map<u32, Vec<ByteRange>>,
    /// Their values in order, none within another.
    values: Vec<ByteRange>,
}

/// Whether elements say what name and value are, not marks in the text.
fn is_structural(layout: PairLayout) -> bool {
    matches!(
        layout,
        PairLayout::Row | PairLayout::FourCells | PairLayout::List | PairLayout::TwoCells | PairLayout::Alternating
    )
}

/// Readings of one name that are kept.
const MAX_READINGS: usize = 8;

impl AlternativeReadings {
    /// O(candidates · log candidates).
    pub(crate) fn new(candidates: &[Candidate]) -> AlternativeReadings {
        let mut by_name: Map<u32, Vec<ByteRange>> = Map::default();
        for candidate in candidates.iter().filter(|candidate| is_structural(candidate.layout)) {
            let readings = by_name.entry(candidate.name.start).or_default();
            if readings.len() < MAX_READINGS {
                readings.push(candidate.value);
            }
        }
        // Two cells are everywhere, so only tables and lists count for what stands within a value.
        let is_listed =
            |one: &&Candidate| matches!(one.layout, PairLayout::Row | PairLayout::FourCells | PairLayout::List);
        let mut all: Vec<ByteRange> = candidates.iter().filter(is_listed).map(|one| one.value).collect();
        all.sort_unstable_by_key(|value| (value.start, std::cmp::Reverse(value.end)));
        let mut values: Vec<ByteRange> = Vec::new();
        for value in all {
            if values.last().is_none_or(|last| value.start >= last.end) {
                values.push(value);
            }
        }
        AlternativeReadings { by_name, values }
    }

    /// Whether the structure reads more behind the same name, reads something else, holds the pair within one value, or reads the
    /// very same.
    pub(crate) fn of(&self, candidate: &Candidate) -> [bool; 4] {
        let readings = self.by_name.get(&candidate.name.start).map_or(&[][..], Vec::as_slice);
        let value = candidate.value;
        let longer = readings.iter().any(|read| read.start == value.start && read.end > value.end);
        let other = readings.iter().any(|read| read.start != value.start);
        let same = !is_structural(candidate.layout) && readings.contains(&value);
        let at = self.values.partition_point(|read| read.start <= candidate.name.start);
        let inside = at.checked_sub(1).is_some_and(|at| self.values[at].end >= value.end);
        [longer, other, inside, same]
    }
}
