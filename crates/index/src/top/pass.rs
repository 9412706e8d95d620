//! The pass over a query's matches: the best hits, their number, and counts by facet.

use std::time::Instant;

use tantivy::{DocAddress, DocId};

use super::cursor::Cursor;
use super::extremes::STRETCH;
use super::order::Order;
use super::plan::Plan;
use super::rank::Best;
use super::sample::{Crowd, sampled};
use super::totals::free_total;
use crate::clock::Clock;
use crate::facets::{Counts, Facets, Tallies};
use crate::query::Sort;
use crate::schema::Fields;
use crate::shards::Snapshot;
use crate::tree::Tree;

/// Candidates for each match to be counted that may turn out to be none, such as those with the words of a phrase but not
/// in a row, until counting ends.
const MISSES: u64 = 10;
/// Documents between two looks at the clock where there are no matches.
const LEAP: DocId = 1 << 16;

/// What a pass found.
pub(crate) struct Found {
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
pub(crate) struct Search<'a> {
    pub snapshot: &'a Snapshot,
    pub fields: &'a Fields,
    pub tree: &'a Tree,
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
pub(crate) fn find(search: &Search) -> tantivy::Result<Found> {
    let plan = Plan::new(search.tree, search.snapshot)?;
    let mut pass = Pass {
        search,
        best: Best::new(search.want),
        total: 0,
        misses: 0,
        passed: 0,
        crowded: None,
        clock: Clock::new(search.deadline),
    };
    let mut counts = Counts::default();
    for ord in 0..search.snapshot.n_segments() {
        pass.segment(&plan, ord, &mut counts)?;
    }
    let Pass { best, total, crowded, mut clock, .. } = pass;
    let top = best.sorted();
    let is_partial = clock.is_over();
    let (Some(crowd), false) = (crowded, is_partial) else {
        let facets = counts.facets(search.snapshot, 1.0)?;
        return Ok(Found { total, is_exact: !is_partial, top, facets, is_sampled: false, is_partial });
    };
    let (facets, all) = sampled(&plan, search.snapshot, &crowd, &mut clock)?;
    let known = match all {
        Some(all) => Some(all),
        None => free_total(search.tree, search.snapshot)?,
    };
    let (total, is_exact) = known.map_or((crowd.total.min(search.count_up_to), false), |known| (known, true));
    Ok(Found { total, is_exact, top, facets, is_sampled: all.is_none(), is_partial: clock.is_over() })
}

struct Pass<'a> {
    search: &'a Search<'a>,
    best: Best,
    total: u64,
    misses: u64,
    /// Documents of the segments that are done.
    passed: u64,
    /// What there was when counting ended.
    crowded: Option<Crowd>,
    clock: Clock,
}

impl Pass<'_> {
    fn segment(&mut self, plan: &Plan, ord: u32, counts: &mut Counts) -> tantivy::Result<()> {
        let Search { snapshot, fields, .. } = *self.search;
        let segment = snapshot.segment(ord);
        let end = segment.max_doc();
        let mut root = plan.open(snapshot, ord)?;
        let order = Order::new(self.search.sort, self.search.tree.is_constant(), snapshot, fields, ord)?;
        let mut tallies = Tallies::of(snapshot, ord)?;
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
    fn stretch(&self, order: &Order, target: DocId, end: DocId) -> (DocId, DocId, f32) {
        let far = (target + LEAP - 1).min(end - 1);
        match self.best.worst() {
            Some(worst) if self.crowded.is_some() => order.stretch(target, far, end - 1, worst),
            _ => (target, far, 0.0),
        }
    }

    /// Takes a candidate among the best if it is a match. Says whether it was counted.
    fn visit(&mut self, root: &mut Cursor, order: &Order, at: DocAddress, least: f32) -> tantivy::Result<bool> {
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
                self.crowded = Some(Crowd { total: self.total, candidates: self.total + self.misses, passed });
            }
        }
        Ok(matches && counting)
    }
}
