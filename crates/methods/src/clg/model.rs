//! What training leaves behind: best values, tag scores and two linear models.

use std::sync::LazyLock;

use gristmill_html::LocalName;
use gristmill_models::{CLG, CLG_LAYOUT, ModelError, ModelFile};

use super::features::{FEATURES_VERSION, Features, NodeFeatures};

/// Mean relative values over the top nodes of the gold: positive nodes whose parent is not positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GoldMeans {
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
pub struct ClgModel {
    /// Whether it was trained on layouts of a browser; else on [pseudo-layouts](crate::Layout::pseudo).
    pub layout: bool,
    /// What the position and area features are measured against.
    pub best: GoldMeans,
    /// `TAG_SCORE` by tag: (positive + 1) / (all + 2) over the training nodes.
    pub tag_scores: Vec<(String, f64)>,
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

impl ClgModel {
    /// The scores of [`NodeFeatures::nodes`].
    pub(crate) fn scores(&self, measures: &NodeFeatures, scorer: Scorer) -> Vec<f64> {
        let tags = self.tag_table();
        let score = |relative: &super::features::RelativeFeatures| {
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
    pub(crate) fn tag_table(&self) -> [f64; LocalName::TABLE_LEN] {
        let mut table = [self.unseen_tag; LocalName::TABLE_LEN];
        for (tag, score) in self.tag_scores.iter() {
            if let Some(name) = LocalName::known(tag) {
                table[name.index()] = *score;
            }
        }
        table
    }
}

pub(crate) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The model of a method: a shipped one, which is read when it is first needed, or another.
#[derive(Debug, Clone, Copy)]
pub(super) enum ModelRef {
    Shipped { model: &'static LazyLock<ClgModel>, layout: bool },
    Given(&'static ClgModel),
}

pub(super) static PSEUDO: LazyLock<ClgModel> = LazyLock::new(|| CLG.load(ClgModel::read));
pub(super) static LAYOUT: LazyLock<ClgModel> = LazyLock::new(|| CLG_LAYOUT.load(ClgModel::read));

impl ModelRef {
    pub(super) const PSEUDO: ModelRef = ModelRef::Shipped { model: &PSEUDO, layout: false };
    pub(super) const LAYOUT: ModelRef = ModelRef::Shipped { model: &LAYOUT, layout: true };

    pub(super) fn model(&self) -> &'static ClgModel {
        match self {
            ModelRef::Shipped { model, .. } => model,
            ModelRef::Given(model) => model,
        }
    }

    /// Whether the model is one for layouts of a browser; a shipped one need not be read for that.
    pub(super) fn layout(&self) -> bool {
        match self {
            ModelRef::Shipped { layout, .. } => *layout,
            ModelRef::Given(model) => model.layout,
        }
    }
}

impl ClgModel {
    /// The model as a file with this card.
    pub fn to_file(&self, card: &str) -> ModelFile {
        let GoldMeans { left, right, top, bottom, center_x, center_y, area } = self.best;
        let (tags, scores) = self.tag_scores.iter().cloned().unzip();
        ModelFile::new(card)
            .with("features_version", vec![FEATURES_VERSION])
            .with("layout", vec![u32::from(self.layout)])
            .with("best", vec![left, right, top, bottom, center_x, center_y, area])
            .with("tags", tags)
            .with("tag_scores", scores)
            .with("unseen_tag", vec![self.unseen_tag])
            .with("lr.bias", vec![self.lr.bias])
            .with("lr.weights", self.lr.weights.to_vec())
            .with("svm.bias", vec![self.svm.bias])
            .with("svm.weights", self.svm.weights.to_vec())
    }

    /// The model in a file.
    ///
    /// # Errors
    /// If the file holds the model of something else, or one of other features.
    pub fn read(file: &ModelFile) -> Result<ClgModel, ModelError> {
        if file.number::<u32>("features_version")? != FEATURES_VERSION {
            return Err(ModelError::Shape("the features of CLG changed: train again"));
        }
        let [left, right, top, bottom, center_x, center_y, area] = file.array("best")?;
        let (tags, scores) = (file.table::<String>("tags")?, file.table::<f64>("tag_scores")?);
        if tags.len() != scores.len() {
            return Err(ModelError::Shape("each tag has one score"));
        }
        let linear = |bias: &str, weights: &str| {
            Ok::<_, ModelError>(Linear { bias: file.number(bias)?, weights: file.array(weights)? })
        };
        Ok(ClgModel {
            layout: file.number::<u32>("layout")? != 0,
            best: GoldMeans { left, right, top, bottom, center_x, center_y, area },
            tag_scores: tags.iter().cloned().zip(scores.iter().copied()).collect(),
            unseen_tag: file.number("unseen_tag")?,
            lr: linear("lr.bias", "lr.weights")?,
            svm: linear("svm.bias", "svm.weights")?,
        })
    }
}
