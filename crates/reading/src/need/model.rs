//! From the numbers of a page to the probability that a browser adds to it.

use std::sync::LazyLock;

use gristmill_html::Doc;
use gristmill_models::trees::Forest;
use gristmill_models::{ModelError, ModelFile, RENDERING};

use super::features::{ExtractionSignals, N_FEATURES, RenderFeatures};

/// From this probability on a page is drawn.
pub const THRESHOLD: f32 = 0.3;

/// Trees over [`RenderFeatures`].
#[derive(Debug, Clone, PartialEq)]
pub struct RenderModel {
    forest: Forest,
}

static SHIPPED: LazyLock<RenderModel> = LazyLock::new(|| RENDERING.load(RenderModel::read));

impl RenderModel {
    /// The model of these trees, which were grown on rows of [`N_FEATURES`].
    pub fn new(forest: Forest) -> RenderModel {
        RenderModel { forest }
    }

    /// The file of the model.
    pub fn to_file(&self, card: &str) -> ModelFile {
        self.forest.add_to(ModelFile::new(card).with("width", vec![N_FEATURES as u32]), "needs")
    }

    /// The model of a file.
    ///
    /// # Errors
    /// A table is missing, or was made for other features.
    pub fn read(file: &ModelFile) -> Result<RenderModel, ModelError> {
        if file.number::<u32>("width")? as usize != N_FEATURES {
            return Err(ModelError::Table { name: "width".into(), expected: format!("{N_FEATURES}") });
        }
        Ok(RenderModel { forest: Forest::read(file, "needs")? })
    }

    /// How probable it is that a browser adds a fifth to the text of such a page, or an attribute. None where there is no script that could.
    pub fn probability(&self, features: &RenderFeatures) -> Option<f32> {
        features.has_scripts.then(|| self.forest.as_ref().probability(&features.values))
    }
}

/// How probable it is that a browser adds a fifth to the text of a page, or an attribute; by the model that comes with the program. None
/// where there is no script that could.
///
/// O(nodes), up to 1,500 of them; nothing is allocated.
pub fn need(doc: &Doc, got: &ExtractionSignals) -> Option<f32> {
    SHIPPED.probability(&RenderFeatures::of(doc, got))
}
