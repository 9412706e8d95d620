//! Training of the models: pages in, best values, tag scores and weights out.

mod newton;
mod svm;

use gristmill_html::{Doc, LocalName};
use gristmill_page::{Page, layout::PageLayout};

use super::features::{D, Features, NEED_LAYOUT, NodeFeatures, RelativeFeatures};
use super::labels::{NodeLabel, labels_of_text};
use super::model::{ClgModel, GoldMeans, Linear};

/// Folds of a cross-validation.
pub(super) const FOLDS: u64 = 3;

/// A page with its gold text.
#[derive(Debug, Clone)]
pub struct TrainingPage {
    /// The page.
    pub doc: Doc,
    /// Its layout; `None` trains on the pseudo-layout.
    pub layout: Option<PageLayout>,
    /// Its main text.
    pub gold: String,
    /// Registrable domain; folds are split by it.
    pub domain: String,
}

/// In which of the folds 0, 1, 2 the pages of a domain are.
pub fn fold_of(domain: &str) -> u64 {
    fnv(FNV, domain.as_bytes()) % FOLDS
}

const FNV: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// One node of a training page.
#[derive(Debug, Clone, Copy)]
struct Row {
    relative: RelativeFeatures,
    positive: bool,
    /// Positive, and its parent is not.
    top: bool,
    fold: u8,
}

/// Collects the nodes of pages, and fits models to them.
///
/// Keeps some 140 bytes for each element with text. Pages are forgotten once added.
#[derive(Debug, Clone, Default)]
pub struct Trainer {
    rows: Vec<Row>,
    hash: Option<u64>,
    layout: Option<bool>,
}

impl Trainer {
    /// Nothing collected yet.
    pub fn new() -> Trainer {
        Trainer::default()
    }

    /// Adds the nodes of one page, labelled by its gold text.
    ///
    /// # Panics
    /// When pages with and without a layout are mixed: their features do not compare.
    pub fn add(&mut self, training: &TrainingPage) {
        let page = Page::new(&training.doc);
        let has_layout = training.layout.is_some();
        assert_eq!(*self.layout.get_or_insert(has_layout), has_layout, "pages with and without a layout are mixed");
        let measures = match &training.layout {
            Some(layout) => NodeFeatures::new(&page, layout),
            None => NodeFeatures::new(&page, &PageLayout::pseudo(&page)),
        };
        let labels = labels_of_text(&page, &training.gold);
        let fold = fold_of(&training.domain) as u8;
        self.rows.extend(measures.nodes.iter().map(|&relative| {
            let positive = |at: usize| labels[at] == NodeLabel::Positive;
            let parent = training.doc.parent(relative.node).expect("an element has a parent").index();
            let is_positive = positive(relative.node.index());
            Row { relative, positive: is_positive, top: is_positive && !positive(parent), fold }
        }));
        let parts = [page.text.as_bytes(), training.gold.as_bytes(), training.domain.as_bytes()];
        let hash = parts.iter().fold(self.hash.unwrap_or(FNV), |hash, part| fnv(fnv(hash, part), &[0]));
        self.hash = Some(hash);
    }

    /// A model of all pages but those of one fold. No rows: a model that scores every node 0.5.
    pub fn fit(&self, without_fold: Option<u64>) -> ClgModel {
        let kept = |row: &&Row| without_fold != Some(u64::from(row.fold));
        let rows: Vec<&Row> = self.rows.iter().filter(kept).collect();
        fit(&rows, self.layout.unwrap_or(false))
    }

    /// FNV-1a over text, gold and domain of all pages in order.
    pub fn hash(&self) -> u64 {
        self.hash.unwrap_or(FNV)
    }

    /// Nodes that were added, and how many of them are main text.
    pub fn n_nodes(&self) -> (usize, usize) {
        (self.rows.len(), self.rows.iter().filter(|row| row.positive).count())
    }
}

/// Logistic regression: Newton's method on the mean loss, L2 with λ = 10⁻⁴ on standardised features, free intercept.
/// SVM: hinge loss, C = 1, dual coordinate descent in a fixed order. Deterministic.
///
/// Source: Wu, Liu & Fan 2015, §5. The paper does not weigh the classes, and neither do we.
fn fit(rows: &[&Row], layout: bool) -> ClgModel {
    let best = best(rows);
    let (tag_scores, unseen_tag) = tag_scores(rows);
    let none = Linear { bias: 0.0, weights: [0.0; D] };
    let mut model = ClgModel { layout, best, tag_scores, unseen_tag, lr: none, svm: none };
    let tags = model.tag_table();
    let used: [bool; D] = std::array::from_fn(|feature| layout || !NEED_LAYOUT.contains(&feature));
    let mut table: Vec<Features> = rows
        .iter()
        .map(|row| {
            let tag = tags.get(row.relative.name.index()).copied().unwrap_or(unseen_tag);
            row.relative.adjusted(&best, tag)
        })
        .collect();
    let scale = Scale::new(&table, used);
    table.iter_mut().for_each(|features| *features = scale.standardised(features));
    let positive: Vec<bool> = rows.iter().map(|row| row.positive).collect();
    model.lr = scale.unfold(newton::fit(&table, &positive));
    model.svm = scale.unfold(svm::fit(&table, &positive));
    model
}

/// Means over the top nodes; the whole page when there is none.
fn best(rows: &[&Row]) -> GoldMeans {
    let tops: Vec<&RelativeFeatures> = rows.iter().filter(|row| row.top).map(|row| &row.relative).collect();
    if tops.is_empty() {
        return GoldMeans { left: 0.0, right: 1.0, top: 0.0, bottom: 1.0, center_x: 0.5, center_y: 0.5, area: 1.0 };
    }
    let mean = |value: fn(&RelativeFeatures) -> f64| tops.iter().map(|top| value(top)).sum::<f64>() / tops.len() as f64;
    GoldMeans {
        left: mean(|top| top.left),
        right: mean(|top| top.right),
        top: mean(|top| top.top),
        bottom: mean(|top| top.bottom),
        center_x: mean(RelativeFeatures::center_x),
        center_y: mean(RelativeFeatures::center_y),
        area: mean(|top| top.area),
    }
}

/// (positive + 1) / (all + 2) by known tag in the order of their names, and half of the prior for all others.
fn tag_scores(rows: &[&Row]) -> (Vec<(String, f64)>, f64) {
    let mut counts = [(0u32, 0u32); LocalName::TABLE_LEN];
    for row in rows {
        if let Some((positive, all)) = counts.get_mut(row.relative.name.index()) {
            *positive += u32::from(row.positive);
            *all += 1;
        }
    }
    let positive = rows.iter().filter(|row| row.positive).count() as f64;
    let mut scores: Vec<(String, f64)> = Vec::new();
    for row in rows {
        let name = row.relative.name;
        let Some(count) = counts.get_mut(name.index()) else { continue };
        let (positive, all) = std::mem::take(count);
        if let Some(tag) = name.as_known_str().filter(|_| all > 0) {
            scores.push((tag.to_owned(), f64::from(positive + 1) / f64::from(all + 2)));
        }
    }
    scores.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    (scores, 0.5 * positive / rows.len().max(1) as f64)
}

/// Mean and inverse deviation of each feature; 0 for those that are unused or constant.
struct Scale {
    mean: Features,
    inverse: Features,
}

impl Scale {
    fn new(table: &[Features], used: [bool; D]) -> Scale {
        let n = table.len().max(1) as f64;
        let mean: Features = std::array::from_fn(|f| table.iter().map(|row| row[f]).sum::<f64>() / n);
        let inverse = std::array::from_fn(|f| {
            let variance = table.iter().map(|row| (row[f] - mean[f]).powi(2)).sum::<f64>() / n;
            if used[f] && variance > 1e-12 { 1.0 / variance.sqrt() } else { 0.0 }
        });
        Scale { mean, inverse }
    }

    fn standardised(&self, row: &Features) -> Features {
        std::array::from_fn(|f| (row[f] - self.mean[f]) * self.inverse[f])
    }

    /// The same function of features that are not standardised.
    fn unfold(&self, linear: Linear) -> Linear {
        let weights: Features = std::array::from_fn(|f| linear.weights[f] * self.inverse[f]);
        let shift: f64 = weights.iter().zip(&self.mean).map(|(weight, mean)| weight * mean).sum();
        Linear { bias: linear.bias - shift, weights }
    }
}

#[cfg(test)]
mod tests;
