//! The pass over a query's matches: the best hits, their number, and counts by facet.

use std::time::Instant;

use tantivy::{DocAddress, DocId};

use super::cursor::BoundedScorer;
use super::order::HitOrder;
use super::plan::QueryPlan;
use super::rank::TopHits;
use super::sample::{CountedMatches, sampled};
use super::totals::free_total;
use super::zone_map::STRETCH;
use crate::clock::SearchDeadline;
use crate::facets::{FacetCounts, Facets, SegmentFacetCounts};
use crate::query::Sort;
use crate::schema::Fields;
use crate::shards::ShardsSnapshot;
use crate::tree::QueryTree;

/// Candidates for each match to be counted that may turn out to be none, such as those with the words of a phrase but not
/// in a row, until counting ends.
const MISSES: u64 = 10;
/// Documents between two looks at the clock where there are no matches.
const LEAP: DocId = 1 << 16;

/// What a pass found.
pub(crate) struct TopDocs {
    /// Matches, or fewer if the total is not exact.
    pub total: u64,
    pub is_exact: bool,
    /// The best matches with their scores, best first.
    pub top: Vec<(f32, DocAddress)>,
    pub facets: Facets,
    /// Facets were counted on a sample.
    pub is_sampled: bool,
    /// The time was up before the end.
    pub is_partial: bool,
}

/// What is sought.
pub(crate) struct TopKRequest<'a> {
    pub snapshot: &'a ShardsSnapshot,
    pub fields: &'a Fields,
    pub tree: &'a QueryTree,
    pub sort: Sort,
    /// So many of the best.
    pub want: usize,
    /// Matches to count one by one.
    pub count_up_to: u64,
    pub deadline: Option<Instant>,
}

/// Finds the best matches, exactly; counts them up to a bound, and facets beyond it on a sample.
///
/// Every match is visited until there are more than are to be counted, or too many documents looked like matches and were
/// not. From then on only what may be among the best is visited.
pub(crate) fn find(search: &TopKRequest) -> tantivy::Result<TopDocs> {
    let plan = QueryPlan::new(search.tree, search.snapshot)?;
    let mut pass = Pass {
        search,
        best: TopHits::new(search.want),
        total: 0,
        misses: 0,
        passed: 0,
        crowded: None,
        clock: SearchDeadline::new(search.deadline),
    };
    let mut counts = FacetCounts::default();
    for ord in 0..search.snapshot.n_segments() {
        pass.segment(&plan, ord, &mut counts)?;
    }
    let Pass { best, total, crowded, mut clock, .. } = pass;
    let top = best.sorted();
    let is_partial = clock.is_over();
    let (Some(crowd), false) = (crowded, is_partial) else {
        let facets = counts.facets(search.snapshot, 1.0)?;
        return Ok(TopDocs { total, is_exact: !is_partial, top, facets, is_sampled: false, is_partial });
    };
    let (facets, all) = sampled(&plan, search.snapshot, &crowd, &mut clock)?;
    let known = match all {
        Some(all) => Some(all),
        None => free_total(search.tree, search.snapshot)?,
    };
    let (total, is_exact) = known.map_or((crowd.total.min(search.count_up_to), false), |known| (known, true));
    Ok(TopDocs { total, is_exact, top, facets, is_sampled: all.is_none(), is_partial: clock.is_over() })
}

struct Pass<'a> {
    search: &'a TopKRequest<'a>,
    best: TopHits,
    total: u64,
    misses: u64,
    /// Documents of the segments that are done.
    passed: u64,
    /// What there was when counting ended.
    crowded: Option<CountedMatches>,
    clock: SearchDeadline,
}

impl Pass<'_> {
    fn segment(&mut self, plan: &QueryPlan, ord: u32, counts: &mut FacetCounts) -> tantivy::Result<()> {
        let TopKRequest { snapshot, fields, .. } = *self.search;
        let segment = snapshot.segment(ord);
        let end = segment.max_doc();
        let mut root = plan.open(snapshot, ord)?;
        let order = HitOrder::new(self.search.sort, self.search.tree.is_constant(), snapshot, fields, ord)?;
        let mut tallies = SegmentFacetCounts::of(snapshot, ord)?;
        let mut target = 0;
        while target < end && !self.clock.is_over() {
            let (from, until, least) = self.stretch(&order, target, end);
            let doc = if from < end { root.next(from, least, until)? } else { end };
            if doc > until {
                target = until + 1;
                self.clock.tick(if until.saturating_sub(from) < STRETCH { 8 } else { 64 });
                continue;
            }
            self.clock.tick(1);
            target = doc + 1;
            if !segment.is_deleted(doc) && self.visit(&mut root, &order, DocAddress::new(ord, doc), least)? {
                tallies.count(doc);
            }
        }
        self.passed += u64::from(end);
        if self.crowded.is_none() {
            tallies.add_to(counts);
        }
        Ok(())
    }

    /// Where to go on, up to where, and the score to reach there.
    fn stretch(&self, order: &HitOrder, target: DocId, end: DocId) -> (DocId, DocId, f32) {
        let far = (target + LEAP - 1).min(end - 1);
        match self.best.worst() {
            Some(worst) if self.crowded.is_some() => order.stretch(target, far, end - 1, worst),
            _ => (target, far, 0.0),
        }
    }

    /// Takes a candidate among the best if it is a match. Says whether it was counted.
    fn visit(
        &mut self,
        root: &mut BoundedScorer,
        order: &HitOrder,
        at: DocAddress,
        least: f32,
    ) -> tantivy::Result<bool> {
        let doc = at.doc_id;
        let counting = self.crowded.is_none();
        let may_enter = match self.best.worst() {
            None => true,
            Some(worst) => order.may_outrank(worst, at, || root.most(doc, least.max(order.least(worst))))?,
        };
        if !(counting || may_enter) {
            return Ok(false);
        }
        let matches = root.matches(doc)?;
        if matches
            && may_enter
            && let Some(score) = root.score(doc)?
        {
            self.best.offer(order.rank(score, at), score);
        }
        if counting {
            *(if matches { &mut self.total } else { &mut self.misses }) += 1;
            let passed = self.passed + u64::from(doc) + 1;
            if self.total > self.search.count_up_to || self.misses > self.search.count_up_to.saturating_mul(MISSES) {
                self.crowded = Some(CountedMatches { total: self.total, candidates: self.total + self.misses, passed });
            }
        }
        Ok(matches && counting)
    }
}
