//! CLG and its baselines: nodes scored by a linear model, the best group of them widened to its common ancestor.
//!
//! ```text
//! Layout ─▶ Measures ─▶ Model ─▶ scores ─▶ candidates ─▶ groups ─▶ best group ─▶ Algorithm 1 ─▶ title
//!                                lr-a, svm-a   lr, svm                                            clg
//! ```
//! A method is bound to the kind of layout that its model was trained on, and so is its name: `clg` works on layouts
//! of a browser and on nothing else, `clg-nolayout` on pseudo-layouts and on nothing else.

mod features;
mod group;
mod labels;
mod metric;
mod model;
mod refine;
#[cfg(test)]
mod tests;
mod train;

use gristmill_html::{Doc, NodeId};
use gristmill_page::{
    MainTextExtractor, MethodDescription, MethodInput, Page, PageLayout, Selection, Trace, TraceValue, parameters,
};

pub(crate) use features::NodeFeatures;
pub use features::{FEATURES, FEATURES_VERSION, Features};
pub use labels::{NodeLabel, labels_of_clips, labels_of_text};
pub use metric::{AreaScore, area_score};
use model::ModelRef;
pub use model::{ClgModel, GoldMeans, Linear, Scorer};
pub use train::{Trainer, TrainingPage, fold_of};

const PAPER: &str = "Wu, Liu & Fan, Automatic Web Content Extraction by Combination of Learning and Grouping, 2015";
const COST: &str = "O(nodes · log nodes)";

/// Combination of Learning and Grouping (Wu, Liu & Fan 2015).
///
/// Nodes whose probability (logistic regression over 17 features) exceeds `threshold` are candidates; those below
/// others are dropped; neighbours in document order are linked by how their boxes are aligned; of the groups so made
/// the one with the largest mean probability × covered area wins; Algorithm 1 replaces it by its lowest common
/// ancestor or by a node of better size; a heading above is added when there is none inside.
///
/// O(nodes · log nodes). Only elements with visible text are scored. No candidate: the most probable node is kept. A
/// model for layouts without a [`Query::layout`]: nothing is kept and the trace says why.
///
/// Ours, on a [pseudo-layout](crate::Layout::pseudo): the model lacks the horizontal and colour features; nodes are
/// linked by the rows between them (`gap_rows`, `gap_text`), as all boxes are aligned and `t` could not break a link.
#[derive(Debug, Clone, Copy)]
pub struct Clg {
    name: &'static str,
    model: ModelRef,
    /// Least probability of a candidate, exclusive. Paper: 0.55.
    pub threshold: f64,
    /// T: projection overlap ratio above which boxes are aligned. Paper: 0.70. Without effect on a pseudo-layout.
    pub overlap: f64,
    /// Rows between linked nodes, at most. Only on a pseudo-layout.
    pub gap_rows: u32,
    /// Share of the page's text between linked nodes, at most. Only on a pseudo-layout.
    pub gap_text: f64,
    /// θ1: an ancestor below this share of the page climbs. Paper: 0.05.
    pub theta1: f64,
    /// θ2: … up to this share. Paper: 0.2.
    pub theta2: f64,
    /// θ3: an ancestor of at most this share is returned. Paper: 0.4.
    pub theta3: f64,
    /// θ4: an ancestor of at least this share is drilled down. Paper: 0.9.
    pub theta4: f64,
    /// d: an ancestor deeper than this is returned; `html` has depth 1. Paper: 3.
    pub depth: u32,
}

impl Clg {
    /// The paper's parameters on pseudo-layouts.
    pub const NO_LAYOUT: Clg = Clg {
        name: "clg-nolayout",
        model: ModelRef::PSEUDO,
        threshold: 0.55,
        overlap: 0.70,
        gap_rows: 5,
        gap_text: 0.15,
        theta1: 0.05,
        theta2: 0.2,
        theta3: 0.4,
        theta4: 0.9,
        depth: 3,
    };

    /// The paper's parameters on layouts of a browser.
    pub const LAYOUT: Clg = Clg { name: "clg", model: ModelRef::LAYOUT, ..Clg::NO_LAYOUT };

    /// With another model; it is called `clg` if that is one for layouts.
    pub fn new(model: &'static ClgModel) -> Clg {
        Clg { model: ModelRef::Given(model), ..if model.layout { Clg::LAYOUT } else { Clg::NO_LAYOUT } }
    }

    fn nodes(&self, page: &Page<'_>, measures: &NodeFeatures, trace: &mut Trace) -> Vec<NodeId> {
        let scores = scores(self.model.model(), measures, Scorer::Lr, trace);
        let candidates = candidates(page.doc, measures, &scores, self.threshold, trace);
        if candidates.is_empty() {
            return best_node(measures, &scores).into_iter().collect();
        }
        let score = |id: NodeId| measures.position(id).map_or(0.0, |at| scores[at]);
        let rects = group::rects(measures, &candidates);
        let links = if measures.pseudo {
            group::links_by_gap(page, &candidates, self.gap_rows, self.gap_text)
        } else {
            let same_parent = |at: usize| page.doc.parent(candidates[at]) == page.doc.parent(candidates[at + 1]);
            group::links(&rects, same_parent, self.overlap)
        };
        let groups = group::runs(candidates.len(), &links);
        trace.note("groups", || TraceValue::Series(groups.iter().map(|group| group.len() as f64).collect()));
        let values: Vec<f64> = candidates.iter().map(|&id| score(id)).collect();
        let best = group::best_run(&groups, &values, &rects).expect("there is a candidate, and so a group");
        let group = &candidates[best];
        note_nodes(trace, "best_group", group);
        let area = |id: NodeId| measures.area[id.index()] / measures.page_area;
        let refined = refine::refine(page.doc, group, &self.shares(), area, score);
        trace.note("lca", || TraceValue::Number(refined.ancestor.index() as f64));
        trace.note("lca_area", || TraceValue::Number(area(refined.ancestor)));
        trace.note("step", || TraceValue::Text(refined.step.to_owned()));
        let mut nodes = refined.nodes;
        if let Some(title) = refine::missing_title(page.doc, measures, &nodes) {
            note_nodes(trace, "title", &[title]);
            nodes.push(title);
        }
        nodes
    }

    fn shares(&self) -> refine::RefineParameters {
        let Clg { theta1, theta2, theta3, theta4, depth, .. } = *self;
        refine::RefineParameters { theta1, theta2, theta3, theta4, depth }
    }
}

impl MainTextExtractor for Clg {
    fn about(&self) -> MethodDescription {
        MethodDescription { name: self.name, paper: PAPER, cost: COST }
    }

    parameters! {
        "threshold" threshold in 0.0..=1.0, "least probability of a candidate, exclusive (§7.1)";
        "t" overlap in 0.0..=1.0, "T: projection overlap ratio of aligned boxes (§6.1); only with a layout";
        "gap_rows" gap_rows in 0..=10_000, "rows between linked nodes, at most; only without a layout";
        "gap_text" gap_text in 0.0..=1.0, "share of the page's text between linked nodes, at most; only without a layout";
        "theta1" theta1 in 0.0..=1.0, "θ1: an ancestor below this share of the page climbs (Algorithm 1)";
        "theta2" theta2 in 0.0..=1.0, "θ2: until it has this share";
        "theta3" theta3 in 0.0..=1.0, "θ3: an ancestor of at most this share is returned";
        "theta4" theta4 in 0.0..=1.0, "θ4: an ancestor of at least this share is drilled down";
        "d" depth in 0..=10_000, "d: a deeper ancestor is returned; `html` has depth 1";
    }

    fn uses_layout(&self) -> bool {
        self.model.layout()
    }

    fn select(&self, page: &Page<'_>, query: &MethodInput<'_>, trace: &mut Trace) -> Selection {
        let Some(measures) = measures(page, query, self.model.layout(), trace) else { return Selection::none(page) };
        keep(page, &self.nodes(page, &measures, trace))
    }
}

/// The baselines LR and SVM: every node over the threshold, without those below others.
///
/// Source: §7.2 of the paper. O(nodes · log nodes).
#[derive(Debug, Clone, Copy)]
pub struct ThresholdBaseline {
    name: &'static str,
    model: ModelRef,
    scorer: Scorer,
    /// Least score of a kept node, exclusive: a probability for LR (paper: 0.55), a signed distance for SVM (0).
    pub threshold: f64,
}

impl ThresholdBaseline {
    /// Logistic regression on pseudo-layouts.
    pub const LR_NO_LAYOUT: ThresholdBaseline =
        ThresholdBaseline { name: "lr-nolayout", model: ModelRef::PSEUDO, scorer: Scorer::Lr, threshold: 0.55 };
    /// Support vector machine on pseudo-layouts.
    pub const SVM_NO_LAYOUT: ThresholdBaseline =
        ThresholdBaseline { name: "svm-nolayout", model: ModelRef::PSEUDO, scorer: Scorer::Svm, threshold: 0.0 };
    /// Logistic regression on layouts of a browser.
    pub const LR_LAYOUT: ThresholdBaseline =
        ThresholdBaseline { name: "lr", model: ModelRef::LAYOUT, ..ThresholdBaseline::LR_NO_LAYOUT };
    /// Support vector machine on layouts of a browser.
    pub const SVM_LAYOUT: ThresholdBaseline =
        ThresholdBaseline { name: "svm", model: ModelRef::LAYOUT, ..ThresholdBaseline::SVM_NO_LAYOUT };

    /// With another model; called `lr` or `svm` if that is one for layouts.
    pub fn new(model: &'static ClgModel, scorer: Scorer) -> ThresholdBaseline {
        let preset = match (scorer, model.layout) {
            (Scorer::Lr, true) => ThresholdBaseline::LR_LAYOUT,
            (Scorer::Lr, false) => ThresholdBaseline::LR_NO_LAYOUT,
            (Scorer::Svm, true) => ThresholdBaseline::SVM_LAYOUT,
            (Scorer::Svm, false) => ThresholdBaseline::SVM_NO_LAYOUT,
        };
        ThresholdBaseline { model: ModelRef::Given(model), ..preset }
    }
}

impl MainTextExtractor for ThresholdBaseline {
    fn about(&self) -> MethodDescription {
        MethodDescription { name: self.name, paper: PAPER, cost: COST }
    }

    parameters! {
        "threshold" threshold in -10.0..=10.0, "least score of a kept node, exclusive (§7.1)";
    }

    fn uses_layout(&self) -> bool {
        self.model.layout()
    }

    fn select(&self, page: &Page<'_>, query: &MethodInput<'_>, trace: &mut Trace) -> Selection {
        let Some(measures) = measures(page, query, self.model.layout(), trace) else { return Selection::none(page) };
        let scores = scores(self.model.model(), &measures, self.scorer, trace);
        keep(page, &candidates(page.doc, &measures, &scores, self.threshold, trace))
    }
}

/// The baselines LR_A and SVM_A: the one node with the highest score.
///
/// Source: §7.2 of the paper. O(nodes).
#[derive(Debug, Clone, Copy)]
pub struct BestNode {
    name: &'static str,
    model: ModelRef,
    scorer: Scorer,
}

impl BestNode {
    /// Logistic regression on pseudo-layouts.
    pub const LR_NO_LAYOUT: BestNode = BestNode { name: "lr-a-nolayout", model: ModelRef::PSEUDO, scorer: Scorer::Lr };
    /// Support vector machine on pseudo-layouts.
    pub const SVM_NO_LAYOUT: BestNode =
        BestNode { name: "svm-a-nolayout", model: ModelRef::PSEUDO, scorer: Scorer::Svm };
    /// Logistic regression on layouts of a browser.
    pub const LR_LAYOUT: BestNode = BestNode { name: "lr-a", model: ModelRef::LAYOUT, scorer: Scorer::Lr };
    /// Support vector machine on layouts of a browser.
    pub const SVM_LAYOUT: BestNode = BestNode { name: "svm-a", model: ModelRef::LAYOUT, scorer: Scorer::Svm };

    /// With another model; called `lr-a` or `svm-a` if that is one for layouts.
    pub fn new(model: &'static ClgModel, scorer: Scorer) -> BestNode {
        let preset = match (scorer, model.layout) {
            (Scorer::Lr, true) => BestNode::LR_LAYOUT,
            (Scorer::Lr, false) => BestNode::LR_NO_LAYOUT,
            (Scorer::Svm, true) => BestNode::SVM_LAYOUT,
            (Scorer::Svm, false) => BestNode::SVM_NO_LAYOUT,
        };
        BestNode { model: ModelRef::Given(model), ..preset }
    }
}

impl MainTextExtractor for BestNode {
    fn about(&self) -> MethodDescription {
        MethodDescription { name: self.name, paper: PAPER, cost: "O(nodes)" }
    }

    parameters! {}

    fn uses_layout(&self) -> bool {
        self.model.layout()
    }

    fn select(&self, page: &Page<'_>, query: &MethodInput<'_>, trace: &mut Trace) -> Selection {
        let Some(measures) = measures(page, query, self.model.layout(), trace) else { return Selection::none(page) };
        let scores = scores(self.model.model(), &measures, self.scorer, trace);
        let best = best_node(&measures, &scores);
        keep(page, best.as_slice())
    }
}

/// The measures that the model is made for; `None` when the page comes without the layout that they need.
fn measures(page: &Page<'_>, query: &MethodInput<'_>, of_layout: bool, trace: &mut Trace) -> Option<NodeFeatures> {
    let layout = query.layout.filter(|layout| layout.fits(page.doc) && !layout.is_pseudo());
    let kind = match (of_layout, layout) {
        (true, Some(_)) => "browser",
        (true, None) => "missing: the model needs a layout side-car",
        (false, None) => "pseudo",
        (false, Some(_)) => "pseudo: no model for layouts, so the side-car is not used",
    };
    trace.note("layout", || TraceValue::Text(kind.to_owned()));
    match (of_layout, layout) {
        (true, layout) => Some(NodeFeatures::new(page, layout?)),
        (false, _) => Some(NodeFeatures::new(page, &PageLayout::pseudo(page))),
    }
}

fn scores(model: &ClgModel, measures: &NodeFeatures, scorer: Scorer, trace: &mut Trace) -> Vec<f64> {
    let scores = model.scores(measures, scorer);
    trace.note("nodes", || TraceValue::Series(measures.nodes.iter().map(|n| n.node.index() as f64).collect()));
    trace.note("scores", || TraceValue::Series(scores.clone()));
    scores
}

/// Nodes over the threshold in document order, without those below others.
fn candidates(doc: &Doc, measures: &NodeFeatures, scores: &[f64], threshold: f64, trace: &mut Trace) -> Vec<NodeId> {
    let over = || measures.nodes.iter().zip(scores).filter(|(_, score)| **score > threshold).map(|(node, _)| node.node);
    trace.note("n_candidates", || TraceValue::Number(over().count() as f64));
    let compacted = group::compact(doc, over());
    note_nodes(trace, "candidates", &compacted);
    compacted
}

/// The node with the highest score, the first of equals; `None` on a page without text.
fn best_node(measures: &NodeFeatures, scores: &[f64]) -> Option<NodeId> {
    let nodes = measures.nodes.iter().zip(scores);
    nodes.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(node, _)| node.node)
}

fn note_nodes(trace: &mut Trace, name: &'static str, nodes: &[NodeId]) {
    trace.note(name, || TraceValue::Series(nodes.iter().map(|id| id.index() as f64).collect()));
}

fn keep(page: &Page<'_>, nodes: &[NodeId]) -> Selection {
    let mut selection = Selection::none(page);
    for &id in nodes {
        let from = page.leaves.partition_point(|leaf| leaf.node < id);
        let end = page.doc.end(id);
        let below = page.leaves[from..].iter().take_while(|leaf| leaf.node.index() < end).count();
        (from..from + below).for_each(|leaf| selection.keep_leaf(leaf));
    }
    selection
}
