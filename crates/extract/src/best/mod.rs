//! The method `best`: boosted trees over rows, looked at twice, and the rows with the best expected F1 kept.
//!
//! ```text
//! Page ─▶ Facts (numbers a row) ─▶ first look ─▶ p ─▶ numbers of neighbours ─▶ second look ─▶ p ─▶ Decision
//! ```

mod called;
mod context;
mod declared;
mod expected;
mod explain;
mod features;
mod lexicon;
mod model;
mod numbers;
mod row_decision;
mod row_selection;
mod second_stage;
mod sections;
mod short_pages;
mod table;
mod text;
mod training;
mod weighted;

pub use explain::{ExplainedRow, explain};
pub use model::{BestModel, TokenTable, shipped};
pub use row_decision::RowDecision;
pub use training::*;

use gristmill_models::trees::BatchForest;
use gristmill_page::dense::densest_run;
use gristmill_page::{
    MainTextExtractor, MethodDescription, MethodInput, Page, PageTypes, ScoredSelection, Selection, SelectionVariants,
    Trace, TraceValue, parameters,
};

use crate::page_type::types_of;
use features::PageFeatures;
use model::LOOKS;

/// Rows of a page are judged by boosted trees, and the set of rows with the best expected F1 is kept.
///
/// The first look sees a row's text, its place, tags and class words around it, statistics of the elements around it and
/// the page type. The second look adds what the first thought of the neighbours, of rows alike, and of the elements
/// around. Pages with more than 10,000 rows are left to the densest run of rows. O(nodes · log nodes + text).
///
/// Source: the features are those of Kohlschütter, CETD, CEPR, dragnet and CLG together; the decision maximises the expected
/// F1 over what a page may turn out to be (`expected.rs`). Training: `gristmill-lab train best`; data and limits:
/// `docs/best.md`.
#[derive(Debug, Clone, Copy)]
pub struct Best;

/// More rows than this are not judged one by one.
const MAX_ROWS: usize = 10_000;

impl MainTextExtractor for Best {
    fn about(&self) -> MethodDescription {
        MethodDescription {
            name: "best",
            paper: "ours: boosted trees over rows with the statistics of the published methods",
            cost: "O(n log n)",
        }
    }

    parameters! {}

    /// The trees learnt from pages whose titles stand on them; and a page has one text, whichever link led to it.
    fn uses_anchor(&self) -> bool {
        false
    }

    fn select(&self, page: &Page<'_>, query: &MethodInput<'_>, trace: &mut Trace) -> Selection {
        self.judge(page, query, trace).selection
    }

    fn judge(&self, page: &Page<'_>, query: &MethodInput<'_>, trace: &mut Trace) -> ScoredSelection {
        if page.rows.len() > MAX_ROWS || page.rows.is_empty() {
            return ScoredSelection { selection: densest_run(page), confidence: None, abstains: false, variants: None };
        }
        let looked = look(page, query);
        let selection = selection_of(page, &looked.decision);
        let variants = query.variants.then(|| {
            let betas = [row_selection::PRECISION, row_selection::RECALL];
            let [precision, recall] =
                looked.seen.decide_at(page, looked.second, betas).map(|at| selection_of(page, &at));
            Box::new(SelectionVariants { precision, recall })
        });
        trace.note("threshold", || TraceValue::Number(f64::from(looked.decision.threshold)));
        trace.note("expected_f1", || TraceValue::Number(f64::from(looked.decision.expected)));
        trace.note("first_look", || TraceValue::Series(looked.first.iter().map(|&p| f64::from(p)).collect()));
        trace.note("probability", || {
            TraceValue::Series(looked.decision.probabilities.iter().map(|&p| f64::from(p)).collect())
        });
        let confidence = shipped().calibrated(looked.decision.expected);
        ScoredSelection { abstains: selection.is_empty(), selection, confidence: Some(confidence), variants }
    }
}

/// Rows that the first look gives less than this are not asked about again: half of all. With a fifth of it, three quarters
/// would be asked, for the same text.
const HOPELESS: f32 = 0.05;

/// All that both looks gave.
pub(super) struct StageOutputs {
    seen: RowFeatures,
    first: Vec<f32>,
    second: Vec<f32>,
    decision: RowDecision,
}

fn selection_of(page: &Page<'_>, decision: &RowDecision) -> Selection {
    let mut selection = Selection::none(page);
    let kept = page.rows.iter().zip(&decision.keep).filter(|(_, keep)| **keep);
    kept.for_each(|(row, _)| selection.keep_row(row));
    selection
}

pub(super) fn look(page: &Page<'_>, query: &MethodInput<'_>) -> StageOutputs {
    let [first, second] = &*LOOKS;
    let types = query.types.unwrap_or_else(|| types_of(page, None));
    let mut seen = RowFeatures::new(page, query, &types, &shipped().tokens);
    let first = seen.first_look(first);
    seen.look_again(page, &first, HOPELESS);
    let second = seen.second_look(second, &first);
    let decision = seen.decide(page, second.clone());
    StageOutputs { seen, first, second, decision }
}

/// A page as the model sees it.
pub struct RowFeatures {
    facts: PageFeatures,
}

impl RowFeatures {
    /// O(nodes + text).
    pub fn new(page: &Page<'_>, query: &MethodInput<'_>, types: &PageTypes, tokens: &TokenTable) -> RowFeatures {
        RowFeatures { facts: features::facts(page, query, types, tokens) }
    }

    /// The numbers of both looks, row by row; those of the second are 0 where it was not taken.
    pub fn numbers(&self) -> &[f32] {
        &self.facts.values
    }

    /// Adds the numbers of the second look to rows that the first gave at least `least`.
    pub fn look_again(&mut self, page: &Page<'_>, first: &[f32], least: f32) {
        let mut values = std::mem::take(&mut self.facts.values);
        second_stage::add(page, &self.facts, first, least, &mut values);
        self.facts.values = values;
    }

    /// The probability of each row by its own numbers.
    pub fn first_look(&self, forest: &BatchForest) -> Vec<f32> {
        forest.probabilities(&self.facts.values, features::STRIDE, CERTAINLY_NOT, |_| None)
    }

    /// The probability of each row after [`look_again`](Self::look_again); that of the first look where it was low.
    pub fn second_look(&self, forest: &BatchForest, first: &[f32]) -> Vec<f32> {
        second_look(forest, &self.facts.values, first)
    }

    /// What is kept, given the probabilities of the second look.
    pub fn decide(&self, page: &Page<'_>, probabilities: Vec<f32>) -> RowDecision {
        row_selection::decide(page, &self.facts, probabilities)
    }

    /// As [`RowFeatures::decide`], for other weights of what is left out.
    fn decide_at<const N: usize>(&self, page: &Page<'_>, probabilities: Vec<f32>, betas: [f32; N]) -> [RowDecision; N] {
        row_selection::decide_at(page, &self.facts, probabilities, betas)
    }

    /// Words of each row, as measures count them.
    pub fn weights(&self) -> Vec<f32> {
        row_selection::weights(&self.facts)
    }
}

/// Log odds from which the remaining trees of a look are not asked.
const CERTAINLY_NOT: f32 = -5.0;

/// As [`RowFeatures::second_look`], from the numbers of both looks.
pub fn second_look(forest: &BatchForest, numbers: &[f32], first: &[f32]) -> Vec<f32> {
    let known = |row: usize| Some(first[row]).filter(|&first| first < HOPELESS);
    forest.probabilities(numbers, features::STRIDE, CERTAINLY_NOT, known)
}
