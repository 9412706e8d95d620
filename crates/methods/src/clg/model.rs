//! What training leaves behind: best values, tag scores and two linear models.

use std::borrow::Cow;

use gristmill_html::Name;

use super::features::{Features, Measures};

/// Mean relative values over the top nodes of the gold: positive nodes whose parent is not positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Best {
    /// Left edge over page width.
    pub left: f64,
    /// Right edge over page width.
    pub right: f64,
    /// Top edge over page height.
    pub top: f64,
    /// Bottom edge over page height.
    pub bottom: f64,
    /// Horizontal centre over page width.
    pub center_x: f64,
    /// Vertical centre over page height.
    pub center_y: f64,
    /// Area over page area.
    pub area: f64,
}

/// A linear function of the features; standardisation is folded into the weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Linear {
    /// Value where all features are 0.
    pub bias: f64,
    /// One weight for each of [`FEATURES`](super::FEATURES).
    pub weights: Features,
}

impl Linear {
    /// The value for a node.
    pub fn decision(&self, features: &Features) -> f64 {
        self.weights.iter().zip(features).fold(self.bias, |sum, (weight, value)| sum + weight * value)
    }
}

/// A trained model of main text, for pages of one kind of layout.
///
/// A model lives as long as the process: `Box::leak` one that is trained or read at run time.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Whether it was trained on layouts of a browser; else on [pseudo-layouts](crate::Layout::pseudo).
    pub layout: bool,
    /// What the position and area features are measured against.
    pub best: Best,
    /// `TAG_SCORE` by tag: (positive + 1) / (all + 2) over the training nodes.
    pub tag_scores: Cow<'static, [(&'static str, f64)]>,
    /// `TAG_SCORE` of any other tag: half of the share of positive nodes.
    pub unseen_tag: f64,
    /// Logistic regression.
    pub lr: Linear,
    /// Linear support vector machine.
    pub svm: Linear,
}

/// Which of the models scores a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scorer {
    /// Logistic regression; scores are probabilities.
    Lr,
    /// Support vector machine; scores are signed distances.
    Svm,
}

impl Model {
    /// The scores of [`Measures::nodes`].
    pub(crate) fn scores(&self, measures: &Measures, scorer: Scorer) -> Vec<f64> {
        let tags = self.tag_table();
        let score = |relative: &super::features::Relative| {
            let tag = tags.get(relative.name.index()).copied().unwrap_or(self.unseen_tag);
            let features = relative.adjusted(&self.best, tag);
            match scorer {
                Scorer::Lr => sigmoid(self.lr.decision(&features)),
                Scorer::Svm => self.svm.decision(&features),
            }
        };
        measures.nodes.iter().map(score).collect()
    }

    /// `TAG_SCORE` by [`Name::index`].
    pub(crate) fn tag_table(&self) -> [f64; Name::TABLE_LEN] {
        let mut table = [self.unseen_tag; Name::TABLE_LEN];
        for (tag, score) in self.tag_scores.iter() {
            if let Some(name) = Name::known(tag) {
                table[name.index()] = *score;
            }
        }
        table
    }
}

pub(crate) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Where a model comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Provenance {
    /// [`FEATURES_VERSION`](super::FEATURES_VERSION) it was trained with.
    pub features_version: u32,
    /// FNV-1a over text, gold and domain of all pages in order.
    pub training_hash: u64,
    /// The packages of pages.
    pub packages: Cow<'static, [Package]>,
    /// Nodes that it was trained on.
    pub nodes: u64,
    /// Those of them that are positive.
    pub positive: u64,
    /// Mean word F1 of CLG on the pages of each fold, with models trained on the other folds; folds are split by
    /// domain. Empty when it was not measured.
    pub fold_scores: Cow<'static, [f64]>,
}

/// A package of training pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// Its name.
    pub name: Cow<'static, str>,
    /// Licence of its gold texts.
    pub licence: Cow<'static, str>,
    /// Pages used.
    pub pages: u32,
}
