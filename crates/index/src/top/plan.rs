//! A tree with the statistics of all shards, ready to be opened in each segment.

use tantivy::query::{Bm25StatisticsProvider, Bm25Weight};
use tantivy::schema::IndexRecordOption::{self, Basic, WithFreqs, WithFreqsAndPositions};
use tantivy::{SegmentReader, Term};

use super::cursor::{Cursor, Word};
use super::members::Members;
use super::outline::{mean_length, relief};
use super::phrase::Phrase;
use super::postings::Postings;
use super::together::Together;
use super::union::{Scores, Union};
use crate::shards::{Snapshot, Weights};
use crate::tree::Tree;

/// A node of a query with its weights.
pub(super) enum Plan {
    Term(Term, Weighed),
    Phrase(Vec<Term>, Weighed),
    Label(Term),
    Given(Weights, bool),
    Without(Box<Plan>),
    Union(Vec<Plan>, Scores),
    Together { must: Vec<Plan>, should: Option<Box<Plan>>, filters: Vec<Weights>, not: Vec<Plan> },
}

/// The weight of a term or phrase, and the mean length of its field in all shards.
pub(super) struct Weighed {
    weight: Bm25Weight,
    mean_length: f32,
}

impl Weighed {
    fn new(snapshot: &Snapshot, terms: &[Term], boost: f32) -> tantivy::Result<Self> {
        let n_tokens = snapshot.total_num_tokens(terms[0].field())?;
        let mean_length = n_tokens as f32 / snapshot.total_num_docs()? as f32;
        Ok(Self { weight: Bm25Weight::for_terms(snapshot, terms)?.boost_by(boost), mean_length })
    }
}

impl Plan {
    pub fn new(tree: &Tree, snapshot: &Snapshot) -> tantivy::Result<Self> {
        let all = |trees: &[Tree]| -> tantivy::Result<Vec<Plan>> {
            trees.iter().map(|tree| Self::new(tree, snapshot)).collect()
        };
        Ok(match tree {
            Tree::Term(term, boost) => {
                Self::Term(term.clone(), Weighed::new(snapshot, std::slice::from_ref(term), *boost)?)
            }
            Tree::Phrase(terms, boost) => Self::Phrase(terms.clone(), Weighed::new(snapshot, terms, *boost)?),
            Tree::Label(term) => Self::Label(term.clone()),
            Tree::Filter(_) => Self::Given(snapshot.weights(tree.tantivy().as_ref())?, false),
            Tree::Scored(query) => Self::Given(snapshot.weights(query.as_ref())?, true),
            Tree::Best(of, tie) => Self::Union(all(of)?, Scores::Best(*tie)),
            Tree::Any(of) => Self::Union(all(of)?, Scores::Sum),
            Tree::All(of) => Self::together(all(of)?, None, Vec::new()),
            Tree::Without(tree) => Self::Without(Box::new(Self::new(tree, snapshot)?)),
            Tree::Whole { must, should, not } => {
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
    pub fn open<'a>(&'a self, snapshot: &'a Snapshot, ord: u32) -> tantivy::Result<Cursor<'a>> {
        let segment = snapshot.segment(ord);
        let members = |weights: &'a Weights| Members::new(snapshot.weight(weights, ord), segment);
        let all = |plans: &'a [Plan]| -> tantivy::Result<Vec<Cursor<'a>>> {
            plans.iter().map(|plan| plan.open(snapshot, ord)).collect()
        };
        Ok(match self {
            Self::Term(term, weighed) => match postings(term, WithFreqs, weighed, snapshot, segment)? {
                Some(postings) => Cursor::Term(Word::new(postings, weighed.weight.clone())),
                None => Cursor::Nothing,
            },
            Self::Phrase(terms, weighed) => {
                let terms = terms.iter().map(|term| postings(term, WithFreqsAndPositions, weighed, snapshot, segment));
                match terms.collect::<tantivy::Result<Option<Vec<_>>>>()? {
                    Some(terms) => Cursor::Phrase(Box::new(Phrase::new(terms, weighed.weight.clone()))),
                    None => Cursor::Nothing,
                }
            }
            Self::Label(term) => {
                let index = segment.inverted_index(term.field())?;
                index.read_postings(term, Basic)?.map_or(Cursor::Nothing, Cursor::Label)
            }
            Self::Given(weights, scored) => Cursor::Given(snapshot.weight(weights, ord).scorer(segment, 1.0)?, *scored),
            Self::Without(plan) => Cursor::Without(Box::new(plan.open(snapshot, ord)?), segment.max_doc()),
            Self::Union(of, scores) => {
                let mut of = all(of)?;
                of.retain(|cursor| !matches!(cursor, Cursor::Nothing));
                if of.is_empty() { Cursor::Nothing } else { Cursor::Union(Union::new(of, *scores)) }
            }
            Self::Together { must, should, filters, not } => {
                let must = all(must)?;
                if must.iter().any(|cursor| matches!(cursor, Cursor::Nothing)) {
                    return Ok(Cursor::Nothing);
                }
                let should = should.as_ref().map(|should| should.open(snapshot, ord)).transpose()?;
                let filters = filters.iter().map(members).collect();
                let not = all(not)?;
                Cursor::Together(Box::new(Together::new(must, should, filters, not)))
            }
        })
    }
}

/// The postings of a term in a segment, `None` if it is not there.
fn postings(
    term: &Term,
    read: IndexRecordOption,
    weighed: &Weighed,
    snapshot: &Snapshot,
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
