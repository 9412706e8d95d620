//! Any of several: words of a query, or fields with the same word.

use tantivy::{DocId, TERMINATED};

use super::cursor::BoundedScorer;
use super::postings::ScoreBound;

/// Several cursors; a match of one is a match.
pub(super) struct Union<'a> {
    of: Vec<BoundedScorer<'a>>,
    scores: ScoreCombiner,
    /// Bounds of the cursors, those of their union, and the document up to which they hold.
    bounds: Vec<f32>,
    bound: ScoreBound,
    known_from: Option<DocId>,
    /// The cursors to step through, each with the score that it must reach, as long as the bounds hold for `essential_for`.
    essential: Vec<(usize, f32)>,
    essential_for: Option<f32>,
}

/// How scores are put together.
#[derive(Debug, Clone, Copy)]
pub(super) enum ScoreCombiner {
    Sum,
    /// The best, and this part of the sum of the others.
    Best(f32),
}

/// Scores being put together, in the order and with the rounding of tantivy's combiners.
#[derive(Default)]
struct Joined {
    sum: f32,
    max: f32,
    any: bool,
}

impl Joined {
    fn add(&mut self, score: f32) {
        self.sum += score;
        self.max = self.max.max(score);
        self.any = true;
    }
}

impl ScoreCombiner {
    fn of(self, joined: &Joined) -> f32 {
        match self {
            Self::Sum => joined.sum,
            Self::Best(tie) => joined.max + (joined.sum - joined.max) * tie,
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
    pub fn new(of: Vec<BoundedScorer<'a>>, scores: ScoreCombiner) -> Self {
        let bounds = vec![0.0; of.len()];
        let (known_from, essential, essential_for) = (None, Vec::new(), None);
        Self { of, scores, bounds, bound: ScoreBound::END, known_from, essential, essential_for }
    }

    pub fn cost(&self) -> u64 {
        self.of.iter().map(BoundedScorer::cost).sum()
    }

    pub fn bound(&mut self, target: DocId) -> ScoreBound {
        if self.known_from.is_some_and(|from| from <= target) && target <= self.bound.until {
            return self.bound;
        }
        let (mut until, mut joined) = (TERMINATED, Joined::default());
        for (cursor, most) in self.of.iter_mut().zip(&mut self.bounds) {
            let bound = cursor.bound(target);
            joined.add(bound.most);
            *most = bound.most;
            until = until.min(bound.until);
        }
        (self.known_from, self.essential_for) = (Some(target), None);
        self.bound = ScoreBound { most: self.scores.of(&joined), until };
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
            self.find_essential(least);
            let mut first = here + 1;
            for &(at, needed) in &self.essential {
                if first == target {
                    break;
                }
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

    /// Finds those without which `least` cannot be reached: all but the weakest, as far as these together stay below.
    fn find_essential(&mut self, least: f32) {
        if self.essential_for == Some(least) {
            return;
        }
        let Self { essential, bounds, scores, .. } = self;
        essential.clear();
        essential.extend(bounds.iter().copied().enumerate());
        essential.sort_unstable_by(|(_, a), (_, b)| a.total_cmp(b));
        let mut weak = Joined::default();
        let n_weak = essential.iter().take_while(|(_, most)| {
            weak.add(*most);
            scores.of(&weak) < least
        });
        let n_weak = n_weak.count();
        essential.drain(..n_weak);
        for (at, needed) in essential.iter_mut() {
            let others = bounds.iter().enumerate().filter(|(other, _)| other != at).map(|(_, most)| *most);
            *needed = scores.needed(least, others);
        }
        self.essential_for = Some(least);
    }

    /// The bound that holds without its strongest cursor, and how many documents that one has. After [`bound`](Self::bound).
    pub fn without_strongest(&self) -> (f32, u64) {
        let strongest = self.strongest();
        let mut weak = Joined::default();
        self.bounds.iter().enumerate().filter(|(at, _)| *at != strongest).for_each(|(_, most)| weak.add(*most));
        (self.scores.of(&weak), self.of[strongest].cost())
    }

    /// The next candidate of its strongest cursor.
    pub fn next_strongest(&mut self, target: DocId, until: DocId) -> tantivy::Result<DocId> {
        let strongest = self.strongest();
        self.of[strongest].next(target, 0.0, until)
    }

    fn strongest(&self) -> usize {
        let bounds = self.bounds.iter().enumerate();
        bounds.max_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(0, |(at, _)| at)
    }

    pub fn most(&mut self, doc: DocId) -> tantivy::Result<Option<f32>> {
        let mut joined = Joined::default();
        for cursor in &mut self.of {
            if let Some(most) = cursor.most(doc, 0.0)? {
                joined.add(most);
            }
        }
        Ok(joined.any.then(|| self.scores.of(&joined)))
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
        let mut joined = Joined::default();
        for cursor in &mut self.of {
            if let Some(score) = cursor.score(doc)? {
                joined.add(score);
            }
        }
        Ok(joined.any.then(|| self.scores.of(&joined)))
    }
}
