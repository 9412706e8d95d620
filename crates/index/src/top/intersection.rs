//! All of several, with what adds to the score and what must not be there.

use tantivy::{DocId, TERMINATED};

use super::cursor::BoundedScorer;
use super::filter_doc_set::FilterDocSet;
use super::postings::ScoreBound;

/// How much rarer the strongest fields must be than the rarest word for them to lead.
const SELDOM: u64 = 4;

/// A conjunction.
pub(super) struct Intersection<'a> {
    /// In the order in which their scores are added.
    must: Vec<BoundedScorer<'a>>,
    /// The order in which they are sought: the rarest first.
    order: Vec<usize>,
    should: Option<BoundedScorer<'a>>,
    /// Conditions without score that are better asked about a document than for the next one.
    filters: Vec<FilterDocSet<'a>>,
    not: Vec<BoundedScorer<'a>>,
    /// Bounds of the cursors, for each of all others together, and of all, and up to where they hold.
    bounds: Vec<f32>,
    others: Vec<f32>,
    bound: ScoreBound,
    known_from: Option<DocId>,
    /// The bound without the strongest field of any word, and how many documents have one of these fields.
    weak: (f32, u64),
}

impl<'a> Intersection<'a> {
    /// There must be at least one cursor that must hold.
    pub fn new(
        must: Vec<BoundedScorer<'a>>,
        should: Option<BoundedScorer<'a>>,
        filters: Vec<FilterDocSet<'a>>,
        not: Vec<BoundedScorer<'a>>,
    ) -> Self {
        let mut order: Vec<usize> = (0..must.len()).collect();
        order.sort_by_key(|&at| must[at].cost());
        let bounds = vec![0.0; must.len()];
        let others = bounds.clone();
        Self {
            must,
            order,
            should,
            filters,
            not,
            bounds,
            others,
            bound: ScoreBound::END,
            known_from: None,
            weak: (0.0, 0),
        }
    }

    pub fn cost(&self) -> u64 {
        self.must[self.order[0]].cost()
    }

    pub fn bound(&mut self, target: DocId) -> ScoreBound {
        if self.known_from.is_some_and(|from| from <= target) && target <= self.bound.until {
            return self.bound;
        }
        let mut until = TERMINATED;
        for (cursor, most) in self.must.iter_mut().zip(&mut self.bounds) {
            let bound = cursor.bound(target);
            *most = bound.most;
            until = until.min(bound.until);
        }
        let mut extra = 0.0;
        if let Some(should) = &mut self.should {
            let bound = should.bound(target);
            extra = bound.most;
            until = until.min(bound.until);
        }
        for (at, others) in self.others.iter_mut().enumerate() {
            let bounds = self.bounds.iter().enumerate().filter(|&(other, _)| other != at);
            *others = bounds.map(|(_, most)| *most).sum::<f32>() + extra;
        }
        let extra = self.should.iter().map(|should| (should, extra));
        let parts = self.must.iter().zip(self.bounds.iter().copied()).chain(extra.clone());
        self.weak = parts.fold((0.0, 0), |(sum, cost), (cursor, most)| match cursor {
            BoundedScorer::Union(union) => {
                let (weak, strongest) = union.without_strongest();
                (sum + weak, cost + strongest)
            }
            _ => (sum + most, cost),
        });
        self.known_from = Some(target);
        self.bound =
            ScoreBound { most: self.bounds.iter().sum::<f32>() + extra.map(|(_, most)| most).sum::<f32>(), until };
        self.bound
    }

    /// The first document from `target` to `until` that all have and that may reach `least`.
    pub fn next(&mut self, mut target: DocId, least: f32, until: DocId) -> tantivy::Result<DocId> {
        'next: while target <= until {
            let bound = self.bound(target);
            let here = bound.until.min(until);
            if bound.most < least {
                target = here + 1;
                continue;
            }
            // Where the weaker fields of all words do not suffice, such as the texts, one of the others must be there.
            if self.weak.0 < least && self.weak.1 < self.cost() / SELDOM {
                target = self.next_strongest(target, here)?;
                if target > here {
                    continue;
                }
                if self.may_reach(target, least)? {
                    return Ok(target);
                }
                target += 1;
                continue;
            }
            for &at in &self.order {
                // What this one must score, if all others score what they can.
                let doc = self.must[at].next(target, least - self.others[at], here)?;
                if doc > target {
                    target = doc;
                    continue 'next;
                }
            }
            return Ok(target);
        }
        Ok(until + 1)
    }

    /// Whether all have a document and may reach `least` with it. Looks no farther than it must.
    fn may_reach(&mut self, doc: DocId, least: f32) -> tantivy::Result<bool> {
        let mut most = self.bound.most;
        for &at in &self.order {
            let Some(of_this) = self.must[at].most(doc, 0.0)? else { return Ok(false) };
            most += of_this - self.bounds[at];
            if most < least {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn next_strongest(&mut self, target: DocId, until: DocId) -> tantivy::Result<DocId> {
        let mut first = until + 1;
        for cursor in self.must.iter_mut().chain(&mut self.should) {
            if let BoundedScorer::Union(union) = cursor
                && first > target
            {
                first = union.next_strongest(target, first - 1)?;
            }
        }
        Ok(first)
    }

    pub fn most(&mut self, doc: DocId, least: f32) -> tantivy::Result<Option<f32>> {
        let mut sum = 0.0;
        for cursor in &mut self.must {
            let Some(most) = cursor.most(doc, 0.0)? else { return Ok(None) };
            sum += most;
        }
        let Some(should) = &mut self.should else { return Ok(Some(sum)) };
        let rough = sum + should.bound(doc).most;
        Ok(Some(if rough < least { rough } else { sum + should.most(doc, 0.0)?.unwrap_or(0.0) }))
    }

    pub fn matches(&mut self, doc: DocId) -> tantivy::Result<bool> {
        for filter in &mut self.filters {
            if !filter.has(doc)? {
                return Ok(false);
            }
        }
        for cursor in &mut self.must {
            if !cursor.matches(doc)? {
                return Ok(false);
            }
        }
        for not in &mut self.not {
            if not.matches(doc)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub fn score(&mut self, doc: DocId) -> tantivy::Result<Option<f32>> {
        if !self.matches(doc)? {
            return Ok(None);
        }
        let mut sum = 0.0;
        for cursor in &mut self.must {
            sum += cursor.score(doc)?.unwrap_or(0.0);
        }
        if let Some(should) = &mut self.should {
            sum += should.score(doc)?.unwrap_or(0.0);
        }
        Ok(Some(sum))
    }
}
