//! Any of several: words of a query, or fields with the same word.

use tantivy::{DocId, TERMINATED};

use super::cursor::Cursor;
use super::postings::Bound;

/// Several cursors; a match of one is a match.
pub(super) struct Union<'a> {
    of: Vec<Cursor<'a>>,
    scores: Scores,
    /// Bounds of the cursors, those of their union, and the document up to which they hold.
    bounds: Vec<f32>,
    bound: Bound,
    known_from: Option<DocId>,
}

/// How scores are put together.
#[derive(Debug, Clone, Copy)]
pub(super) enum Scores {
    Sum,
    /// The best, and this part of the sum of the others.
    Best(f32),
}

impl Scores {
    /// In the order and with the rounding of tantivy's combiners.
    fn of(self, scores: impl Iterator<Item = f32>) -> f32 {
        let (sum, max) = scores.fold((0.0, 0.0_f32), |(sum, max), score| (sum + score, max.max(score)));
        match self {
            Self::Sum => sum,
            Self::Best(tie) => max + (sum - max) * tie,
        }
    }

    /// What one must reach for all together to reach `least`, given bounds of the others.
    fn needed(self, least: f32, others: impl Iterator<Item = f32> + Clone) -> f32 {
        let sum: f32 = others.clone().sum();
        match self {
            Self::Sum => least - sum,
            Self::Best(tie) => {
                let needed = least - tie * sum;
                // A weaker one may help the best over the bar.
                if needed < others.fold(0.0, f32::max) { 0.0 } else { needed }
            }
        }
    }
}

impl<'a> Union<'a> {
    pub fn new(of: Vec<Cursor<'a>>, scores: Scores) -> Self {
        Self { bounds: vec![0.0; of.len()], of, scores, bound: Bound::END, known_from: None }
    }

    pub fn cost(&self) -> u64 {
        self.of.iter().map(Cursor::cost).sum()
    }

    pub fn bound(&mut self, target: DocId) -> Bound {
        if self.known_from.is_some_and(|from| from <= target) && target <= self.bound.until {
            return self.bound;
        }
        let mut until = TERMINATED;
        for (cursor, most) in self.of.iter_mut().zip(&mut self.bounds) {
            let bound = cursor.bound(target);
            *most = bound.most;
            until = until.min(bound.until);
        }
        self.known_from = Some(target);
        self.bound = Bound { most: self.scores.of(self.bounds.iter().copied()), until };
        self.bound
    }

    /// The first document from `target` to `until` that may reach `least`.
    ///
    /// Cursors that cannot reach it even together are not stepped through.
    pub fn next(&mut self, mut target: DocId, least: f32, until: DocId) -> tantivy::Result<DocId> {
        while target <= until {
            let bound = self.bound(target);
            let here = bound.until.min(until);
            if bound.most < least {
                target = here + 1;
                continue;
            }
            let mut first = here + 1;
            for at in self.essential(least) {
                if first == target {
                    break;
                }
                let others = self.bounds.iter().enumerate().filter(|&(other, _)| other != at).map(|(_, most)| *most);
                let needed = self.scores.needed(least, others);
                // One that comes later than another's document need not be found now.
                first = self.of[at].next(target, needed, first - 1)?;
            }
            if first <= here {
                return Ok(first);
            }
            target = here + 1;
        }
        Ok(until + 1)
    }

    /// Those without which `least` cannot be reached: all but the weakest, as far as these together stay below.
    fn essential(&self, least: f32) -> Vec<usize> {
        let mut by_bound: Vec<usize> = (0..self.of.len()).collect();
        by_bound.sort_by(|&a, &b| self.bounds[a].total_cmp(&self.bounds[b]));
        let weak = |n: &usize| self.scores.of(by_bound[..*n].iter().map(|&at| self.bounds[at])) < least;
        let n_weak = (1..=by_bound.len()).take_while(weak).last().unwrap_or(0);
        by_bound.split_off(n_weak)
    }

    pub fn most(&mut self, doc: DocId) -> tantivy::Result<Option<f32>> {
        let mut any = false;
        let mut scores = Vec::with_capacity(self.of.len());
        for cursor in &mut self.of {
            if let Some(most) = cursor.most(doc, 0.0)? {
                any = true;
                scores.push(most);
            }
        }
        Ok(any.then(|| self.scores.of(scores.into_iter())))
    }

    pub fn matches(&mut self, doc: DocId) -> tantivy::Result<bool> {
        for cursor in &mut self.of {
            if cursor.matches(doc)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub fn score(&mut self, doc: DocId) -> tantivy::Result<Option<f32>> {
        let mut scores = Vec::with_capacity(self.of.len());
        for cursor in &mut self.of {
            scores.extend(cursor.score(doc)?);
        }
        Ok(if scores.is_empty() { None } else { Some(self.scores.of(scores.into_iter())) })
    }
}
