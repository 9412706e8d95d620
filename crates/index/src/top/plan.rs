//! A tree with the statistics of all shards, ready to be opened in each segment.

use tantivy::query::{Bm25StatisticsProvider, Bm25Weight};
use tantivy::schema::IndexRecordOption::{self, Basic, WithFreqs, WithFreqsAndPositions};
use tantivy::{SegmentReader, Term};

use super::block_maxima::{mean_length, relief};
use super::cursor::{BoundedScorer, TermScorer};
use super::filter_doc_set::FilterDocSet;
use super::intersection::Intersection;
use super::phrase::PhraseScorer;
use super::postings::Postings;
use super::union::{ScoreCombiner, Union};
use crate::shards::{ShardWeights, ShardsSnapshot};
use crate::tree::QueryTree;

/// A node of a query with its weights.
pub(super) enum QueryPlan {
    Term(Term, TermWeight),
    Phrase(Vec<Term>, TermWeight),
    Label(Term),
    Given(ShardWeights, bool),
    Without(Box<QueryPlan>),
    Union(Vec<QueryPlan>, ScoreCombiner),
    Together { must: Vec<QueryPlan>, should: Option<Box<QueryPlan>>, filters: Vec<ShardWeights>, not: Vec<QueryPlan> },
}

/// The weight of a term or phrase, and the mean length of its field in all shards.
pub(super) struct TermWeight {
    weight: Bm25Weight,
    mean_length: f32,
}

impl TermWeight {
    fn new(snapshot: &ShardsSnapshot, terms: &[Term], boost: f32) -> tantivy::Result<Self> {
        let n_tokens = snapshot.total_num_tokens(terms[0].field())?;
        let mean_length = n_tokens as f32 / snapshot.total_num_docs()? as f32;
        Ok(Self { weight: Bm25Weight::for_terms(snapshot, terms)?.boost_by(boost), mean_length })
    }
}

impl QueryPlan {
    pub fn new(tree: &QueryTree, snapshot: &ShardsSnapshot) -> tantivy::Result<Self> {
        let all = |trees: &[QueryTree]| -> tantivy::Result<Vec<QueryPlan>> {
            trees.iter().map(|tree| Self::new(tree, snapshot)).collect()
        };
        Ok(match tree {
            QueryTree::Term(term, boost) => {
                Self::Term(term.clone(), TermWeight::new(snapshot, std::slice::from_ref(term), *boost)?)
            }
            QueryTree::Phrase(terms, boost) => Self::Phrase(terms.clone(), TermWeight::new(snapshot, terms, *boost)?),
            QueryTree::Label(term) => Self::Label(term.clone()),
            QueryTree::Filter(_) => Self::Given(snapshot.weights(tree.tantivy().as_ref())?, false),
            QueryTree::Scored(query) => Self::Given(snapshot.weights(query.as_ref())?, true),
            QueryTree::Best(of, tie) => Self::Union(all(of)?, ScoreCombiner::Best(*tie)),
            QueryTree::Any(of) => Self::Union(all(of)?, ScoreCombiner::Sum),
            QueryTree::All(of) => Self::together(all(of)?, None, Vec::new()),
            QueryTree::Without(tree) => Self::Without(Box::new(Self::new(tree, snapshot)?)),
            QueryTree::Whole { must, should, not } => {
                let should = should.as_ref().map(|should| Self::new(should, snapshot).map(Box::new)).transpose()?;
                Self::together(all(must)?, should, all(not)?)
            }
        })
    }

    /// Conditions that tantivy runs are asked about each document, unless nothing else leads to them.
    fn together(must: Vec<Self>, should: Option<Box<Self>>, not: Vec<Self>) -> Self {
        let is_filter = |plan: &Self| matches!(plan, Self::Given(_, false));
        let (filters, mut must): (Vec<_>, Vec<_>) = must.into_iter().partition(is_filter);
        let mut filters = filters.into_iter();
        if must.is_empty() {
            must.extend(filters.next());
        }
        let filters = filters.filter_map(|plan| if let Self::Given(weights, _) = plan { Some(weights) } else { None });
        Self::Together { must, should, filters: filters.collect(), not }
    }

    /// The cursor for a segment, before its first match.
    pub fn open<'a>(&'a self, snapshot: &'a ShardsSnapshot, ord: u32) -> tantivy::Result<BoundedScorer<'a>> {
        let segment = snapshot.segment(ord);
        let members = |weights: &'a ShardWeights| FilterDocSet::new(snapshot.weight(weights, ord), segment);
        let all = |plans: &'a [QueryPlan]| -> tantivy::Result<Vec<BoundedScorer<'a>>> {
            plans.iter().map(|plan| plan.open(snapshot, ord)).collect()
        };
        Ok(match self {
            Self::Term(term, weighed) => match postings(term, WithFreqs, weighed, snapshot, segment)? {
                Some(postings) => BoundedScorer::Term(TermScorer::new(postings, weighed.weight.clone())),
                None => BoundedScorer::Nothing,
            },
            Self::Phrase(terms, weighed) => {
                let terms = terms.iter().map(|term| postings(term, WithFreqsAndPositions, weighed, snapshot, segment));
                match terms.collect::<tantivy::Result<Option<Vec<_>>>>()? {
                    Some(terms) => BoundedScorer::Phrase(Box::new(PhraseScorer::new(terms, weighed.weight.clone()))),
                    None => BoundedScorer::Nothing,
                }
            }
            Self::Label(term) => {
                let index = segment.inverted_index(term.field())?;
                index.read_postings(term, Basic)?.map_or(BoundedScorer::Nothing, BoundedScorer::Label)
            }
            Self::Given(weights, scored) => {
                BoundedScorer::Given(snapshot.weight(weights, ord).scorer(segment, 1.0)?, *scored)
            }
            Self::Without(plan) => BoundedScorer::Without(Box::new(plan.open(snapshot, ord)?), segment.max_doc()),
            Self::Union(of, scores) => {
                let mut of = all(of)?;
                of.retain(|cursor| !matches!(cursor, BoundedScorer::Nothing));
                if of.is_empty() { BoundedScorer::Nothing } else { BoundedScorer::Union(Union::new(of, *scores)) }
            }
            Self::Together { must, should, filters, not } => {
                let must = all(must)?;
                if must.iter().any(|cursor| matches!(cursor, BoundedScorer::Nothing)) {
                    return Ok(BoundedScorer::Nothing);
                }
                let should = should.as_ref().map(|should| should.open(snapshot, ord)).transpose()?;
                let filters = filters.iter().map(members).collect();
                let not = all(not)?;
                BoundedScorer::Together(Box::new(Intersection::new(must, should, filters, not)))
            }
        })
    }
}

/// The postings of a term in a segment, `None` if it is not there.
fn postings(
    term: &Term,
    read: IndexRecordOption,
    weighed: &TermWeight,
    snapshot: &ShardsSnapshot,
    segment: &SegmentReader,
) -> tantivy::Result<Option<Postings>> {
    let index = segment.inverted_index(term.field())?;
    let Some(info) = index.get_term_info(term)? else { return Ok(None) };
    let norms = segment.get_fieldnorms_reader(term.field())?;
    let outline = snapshot.known.outlines.get(term, &info, segment, &index, &norms)?;
    let docs = index.read_postings_from_terminfo(&info, read)?;
    let relief = relief(mean_length(&index, segment), weighed.mean_length);
    Ok(Some(Postings::new(docs, norms, outline, relief)))
}
