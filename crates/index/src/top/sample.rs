//! Facets counted on a sample of the matches.

use std::ops::Range;

use super::plan::QueryPlan;
use crate::clock::SearchDeadline;
use crate::facets::{FacetCounts, Facets, SegmentFacetCounts};
use crate::shards::ShardsSnapshot;

/// Matches that a sample should have; it has at least half of them, unless there are fewer.
const SAMPLE: f64 = 10_000.0;
/// Candidates that may be looked at for a sample, beside those of its first round.
const MAX_CANDIDATES: u64 = 30_000;
/// Pieces of equal length that all documents are cut into; the sample has a part of each.
const PIECES: u64 = 1024;

/// What was found until counting ended.
pub(super) struct CountedMatches {
    pub total: u64,
    /// Matches, and what looked like them.
    pub candidates: u64,
    /// Documents that were passed on the way.
    pub passed: u64,
}

/// Estimates facets from matches spread over all documents, and tells the number of matches if it came to visit all.
///
/// The crowd says how much of each piece to visit first. If matches turn out to be rarer, more of each piece follows. Of
/// any part of the matches the estimate has a standard error of `sqrt(part * (1 - part) / n)` for a sample of `n`, 0.5 to
/// 0.7 % for a half, and more if neighbours are alike.
pub(super) fn sampled(
    plan: &QueryPlan,
    snapshot: &ShardsSnapshot,
    crowd: &CountedMatches,
    clock: &mut SearchDeadline,
) -> tantivy::Result<(Facets, Option<u64>)> {
    let all = (0..snapshot.n_segments()).map(|ord| u64::from(snapshot.segment(ord).max_doc())).sum::<u64>();
    let piece = all.div_ceil(PIECES).max(1);
    let counts = FacetCounts::default();
    let mut sample = Sample { plan, snapshot, piece, visited: 0, candidates: 0, matches: 0, counts };
    let enough = |wanted: f64, found: u64| wanted / found.max(1) as f64;
    let documents =
        enough(SAMPLE, crowd.total).min(enough(MAX_CANDIDATES as f64, crowd.candidates)) * crowd.passed as f64;
    let mut from = 0;
    let mut to = (documents / PIECES as f64).ceil() as u64;
    loop {
        to = to.clamp(from + 1, piece);
        sample.add(from, to, clock)?;
        let is_enough = sample.matches as f64 >= SAMPLE / 2.0 || 2 * sample.candidates > MAX_CANDIDATES;
        if is_enough || to == piece || clock.is_over() {
            break;
        }
        let more = enough(SAMPLE, sample.matches).min(enough(MAX_CANDIDATES as f64, sample.candidates));
        (from, to) = (to, (to as f64 * more.clamp(2.0, 16.0)) as u64);
    }
    let is_all = to == piece && !clock.is_over();
    let each = if is_all { 1.0 } else { all as f64 / sample.visited.max(1) as f64 };
    Ok((sample.counts.facets(snapshot, each)?, is_all.then_some(sample.matches)))
}

struct Sample<'a> {
    plan: &'a QueryPlan,
    snapshot: &'a ShardsSnapshot,
    piece: u64,
    /// Documents that were passed, candidates among them, and matches among these.
    visited: u64,
    candidates: u64,
    matches: u64,
    counts: FacetCounts,
}

impl Sample<'_> {
    /// Visits the documents of each piece from its number `from` to the one before `to`.
    fn add(&mut self, from: u64, to: u64, clock: &mut SearchDeadline) -> tantivy::Result<()> {
        let mut first = 0;
        for ord in 0..self.snapshot.n_segments() {
            let segment = self.snapshot.segment(ord);
            let end = first + u64::from(segment.max_doc());
            let mut root = self.plan.open(self.snapshot, ord)?;
            let mut tallies = SegmentFacetCounts::of(self.snapshot, ord)?;
            let pieces = first / self.piece..end.div_ceil(self.piece);
            for range in pieces.flat_map(|number| ranges(number, self.piece, from, to)) {
                if clock.is_over() {
                    break;
                }
                let (mut target, until) = (range.start.max(first), range.end.min(end));
                self.visited += until.saturating_sub(target);
                while target < until {
                    let doc = root.next((target - first) as u32, 0.0, (until - 1 - first) as u32)?;
                    target = first + u64::from(doc) + 1;
                    clock.tick(1);
                    if target <= until {
                        self.candidates += 1;
                        if !segment.is_deleted(doc) && root.matches(doc)? {
                            tallies.count(doc);
                            self.matches += 1;
                        }
                    }
                }
            }
            tallies.add_to(&mut self.counts);
            first = end;
        }
        Ok(())
    }
}

/// The documents of a piece from its number `from` to the one before `to`, if they are counted round from a number that
/// differs from piece to piece. So a sample does not fall in step with an order that the documents have.
fn ranges(number: u64, piece: u64, from: u64, to: u64) -> impl Iterator<Item = Range<u64>> {
    let start = number * piece;
    let turn = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) % piece;
    let (a, length) = ((turn + from) % piece, to - from);
    let wrapped = 0..(a + length).saturating_sub(piece);
    let straight = a..(a + length).min(piece);
    [wrapped, straight].into_iter().map(move |range| start + range.start..start + range.end)
}
