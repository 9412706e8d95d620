//! What a query asks for, as a tree: made into a tantivy query to visit all matches, and into cursors to visit the best.

use std::sync::Arc;

use tantivy::Term;
use tantivy::query::{
    AllQuery, BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, Occur, PhraseQuery,
    Query as TantivyQuery, TermQuery,
};
use tantivy::schema::IndexRecordOption;

/// A query or a part of one. Scores are BM25 of terms and phrases, put together as each node says.
#[derive(Debug, Clone)]
pub(crate) enum QueryTree {
    /// A word of a field, its score times a factor.
    Term(Term, f32),
    /// Words of a field in a row, their score times a factor.
    Phrase(Vec<Term>, f32),
    /// A term that is asked for without a score.
    Label(Term),
    /// Any other condition, without a score.
    Filter(Arc<dyn TantivyQuery>),
    /// Anything else with a score, of which no bound is known.
    Scored(Arc<dyn TantivyQuery>),
    /// Any of these. The score is that of the best, and this part of the sum of the others.
    Best(Vec<QueryTree>, f32),
    /// Any of these; the score is the sum.
    Any(Vec<QueryTree>),
    /// All of these; the score is the sum, added up in this order.
    All(Vec<QueryTree>),
    /// What this does not find, without a score.
    Without(Box<QueryTree>),
    /// A whole query: all that must hold, what adds to the score if it holds, and what must not hold.
    Whole { must: Vec<QueryTree>, should: Option<Box<QueryTree>>, not: Vec<QueryTree> },
}

impl QueryTree {
    /// The same as a tantivy query.
    ///
    /// A conjunction is nested, two by two: tantivy adds scores up in the order of the cost in each segment, so the last
    /// bit of the sum of three would depend on where a document lies.
    pub(crate) fn tantivy(&self) -> Box<dyn TantivyQuery> {
        let all = |trees: &[QueryTree]| trees.iter().map(QueryTree::tantivy).collect::<Vec<_>>();
        match self {
            Self::Term(term, by) => boost(TermQuery::new(term.clone(), IndexRecordOption::WithFreqs), *by),
            Self::Phrase(terms, by) => boost(PhraseQuery::new(terms.clone()), *by),
            Self::Label(term) => constant(Box::new(TermQuery::new(term.clone(), IndexRecordOption::Basic))),
            Self::Filter(query) => constant(query.box_clone()),
            Self::Scored(query) => query.box_clone(),
            Self::Best(of, tie) => Box::new(DisjunctionMaxQuery::with_tie_breaker(all(of), *tie)),
            Self::Any(of) => Box::new(BooleanQuery::union(all(of))),
            Self::All(of) => conjunction(all(of)),
            Self::Without(tree) => constant(Box::new(BooleanQuery::new(vec![
                (Occur::Must, Box::new(AllQuery)),
                (Occur::MustNot, tree.tantivy()),
            ]))),
            Self::Whole { must, should, not } => {
                let mut clauses = vec![(Occur::Must, conjunction(all(must)))];
                clauses.extend(should.iter().map(|should| (Occur::Should, should.tantivy())));
                clauses.extend(not.iter().map(|not| (Occur::MustNot, not.tantivy())));
                Box::new(BooleanQuery::new(clauses))
            }
        }
    }

    /// Whether every match has the score 0.
    pub(crate) fn is_constant(&self) -> bool {
        match self {
            Self::Term(..) | Self::Phrase(..) | Self::Scored(_) => false,
            Self::Label(_) | Self::Filter(_) | Self::Without(_) => true,
            Self::Best(of, _) | Self::Any(of) | Self::All(of) => of.iter().all(Self::is_constant),
            Self::Whole { must, should, .. } => must.iter().all(Self::is_constant) && should.is_none(),
        }
    }
}

fn conjunction(queries: Vec<Box<dyn TantivyQuery>>) -> Box<dyn TantivyQuery> {
    let both = |left, right| -> Box<dyn TantivyQuery> { Box::new(BooleanQuery::intersection(vec![left, right])) };
    queries.into_iter().reduce(both).unwrap_or_else(|| Box::new(BooleanQuery::new(Vec::new())))
}

fn boost(query: impl TantivyQuery, by: f32) -> Box<dyn TantivyQuery> {
    if by == 1.0 { Box::new(query) } else { Box::new(BoostQuery::new(Box::new(query), by)) }
}

/// A condition: it matches or not, and adds nothing to the score.
fn constant(query: Box<dyn TantivyQuery>) -> Box<dyn TantivyQuery> {
    Box::new(ConstScoreQuery::new(query, 0.0))
}
