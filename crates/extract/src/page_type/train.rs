//! Training of the page type model: features of labelled pages in, weights out.

use std::fmt::Write as _;

use super::features::{N_FEATURES, features};
use super::regression::Model;
use super::{PageType, PageTypes};
use crate::page::Page;

/// A labelled page as the trainer sees it.
#[derive(Debug, Clone)]
pub struct TypedPage {
    features: Vec<f64>,
    label: PageType,
    /// Pages of one site are never on both sides of a split.
    site: String,
}

impl TypedPage {
    /// Takes what the model looks at.
    pub fn new(page: &Page<'_>, url: Option<&str>, label: PageType, site: &str) -> TypedPage {
        TypedPage { features: features(page, url), label, site: site.to_owned() }
    }
}

/// Fits the model and judges it on sites that it has not seen.
#[derive(Debug)]
pub struct TypeTrainer {
    /// Weight of the penalty on squared weights.
    pub penalty: f64,
    /// Steps of the descent.
    pub steps: usize,
}

impl Default for TypeTrainer {
    fn default() -> Self {
        TypeTrainer { penalty: 1e-3, steps: 600 }
    }
}

impl TypeTrainer {
    /// The weights for `pages` as the source of `model.rs`, with `header` lines in its doc comment.
    ///
    /// Classes count as the root of their size: neither does the largest drown the others nor the smallest rule.
    pub fn train(&self, pages: &[TypedPage], header: &[String]) -> String {
        let pages: Vec<&TypedPage> = pages.iter().collect();
        to_rust(&self.fit(&pages), header)
    }

    /// Predictions for each page by a model that was trained without its site, in the order of `pages`.
    pub fn cross_validate(&self, pages: &[TypedPage], folds: usize) -> Vec<PageTypes> {
        let fold = |page: &TypedPage| gristmill_text::hash(page.site.as_bytes()) as usize % folds;
        let models: Vec<Model> = (0..folds)
            .map(|left_out| self.fit(&pages.iter().filter(|page| fold(page) != left_out).collect::<Vec<_>>()))
            .collect();
        pages.iter().map(|page| models[fold(page)].types(&page.features)).collect()
    }

    /// Multinomial logistic regression by accelerated gradient descent over all pages.
    fn fit(&self, pages: &[&TypedPage]) -> Model {
        let (mean, scale) = standardise(pages);
        let rows: Vec<Vec<f64>> = pages
            .iter()
            .map(|page| (0..N_FEATURES).map(|at| (page.features[at] - mean[at]) * scale[at]).collect())
            .collect();
        let of_class = |label: PageType| pages.iter().filter(|page| page.label == label).count().max(1) as f64;
        let weights: Vec<f64> = pages.iter().map(|page| of_class(page.label).sqrt().recip()).collect();
        let total: f64 = weights.iter().sum();
        let mut model = Model { mean, scale, weights: [[0.0; N_FEATURES]; 7], bias: [0.0; 7] };
        let mut before = (model.weights, model.bias);
        for step in 0..self.steps {
            // Nesterov: the gradient is taken ahead of the weights, where their way leads.
            let momentum = step as f64 / (step as f64 + 3.0);
            let ahead = moved(&model, &before, momentum);
            before = (model.weights, model.bias);
            let (gradient, bias) = gradient(&ahead, &rows, pages, &weights, total);
            const RATE: f64 = 0.5;
            for class in 0..7 {
                for at in 0..N_FEATURES {
                    let slope = gradient[class][at] + self.penalty * ahead.weights[class][at];
                    model.weights[class][at] = ahead.weights[class][at] - RATE * slope;
                }
                model.bias[class] = ahead.bias[class] - RATE * bias[class];
            }
        }
        model
    }
}

type Weights = ([[f64; N_FEATURES]; 7], [f64; 7]);

fn moved(model: &Model, before: &Weights, momentum: f64) -> Model {
    let mut ahead = model.clone();
    for class in 0..7 {
        for at in 0..N_FEATURES {
            ahead.weights[class][at] += momentum * (model.weights[class][at] - before.0[class][at]);
        }
        ahead.bias[class] += momentum * (model.bias[class] - before.1[class]);
    }
    ahead
}

fn gradient(model: &Model, rows: &[Vec<f64>], pages: &[&TypedPage], weights: &[f64], total: f64) -> Weights {
    let mut gradient = ([[0.0; N_FEATURES]; 7], [0.0; 7]);
    for ((row, page), weight) in rows.iter().zip(pages).zip(weights) {
        let probabilities = model.probabilities(row);
        for class in 0..7 {
            let wanted = f64::from(u8::from(class == page.label as usize));
            let error = (probabilities[class] - wanted) * weight / total;
            gradient.1[class] += error;
            gradient.0[class].iter_mut().zip(row).for_each(|(slope, value)| *slope += error * value);
        }
    }
    gradient
}

/// Means, and reciprocals of standard deviations scaled so that a row has norm one on average: the step is then safe.
fn standardise(pages: &[&TypedPage]) -> ([f64; N_FEATURES], [f64; N_FEATURES]) {
    let n = pages.len().max(1) as f64;
    let mean: [f64; N_FEATURES] = std::array::from_fn(|at| pages.iter().map(|page| page.features[at]).sum::<f64>() / n);
    let scale = std::array::from_fn(|at| {
        let variance = pages.iter().map(|page| (page.features[at] - mean[at]).powi(2)).sum::<f64>() / n;
        if variance > 1e-9 { (variance * N_FEATURES as f64).sqrt().recip() * 3.0 } else { 0.0 }
    });
    (mean, scale)
}

fn to_rust(model: &Model, header: &[String]) -> String {
    let mut out = String::from(
        "//! Weights of the page type model, written by `gristmill train page-type`; not to be edited.\n//!\n",
    );
    for line in header {
        writeln!(out, "//! {line}").expect("a string takes every line");
    }
    out.push_str("\nuse super::features::N_FEATURES;\n\npub(super) use super::regression::Model;\n\n");
    let list = |values: &[f64]| values.iter().map(|value| format!("{value:.6e}")).collect::<Vec<_>>().join(", ");
    let row = |name: &str, values: &[f64]| format!("    {name}: [{}],\n", list(values));
    out.push_str("#[rustfmt::skip]\npub(super) static MODEL: Model = Model {\n");
    out.push_str(&row("mean", &model.mean));
    out.push_str(&row("scale", &model.scale));
    out.push_str("    weights: [\n");
    for weights in &model.weights {
        writeln!(out, "        [{}],", list(weights)).expect("a string takes every line");
    }
    out.push_str("    ],\n");
    out.push_str(&row("bias", &model.bias));
    out.push_str("};\n\nconst _: () = assert!(N_FEATURES == MODEL.mean.len(), \"features changed: train again\");\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pages that differ in one feature by class, with a little order in the others.
    fn pages() -> Vec<TypedPage> {
        let page = |n: usize| {
            let label = PageType::ALL[n % 7];
            let mut features = vec![0.1 * (n % 5) as f64; N_FEATURES];
            features[label as usize] = 2.0;
            TypedPage { features, label, site: format!("site{}.example", n / 14) }
        };
        (0..140).map(page).collect()
    }

    #[test]
    fn what_can_be_told_apart_is_told_apart_on_sites_left_out() {
        let pages = pages();
        let predicted = TypeTrainer::default().cross_validate(&pages, 3);
        let right = pages.iter().zip(&predicted).filter(|(page, types)| types.best().0 == page.label).count();
        assert_eq!(right, 140);
        assert!(predicted.iter().all(|types| (types.0.iter().sum::<f32>() - 1.0).abs() < 1e-5));
    }

    #[test]
    fn the_same_pages_give_the_same_file() {
        let trainer = TypeTrainer { steps: 5, ..TypeTrainer::default() };
        let source = trainer.train(&pages(), &["From made-up pages.".to_owned()]);
        assert_eq!(source, trainer.train(&pages(), &["From made-up pages.".to_owned()]));
        assert!(source.contains("\n//! From made-up pages.\n"));
    }
}
