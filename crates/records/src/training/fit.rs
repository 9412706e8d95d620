//! Grows both looks of the accept model from labelled candidates.

use std::collections::HashMap;

use gristmill_page::Page;

use super::PageSamples;
use crate::features::N_FEATURES;
use crate::model::AcceptModel;
use crate::records::{HOPELESS, ProductRecords, RecordOptions, records_by};
use crate::second_stage::SECOND;
use gristmill_models::trees::{BatchForest, Forest, LevelwiseParams, TrainingRows, grow};

/// Negatives of one page beyond this number are thinned out evenly and weighted up.
const MAX_NEGATIVES: usize = 130;
/// Folds inside of a training set, for the first look's honest opinions that the second look learns from.
const N_INNER: u64 = 4;
/// A page with more candidates than that weighs less than its candidates' number: pages of products, other pages.
const FULL_WEIGHT: [f32; 2] = [60.0, 5.0];
/// Product pages of a site, copies counted, that weigh in full: those of a site with more weigh less each and of one with fewer more,
/// so that a large shop does not teach alone what a specification looks like.
const FULL_SITE: f32 = 4.0;

/// Forests of each look.
const N_FORESTS: usize = 5;

/// What is known of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairLabel {
    /// An attribute of the product.
    Right,
    /// None.
    Wrong,
    /// Opinions differ; the candidate takes no part.
    Open,
}

/// A page to learn from.
#[derive(Debug)]
pub struct Example {
    /// Its candidates.
    pub samples: PageSamples,
    /// What is known of each of them.
    pub labels: Vec<PairLabel>,
    /// Its shop, all countries of a brand together, or its domain: pages of one site stay in one fold.
    pub site: String,
    /// Whether it shows a product; other pages teach what is none.
    pub is_product: bool,
}

/// The fold of a site among `n`, by a hash of its name.
pub fn fold_of(site: &str, n: u64) -> u64 {
    site.bytes().fold(7u64, |hash, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte))) % n.max(1)
}

/// Five small forests and their mean: there are few shops, and one forest alone depends on which of them its draws take.
fn growth(second: bool) -> LevelwiseParams {
    let (n_trees, depth, feature_share) = if second { (40, 2, 0.3) } else { (50, 4, 0.2) };
    LevelwiseParams {
        n_trees,
        depth,
        rate: 0.25,
        lambda: 2.0,
        min_weight: 5.0,
        feature_share,
        row_share: 0.7,
        n_forests: N_FORESTS,
    }
}

/// A look; what learns from nothing accepts nothing.
fn forest(rows: &TrainingRows, second: bool) -> Forest {
    if rows.labels.is_empty() {
        return Forest { bias: -10.0, ..Forest::default() };
    }
    grow(rows, &growth(second))
}

/// Trains on the pages whose numbers are `taken`.
///
/// The second look learns from opinions of first looks that have not seen the page's site (four folds by site inside
/// of the training set). Equal pages in equal order give equal weights. Some seconds for 400 pages.
pub fn fit(pages: &[Example], taken: &dyn Fn(usize) -> bool) -> AcceptModel {
    let inner = |n: usize| fold_of(&pages[n].site, 1_009) % N_INNER;
    let first = |n: usize| pages[n].samples.samples.iter().map(|sample| sample.features.clone()).collect::<Vec<_>>();
    let folds: Vec<BatchForest> = (0..N_INNER)
        .map(|held| forest(&rows(pages, &|n| taken(n) && inner(n) != held, &first), false))
        .map(|forest| BatchForest::from(forest.as_ref()))
        .collect();
    let honest = |n: usize| {
        let forest = &folds[inner(n) as usize];
        pages[n].samples.second(&probabilities(forest, &pages[n].samples))
    };
    let second = forest(&rows(pages, taken, &honest), true);
    AcceptModel::new(forest(&rows(pages, taken, &first), false), second)
}

fn probabilities(forest: &BatchForest, page: &PageSamples) -> Vec<f32> {
    let numbers: Vec<f32> = page.samples.iter().flat_map(|sample| sample.features.iter().copied()).collect();
    forest.probabilities(&numbers, N_FEATURES, HOPELESS, |_| None)
}

fn rows(pages: &[Example], taken: &dyn Fn(usize) -> bool, features: &dyn Fn(usize) -> Vec<Vec<f32>>) -> TrainingRows {
    let mut rows = TrainingRows::default();
    let of_site = pages_of_sites(pages, taken);
    for (n, page) in pages.iter().enumerate().filter(|(n, _)| taken(*n)) {
        let n_samples = page.labels.len().max(1) as f32;
        let weight = (FULL_WEIGHT[usize::from(!page.is_product)] / n_samples).clamp(0.05, 1.0).sqrt();
        let weight = weight * of_site.get(page.site.as_str()).map_or(1.0, |n| (FULL_SITE / n).sqrt());
        let n_wrong = page.labels.iter().filter(|&&label| label == PairLabel::Wrong).count();
        let kept = (MAX_NEGATIVES as f32 / n_wrong.max(1) as f32).min(1.0);
        for (k, (features, &label)) in features(n).into_iter().zip(&page.labels).enumerate() {
            let thinned = (k as f32 * kept).floor() == ((k + 1) as f32 * kept).floor();
            if label == PairLabel::Open || label == PairLabel::Wrong && thinned {
                continue;
            }
            rows.width = features.len();
            rows.features.extend(features);
            rows.labels.push(f32::from(u8::from(label == PairLabel::Right)));
            rows.weights.push(if label == PairLabel::Wrong { weight / kept.max(0.2) } else { weight });
        }
    }
    rows
}

/// How many product pages each site has.
fn pages_of_sites<'p>(pages: &'p [Example], taken: &dyn Fn(usize) -> bool) -> HashMap<&'p str, f32> {
    let mut counts = HashMap::new();
    for (_, page) in pages.iter().enumerate().filter(|(n, page)| page.is_product && taken(*n)) {
        *counts.entry(page.site.as_str()).or_insert(0.0) += 1.0;
    }
    counts
}

impl AcceptModel {
    /// The probability of each candidate.
    pub fn probabilities(&self, page: &PageSamples) -> Vec<f32> {
        let numbers = page.second(&probabilities(self.first(), page)).concat();
        let known = |n: usize| page.samples[n].is_elsewhere.then_some(0.0);
        self.second().probabilities(&numbers, N_FEATURES + SECOND.len(), HOPELESS, known)
    }

    /// As [`crate::records`], by this model instead of the shipped one.
    pub fn records(&self, page: &Page<'_>, url: Option<&str>, options: &RecordOptions) -> ProductRecords {
        records_by(page, url, options, self)
    }
}

#[cfg(test)]
mod tests {
    use gristmill_html::{Doc, TreeLimits};

    use super::*;
    use crate::dictionary::Dictionary;
    use crate::training::{CandidateSample, samples};

    fn page(n: usize) -> String {
        let rows: String =
            ["Brand", "Weight", "Colour"].iter().map(|name| format!("<tr><th>{name}<td>value {n}")).collect();
        let cards: String = (0..4).map(|k| format!("<li class=card><b>By</b><i>someone {k}</i></li>")).collect();
        format!("<h1>Thing {n}</h1><p>$5</p><table class=specs>{rows}</table><ul class=reviews>{cards}</ul>")
    }

    fn example(n: usize) -> Example {
        let samples = samples(&Doc::parse(&page(n), &TreeLimits::default()), &Dictionary::built_in());
        let label = |sample: &CandidateSample| match sample.name.as_str() {
            "Brand" | "Weight" | "Colour" => PairLabel::Right,
            _ => PairLabel::Wrong,
        };
        let labels = samples.samples.iter().map(label).collect();
        Example { samples, labels, site: format!("shop{}", n / 5), is_product: true }
    }

    #[test]
    fn a_model_that_has_not_seen_the_shop_reads_its_page_and_training_again_gives_the_same_weights() {
        let pages: Vec<Example> = (0..40).map(example).collect();
        let train = || fit(&pages, &|n| pages[n].site != "shop0");
        let model = train();
        assert_eq!(model, train());
        let found =
            model.records(&Page::new(&Doc::parse(&page(0), &TreeLimits::default())), None, &RecordOptions::default());
        let names: Vec<&str> = found.pairs.iter().map(|pair| pair.name.as_str()).collect();
        assert_eq!(names, ["Brand", "Weight", "Colour"]);
    }

    #[test]
    fn no_pages_give_a_model_that_accepts_nothing() {
        let model = fit(&[], &|_| true);
        let found =
            model.records(&Page::new(&Doc::parse(&page(0), &TreeLimits::default())), None, &RecordOptions::default());
        assert!(found.pairs.is_empty(), "{:?}", found.pairs);
        assert_eq!(AcceptModel::read(&model.to_file("card")), Ok(model));
    }
}
